import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { sync } from 'node-ical'
import { seesProject } from '../../src/access/seen.ts'
import { isOffice } from '../../src/rights.ts'
import type { Database } from '../../src/server/database/database.ts'
import { urls } from '../../src/urls.ts'
import { makeFeed } from '../../src/year/calendar/calendar-feeds.db.ts'
import { refreshAllDuties } from '../../src/year/obligations/refresh-duties.db.ts'
import { comparisonFor, type Difference } from './differences.ts'
import type { RandomOffice, RandomPerson } from './random-office.ts'

/** A duty of the random office, as the model knows it. */
type ModelDuty = { id: number; title: string; project: number; responsible: number | null; isDone: boolean }

/** Everybody's secret address, and the duties behind them. */
export type RandomFeeds = { secrets: Map<number, string>; duties: ModelDuty[] }

/** Half of the addresses also show what is not theirs. */
const showsAll = (person: number) => person % 2 === 0

/** Gives every project duties, some of them done, and every person an address, whether they may have one or not. */
export async function makeFeeds(db: Database, { people }: RandomOffice): Promise<RandomFeeds> {
  await sql`delete from obligations`.execute(db)
  for (const title of ['Pligt A', 'Pligt B', 'Pligt C'])
    await sql`
      insert into obligations (title, due_rule, due_on, statuses) values
        (${title}, 'date', current_date + 100, '{active,closing,sold}')`.execute(db)
  await refreshAllDuties(db, new Date().toISOString().slice(0, 10))
  const ids = people.map(({ id }) => id)
  // Given to anybody: a person outside the office may have been in it when they got the duty.
  await sql`
    update duties set is_responsible_given = true,
      responsible_id = (array_append(${ids}::bigint[], null))[1 + (duties.id * 7 % ${ids.length + 1})::integer],
      done_at = case when duties.id % 5 = 0 then now() end where obligation_id is not null`.execute(db)
  const { rows: duties } = await sql<ModelDuty>`
    select duties.id, title, project_id as project, duties.responsible_id as responsible, done_at is not null as "isDone"
    from duties join obligations on obligations.id = obligation_id order by duties.id`.execute(db)
  const secrets = new Map<number, string>()
  for (const { id, role } of people)
    secrets.set(
      id,
      await makeFeed(db, { actor: { userId: id, address: null }, reader: { id, role } }, showsAll(id)),
    )
  return { secrets, duties }
}

/** Fetches a person's calendar and opens the list of duties, and compares both with the model. */
export async function compareFeed(
  app: FastifyInstance,
  office: RandomOffice,
  reader: RandomPerson,
  cookies: Record<string, string>,
  { secrets, duties }: RandomFeeds,
): Promise<Difference[]> {
  const { differences, compare } = comparisonFor(reader)
  const mayHaveDuties = isOffice(reader.role) && reader.isActive
  const seen = duties.filter(({ project, isDone }) => !isDone && seesProject(office, reader, project))

  // Nobody fetches it in a view as somebody else: it needs no session.
  const feed = 'view' in cookies ? null : await app.inject({ url: urls.calendar(secrets.get(reader.id)!) })
  if (feed) compare('the status of the calendar', feed.statusCode, mayHaveDuties ? 200 : 404)
  if (feed?.statusCode === 200)
    compare(
      'the calendar',
      Object.values(sync.parseICS(feed.body))
        .flatMap((part) => (part?.type === 'VEVENT' ? [part.uid] : []))
        .flatMap((uid) => /^duty-(\d+)@/.exec(uid)?.slice(1) ?? [])
        .map(Number)
        // A calendar of everything has what folders expect too, which seeing-overview.ts compares.
        .filter((id) => duties.some((duty) => duty.id === id))
        .sort((a, b) => a - b),
      seen.filter(({ responsible }) => showsAll(reader.id) || responsible === reader.id).map(({ id }) => id),
    )

  const page = await app.inject({ url: `${urls.yearList}?rule=Pligt+A`, cookies })
  const refused = reader.isActive ? 403 : 303
  compare('the status of the duties', page.statusCode, mayHaveDuties ? 200 : refused)
  if (page.statusCode === 200)
    compare(
      'how many duties there are',
      countGiven(page.body),
      seen.filter(({ title }) => title === 'Pligt A').length,
    )
  return differences
}

/** How many open duties a page says that somebody can be made responsible for. */
function countGiven(body: string): number {
  const [, many] = /Skift ansvarlig for (én|alle [\d.]+) pligt/.exec(body.replaceAll('<!-- -->', '')) ?? []
  if (many === undefined) return 0
  return many === 'én' ? 1 : Number(many.slice('alle '.length).replaceAll('.', ''))
}
