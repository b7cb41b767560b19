import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeFile, makeProject } from '../../../test/make.ts'
import { propsIn } from '../../../test/page-data.ts'
import { dutyOf, expectPapers, setPeriod } from '../../../test/office/papers-of-year.ts'
import { unzip } from '../../../test/formats/unzip.ts'
import { dayOf } from '../../base/time/dates.ts'
import { daysAfter } from '../../base/time/days.ts'
import { urls } from '../../urls.ts'
import { readOverview, type Asked } from './overview.db.ts'
import type { OverviewPageProps } from './overview-page.tsx'
import { ALL_DUTIES } from '../obligations/duty.ts'
import type { PaperPageProps } from './paper-page.tsx'

let test: TestApp
let office: Entered
const TODAY = dayOf(new Date(), 'Europe/Copenhagen')
const YEAR = Number(TODAY.slice(0, 4)) - 1

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  office = await enter(test, 'employee', { name: 'Mette Holm' })
})

beforeEach(async () => {
  await sql`update folders set expects = 'none' where project_id is not null`.execute(test.db)
  await sql`delete from duties`.execute(test.db)
  await sql`delete from year_cells`.execute(test.db)
})

/** Makes a project whose annual report is expected each year. */
async function makeExpecting(fields: Parameters<typeof makeProject>[1] = {}, dueMonths = 6) {
  const project = await makeProject(test.db, fields)
  const folders = await foldersByName(test.db, project.id)
  await expectPapers(test.db, [folders.Årsrapport!], { rhythm: 'year', from: '2020', dueMonths }, TODAY)
  return { ...project, folders }
}

async function makePaper(folder: number, period: string, isHeldBack = false) {
  const file = await makeFile(test, folder, { name: `Papir ${period}.pdf`, isHeldBack })
  await setPeriod(test.db, file.id, period)
  return file
}

const excuseOf = async (folder: number, reason: string, fields = {}) =>
  office.visitor.post(urls.dutyAct(await dutyOf(test.db, folder, String(YEAR)), 'excuse'), {
    excuse: reason,
    ...fields,
  })

async function see(who: Entered, query = `?year=${YEAR}`): Promise<OverviewPageProps> {
  const { statusCode, body } = await who.visitor.get(urls.year + query)
  expect(statusCode).toBe(200)
  return propsIn<OverviewPageProps>(body)
}

/** The states in an overview, by number of project: `{ 1001: ['Årsrapport 2025 done'] }`. */
const statesIn = ({ overview }: OverviewPageProps) =>
  Object.fromEntries(
    overview.rows.map(({ number, cells }) => [
      number,
      cells.map(({ name, period, state }) => `${name} ${period} ${state}`),
    ]),
  )

describe('what a cell is', () => {
  const day = '2026-05-10'
  it.each<
    [
      string,
      { due?: string; ends?: string; files?: number; shown?: number; excuse?: string; followed?: string },
      string | null,
    ]
  >([
    ['there, whenever it was due', { due: '2025-06-30', files: 2, shown: 1 }, 'done'],
    ['there, though nobody expects it', { files: 1, shown: 1 }, 'done'],
    ['a draft, though it is late', { due: '2025-06-30', files: 1 }, 'draft'],
    ['a draft, though it is excused', { due: '2025-06-30', files: 1, excuse: 'Ingen drift' }, 'draft'],
    ['excused, though it is late', { due: '2025-06-30', excuse: 'Ingen drift' }, 'excused'],
    ['in time on its last day', { due: day, ends: '2025-12-31' }, 'missing'],
    ['late on the next', { due: daysAfter(day, -1), ends: '2025-12-31' }, 'late'],
    ['coming on the period’s last day', { due: '2026-08-01', ends: day }, 'coming'],
    ['missing after it', { due: '2026-08-01', ends: daysAfter(day, -1) }, 'missing'],
    ['not followed, though it would be late', { due: '2025-06-30', followed: '2025-07-01' }, 'unfollowed'],
    [
      'not followed, though it would be missing',
      { due: '2026-08-01', ends: '2025-12-31', followed: '2026-08-02' },
      'unfollowed',
    ],
    ['not followed, though it would come', { due: '2026-08-01', followed: '2027-01-01' }, 'unfollowed'],
    ['late, due on the first day that is followed', { due: '2025-06-30', followed: '2025-06-30' }, 'late'],
    [
      'there, though it is not followed',
      { due: '2025-06-30', files: 1, shown: 1, followed: '2026-01-01' },
      'done',
    ],
    ['a draft, though it is not followed', { due: '2025-06-30', files: 1, followed: '2026-01-01' }, 'draft'],
    [
      'excused, though it is not followed',
      { due: '2025-06-30', excuse: 'Ingen drift', followed: '2026-01-01' },
      'excused',
    ],
    ['nothing', {}, null],
  ])(
    'a cell is %s',
    async (
      _name,
      { due = null, ends = due, files = 0, shown = 0, excuse = null, followed = null },
      state,
    ) => {
      const { id } = await makeProject(test.db)
      const { Budget } = await foldersByName(test.db, id)
      await sql`update projects set followed_from = ${followed}::date where id = ${id}`.execute(test.db)
      await sql`
      insert into duties (folder_id, project_id, period, starts_on, ends_on, due_on, excuse, excused_at)
      select ${Budget}, ${id}, '2025', '2025-01-01', ${ends}::date, ${due}::date,
        ${excuse}, ${excuse && '2026-01-01'}::timestamptz where ${due}::date is not null`.execute(test.db)
      await sql`
      insert into year_cells (folder_id, project_id, period, files_count, shown_count)
      values (${Budget}, ${id}, '2025', ${files}, ${shown})`.execute(test.db)
      const asked: Asked = { ...ALL_DUTIES, year: 2025, client: null, today: day }
      const { rows } = await readOverview(test.db, { id: office.id, role: 'employee' }, asked)
      expect(rows.flatMap(({ cells }) => cells.map((cell) => cell.state))).toEqual(
        state === null ? [] : [state],
      )
    },
  )
})

describe('the overview', () => {
  it('the overview shows each project with its papers, and sums of rows and columns', async () => {
    const [a, b] = [await makeExpecting(), await makeExpecting()]
    await expectPapers(test.db, [a.folders.Kvartalsrapport!], { rhythm: 'quarter', from: '2020' }, TODAY)
    const { path } = await makePaper(a.folders.Årsrapport!, String(YEAR))
    await makePaper(a.folders.Kvartalsrapport!, `${YEAR}-Q2`, true)
    await makePaper(b.folders.Diverse!, String(YEAR)) // nobody expects anything there
    const { overview } = await see(office)
    expect(overview.columns).toEqual([
      { name: 'Årsrapport', isPaper: true, period: String(YEAR), expected: 2, there: 1 },
      ...['Q1', 'Q2', 'Q3', 'Q4'].map((quarter) => ({
        name: 'Kvartalsrapport',
        isPaper: true,
        period: `${YEAR}-${quarter}`,
        expected: 1,
        there: 0,
      })),
    ])
    expect(overview.rows.map(({ number, there, expected }) => [number, there, expected])).toEqual([
      [a.number, 1, 5],
      [b.number, 0, 1],
    ])
    expect(overview.rows[0]!.cells[0]).toMatchObject({ state: 'done', files: 1, file: { path } })
    expect(overview.rows[0]!.cells[2]).toMatchObject({ state: 'draft', files: 1, drafts: 1 })
    expect((await see(office)).choices.rules).toContain('Diverse')
    expect(statesIn(await see(office, `?year=${YEAR}&rule=Diverse`))).toEqual({
      [b.number]: [`Diverse ${YEAR} done`],
    })
  })

  it('what is not followed counts neither as expected nor as missing; an investor is not told of it', async () => {
    const investor = await enter(test, 'investor')
    const { id, number, folders } = await makeExpecting({ members: [investor.id] })
    const change = async (day: string | null) =>
      sql`update projects set followed_from = ${day}::date where id = ${id}`.execute(test.db)
    const seen = async () => {
      const { overview, choices } = await see(office)
      const { late, missing, unfollowed } = choices.counts
      const { expected } = overview.rows.find((row) => row.number === number)!
      return { late: late + missing, unfollowed, expected }
    }
    expect(await seen()).toEqual({ late: 1, unfollowed: 0, expected: 1 })
    await change(`${YEAR + 5}-01-01`)
    expect(await seen()).toEqual({ late: 0, unfollowed: 1, expected: 0 })
    expect((await see(office, `?year=${YEAR}&state=missing`)).overview.rows).toEqual([])
    expect((await see(office, `?year=${YEAR}&state=late`)).overview.rows).toEqual([])
    const theirs = async () => {
      const reader = { id: investor.id, role: 'investor' } as const
      const { rows } = await readOverview(test.db, reader, {
        ...ALL_DUTIES,
        year: YEAR,
        client: null,
        today: TODAY,
      })
      return rows.flatMap(({ cells }) => cells.map(({ state }) => state))
    }
    expect(await theirs()).toEqual([])
    await makePaper(folders.Årsrapport!, String(YEAR))
    expect(await theirs()).toEqual(['done'])
    expect(await seen()).toEqual({ late: 0, unfollowed: 0, expected: 1 })
  })

  it('the overview follows a file that is deleted, restored and published', async () => {
    const { number, folders } = await makeExpecting({}, 60)
    const { id } = await makePaper(folders.Årsrapport!, String(YEAR))
    const now = async () => statesIn(await see(office))[number]![0]!.split(' ')[2]
    expect(await now()).toBe('done')
    await sql`update files set deleted_at = now() where id = ${id}`.execute(test.db)
    expect(await now()).toBe('missing')
    await sql`update files set deleted_at = null, is_held_back = true where id = ${id}`.execute(test.db)
    expect(await now()).toBe('draft')
  })

  it('the overview shows the last year unless another one is asked for', async () => {
    await makeExpecting()
    expect((await see(office, '')).query.year).toBe(YEAR)
    expect((await see(office, '?year=i+fjor')).query.year).toBe(YEAR)
    expect((await see(office, '')).choices.years).toEqual(
      Array.from({ length: YEAR + 2 - 2020 }, (_, index) => YEAR + 1 - index),
    )
  })

  it('the overview has 25 projects a page in the order of their numbers, and sums of all of them', async () => {
    for (let each = 0; each < 27; each++) await makeExpecting({ number: `${each % 2 ? 'B' : 'A'} ${each}` })
    const first = await see(office)
    expect(first.overview.rows.map(({ number }) => number).slice(0, 3)).toEqual(['A 0', 'A 2', 'A 4'])
    expect(first.overview.rows).toHaveLength(25)
    expect(first.overview.meta).toMatchObject({ total: 27, last_page: 2 })
    expect(first.overview.columns[0]).toMatchObject({ expected: 27 })
    const second = await see(office, `?year=${YEAR}&page=2`)
    expect(second.overview.rows.map(({ number }) => number)).toEqual(['B 23', 'B 25'])
    const all = await see(office, `?year=${YEAR}&all=true`) // to print
    expect([all.overview.rows.length, all.overview.meta.last_page]).toEqual([27, 1])
    const after = await office.visitor.get(`${urls.year}?year=${YEAR}&page=9`)
    expect(after.headers.location).toBe(`${urls.year}?year=${YEAR}&page=2`)
  })

  it('the overview finds projects by state', async () => {
    const [late, missing, draft, excused, whole] = [
      await makeExpecting({}, 0),
      await makeExpecting({}, 60),
      await makeExpecting({}, 60),
      await makeExpecting({}, 0),
      await makeExpecting(),
    ]
    const all = String(YEAR)
    await makePaper(draft.folders.Årsrapport!, all, true)
    await makePaper(whole.folders.Årsrapport!, all)
    await excuseOf(excused.folders.Årsrapport!, 'Ingen drift')
    const found = async (state: string) =>
      Object.keys(statesIn(await see(office, `?year=${YEAR}&state=${state}`)))
    expect(await found('late')).toEqual([late.number])
    expect(await found('missing')).toEqual([missing.number])
    expect(await found('draft')).toEqual([draft.number])
    expect(await found('excused')).toEqual([excused.number])
    expect(await found('done')).toEqual([whole.number])
    const { overview } = await see(office, `?year=${YEAR}&state=missing`)
    expect(overview.columns[0]).toMatchObject({ expected: 1, there: 0 })
    expect((await see(office)).choices.counts).toMatchObject({
      late: 1,
      missing: 1,
      draft: 1,
      excused: 1,
      done: 1,
    })
  })

  it('the overview tells investors and auditors only whether a paper has come or will not come', async () => {
    const [investor, auditor] = [await enter(test, 'investor'), await enter(test, 'auditor')]
    const { number, folders } = await makeExpecting({ members: [investor.id, auditor.id] }, 0)
    await makeExpecting() // somebody else's
    await expectPapers(
      test.db,
      [folders.Budget!, folders.Bestyrelsesmøder!],
      { rhythm: 'year', from: '2020', dueMonths: 0 },
      TODAY,
    )
    await makePaper(folders.Årsrapport!, String(YEAR))
    await makePaper(folders.Budget!, String(YEAR), true)
    await excuseOf(folders.Bestyrelsesmøder!, 'Ingen møder')
    const shared = [`Årsrapport ${YEAR} done`, `Budget ${YEAR} not-yet`]
    const inSheet = (await investor.visitor.get(`${urls.yearSheet}?year=${YEAR}`)).rawPayload
    const sheet = unzip(inSheet)['xl/worksheets/sheet1.xml']!
    expect([sheet.includes('Budget, året'), sheet.includes('Bestyrelsesmøder')]).toEqual([true, false])
    expect(statesIn(await see(auditor))).toEqual({
      [number]: [...shared, `Bestyrelsesmøder ${YEAR} excused`],
    })
    const { overview } = await see(auditor, `?year=${YEAR}&state=excused`)
    expect(overview.rows).toHaveLength(1) // statuses are the office's
    for (const { cells } of overview.rows)
      for (const cell of cells) expect(cell).toMatchObject({ due_on: null, excuse: null, drafts: 0 })
  })

  it('the whole overview can be downloaded as a spreadsheet', async () => {
    const { number, name, folders } = await makeExpecting({ number: '00 & <1>' }, 60)
    for (let each = 0; each < 26; each++) await makeExpecting()
    await excuseOf(folders.Årsrapport!, '=1+1')
    const { rawPayload, headers } = await office.visitor.get(`${urls.yearSheet}?year=${YEAR}`)
    expect(headers['content-disposition']).toContain(`%C3%85ret%20${YEAR}.xlsx`)
    const sheet = unzip(rawPayload)['xl/worksheets/sheet1.xml']!
    expect(number).toBe('00 & <1>')
    for (const text of ['00 &amp; &lt;1&gt;', name, 'Årsrapport, året', 'Undtaget: =1+1', '0 af 26'])
      expect(sheet).toContain(`<t xml:space="preserve">${text}</t>`)
    expect(sheet).not.toContain('<f>')
    expect(sheet.match(/<row /g)).toHaveLength(29)
  })
})

describe('an excuse', () => {
  it('an excuse is given with a reason, taken back, and both are logged', async () => {
    const { id, number, folders } = await makeExpecting({}, 0)
    const folder = folders.Årsrapport!
    const next = `${urls.year}?state=late`
    const answer = await excuseOf(folder, ' Solgt før\r\nårets udløb ', { next })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, next])
    expect((await see(office)).overview.rows[0]!.cells[0]).toMatchObject({
      state: 'excused',
      excuse: 'Solgt før\nårets udløb',
    })
    const { body } = await office.visitor.get(urls.paper(folder, String(YEAR)))
    expect(propsIn<PaperPageProps>(body).paper).toMatchObject({
      excused: { by: 'Mette Holm' },
      project: { number },
    })
    await office.visitor.post(urls.dutyAct(await dutyOf(test.db, folder, String(YEAR)), 'expect'))
    expect((await see(office)).overview.rows[0]!.cells[0]).toMatchObject({ state: 'late', excuse: null })
    const logged = await test.db
      .selectFrom('log')
      .select(['act', 'detail', 'folder_id'])
      .where('project_id', '=', id)
      .where('act', 'in', ['paper-excused', 'paper-expected'])
      .orderBy('id')
      .execute()
    expect(logged).toEqual([
      { act: 'paper-excused', detail: String(YEAR), folder_id: folder },
      { act: 'paper-expected', detail: String(YEAR), folder_id: folder },
    ])
  })

  it('refuses an excuse without a reason, or with one that is too long', async () => {
    const { folders } = await makeExpecting()
    for (const reason of ['', ' \n ', 'a'.repeat(501), 'a'.repeat(10_000)]) {
      const { statusCode, body } = await excuseOf(folders.Årsrapport!, reason)
      expect(statusCode).toBe(422)
      expect(body).toContain(
        reason.length < 10 ? 'Begrundelsen skal udfyldes.' : 'Begrundelsen må højst være på 500 tegn.',
      )
    }
    expect((await see(office)).choices.counts.excused).toBe(0)
  })

  it('an excuse leads back to a page of ours and nowhere else', async () => {
    const { folders } = await makeExpecting()
    const { headers } = await excuseOf(folders.Årsrapport!, 'Nej', { next: '//evil.example?year=2024&x=1' })
    expect(headers.location).toBe(urls.start)
  })

  it('only the office excuses a paper, and only an expected one', async () => {
    const investor = await enter(test, 'investor')
    const { folders } = await makeExpecting({ members: [investor.id] })
    const status = async (who: Entered, duty: number) =>
      (await who.visitor.post(urls.dutyAct(duty, 'excuse'), { excuse: 'Nej' }, { script: true })).statusCode
    expect(await status(office, 99_999_999)).toBe(404)
    expect(await status(investor, await dutyOf(test.db, folders.Årsrapport!, String(YEAR)))).toBe(403)
    expect((await investor.visitor.get(urls.paper(folders.Årsrapport!, String(YEAR)))).statusCode).toBe(403)
  })
})

it('each file of a paper shows how many have opened it', async () => {
  const [one, two] = [await enter(test, 'investor'), await enter(test, 'investor')]
  const { id, folders } = await makeExpecting({ members: [one.id, two.id] })
  const shown = await makePaper(folders.Årsrapport!, String(YEAR))
  await makePaper(folders.Årsrapport!, String(YEAR), true)
  await sql`insert into file_reads (user_id, file_id) values (${one.id}, ${shown.id})`.execute(test.db)
  const { body } = await office.visitor.get(urls.paper(folders.Årsrapport!, String(YEAR)))
  expect(propsIn<PaperPageProps>(body).paper.files).toMatchObject([
    { id: shown.id, is_held_back: false, reached: 2, opened: 1 },
    { is_held_back: true, reached: 0, opened: 0 },
  ])
  expect((await office.visitor.get(urls.paper(folders.Budget!, String(YEAR)))).statusCode).toBe(404)
  // A hole leads to the upload form, which says what the paper is to be called.
  const form = await office.visitor.get(`${urls.uploadTo(id, folders.Budget!)}?name=Budget%20(1)%202025`)
  expect(form.body).toContain('Budget (1) 2025</strong>')
})
