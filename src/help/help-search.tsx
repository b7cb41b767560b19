import { LONGEST_QUESTION } from '../search/find/question.ts'
import { Button } from '../ui/basic/button.tsx'
import { INPUT_LOOK } from '../ui/basic/input-look.ts'
import { SearchIcon } from '../ui/form/search-icon.tsx'
import { urls } from '../urls.ts'

/** Searches the manual: a plain form, since its answer is a page. */
export function HelpSearch({ q }: { q: string }) {
  return (
    <search className="block print:hidden">
      <form action={urls.help} className="flex gap-2">
        <div className="relative min-w-0 flex-1">
          <SearchIcon />
          <input
            type="search"
            name="q"
            defaultValue={q}
            enterKeyHint="search"
            autoComplete="off"
            maxLength={LONGEST_QUESTION}
            aria-label="Søg i hjælpen"
            placeholder="Hvad vil du gøre?"
            className={`${INPUT_LOOK} search-field pl-9`}
          />
        </div>
        <Button type="submit" kind="secondary">
          Søg
        </Button>
      </form>
    </search>
  )
}
