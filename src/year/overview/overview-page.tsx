import { formatCount } from '../../base/danish/counts.ts'
import { isOffice, may } from '../../rights.ts'
import type { YearSum } from '../../files/zip/year-sum.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { IconSprite } from '../../ui/icon/icon-sprite.tsx'
import { Pager } from '../../ui/list/pager.tsx'
import { urls } from '../../urls.ts'
import { writeDutyQuery, type DutyQuery } from '../obligations/duty.ts'
import type { YearChoices } from '../obligations/year-filters.tsx'
import { NothingInYear, YearFrame } from '../obligations/year-frame.tsx'
import { PackageList } from '../package/package-list.tsx'
import { ExcuseModal } from './excuse-modal.tsx'
import { OverviewGrid } from './overview-grid.tsx'
import { tallyOf, tallyText, type Overview } from './overview.ts'
import { STATE_ICONS } from './state-icons.tsx'

export type OverviewPageProps = {
  query: DutyQuery & { year: number }
  choices: YearChoices
  overview: Overview
  /** The years that the reader can download as one package each. */
  packages: YearSum[]
}

/** What each project owes of a year, and what is done of it. */
export function OverviewPage({ query, choices, overview, packages }: OverviewPageProps) {
  const { role } = useFrame().user!
  const { rows, meta, columns } = overview
  const tally = tallyOf(columns)
  const hrefOf = (page: number) => urls.year + writeDutyQuery({ ...query, page })
  return (
    <YearFrame
      view={urls.year}
      query={query}
      choices={choices}
      isWide
      {...(rows.length > 0 && { sheet: urls.yearSheet })}
    >
      <IconSprite icons={STATE_ICONS} />
      {rows.length === 0 ? (
        <NothingInYear view={urls.year} query={query} text={`Der er ikke noget for ${query.year}.`}>
          {may(role, 'editProjects') && (
            <p>
              Sæt på{' '}
              <a href={urls.templateFolders} className="text-accent underline underline-offset-2">
                mappeskabelonen
              </a>{' '}
              eller på et projekts mapper, hvilke papirer der forventes hvornår.
            </p>
          )}
        </NothingInYear>
      ) : (
        <>
          <p className="text-muted tabular-nums">
            {tally.expected > 0
              ? `I ${query.year} er ${tallyText(tally)} ${isOffice(role) ? 'på plads' : 'kommet'}. `
              : 'Ingen mapper forventer papirer her. Kun dem, der er, bliver vist. '}
            {rows.length < meta.total &&
              `Viser ${formatCount(rows.length)} af ${formatCount(meta.total)} projekter.`}
          </p>
          <OverviewGrid overview={overview} year={query.year} />
          <Pager info={meta} hrefOf={hrefOf} onTurn={(page) => location.assign(hrefOf(page))} />
        </>
      )}
      <PackageList years={packages} />
      {may(role, 'changeFiles') && <ExcuseModal />}
    </YearFrame>
  )
}
