import type { ReactNode } from 'react'
import { isPlainClick } from '../basic/plain-click.ts'

type Props = {
  /** The address of the whole list; none if nothing was searched for. */
  clearHref: string | null
  clearText?: string
  onClear: () => void
  /** The text if nothing was searched for: 'Ingen projekter endnu'. */
  none: string
  children?: ReactNode
}

/** S8.3, with a link back from a search. */
export function NothingFound({ clearHref, clearText = 'Ryd søgning', onClear, none, children }: Props) {
  return (
    <div className="grid justify-items-start gap-2">
      <p>{clearHref === null ? none : 'Intet fundet...'}</p>
      {clearHref === null ? (
        children
      ) : (
        <a
          href={clearHref}
          onClick={(event) => {
            if (!isPlainClick(event)) return
            event.preventDefault()
            onClear()
            document.querySelector<HTMLElement>('main input[name=q]')?.focus() // the link disappears
          }}
          className="text-accent underline underline-offset-2"
        >
          {clearText}
        </a>
      )}
    </div>
  )
}
