import { Bookmark, X } from 'lucide-react'
import { useFrame } from '../ui/basic/frame.ts'
import { Field } from '../ui/form/field.tsx'
import { Form, type RefusedForm } from '../ui/form/form.tsx'
import { urls } from '../urls.ts'
import type { Question } from './answer/results.ts'
import { MOST_NAME_LETTERS, type SavedSearch } from './answer/saved-search.ts'
import { NO_QUESTION, writeSearch } from './answer/search-address.ts'

/** The searches that the person has saved, to follow or to remove. */
export function SavedList({ saved }: { saved: SavedSearch[] }) {
  const { token } = useFrame()
  return (
    <section aria-labelledby="saved-searches" className="grid gap-2">
      <h2 id="saved-searches" className="text-section font-semibold">
        Gemte søgninger
      </h2>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {saved.map(({ id, name, query }) => (
          <li key={id} className="flex items-center gap-3 py-1 pr-2 pl-4">
            <Bookmark size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-muted" />
            <a
              href={urls.search + query}
              className="min-w-0 flex-1 py-2 wrap-anywhere text-accent underline-offset-2 hover:underline"
            >
              {name}
            </a>
            <form method="post" action={urls.removeSavedSearch(id)}>
              <input type="hidden" name="_token" value={token} />
              <button
                type="submit"
                aria-label={`Slet den gemte søgning ${name}`}
                data-tooltip=""
                className="icon-button"
              >
                <X size={16} strokeWidth={1.75} aria-hidden="true" />
              </button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  )
}

type SaveProps = { question: Question; saved: SavedSearch[]; refused: RefusedForm | undefined }

/** Saves the search that is shown, or says under which name it is saved. */
export function SaveSearch({ question, saved, refused }: SaveProps) {
  const query = writeSearch({ ...question, page: NO_QUESTION.page })
  const own = saved.find((each) => each.query === query)
  if (own)
    return (
      <p className="flex items-center gap-2 text-muted">
        <Bookmark size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
        <span className="wrap-anywhere">Gemt som ”{own.name}”</span>
      </p>
    )
  return (
    <details open={refused !== undefined} className="max-sm:open:w-full">
      <summary className="-my-2 inline-flex min-h-9 cursor-pointer items-center gap-2 rounded-control px-3 text-accent max-sm:-ml-3 hover:bg-hover pointer-coarse:min-h-11">
        <Bookmark size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
        Gem søgning
      </summary>
      <Form
        key={query}
        action={urls.savedSearches}
        submit="Gem"
        kind="secondary"
        beside={null}
        refused={refused}
        doneText="Søgningen er gemt under det tomme søgefelt."
        className="mt-3 grid gap-3 rounded-card border border-line bg-surface p-4 sm:w-80"
      >
        <input type="hidden" name="query" value={query} />
        <Field
          name="name"
          label="Navn på søgningen"
          maxLength={MOST_NAME_LETTERS}
          defaultValue={refused?.values.name ?? question.q}
          required
        />
      </Form>
    </details>
  )
}
