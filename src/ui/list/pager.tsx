import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { pageWindow, type PageInfo } from '../../base/pagination.ts'
import { isPlainClick } from '../basic/plain-click.ts'

type Props = { info: PageInfo; hrefOf: (page: number) => string; onTurn: (page: number) => void }

/** Links to the pages near the current one (S9.1), both ends, and one step either way. Empty if there is only one page. */
export function Pager({ info, hrefOf, onTurn }: Props) {
  const { current_page: current, last_page: last, prev_page: previous, next_page: next } = info
  if (last === 1 && current === 1) return null
  const link = (page: number | null) => ({ page, current, hrefOf, onTurn })
  return (
    <nav aria-label="Sider">
      <ul className="flex flex-wrap items-center gap-1">
        <li>
          <PageLink {...link(previous)} label="Forrige side">
            <ChevronLeft size={16} strokeWidth={1.75} aria-hidden="true" />
          </PageLink>
        </li>
        {pageWindow(current, last).map((page, index) =>
          page === null ? (
            // oxlint-disable-next-line react/no-array-index-key -- a gap has no name of its own
            <li key={`gap-${index}`} aria-hidden="true" className="px-1 text-muted">
              …
            </li>
          ) : (
            <li key={page}>
              <PageLink {...link(page)} label={`Side ${page}`}>
                {page}
              </PageLink>
            </li>
          ),
        )}
        <li>
          <PageLink {...link(next)} label="Næste side">
            <ChevronRight size={16} strokeWidth={1.75} aria-hidden="true" />
          </PageLink>
        </li>
      </ul>
    </nav>
  )
}

type LinkProps = {
  page: number | null
  label: string
  current: number
  hrefOf: Props['hrefOf']
  onTurn: Props['onTurn']
  children: ReactNode
}

const LOOK =
  'grid min-h-9 min-w-9 place-items-center rounded-control px-2 tabular-nums pointer-coarse:min-h-11 pointer-coarse:min-w-11'

function PageLink({ page, current, label, hrefOf, onTurn, children }: LinkProps) {
  const isEnd = page === null
  const isCurrent = page === current
  const turn = (event: MouseEvent) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    if (!isCurrent && !isEnd) onTurn(page)
  }
  return (
    <a
      // At an end the link has no address, so that it keeps the focus.
      href={hrefOf(page ?? current)}
      aria-disabled={isEnd || undefined}
      aria-label={label}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={turn}
      className={`${LOOK} ${isEnd ? 'cursor-default *:opacity-40' : 'hover:bg-hover'} aria-[current]:bg-accent-soft aria-[current]:font-medium aria-[current]:text-accent`}
    >
      {children}
    </a>
  )
}
