import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button } from '../basic/button.tsx'
import { turnTo } from '../basic/next-page.ts'
import { SearchBox } from '../form/search-box.tsx'

type Props = {
  action: string
  className: string
  /** A search among what is filtered, and what is searched for now. */
  search?: { label: string; q: string }
  /** Fields and choices without an own `onChange`. */
  children: ReactNode
}

/** The pause in typing after which a search is sent. */
const PAUSE_MS = 250

/**
 * Filters of a page that is drawn by the server. A choice applies at once, a search after a pause in typing, and the focus
 * stays on it: arrow keys walk through the choices. Without JavaScript the form has a button.
 */
export function FilterForm({ action, className, search, children }: Props) {
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const [text, setText] = useState(search?.q ?? '')
  const searched = useRef(search?.q ?? '')
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** A search that is typed letter by letter is one step of the Back button. */
  const isTyping = useRef(false)
  useEffect(() => () => clearTimeout(pause.current), [])

  async function apply(q = text, isTyped = false): Promise<void> {
    clearTimeout(pause.current)
    const isSameStep = isTyped && isTyping.current
    isTyping.current = isTyped
    searched.current = q.trim()
    setBusy(true)
    await turnTo(action + queryOf(form.current!, search && q.trim()), isSameStep)
    setBusy(false)
  }

  function searchFor(q: string): void {
    if (q.trim() !== searched.current) void apply(q, true)
  }

  function type(q: string): void {
    setText(q)
    clearTimeout(pause.current)
    pause.current = setTimeout(() => searchFor(q), PAUSE_MS)
  }

  return (
    <form
      ref={form}
      action={action}
      aria-label="Filtre"
      aria-busy={isBusy || undefined}
      onSubmit={(event) => {
        event.preventDefault()
        if (!search) void apply()
      }}
      onChange={({ target }) => {
        if (target instanceof HTMLSelectElement) void apply()
      }}
      className={className}
    >
      {search && (
        <div className="min-w-0 flex-1 basis-48 *:w-full!">
          <SearchBox
            label={search.label}
            text={text}
            onType={type}
            onSearch={(q) => {
              setText(q)
              searchFor(q)
            }}
          />
        </div>
      )}
      {children}
      <noscript>
        <Button type="submit" kind="secondary">
          Vis
        </Button>
      </noscript>
    </form>
  )
}

/** The query of the filters that are set, with the words that are searched for. */
function queryOf(form: HTMLFormElement, q: string | undefined): string {
  const set = [...new FormData(form)].flatMap(([name, field]) => {
    const value = name === 'q' && q !== undefined ? q : field
    return typeof value === 'string' && value !== '' ? [[name, value]] : []
  })
  return set.length === 0 ? '' : `?${new URLSearchParams(set)}`
}
