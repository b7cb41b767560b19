import { ROLE_NAMES } from '../../rights.ts'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { urls } from '../../urls.ts'
import { StartSection } from '../sections/start-section.tsx'
import { DueList } from './due-list.tsx'
import { MissingKinds, OpenByMonth } from './missing-papers.tsx'
import { countText, type InvitedPerson, type OfficeDay } from './office-day.ts'
import { linesOf, WaitingList } from './waiting-list.tsx'

/** The office's day: what is late, due, missing and waiting. Empty sections are hidden. */
export function DaySections({ day }: { day: OfficeDay }) {
  const { today, late, next, missing, months, waiting, invited } = day
  const hasOpen = missing.total > 0 || months.some(({ count }) => count > 0)
  return (
    <>
      {late.total > 0 && (
        <StartSection title={`Forsinket (${countText(late.total)})`}>
          <DueList rows={late.rows} today={today} />
        </StartSection>
      )}
      <div className="flex flex-wrap gap-6 empty:hidden *:grid *:min-w-0 *:flex-1 *:basis-96 *:content-start *:gap-6 *:empty:hidden max-lg:*:basis-full">
        <div>
          {next.length > 0 && (
            <StartSection title="Næste frister" more={{ href: urls.obligations, text: 'Alle frister' }}>
              <DueList rows={next} today={today} />
            </StartSection>
          )}
          {(linesOf(waiting).length > 0 || waiting.unread.length > 0) && (
            <StartSection title="Venter">
              <WaitingList waiting={waiting} />
            </StartSection>
          )}
        </div>
        <div>
          {hasOpen && (
            <StartSection
              title={`Mangler (${countText(missing.total)})`}
              more={{ href: urls.overview, text: 'Gå til overblikket' }}
            >
              {missing.total > 0 && <MissingKinds kinds={missing.rows} />}
              <OpenByMonth months={months} today={today} />
            </StartSection>
          )}
          {invited.total > 0 && (
            <StartSection
              title={`Inviteret, men aldrig logget ind (${invited.total})`}
              more={{ href: urls.filteredUsers('?filter=never'), text: 'Inviter igen' }}
            >
              <ul>
                {invited.rows.map((person) => (
                  <InvitedItem key={person.id} person={person} />
                ))}
              </ul>
            </StartSection>
          )}
        </div>
      </div>
    </>
  )
}

function InvitedItem({ person: { id, name, role, invited_at: at } }: { person: InvitedPerson }) {
  return (
    <li className="relative flex min-h-11 flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 border-b border-line px-4 py-2 last:border-0 hover:bg-hover">
      <a
        href={urls.user(id)}
        className="font-medium wrap-anywhere after:absolute after:inset-0 hover:text-accent hover:underline"
      >
        {name}
      </a>
      <span className="text-meta text-muted tabular-nums">
        {ROLE_NAMES[role]} · inviteret <ShortDate at={at} className="relative" />
      </span>
    </li>
  )
}
