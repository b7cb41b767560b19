import { useEffect, useRef, useState, type FormEvent } from 'react'
import { formatCount } from '../base/danish/counts.ts'
import { FILE_ICONS } from '../files/file/file-icons.tsx'
import { countFiles } from '../projects/folder.ts'
import { may } from '../rights.ts'
import { Button } from '../ui/basic/button.tsx'
import { ErrorState } from '../ui/basic/error-state.tsx'
import { useFrame } from '../ui/basic/frame.ts'
import { IconSprite } from '../ui/icon/icon-sprite.tsx'
import { INPUT_LOOK } from '../ui/basic/input-look.ts'
import type { RefusedForm } from '../ui/form/form.tsx'
import { SearchIcon } from '../ui/form/search-icon.tsx'
import { Pager } from '../ui/list/pager.tsx'
import { makeLate } from '../ui/overlay/late.ts'
import { useLate } from '../ui/overlay/use-late.ts'
import { Shell } from '../ui/shell/shell.tsx'
import { urls } from '../urls.ts'
import { SEARCH_FIELD } from './box/search-keys.ts'
import { FoundFile } from './found-file.tsx'
import { FoundPlaces } from './found-places.tsx'
import { MOST_LETTERS } from './answer/most-letters.ts'
import { MOST_FOUND, type Question } from './answer/results.ts'
import { SavedList, SaveSearch } from './saved-list.tsx'
import type { SavedSearch } from './answer/saved-search.ts'
import { isAsked, isFiltered, NO_QUESTION, writeSearch } from './answer/search-address.ts'
import type { SearchList } from './answer/search-answer.ts'
import { SearchFilters } from './search-filters.tsx'
import type { SearchLookHandle, SearchLookProps } from './search-look.tsx'
import { useSearch } from './use-search.ts'

export type SearchPageProps = {
  question: Question
  list: SearchList
  /** The searches that the reader has saved. Null for those who cannot. */
  saved: SavedSearch[] | null
  /** The name of an uploader that was written without JavaScript and that nobody has. */
  missing: string | null
  /** Why the search was not saved. */
  refused?: RefusedForm
}

const searchLook = makeLate(() => import('./search-look.tsx').then((file) => file.SearchLook))

/** Everything that a search finds, with filters. */
export function SearchPage({ question: atFirst, list: answer, saved, missing, refused }: SearchPageProps) {
  const search = useSearch(answer, atFirst)
  const { question, answered, list } = search
  const top = useRef<HTMLDivElement>(null)
  const [looked, setLooked] = useState<number | null>(null)
  const { Part: Look, ref, call } = useLate<SearchLookProps, SearchLookHandle>(searchLook, isAsked(question))
  const hasAsked = isAsked(answered)

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const q = new FormData(event.currentTarget).get('q')
    if (typeof q === 'string') search.change({ q: q.trim() })
  }

  function turnTo(page: number): void {
    search.change({ page })
    top.current?.scrollIntoView()
  }

  return (
    <Shell title="Søg">
      <IconSprite id="icons" icons={import.meta.env.SSR ? FILE_ICONS : null} />
      <div className="@container grid gap-4">
        <form action={urls.search} aria-label="Søgning" onSubmit={submit} className="grid gap-4">
          <QuestionField q={question.q} />
          {(hasAsked || isAsked(question)) && (
            <SearchFilters question={question} list={list} onChange={search.change} />
          )}
        </form>
        {missing !== null && (
          <p role="alert" className="text-danger">
            Der er ingen med navnet eller nummeret ”{missing}”.
          </p>
        )}
        {search.hasFailed && (
          <ErrorState
            message={search.refused ?? 'Søgningen kunne ikke gennemføres.'}
            onRetry={search.retry}
          />
        )}
        <div ref={top} aria-busy={search.isBusy} className="relative grid scroll-mt-4 gap-4">
          {search.isBusy && <span className="busy-bar" aria-hidden="true" />}
          {hasAsked ? (
            <>
              <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
                <Summary list={list} question={answered} />
                {saved && <SaveSearch question={answered} saved={saved} refused={refused} />}
              </div>
              {list.places && <FoundPlaces places={list.places} />}
              {list.data.length > 0 ? (
                <ol
                  aria-label="Fundne filer"
                  className={`divide-y divide-line overflow-clip rounded-card border border-line bg-surface ${search.isBusy ? 'opacity-70' : ''}`}
                >
                  {list.data.map((file) => (
                    <FoundFile
                      key={file.id}
                      file={file}
                      isLooked={looked === file.id}
                      onLook={(...about) => call((panel) => panel.openLook(...about))}
                    />
                  ))}
                </ol>
              ) : (
                <NothingFound question={answered} />
              )}
              <Pager
                info={list.meta}
                hrefOf={(page) => urls.search + writeSearch({ ...question, page })}
                onTurn={turnTo}
              />
            </>
          ) : (
            <>
              {saved && saved.length > 0 && <SavedList saved={saved} />}
              <Help />
            </>
          )}
        </div>
      </div>
      {Look && <Look ref={ref} files={list.data} setLooked={setLooked} />}
    </Shell>
  )
}

/** The question, large. It follows the address when somebody goes back. */
function QuestionField({ q }: { q: string }) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current!.value.trim() !== q) input.current!.value = q
  }, [q])
  return (
    <div className="flex gap-2">
      <div className="relative min-w-0 flex-1">
        <SearchIcon size={20} />
        <input
          ref={input}
          type="search"
          name="q"
          {...{ [SEARCH_FIELD]: '' }}
          defaultValue={q}
          enterKeyHint="search"
          autoComplete="off"
          maxLength={MOST_LETTERS}
          aria-label="Søg efter"
          placeholder="Navn, nummer eller ord i et papir"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- nothing else can be done on the empty page
          autoFocus={q === ''}
          className={`${INPUT_LOOK} search-field min-h-12! pl-10 text-section`}
        />
      </div>
      <Button type="submit" className="min-h-12">
        Søg
      </Button>
    </div>
  )
}

/** Says how much was found, how the words were understood, and what could not be searched. */
function Summary({ list: { meta, about }, question: { q } }: { list: SearchList; question: Question }) {
  const { from, to, total } = meta
  const many = about.isMore ? `mere end ${formatCount(MOST_FOUND)} filer` : countFiles(total)
  return (
    <div className="grid gap-1">
      <output className="tabular-nums">
        {total === 0
          ? 'Intet fundet...'
          : total > meta.per_page
            ? `Viser ${formatCount(from ?? 0)}–${formatCount(to ?? 0)} af ${many}`
            : `${many} fundet`}
        {q !== '' && <span className="sr-only"> for {q}</span>}
      </output>
      {about.corrected !== null && (
        <p>
          Rettet til: <strong className="font-semibold">{about.corrected}</strong>
        </p>
      )}
      {about.isCut && (
        <p className="text-muted">Noget tekst nåede ikke med. Brug flere ord eller et filter.</p>
      )}
      {about.unread > 0 && (
        <p className="text-muted">
          {about.unread === 1
            ? 'Teksten i 1 fil kan ikke søges endnu.'
            : `Teksten i ${formatCount(about.unread)} filer kan ikke søges endnu.`}
        </p>
      )}
    </div>
  )
}

function NothingFound({ question }: { question: Question }) {
  return (
    <div className="grid justify-items-start gap-2 rounded-card border border-line bg-surface px-4 py-6">
      <p className="text-muted">Prøv med færre ord: Alle skal stå i filens navn, mappe eller tekst.</p>
      {isFiltered(question) && (
        <a
          href={urls.search + writeSearch({ ...NO_QUESTION, q: question.q })}
          className="text-accent underline underline-offset-2"
        >
          Ryd filtre
        </a>
      )}
    </div>
  )
}

/** Says what can be searched for, while nothing is. */
function Help() {
  const { role } = useFrame().user!
  return (
    <section aria-label="Hjælp til søgning" className="grid gap-2 text-muted">
      <p>Du søger i alt, du har adgang til, også inde i papirerne.</p>
      <ul className="grid list-disc gap-1 pl-5">
        <li>Et projekts nummer, navn eller CVR-nummer: 1024</li>
        {may(role, 'seeUsers') && <li>En persons navn, nummer eller e-mail</li>}
        <li>Ord i filnavne og papirer: årsrapport revisor</li>
        <li>Ord, der står lige efter hinanden: ”ordinær generalforsamling”</li>
        <li>Beløb, som de står: 1.234.567</li>
      </ul>
    </section>
  )
}
