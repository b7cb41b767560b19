import { Download, Printer } from 'lucide-react'
import { useEffect } from 'react'
import { formatCount } from '../../base/counts.ts'
import { isOffice, may } from '../../rights.ts'
import { EmptyState } from '../../ui/basic/empty-state.tsx'
import { useFrame } from '../../ui/basic/frame.ts'
import { IconSprite } from '../../ui/icon/icon-sprite.tsx'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { refreshPage } from '../../ui/basic/next-page.ts'
import { Pager } from '../../ui/list/pager.tsx'
import { useLive } from '../../ui/live/use-live.ts'
import { Shell } from '../../ui/shell/shell.tsx'
import { changesOf, urls } from '../../urls.ts'
import { ExcuseModal } from './excuse-modal.tsx'
import { WHOLE_OVERVIEW, writeOverviewQuery, type OverviewQuery } from './overview-address.ts'
import { OverviewFilters } from './overview-filters.tsx'
import { OverviewGrid } from './overview-grid.tsx'
import { overviewTitle } from './overview-title.ts'
import { tallyOf, tallyText, type Overview } from './overview.ts'
import { STATE_ICONS } from './state-icons.tsx'

export type OverviewPageProps = {
  query: OverviewQuery
  year: number
  years: number[]
  overview: Overview
}

/** Which papers of a year are there. */
export function OverviewPage({ query, year, years, overview }: OverviewPageProps) {
  const { role } = useFrame().user!
  useLive(changesOf('projects'), refreshPage)
  useEffect(() => {
    if (query.all) print()
  }, [query.all])
  const address = writeOverviewQuery(query)
  const { rows, meta } = overview
  const isEmpty = rows.length === 0
  return (
    <Shell
      title={overviewTitle(role, year)}
      isWide
      actions={
        !isEmpty && (
          <span className="flex flex-wrap gap-3 print:hidden">
            <LinkButton
              kind="secondary"
              href={
                urls.overviewSheet + writeOverviewQuery({ ...query, page: WHOLE_OVERVIEW.page, all: false })
              }
              icon={Download}
              download
            >
              Hent som Excel
            </LinkButton>
            <LinkButton
              kind="secondary"
              href={urls.overview + writeOverviewQuery({ ...query, page: WHOLE_OVERVIEW.page, all: true })}
              icon={Printer}
            >
              Udskriv
            </LinkButton>
          </span>
        )
      }
    >
      <IconSprite icons={STATE_ICONS} />
      <div className="@container grid grid-cols-[minmax(0,1fr)] gap-4">
        <OverviewFilters {...{ query, year, years, overview }} hasStatuses={isOffice(role)} />
        {isEmpty ? (
          <Nothing query={query} year={year} />
        ) : (
          <>
            <Summary overview={overview} isOurs={isOffice(role)} />
            <OverviewGrid overview={overview} year={year} query={address} />
            <Pager
              info={meta}
              hrefOf={(page) => urls.overview + writeOverviewQuery({ ...query, page })}
              onTurn={(page) => location.assign(urls.overview + writeOverviewQuery({ ...query, page }))}
            />
          </>
        )}
      </div>
      {may(role, 'changeFiles') && <ExcuseModal />}
    </Shell>
  )
}

/** '48 af 61 papirer er på plads: 5 er forsinket, 3 mangler. 12 papirer er ikke fulgt. Viser 25 af 40 projekter.' */
function Summary({
  overview: { columns, counts, rows, meta },
  isOurs,
}: {
  overview: Overview
  isOurs: boolean
}) {
  const tally = tallyOf(columns)
  const parts = [
    counts.late > 0 && `${formatCount(counts.late)} er forsinket`,
    counts.missing > 0 && `${formatCount(counts.missing)} mangler`,
    counts.draft > 0 && (counts.draft === 1 ? '1 er en kladde' : `${formatCount(counts.draft)} er kladder`),
  ].filter(Boolean)
  const many = meta.total === 1 ? '1 projekt' : `${formatCount(meta.total)} projekter`
  return (
    <p className="text-muted tabular-nums">
      {tally.expected > 0 &&
        `${tallyText(tally)} papirer er ${isOurs ? 'på plads' : 'kommet'}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}. `}
      {counts.unfollowed > 0 &&
        `${counts.unfollowed === 1 ? '1 papir' : `${formatCount(counts.unfollowed)} papirer`} er ikke fulgt. `}
      {tally.expected + counts.unfollowed === 0 &&
        'Ingen mapper forventer papirer her. Kun dem, der er, bliver vist. '}
      {rows.length < meta.total ? `Viser ${formatCount(rows.length)} af ${many}.` : ''}
    </p>
  )
}

/** Says why nothing is shown, and what to do about it. */
function Nothing({ query, year }: { query: OverviewQuery; year: number }) {
  const { role } = useFrame().user!
  const isFiltered = query.folder !== null || query.status !== null
  return (
    <div className="rounded-card border border-line bg-surface">
      <EmptyState text={isFiltered ? 'Intet fundet...' : `Der er ingen papirer for ${year}.`}>
        {isFiltered ? (
          <a
            href={urls.overview + writeOverviewQuery({ ...WHOLE_OVERVIEW, year: query.year })}
            className="text-accent underline underline-offset-2"
          >
            Ryd filtre
          </a>
        ) : may(role, 'editProjects') ? (
          <p>
            Sæt på{' '}
            <a href={urls.templateFolders} className="text-accent underline underline-offset-2">
              mappeskabelonen
            </a>{' '}
            eller på et projekts mapper, hvilke papirer der forventes hvornår.
          </p>
        ) : null}
      </EmptyState>
    </div>
  )
}
