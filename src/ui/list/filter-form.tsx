import { useState, type ReactNode } from 'react'
import { Button } from '../basic/button.tsx'
import { turnTo } from '../basic/next-page.ts'

type Props = {
  action: string
  className: string
  /** Fields and choices without an own `onChange`. */
  children: ReactNode
}

/**
 * Filters of a page that is drawn by the server. A choice applies at once, and the focus stays on it: arrow keys walk
 * through the choices. Without JavaScript the form has a button.
 */
export function FilterForm({ action, className, children }: Props) {
  const [isBusy, setBusy] = useState(false)

  async function apply(form: HTMLFormElement): Promise<void> {
    setBusy(true)
    await turnTo(action + queryOf(form))
    setBusy(false)
  }

  return (
    <form
      action={action}
      aria-label="Filtre"
      aria-busy={isBusy || undefined}
      onSubmit={(event) => {
        event.preventDefault()
        void apply(event.currentTarget)
      }}
      onChange={({ currentTarget, target }) => {
        if (target instanceof HTMLSelectElement) void apply(currentTarget)
      }}
      className={className}
    >
      {children}
      <noscript>
        <Button type="submit" kind="secondary">
          Vis
        </Button>
      </noscript>
    </form>
  )
}

/** The query of the filters that are set. */
function queryOf(form: HTMLFormElement): string {
  const set = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[name, value]] : [],
  )
  return set.length === 0 ? '' : `?${new URLSearchParams(set)}`
}
