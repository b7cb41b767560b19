import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeFile, makeProject, makeUser } from '../../../test/make.ts'
import { textsOf } from '../../../test/page-data.ts'
import { dayOf } from '../../base/time/dates.ts'
import { daysAfter, writeDay } from '../../base/time/days.ts'
import { urls } from '../../urls.ts'
import { addShipped } from './add-shipped.db.ts'
import { refreshAllDuties, refreshStaleDuties } from './refresh-duties.db.ts'
import { SHIPPED } from './shipped.ts'

const TIME_ZONE = 'Europe/Copenhagen'
const TODAY = dayOf(new Date(), TIME_ZONE)

let test: TestApp
let boss: Entered
let mette: Entered

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  boss = await enter(test, 'administrator', { name: 'Jens Bech' })
  mette = await enter(test, 'employee', { name: 'Mette Holm' })
})

beforeEach(async () => {
  await sql`delete from obligations`.execute(test.db)
  await sql`update projects set status = 'sold'`.execute(test.db)
  // What folders expect by themselves is tested in expected-duties.test.ts.
  await sql`update folders set expects = 'none'`.execute(test.db)
})

/** A form as the page sends it, for one day in ten days. */
const form = (more: Record<string, unknown> = {}) => ({
  title: 'Momsregnskab',
  due_rule: 'date',
  due_on: writeDay(daysAfter(TODAY, 10)),
  reach: 'fitting',
  statuses: ['active'],
  remind_days: '30, 7, 1',
  is_active: '1',
  ...more,
})

/** Adds an obligation by the form, and returns its id. */
async function add(more: Record<string, unknown> = {}): Promise<number> {
  const reply = await boss.visitor.post(urls.newObligation, form(more), { script: true })
  expect(reply.json()).toEqual({ redirect: urls.yearRules })
  const { rows } = await sql<{ id: number }>`select max(id) as id from obligations`.execute(test.db)
  return rows[0]!.id
}

const change = (id: number, more: Record<string, unknown> = {}) =>
  boss.visitor.post(urls.editObligation(id), form(more), { script: true })

type Found = {
  id: number
  project_id: number
  period: string
  due_on: string
  done: boolean
  is_by_paper: boolean
  responsible_id: number | null
  note: string
}

async function duties(project: number): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select id, project_id, period, due_on::text as due_on, done_at is not null as done, is_by_paper, responsible_id, note
    from duties where project_id = ${project} order by due_on, id`.execute(test.db)
  return rows
}

async function dutyOf(project: number): Promise<Found> {
  const [first] = await duties(project)
  return first!
}

const refresh = () => refreshStaleDuties(test.db, TIME_ZONE)

const act = (who: Entered, id: number, what: Parameters<typeof urls.dutyAct>[1], fields: object = {}) =>
  who.visitor.post(urls.dutyAct(id, what), { ...fields }, { script: true })

describe('the obligations that come with Ringbind', () => {
  it('shipped obligations are added once, and keep the office’s changes', async () => {
    await addShipped(test.db, TODAY)
    await sql`update obligations set title = 'Vores', is_active = false where code = 'annual-report'`.execute(
      test.db,
    )
    await addShipped(test.db, TODAY)
    const { rows } = await sql<{ title: string }>`select title from obligations order by id`.execute(test.db)
    expect(rows).toHaveLength(SHIPPED.length)
    expect(rows.map(({ title }) => title)).toContain('Vores')
  })

  it('shipped obligations can be switched off, but not deleted', async () => {
    await addShipped(test.db, TODAY)
    const { rows } = await sql<{ id: number }>`select id from obligations limit 1`.execute(test.db)
    const reply = await boss.visitor.post(urls.removeObligation(rows[0]!.id), {}, { script: true })
    expect(reply.statusCode).toBe(409)
  })

  it('the number of investor logins is a hint, and the office decides for each project', async () => {
    await addShipped(test.db, '2026-11-17')
    const people = await Promise.all(Array.from({ length: 11 }, () => makeUser(test.db)))
    const { id, number } = await makeProject(test.db, { members: people.map((person) => person.id) })
    await sql`update projects set held_from = '2020-01-01' where id = ${id}`.execute(test.db)
    await refreshAllDuties(test.db, '2026-11-17')
    const days = async () => (await duties(id)).map(({ period, due_on: due }) => `${period} ${due}`)
    const all = ['04-30', '05-15', '05-31', '05-31', '06-30', '06-30', '06-30']
    expect(await days()).toEqual(all.map((day) => `2026 2027-${day}`))

    const { rows } = await sql<{
      id: number
    }>`select id from obligations where code = 'tax-statement'`.execute(test.db)
    const address = urls.editObligation(rows[0]!.id)
    expect(await textsOf(boss.visitor, address)).toContain('(11 investorlogin)')
    expect(await textsOf(boss.visitor, urls.yearRules)).toMatch(/Ét projekt[\s]+med flere end/)
    const sent = {
      title: 'Skat',
      due_rule: 'day',
      due_day: '15',
      due_month: '4',
      reach: 'chosen',
      more_than: '10',
    }
    await boss.visitor.post(address, form({ ...sent, add_bound_project: number }), { script: true })
    expect(await textsOf(boss.visitor, address)).not.toContain('(11 investorlogin)')
    await refreshAllDuties(test.db, '2026-11-17')
    expect(await days()).toEqual(
      ['04-15', ...all.filter((day) => day !== '05-15')].map((day) => `2026 2027-${day}`),
    )
  })

  it('a filing that came with Ringbind stays one', async () => {
    await addShipped(test.db, TODAY)
    const { rows } = await sql<{
      id: number
    }>`select id from obligations where code = 'annual-report'`.execute(test.db)
    await change(rows[0]!.id, { folder_name: 'Budget' })
    const { rows: now } =
      await sql`select title, is_filing from obligations where code = 'annual-report'`.execute(test.db)
    expect(now).toEqual([{ title: 'Momsregnskab', is_filing: true }])
  })
})

describe('a sold project', () => {
  const YEAR = Number(TODAY.slice(0, 4))
  let project: { id: number; number: string }

  beforeEach(async () => {
    project = await makeProject(test.db)
    await sql`update projects set held_from = ${`${YEAR - 1}-01-01`} where id = ${project.id}`.execute(
      test.db,
    )
    await add({ due_rule: 'months', due_months: '6', statuses: ['active', 'closing'] })
    const { id } = await dutyOf(project.id)
    await act(boss, id, 'responsible', { responsible_id: String(mette.id) })
  })

  const sell = async (on: string | null) => {
    await sql`update projects set status = 'sold', sold_on = ${on} where id = ${project.id}`.execute(test.db)
    await refresh()
    await refreshAllDuties(test.db, TODAY)
  }

  it.each([
    ['this year', `${YEAR}-01-01`],
    ['on an unknown day', null],
  ])('a project that was sold %s still owes what it owed, and who has it keeps it', async (_when, day) => {
    const before = await duties(project.id)
    await sell(day)
    expect(await duties(project.id)).toEqual(before)
    expect(before.at(-1)).toMatchObject({ period: String(YEAR), due_on: `${YEAR + 1}-06-30` })
    expect(before[0]).toMatchObject({ responsible_id: mette.id })
  })

  it('a project that was sold last year owes nothing of this year', async () => {
    await sell(`${YEAR - 1}-06-30`)
    expect((await duties(project.id)).map(({ period }) => period)).not.toContain(String(YEAR))
  })
})

describe('something that has happened', () => {
  let id: number
  let project: { id: number; number: string }
  beforeEach(async () => {
    project = await makeProject(test.db)
    id = await add({ due_rule: 'event', after_days: '14', title: 'Legale ejere', is_filing: '1' })
  })

  const tell = (more: Record<string, unknown> = {}) =>
    mette.visitor.post(
      urls.dutyEvents,
      { obligation: String(id), number: project.number, on: '14/03/2026', ...more },
      { script: true },
    )

  it('an event gives a duty by the word of the office, which stays until it is done or taken back', async () => {
    expect(await duties(project.id)).toEqual([])
    expect((await tell()).statusCode).toBe(200)
    await refreshAllDuties(test.db, TODAY)
    expect(await duties(project.id)).toMatchObject([
      { period: '2026-03-14', due_on: '2026-03-28', done: false },
    ])
    expect(await textsOf(mette.visitor, `${urls.yearList}?q=${project.number}`)).toContain(
      'Legale ejere 14/03/2026',
    )
    expect((await tell()).statusCode).toBe(422)
    await change(id, { due_rule: 'event', after_days: '10', title: 'Legale ejere' })
    const { id: duty, due_on: due } = await dutyOf(project.id)
    expect(due).toBe('2026-03-24')
    await act(mette, duty, 'done')
    expect((await act(mette, duty, 'withdraw')).statusCode).toBe(409)
    await act(mette, duty, 'reopen')
    expect((await act(mette, duty, 'withdraw')).statusCode).toBe(200)
    expect(await duties(project.id)).toEqual([])
    const { rows } = await sql<{ act: string }>`
      select act from log where project_id = ${project.id} and act in ('duty-event', 'duty-withdrawn') order by id`.execute(
      test.db,
    )
    expect(rows.map((row) => row.act)).toEqual(['duty-event', 'duty-withdrawn'])
  })

  it('refuses an event of an unknown project, without a day, or of a project that is freed', async () => {
    expect((await tell({ number: 'findes ikke' })).statusCode).toBe(422)
    expect((await tell({ on: '' })).statusCode).toBe(422)
    await change(id, { due_rule: 'event', after_days: '14', add_freed_project: project.number })
    expect((await tell()).statusCode).toBe(422)
    expect(await duties(project.id)).toEqual([])
  })
})

describe('an obligation', () => {
  it('an obligation gives duties to projects that fit, at once, and follows changes', async () => {
    const { id: active } = await makeProject(test.db)
    const { id: sold } = await makeProject(test.db, { status: 'sold' })
    await add()
    expect(await duties(active)).toMatchObject([{ due_on: daysAfter(TODAY, 10), done: false }])
    expect(await duties(sold)).toEqual([])
    await sql`update projects set status = 'active' where id = ${sold}`.execute(test.db)
    await sql`update projects set status = 'closing' where id = ${active}`.execute(test.db)
    await refresh()
    expect(await duties(sold)).toHaveLength(1)
    expect(await duties(active)).toEqual([])
  })

  it('a new project gets its duties', async () => {
    await add()
    const { id } = await makeProject(test.db)
    await refresh()
    expect(await duties(id)).toHaveLength(1)
  })

  it('an obligation applies to the projects that are chosen, or not to those excepted', async () => {
    const [fits, freed, other] = await Promise.all([
      makeProject(test.db),
      makeProject(test.db),
      makeProject(test.db, { status: 'closing' }),
    ])
    const id = await add({ add_bound: [other.id], add_freed_project: freed.number })
    const counts = async () =>
      Promise.all([fits, freed, other].map(async (each) => (await duties(each.id)).length))
    expect(await counts()).toEqual([1, 0, 1])
    await change(id, { remove_freed: [freed.id], reach: 'chosen' })
    expect(await counts()).toEqual([0, 0, 1])
  })

  it('an obligation changes days and responsible of its duties, except those given to somebody', async () => {
    const [own, given] = await Promise.all([makeProject(test.db), makeProject(test.db)])
    const id = await add({ responsible_id: String(boss.id) })
    const { id: duty } = await dutyOf(given.id)
    expect((await act(boss, duty, 'responsible', { responsible_id: String(boss.id) })).statusCode).toBe(200)
    expect((await act(boss, duty, 'responsible', { responsible_id: '' })).statusCode).toBe(200)
    await change(id, { responsible_id: String(mette.id), due_on: writeDay(daysAfter(TODAY, 20)) })
    expect(await dutyOf(own.id)).toMatchObject({
      responsible_id: mette.id,
      due_on: daysAfter(TODAY, 20),
    })
    expect(await dutyOf(given.id)).toMatchObject({ responsible_id: null, due_on: daysAfter(TODAY, 20) })
  })

  it('switching an obligation off removes its open duties, and keeps those done', async () => {
    const [open, done] = await Promise.all([makeProject(test.db), makeProject(test.db)])
    const id = await add()
    await act(mette, (await dutyOf(done.id)).id, 'done')
    await change(id, { is_active: '' })
    expect(await duties(open.id)).toEqual([])
    expect(await duties(done.id)).toMatchObject([{ done: true }])
    expect((await boss.visitor.post(urls.removeObligation(id), {}, { script: true })).statusCode).toBe(200)
    expect(await duties(done.id)).toEqual([])
  })

  it.each([
    ['title', { title: ' ' }, 'Titlen skal udfyldes.'],
    ['title', { title: 'x'.repeat(101) }, 'Titlen må højst være på 100 tegn.'],
    ['explanation', { explanation: 'x'.repeat(2001) }, 'Forklaringen må højst være på 2000 tegn.'],
    ['source_url', { source_url: 'javascript:alert(1)' }, 'Skriv en adresse, der begynder med https://.'],
    ['due_on', { due_on: '31/02/2027' }, '31/02/2027 findes ikke.'],
    ['due_on', { due_on: '' }, 'Skriv datoen.'],
    ['due_months', { due_rule: 'months', due_months: '61' }, 'Skriv et tal fra 0 til 60.'],
    ['due_months', { due_rule: 'months', due_months: '' }, 'Skriv antallet af måneder.'],
    ['due_day', { due_rule: 'day', due_day: '32', due_month: '1' }, 'Skriv en dag fra 1 til 31.'],
    ['due_days', { due_rule: 'days', rhythm: 'quarter', due_days: '1/3' }, 'Skriv 4 dage, for eksempel 1/3.'],
    ['due_days', { due_rule: 'days', due_days: '31/2' }, 'Skriv dagene som 1/3, 1/6, 1/9, 1/12.'],
    ['after_days', { due_rule: 'event', after_days: '' }, 'Skriv antallet af dage.'],
    ['unless_id', { unless_id: '999999' }, 'Vælg en pligt fra listen.'],
    ['due_rule', { due_rule: 'x' }, 'Vælg, hvordan fristen findes.'],
    ['statuses', { statuses: [] }, 'Vælg mindst én status.'],
    ['more_than', { more_than: '-1' }, 'Skriv et tal fra 0 til 10.000.'],
    ['remind_days', { remind_days: '30, snart' }, 'Skriv højst 10 tal fra 0 til 365, adskilt med komma.'],
    [
      'holds_until',
      { holds_since: '01/01/2026', holds_until: '01/01/2025' },
      'Slutdatoen ligger før startdatoen.',
    ],
    ['responsible_id', { responsible_id: '999999' }, 'Vælg en på kontoret, som er aktiv.'],
    ['add_bound_project', { add_bound_project: 'findes ikke' }, 'Der er ikke noget projekt med det nummer.'],
  ])('refuses an obligation with a wrong %s: %#', async (field, more, message) => {
    const reply = await boss.visitor.post(urls.newObligation, form(more), { script: true })
    expect(reply.statusCode).toBe(422)
    expect(reply.json<{ errors: object }>().errors).toMatchObject({ [field]: [message] })
    const { rows } = await sql`select from obligations`.execute(test.db)
    expect(rows).toEqual([])
  })

  it('nobody outside the office can be responsible for an obligation', async () => {
    const investor = await makeUser(test.db)
    const reply = await boss.visitor.post(urls.newObligation, form({ responsible_id: String(investor.id) }), {
      script: true,
    })
    expect(reply.statusCode).toBe(422)
  })

  it('an obligation’s form is shown again with its faults without JavaScript', async () => {
    const reply = await boss.visitor.post(urls.newObligation, form({ title: '', source: 'Loven om alt' }))
    expect(reply.statusCode).toBe(422)
    expect(reply.body).toContain('Titlen skal udfyldes.')
    expect(reply.body).toContain('Loven om alt')
  })
})

describe('a duty whose paper is there', () => {
  let project: number
  let folder: number

  beforeEach(async () => {
    project = (await makeProject(test.db)).id
    folder = (await foldersByName(test.db, project)).Budget!
    await add({ folder_name: 'Budget' })
  })

  /** Puts a paper of the duty's period into the folder. */
  async function put(isHeldBack = false): Promise<number> {
    const { period } = await dutyOf(project)
    const { id } = await makeFile(test, folder, { isHeldBack })
    await sql`update files set period = ${period} where id = ${id}`.execute(test.db)
    return id
  }

  it('a duty is done when its paper is there, and open again when the paper goes', async () => {
    const file = await put()
    expect(await dutyOf(project)).toMatchObject({ done: true, is_by_paper: true })
    await sql`update files set deleted_at = now() where id = ${file}`.execute(test.db)
    expect(await dutyOf(project)).toMatchObject({ done: false, is_by_paper: false })
  })

  it('a duty is open while its paper is a draft', async () => {
    const file = await put(true)
    expect(await dutyOf(project)).toMatchObject({ done: false })
    await sql`update files set is_held_back = false where id = ${file}`.execute(test.db)
    expect(await dutyOf(project)).toMatchObject({ done: true })
  })

  it('a duty is open while its paper is of another period', async () => {
    const { id } = await makeFile(test, folder)
    await sql`update files set period = '1999' where id = ${id}`.execute(test.db)
    expect(await dutyOf(project)).toMatchObject({ done: false })
  })

  it('a duty whose paper came is done when it is checked later', async () => {
    await put()
    await sql`update duties set done_at = null, is_by_paper = false`.execute(test.db)
    await refreshAllDuties(test.db, TODAY)
    expect(await dutyOf(project)).toMatchObject({ done: true, is_by_paper: true })
  })

  it('a paper does not end a filing; a person does, and their name is kept', async () => {
    const { rows } = await sql<{ id: number }>`select id from obligations`.execute(test.db)
    await change(rows[0]!.id, { folder_name: 'Budget', is_filing: '1' })
    const file = await put()
    await refreshAllDuties(test.db, TODAY)
    const { id, done } = await dutyOf(project)
    expect(done).toBe(false)
    await act(mette, id, 'done')
    await sql`update files set deleted_at = now() where id = ${file}`.execute(test.db)
    expect(await textsOf(mette.visitor, `${urls.yearList}?state=done`)).toContain('Af Mette Holm')
  })

  it('what a paper ended before its obligation was a filing stays done', async () => {
    const { rows } = await sql<{ id: number }>`select id from obligations`.execute(test.db)
    const file = await put()
    await change(rows[0]!.id, { folder_name: 'Budget', is_filing: '1' })
    await sql`update files set deleted_at = now() where id = ${file}`.execute(test.db)
    await refreshAllDuties(test.db, TODAY)
    expect(await dutyOf(project)).toMatchObject({
      done: true,
      is_by_paper: false,
      note: 'Udført af sig selv, da papiret lå i mappen.',
    })
  })

  it('a duty follows the folder that has the name', async () => {
    await put()
    await sql`delete from folder_names where folder_id = ${folder}`.execute(test.db)
    await sql`update folders set name = 'Andet' where id = ${folder}`.execute(test.db)
    await refresh()
    expect(await dutyOf(project)).toMatchObject({ done: false })
  })

  it('a duty whose paper is there cannot be reopened by hand', async () => {
    await put()
    expect((await act(mette, (await dutyOf(project)).id, 'reopen')).statusCode).toBe(409)
  })

  it('a duty that somebody marked as done stays theirs', async () => {
    const { id } = await dutyOf(project)
    await act(mette, id, 'done', { note: 'Sendt' })
    const file = await put()
    await sql`update files set deleted_at = now() where id = ${file}`.execute(test.db)
    expect(await dutyOf(project)).toMatchObject({ done: true, is_by_paper: false, note: 'Sendt' })
  })
})

describe('what the office does with duties', () => {
  let project: { id: number; name: string; number: string }

  beforeEach(async () => {
    project = await makeProject(test.db)
    await add()
  })

  it('a duty is marked as done with a note, and reopened; both are logged', async () => {
    const { id } = await dutyOf(project.id)
    expect((await act(mette, id, 'done', { note: 'Sendt med posten' })).statusCode).toBe(200)
    expect(await textsOf(mette.visitor, `${urls.yearList}?state=done&q=${project.number}`)).toContain(
      'Sendt med posten',
    )
    expect(await textsOf(mette.visitor, `${urls.yearList}?q=${project.number}`)).toContain('Intet fundet...')
    expect((await act(boss, id, 'done')).statusCode).toBe(409)
    expect((await act(boss, id, 'reopen')).statusCode).toBe(200)
    expect(await dutyOf(project.id)).toMatchObject({ done: false, note: '' })
    expect((await act(boss, id, 'reopen')).statusCode).toBe(409)
    const { rows } = await sql<{ act: string; user_id: number }>`
      select act, user_id from log where project_id = ${project.id} and act like 'duty-%' order by id`.execute(
      test.db,
    )
    expect(rows).toEqual([
      { act: 'duty-done', user_id: mette.id },
      { act: 'duty-reopened', user_id: boss.id },
    ])
  })

  it('a duty can be given to a colleague, and to nobody else', async () => {
    const { id } = await dutyOf(project.id)
    const investor = await makeUser(test.db)
    expect((await act(mette, id, 'responsible', { responsible_id: String(boss.id) })).statusCode).toBe(200)
    expect(await dutyOf(project.id)).toMatchObject({ responsible_id: boss.id })
    expect((await act(mette, id, 'responsible', { responsible_id: String(investor.id) })).statusCode).toBe(
      422,
    )
    expect((await act(mette, id, 'responsible', { responsible_id: 'x' })).statusCode).toBe(422)
    expect(await dutyOf(project.id)).toMatchObject({ responsible_id: boss.id })
  })

  it('refuses a long note, and an unknown duty', async () => {
    const { id } = await dutyOf(project.id)
    expect((await act(mette, id, 'done', { note: 'x'.repeat(501) })).statusCode).toBe(422)
    expect((await act(mette, 999_999, 'done')).statusCode).toBe(404)
  })

  it('acts on duties lead back to the page, also without JavaScript', async () => {
    const { id } = await dutyOf(project.id)
    const next = `${urls.yearList}?person=none`
    const reply = await mette.visitor.post(urls.dutyAct(id, 'done'), { next })
    expect(reply.statusCode).toBe(303)
    expect(reply.headers.location).toBe(next)
    const away = await mette.visitor.post(urls.dutyAct(id, 'reopen'), { next: 'https://example.com' })
    expect(away.headers.location).toBe('/')
  })

  it('finds duties by state, responsible, obligation and project', async () => {
    const late = await add({ title: 'For sent', due_on: writeDay(TODAY), watched_from: '01/01/2020' })
    await sql`update duties set due_on = ${daysAfter(TODAY, -3)} where obligation_id = ${late}`.execute(
      test.db,
    )
    const { rows } = await sql<{ id: number }>`
      select id from duties where obligation_id = ${late} and project_id = ${project.id}`.execute(test.db)
    await act(boss, rows[0]!.id, 'responsible', { responsible_id: String(mette.id) })
    const q = `q=${project.number}`
    const listed = (text: string) =>
      ['For sent', 'Momsregnskab'].filter((title) => text.includes(`${title} 2`))
    const of = async (query: string) => listed(await textsOf(mette.visitor, `${urls.yearList}?${query}`))
    expect(await of(q)).toEqual(['For sent', 'Momsregnskab'])
    expect(await of(`${q}&state=late`)).toEqual(['For sent'])
    expect(await of(`${q}&person=${mette.id}`)).toEqual(['For sent'])
    expect(await of(`${q}&person=none`)).toEqual(['Momsregnskab'])
    expect(await of(`${q}&rule=For+sent`)).toEqual(['For sent'])
    expect(await of(`${q}&state=done`)).toEqual([])
    expect(await of('q=findes-ikke')).toEqual([])
    expect(await textsOf(mette.visitor, `${urls.yearList}?${q}`)).toContain('Forsinket 3 dage')
  })

  describe('giving all that the filters find to somebody', () => {
    const countOn = async (who: Entered, filters: string) =>
      /name="count" value="(\d+)"/.exec((await who.visitor.get(urls.yearList + filters)).body)?.[1] ?? '0'
    const give = async (who: Entered, filters: string, to: string, count?: string) =>
      who.visitor.post(
        urls.dutiesResponsible,
        { filters, responsible_id: to, count: count ?? (await countOn(who, filters)) },
        { script: true },
      )
    const responsible = async (of: number) =>
      (await duties(of)).map(({ done, responsible_id: id }) => [done, id])

    it('gives the open ones that are found, and logs each', async () => {
      await add({ title: 'En mere', due_on: writeDay(TODAY) })
      const other = await makeProject(test.db)
      await refresh()
      const [first] = await duties(project.id)
      await act(boss, first!.id, 'done')
      expect((await give(mette, `?q=${project.number}`, String(mette.id))).statusCode).toBe(200)
      expect(await responsible(project.id)).toEqual([
        [true, null],
        [false, mette.id],
      ])
      expect((await responsible(other.id)).map(([, id]) => id)).toEqual([null, null])
      const { rows } = await sql`
        select from log where act = 'duty-given' and project_id = ${project.id} and subject_user_id = ${mette.id}`.execute(
        test.db,
      )
      expect(rows).toHaveLength(1)
      expect((await give(mette, `?q=${project.number}`, '')).statusCode).toBe(200)
      expect((await responsible(project.id))[1]).toEqual([false, null])
    })

    it('says how many it left out, because somebody saves a file of theirs just then', async () => {
      await add({ title: 'En mere', due_on: writeDay(TODAY) })
      await refresh()
      const [held] = await duties(project.id)
      const saving = await test.db.startTransaction().execute()
      await sql`select from duties where id = ${held!.id} for update`.execute(saving)
      const reply = await give(mette, `?q=${project.number}`, String(mette.id))
      await saving.commit().execute()
      expect(reply.json()).toEqual({
        redirect: `${urls.yearList}?q=${project.number}`,
        said: 'Én pligt har ikke skiftet ansvarlig, fordi der gemmes filer til den lige nu. Prøv igen om lidt.',
      })
      expect((await responsible(project.id)).map(([, id]) => id)).toEqual([null, mette.id])
      expect((await give(mette, `?q=${project.number}`, String(mette.id))).json()).toEqual({
        redirect: `${urls.yearList}?person=${mette.id}&q=${project.number}`,
      })
      expect((await responsible(project.id)).map(([, id]) => id)).toEqual([mette.id, mette.id])
    })

    it('everything of a person who leaves takes the rules along, by somebody who may change them', async () => {
      const leaver = await enter(test, 'employee')
      const rule = await add({ title: 'Hendes', responsible_id: String(leaver.id) })
      const ruled = async () =>
        (
          await sql<{ responsible_id: number | null }>`
            select responsible_id from obligations where id = ${rule}`.execute(test.db)
        ).rows[0]!.responsible_id
      await give(mette, `?person=${leaver.id}`, String(leaver.id))
      await give(boss, `?person=${leaver.id}&q=${project.number}`, String(mette.id))
      expect(await ruled()).toBe(leaver.id) // not everything
      await sql`update users set deactivated_at = now() where id = ${leaver.id}`.execute(test.db)
      await give(boss, '?person=none', String(boss.id))
      expect(await ruled()).toBe(boss.id)
      await give(boss, `?person=${boss.id}`, String(mette.id))
      expect(await ruled()).toBe(mette.id)
      expect(new Set((await duties(project.id)).map(({ responsible_id: id }) => id))).toEqual(
        new Set([mette.id]),
      )
    })

    it('refuses if the filters find more or fewer than the page said', async () => {
      const reply = await give(boss, `?q=${project.number}`, String(mette.id), '2')
      expect([reply.statusCode, reply.json<{ message: string }>().message]).toEqual([
        409,
        'Listen er ændret: Den viste 2, og nu er der 1. Intet er sket. Genindlæs siden.',
      ])
      expect(await responsible(project.id)).toEqual([[false, null]])
    })

    it('refuses somebody outside the office, and a request without filters', async () => {
      const investor = await enter(test, 'investor')
      expect((await give(boss, '', String(investor.id))).statusCode).toBe(422)
      expect((await give(investor, '', String(boss.id))).statusCode).toBe(403)
      for (const wrong of [{}, { filters: '', count: 'mange' }, { filters: 'x'.repeat(1001), count: '1' }]) {
        const reply = await boss.visitor.post(
          urls.dutiesResponsible,
          { responsible_id: '', ...wrong },
          { script: true },
        )
        expect([reply.statusCode, reply.json<{ message: string }>().message]).toEqual([
          422,
          'Genindlæs siden.',
        ])
      }
      expect(new Set((await duties(project.id)).map(({ responsible_id: id }) => id))).toEqual(new Set([null]))
    })
  })

  it('the page of duties says that it is no legal advice', async () => {
    for (const address of [urls.yearList, urls.yearRules, urls.newObligation])
      expect(await textsOf(boss.visitor, address)).toContain('ikke juridisk rådgivning')
  })
})

it('duties are refreshed while files are saved, and neither waits for the other', async () => {
  const { id: project } = await makeProject(test.db)
  const folder = (await foldersByName(test.db, project)).Budget!
  await add({ folder_name: 'Budget' })
  const { period } = await dutyOf(project)
  const { id: file } = await makeFile(test, folder)
  const saving = await test.db.startTransaction().execute()
  await sql`update files set period = ${period} where id = ${file}`.execute(saving)
  await refreshAllDuties(test.db, TODAY)
  await saving.commit().execute()
  expect(await dutyOf(project)).toMatchObject({ done: true, is_by_paper: true })
})
