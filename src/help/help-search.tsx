import { Search } from 'lucide-react'
import { LONGEST_QUESTION } from '../search/find/question.ts'
import { Button } from '../ui/basic/button.tsx'
import { INPUT_LOOK } from '../ui/basic/input-look.ts'
import { urls } from '../urls.ts'

/** Searches the manual: a plain form, since its answer is a page. */
export function HelpSearch({ q }: { q: string }) {
  return (
    <search className="block print:hidden">
      <form action={urls.help} className="flex gap-2">
        <div className="relative min-w-0 flex-1">
          <Search
            size={16}
            strokeWidth={1.75}
            aria-hidden="true"
            className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-muted"
          />
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
