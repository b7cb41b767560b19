import { urls } from '../../urls.ts'
import { ALL_DUTIES, writeDutyQuery } from '../../year/obligations/duty.ts'
import { StartSection } from '../sections/start-section.tsx'
import { DueList } from './due-list.tsx'
import { MissingKinds, OpenByMonth } from './missing-papers.tsx'
import { countText, type OfficeDay } from './office-day.ts'
import { linesOf, WaitingList } from './waiting-list.tsx'

const ALL = { href: urls.yearList, text: 'Alle frister' }
const ALL_LATE = {
  href: urls.yearList + writeDutyQuery({ ...ALL_DUTIES, state: 'late' }),
  text: 'Alle forsinkede',
}

const ALL_RELEASES = { href: urls.releases, text: 'Alle udsendelser' }

/** The office's day: what is late, due, missing and waiting. Empty sections are hidden. */
export function DaySections({ day }: { day: OfficeDay }) {
  const { today, late, next, missing, months, waiting } = day
  const hasOpen = missing.total > 0 || months.some(({ count }) => count > 0)
  return (
    <>
      {late.total > 0 && (
        <StartSection title={`Forsinket (${countText(late.total)})`} more={ALL_LATE}>
          <DueList rows={late.rows} today={today} />
        </StartSection>
      )}
      <div className="flex flex-wrap gap-6 empty:hidden *:grid *:min-w-0 *:flex-1 *:basis-96 *:content-start *:gap-6 *:empty:hidden max-lg:*:basis-full">
        <div>
          {next.length > 0 && (
            <StartSection title="Næste frister" more={ALL}>
              <DueList rows={next} today={today} />
            </StartSection>
          )}
          {(linesOf(waiting).length > 0 || waiting.unread.length > 0) && (
            <StartSection title="Venter" more={waiting.unread.length > 0 ? ALL_RELEASES : null}>
              <WaitingList waiting={waiting} />
            </StartSection>
          )}
        </div>
        <div>
          {hasOpen && (
            <StartSection
              title={`Mangler (${countText(missing.total)})`}
              more={{
                href: urls.yearList + writeDutyQuery({ ...ALL_DUTIES, state: 'missing' }),
                text: 'Alle, der mangler',
              }}
            >
              {missing.total > 0 && <MissingKinds kinds={missing.rows} />}
              <OpenByMonth months={months} today={today} />
            </StartSection>
          )}
        </div>
      </div>
    </>
  )
}
