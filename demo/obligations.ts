import { sql } from 'kysely'
import { dayOf } from '../src/base/time/dates.ts'
import type { Parts } from '../src/server/parts.ts'
import { makeFeed } from '../src/year/calendar/calendar-feeds.db.ts'
import { addShipped } from '../src/year/obligations/add-shipped.db.ts'
import { refreshAllDuties } from '../src/year/obligations/refresh-duties.db.ts'

/** The secret of the administrator's calendar. */
export const DEMO_CALENDAR = 'ringbind-demo-kalender'

const SINCE = '2026-01-01'

/** Papers that the office is late with. */
const LATE = [
  { number: '1077', title: 'Generalforsamling', period: '2025' },
  { number: '1121', title: 'Reelle ejere undersøgt', period: '2025' },
  { number: '1042', title: 'Momsregnskab', period: '2026-Q2' },
]

type People = { administrator: number; employee: number; other: number }

/** Gives the office its duties: some late, some due soon, most of the old ones done. */
export async function fillObligations(
  { db, config }: Pick<Parts, 'db' | 'config'>,
  { administrator, employee, other }: People,
): Promise<void> {
  const today = dayOf(new Date(), config.timeZone)
  await sql`update projects set created_at = '2024-01-02 09:00Z'`.execute(db)
  await addShipped(db, SINCE)
  await sql`update obligations set watched_from = ${SINCE}`.execute(db) // they may have come with the start
  await sql`
    insert into obligations (title, explanation, source, rhythm, watched_from, due_rule, due_days, reach, is_filing, responsible_id)
    values ('Momsregnskab', 'Momsen indberettes og betales for hvert kvartal. Ret fristen, hvis selskabet har en anden momsperiode.',
      'Momsloven', 'quarter', ${SINCE}, 'days', '{03-01,06-01,09-01,12-01}', 'chosen', true, ${employee})`.execute(
    db,
  )
  await sql`
    insert into obligation_choices (obligation_id, project_id, is_bound)
    select obligations.id, projects.id, true from obligations, projects
    where obligations.title = 'Momsregnskab' and projects.number in ('1024', '1042', '1085')
      or obligations.code in ('crs-fatca', 'crs-2026', 'fatca') and projects.number = '1077'`.execute(db)
  await sql`
    update obligations set responsible_id = case code
      when 'annual-report' then ${employee}::bigint when 'general-meeting' then ${administrator}::bigint
      when 'beneficial-owners' then ${other}::bigint else ${administrator}::bigint end
    where code is not null`.execute(db)
  await refreshAllDuties(db, today)
  await sql`
    update duties set done_at = (duties.due_on - 5 - (duties.id % 20)::integer) + time '10:12', done_by = duties.responsible_id,
      note = case when duties.id % 2 = 0 then '' when obligations.title = 'Momsregnskab' then 'Indberettet på skat.dk'
        when obligations.code = 'beneficial-owners' then 'Ingen ændringer' when obligations.code = 'annual-report'
        then 'Indberettet på virk.dk' else '' end
    from obligations, projects
    where obligations.id = duties.obligation_id and projects.id = duties.project_id and duties.done_at is null
      and duties.due_on < ${today}::date
      and not exists (
        select from json_to_recordset(${JSON.stringify(LATE)}::json) as late (number text, title text, period text)
        where (late.number, late.title, late.period) = (projects.number, obligations.title, duties.period))`.execute(
    db,
  )
  await makeFeed(
    db,
    {
      actor: { userId: administrator, address: '203.0.113.1' },
      reader: { id: administrator, role: 'administrator' },
    },
    false,
    DEMO_CALENDAR,
  )
}
