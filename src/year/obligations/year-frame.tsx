import { Download, Printer } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { FIRST_PAGE } from '../../base/pagination.ts'
import { may } from '../../rights.ts'
import { EmptyState } from '../../ui/basic/empty-state.tsx'
import { useFrame } from '../../ui/basic/frame.ts'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { refreshPage } from '../../ui/basic/next-page.ts'
import { TabLinks } from '../../ui/list/tab-links.tsx'
import { useLive } from '../../ui/live/use-live.ts'
import { Shell } from '../../ui/shell/shell.tsx'
import { changesOf, urls } from '../../urls.ts'
import { ALL_DUTIES, writeDutyQuery, type DutyQuery } from './duty.ts'
import { YearFilters, type YearChoices } from './year-filters.tsx'

const VIEWS = [
  { href: urls.yearList, text: 'Liste' },
  { href: urls.year, text: 'Skema' },
  { href: urls.yearRules, text: 'Regler' },
]

type Props = {
  view: string
  query: DutyQuery
  choices: YearChoices
  /** Where the view is as a spreadsheet, if it has one. */
  sheet?: string
  actions?: ReactNode
  isWide?: boolean
  children: ReactNode
}

/** The frame of *Året*: its views as tabs, which keep the filters, and the filters themselves. */
export function YearFrame({ view, query, choices, sheet, actions, isWide = false, children }: Props) {
  const { role } = useFrame().user!
  useLive(changesOf('projects'), refreshPage)
  useEffect(() => {
    if (query.all) print()
  }, [query.all])
  const kept = { ...query, page: FIRST_PAGE, all: false }
  const views = may(role, 'seeObligations') ? VIEWS : []
  return (
    <Shell
      title="Året"
      isWide={isWide}
      actions={
        <span className="flex flex-wrap gap-3 print:hidden">
          {sheet && (
            <>
              <LinkButton kind="secondary" href={sheet + writeDutyQuery(kept)} icon={Download} download>
                Hent som Excel
              </LinkButton>
              <LinkButton
                kind="secondary"
                href={view + writeDutyQuery({ ...kept, all: true })}
                icon={Printer}
              >
                Udskriv
              </LinkButton>
            </>
          )}
          {actions}
        </span>
      }
    >
      {views.length > 0 && (
        <TabLinks
          label="Visninger"
          className="-mt-2 mb-4"
          tabs={views.map(({ href, text }) => ({
            text,
            href: href + writeDutyQuery(kept),
            isHere: href === view,
          }))}
        />
      )}
      <div className="@container grid grid-cols-[minmax(0,1fr)] gap-4">
        <YearFilters action={view} query={query} hasOneYear={view === urls.year} {...choices} />
        {children}
      </div>
    </Shell>
  )
}

/** Says why a view shows nothing, and how to see more. */
export function NothingInYear({
  view,
  query,
  text,
  children,
}: Pick<Props, 'view' | 'query'> & { text: string; children?: ReactNode }) {
  const kept = { ...ALL_DUTIES, state: query.state, ...(view === urls.year && { year: query.year }) }
  const isFiltered = writeDutyQuery({ ...query, page: FIRST_PAGE }) !== writeDutyQuery(kept)
  return (
    <div className="rounded-card border border-line bg-surface">
      <EmptyState text={isFiltered ? 'Intet fundet...' : text}>
        {isFiltered ? (
          <a href={view + writeDutyQuery(kept)} className="text-accent underline underline-offset-2">
            Ryd filtre
          </a>
        ) : (
          children
        )}
      </EmptyState>
    </div>
  )
}
