import { sql } from 'kysely'
import { sync, type VEvent } from 'node-ical'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { makeProject } from '../../../test/make.ts'
import { urls } from '../../urls.ts'
import { writeCalendar } from './calendar.server.ts'

let test: TestApp
let mette: Entered
let project: { id: number; number: string; name: string }

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
})

beforeEach(async () => {
  await sql`delete from obligations`.execute(test.db)
  mette = await enter(test, 'employee', { name: 'Mette Holm' })
  project = await makeProject(test.db)
})

async function make(title: string, dueOn: string, responsible: number | null): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into obligations (title, due_rule, due_on) values (${title}, 'date', ${dueOn}) returning id
    )
    insert into duties (obligation_id, project_id, period, starts_on, ends_on, due_on, responsible_id)
    select id, ${project.id}, '2026', '2026-01-01', '2026-12-31', ${dueOn}, ${responsible} from made
    returning id`.execute(test.db)
  return rows[0]!.id
}

/** Makes an address as the page does, and reads it off the next page. */
async function makeAddress(who = mette, form: Record<string, string> = {}): Promise<string> {
  const reply = await who.visitor.post(urls.ownCalendar, form)
  expect(reply.statusCode).toBe(303)
  const { body } = await who.visitor.get(urls.ownCalendar)
  return new URL(/value="(http[^"]+\.ics)"/.exec(body)![1]!).pathname
}

/** Fetches an address as a calendar program does: without a session. */
const fetched = (address: string) => test.app.inject({ url: address })

/** Reads a calendar with an independent parser. */
function eventsIn(body: string): VEvent[] {
  return Object.values(sync.parseICS(body)).filter((part): part is VEvent => part?.type === 'VEVENT')
}

/** The day of a whole-day event, in the reader's own time zone. */
const dayOfEvent = ({ start }: VEvent) =>
  [start.getFullYear(), start.getMonth() + 1, start.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')

describe('a person’s calendar', () => {
  it('a calendar has everybody’s duties if its person chose that, until the next address', async () => {
    await make('Min', '2027-05-01', mette.id)
    await make('Ingens', '2027-05-01', null)
    const summaries = async (form: Record<string, string>) =>
      eventsIn((await fetched(await makeAddress(mette, form))).body).map(({ summary }) =>
        (summary as string).slice(0, 6),
      )
    expect(await summaries({ shows_all: '1' })).toEqual(['Min 20', 'Ingens'])
    expect(await summaries({})).toEqual(['Min 20'])
  })

  it('a calendar of everything has the papers that are expected too, by their folder and period', async () => {
    const { rows } = await sql<{ id: number }>`
      insert into duties (folder_id, period, project_id, starts_on, ends_on, due_on)
      select id, '2026', project_id, '2026-01-01', '2026-12-31', '2027-03-01' from folders
      where project_id = ${project.id} and name = 'Budget' returning id`.execute(test.db)
    expect(eventsIn((await fetched(await makeAddress())).body)).toEqual([])
    const [event, ...more] = eventsIn((await fetched(await makeAddress(mette, { shows_all: '1' }))).body)
    expect(more).toEqual([])
    expect(event).toMatchObject({
      uid: `duty-${rows[0]!.id}@${new URL(test.config.appUrl).host}`,
      summary: `Budget 2026 · ${project.number} ${project.name}`,
    })
    expect(dayOfEvent(event!)).toBe('2027-03-01')
    expect(event!.description).toContain('Der forventes et papir i mappen Budget.')
  })

  it('a calendar has the open duties that its person is responsible for, as whole days', async () => {
    const mine = await make(
      'Årsrapport; med, tegn \\ og en meget lang titel, der skal brydes',
      '2027-05-01',
      mette.id,
    )
    await make('Andens', '2027-05-01', null)
    const done = await make('Klaret', '2027-05-01', mette.id)
    await sql`update duties set done_at = now(), done_by = ${mette.id} where id = ${done}`.execute(test.db)
    const reply = await fetched(await makeAddress())
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toBe('text/calendar; charset=utf-8')
    expect(reply.headers['cache-control']).toBe('private, no-store')
    const [event, ...more] = eventsIn(reply.body)
    expect(more).toEqual([])
    expect(event).toMatchObject({
      uid: `duty-${mine}@${new URL(test.config.appUrl).host}`,
      summary: `Årsrapport; med, tegn \\ og en meget lang titel, der skal brydes 2026 · ${project.number} ${project.name}`,
      datetype: 'date',
      transparency: 'TRANSPARENT',
    })
    expect(dayOfEvent(event!)).toBe('2027-05-01')
    expect(event!.description).toContain(
      'lørdag 01/05/2027. Den første hverdag derefter er mandag 03/05/2027.',
    )
    expect(event!.description).toContain('ikke juridisk rådgivning')
    // RFC 5545: no line of more than 75 octets, and all end with CRLF
    for (const line of reply.body.split('\r\n')) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
      expect(line).not.toContain('\n')
    }
  })

  it.each(['2027-03-28', '2026-10-25', '2028-02-29', '2026-12-31'])(
    'a calendar has %s on that day',
    async (day) => {
      await make('Frist', day, mette.id)
      const [event] = eventsIn((await fetched(await makeAddress())).body)
      expect(dayOfEvent(event!)).toBe(day)
    },
  )

  it('a calendar without duties is empty and valid', async () => {
    const { statusCode, body } = await fetched(await makeAddress())
    expect(statusCode).toBe(200)
    expect(eventsIn(body)).toEqual([])
    expect(body).toMatch(/^BEGIN:VCALENDAR/)
    expect(body).toMatch(/END:VCALENDAR\r\n$/)
  })
})

describe('its address', () => {
  it('a calendar’s address is shown once, and stored only as a hash', async () => {
    const address = await makeAddress()
    const { body } = await mette.visitor.get(urls.ownCalendar)
    expect(body).not.toContain(address)
    const secret = /([^/]+)\.ics$/.exec(address)![1]!
    expect(secret).toMatch(/^[\w-]{32}$/)
    const { rows } = await sql`select from calendar_feeds where hash = sha256(${secret}::bytea)`.execute(
      test.db,
    )
    expect(rows).toHaveLength(1)
    expect(test.logged()).not.toContain(secret)
  })

  it('a calendar’s address stops working when it is replaced or ended', async () => {
    const first = await makeAddress()
    const second = await makeAddress()
    expect((await fetched(first)).statusCode).toBe(404)
    expect((await fetched(second)).statusCode).toBe(200)
    await mette.visitor.post(urls.endCalendar)
    expect((await fetched(second)).statusCode).toBe(404)
    const { rows } = await sql<{ act: string }>`
      select act from log where user_id = ${mette.id} and act like 'calendar-%' order by id`.execute(test.db)
    expect(rows.map(({ act }) => act)).toEqual(['calendar-made', 'calendar-made', 'calendar-ended'])
  })

  it.each([
    ['somebody who is deactivated', sql`deactivated_at = now()`],
    ['somebody who left the office', sql`role = 'investor'`],
  ])('a calendar’s address does not work for %s', async (_who, change) => {
    const address = await makeAddress()
    await sql`update users set ${change} where id = ${mette.id}`.execute(test.db)
    expect((await fetched(address)).statusCode).toBe(404)
  })

  it.each([
    '/calendar/x.ics',
    `/calendar/${'a'.repeat(32)}.ics`,
    `/calendar/${'a'.repeat(500)}.ics`,
    '/calendar/%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00.ics',
  ])('a calendar’s address is not %s', async (address) => {
    expect((await fetched(address)).statusCode).toBe(404)
  })

  it('the page says when a calendar was last fetched', async () => {
    const address = await makeAddress()
    expect((await mette.visitor.get(urls.ownCalendar)).body).toContain('Ikke endnu')
    await fetched(address)
    expect((await mette.visitor.get(urls.ownCalendar)).body).not.toContain('Ikke endnu')
  })
})

it('requests to a calendar are limited like all others', async () => {
  const few = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '5' } })
  const answers: number[] = []
  for (let count = 0; count < 7; count++)
    answers.push((await few.app.inject({ url: `/calendar/${'a'.repeat(32)}.ics` })).statusCode)
  expect(answers).toEqual([404, 404, 404, 404, 404, 429, 429])
})

it('a calendar has the office’s name', () => {
  const of = (office: string) =>
    writeCalendar([], { appUrl: 'https://ringbind.example', office, today: '2026-11-17' })
  expect(of('Fjordhus')).toContain('X-WR-CALNAME:Frister – Fjordhus')
  expect(of('')).toContain('X-WR-CALNAME:Frister\r\n')
})
