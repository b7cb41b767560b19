import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import type { Reader } from '../../src/access/reader.ts'
import { daysAfter } from '../../src/base/time/days.ts'
import { countOpenPapers } from '../../src/start/office/papers.db.ts'
import { countDue, listDue, listNearest, listOpen } from '../../src/year/due/due.db.ts'
import type { Due } from '../../src/year/due/due.ts'
import { ALL_DUTIES, DUTY_STATES, monthEnd, type DutyQuery } from '../../src/year/obligations/duty.ts'
import { listObligations } from '../../src/year/obligations/obligations.db.ts'
import { WHOLE_OVERVIEW } from '../../src/year/overview/overview-address.ts'
import { readOverview } from '../../src/year/overview/overview.db.ts'
import { freshApp, type TestApp } from '../app.ts'
import { chanceOf, type Chance } from '../chance.ts'
import { makeProject, makeUser } from '../make.ts'

const TODAY = '2026-11-19'
const YEARS = [2024, 2025, 2026]
const MOST = 4
const COLUMNS = ['title', 'project_id', 'folder_id', 'period', 'due_on', 'responsible_id', 'is_done'] as const

/** A duty or a paper of the model. */
type Row = {
  kind: 'duty' | 'paper'
  project: number
  folder: number | null
  period: string
  dueOn: string
  /** Of a paper: its folder's name. */
  title: string
  responsible: number | null
  isOpen: boolean
  /** Whether its project is followed from its last day or an earlier one. */
  isFollowed: boolean
}

/**
 * Makes random offices of duties and expected papers, of which some projects are followed from a day, and compares with a
 * model every place that says how much is late or due: Frister, the start page, Overblik, the calendar, and the rules.
 */
export function dueSuite({ first = 1, offices }: { first?: number; offices: number }): void {
  let test: TestApp
  let reader: Reader
  let colleague: number
  let projects: { id: number; number: string }[]
  let folders: { id: number; project_id: number; name: string }[]

  beforeAll(async () => {
    test = await freshApp({ hasJobs: false })
    reader = { id: (await makeUser(test.db, { role: 'employee' })).id, role: 'employee' }
    colleague = (await makeUser(test.db, { role: 'employee' })).id
    projects = [await makeProject(test.db), await makeProject(test.db)]
    ;({ rows: folders } = await sql<(typeof folders)[number]>`
      select id, project_id, name from folders where name in ('Årsrapport', 'Budget') and project_id is not null`.execute(
      test.db,
    ))
  })

  it(
    `every place tells what is late as the model does, in ${offices} random offices`,
    { timeout: 60 * 60_000 },
    async () => {
      for (let seed = first; seed < first + offices; seed++) {
        const rows = await makeOffice(chanceOf(seed))
        const open = openOf(rows)
        for (const query of queriesOf()) {
          const found = open.filter((row) => isFound(row, query))
          const counts = await countDue(test.db, reader, query, TODAY)
          const of = (state: string) => found.filter(({ dueOn }) => stateOf(dueOn) === state).length
          expect(counts, `seed ${seed}`).toMatchObject({
            late: of('late'),
            month: of('month'),
            later: of('later'),
          })
          for (const state of DUTY_STATES.filter((each) => each !== 'done')) {
            const wanted = found.filter(({ dueOn }) => state === 'open' || stateOf(dueOn) === state)
            expect(await listed({ ...query, state }), `seed ${seed}, ${state}`).toEqual(
              wanted.map(nameOf).sort(),
            )
          }
        }
        const late = open.filter(({ dueOn }) => dueOn < TODAY)
        const near = await listNearest(test.db, reader, TODAY, MOST)
        const days = (all: readonly Row[]) => all.map(({ dueOn }) => dueOn).sort()
        expect(near.late.total, `seed ${seed}`).toBe(late.length)
        expect(near.late.rows.map(dayOf)).toEqual(days(late).toReversed().slice(0, MOST))
        const next = days(open.filter(({ dueOn }) => dueOn >= TODAY)).slice(0, MOST)
        expect(near.next.map(dayOf)).toEqual(next)
        for (const person of [null, colleague])
          expect(await inCalendar(person), `seed ${seed}`).toEqual(
            open
              .filter((row) => person === null || row.responsible === person)
              .map(nameOf)
              .sort(),
          )
        await compareOverview(rows, late, seed)
        await compareOthers(rows, open, seed)
      }
    },
  )

  /** Each paper that Overblik calls late is late in Frister too, or its duty is. */
  async function compareOverview(rows: readonly Row[], late: readonly Row[], seed: number): Promise<void> {
    const keys = new Set(late.map(({ folder, period }) => `${folder} ${period}`))
    for (const year of YEARS) {
      const asked = { ...WHOLE_OVERVIEW, year, today: TODAY }
      const papers = rows.filter(
        ({ kind, isOpen, isFollowed, dueOn, period }) =>
          kind === 'paper' && isOpen && isFollowed && dueOn < TODAY && period === String(year),
      )
      const unfollowed = rows.filter(
        ({ kind, isOpen, isFollowed, period }) =>
          kind === 'paper' && isOpen && !isFollowed && period === String(year),
      )
      const { counts } = await readOverview(test.db, reader, asked)
      expect([counts.late, counts.unfollowed], `seed ${seed}`).toEqual([papers.length, unfollowed.length])
      for (const { folder, period } of papers) expect(keys, `seed ${seed}`).toContain(`${folder} ${period}`)
    }
  }

  /** The rules have the open duties, the start page's months the open papers. */
  async function compareOthers(rows: readonly Row[], open: readonly Row[], seed: number): Promise<void> {
    const duties = open.filter(({ kind }) => kind === 'duty')
    const rules = await listObligations(test.db, reader)
    const told = rules.filter((rule) => rule.open_count > 0).map(({ title }) => title)
    expect(told.sort(), `seed ${seed}`).toEqual(duties.map(nameOf).sort())
    const { months } = await countOpenPapers(test.db, reader, TODAY)
    const papers = rows.filter(({ kind, isOpen, isFollowed }) => kind === 'paper' && isOpen && isFollowed)
    expect(
      months.reduce((sum, { count }) => sum + count, 0),
      `seed ${seed}`,
    ).toBe(papers.length)
  }

  async function listed(query: DutyQuery): Promise<string[]> {
    const { data, meta } = await listDue(test.db, reader, query, TODAY)
    const names = data.map(nameOfDue)
    expect(data.map(dayOf)).toEqual(data.map(dayOf).sort())
    expect(meta.total).toBe(names.length)
    return names.sort()
  }

  async function inCalendar(person: number | null): Promise<string[]> {
    const dues = await listOpen(test.db, reader, person, { today: TODAY, most: 1000 })
    expect(dues.map(dayOf)).toEqual(dues.map(dayOf).sort())
    return dues.map(nameOfDue).sort()
  }

  const queriesOf = (): DutyQuery[] => [
    ALL_DUTIES,
    { ...ALL_DUTIES, q: projects[0]!.number },
    { ...ALL_DUTIES, person: colleague },
    { ...ALL_DUTIES, obligation: 'papers' },
  ]

  const isFound = ({ kind, project, responsible }: Row, { q, person, obligation }: DutyQuery) =>
    (q === '' || project === projects[0]!.id) &&
    (person === null || responsible === person) &&
    (obligation === null || kind === 'paper')

  async function makeOffice(chance: Chance): Promise<Row[]> {
    await sql`delete from obligations`.execute(test.db)
    await sql`delete from year_cells`.execute(test.db)
    const day = () => daysAfter(TODAY, chance.number(8) * 12 - 45)
    const maybe = (percent: number) => chance.number(100) < percent
    const followed = new Map<number, string | null>()
    for (const { id } of projects) {
      followed.set(id, maybe(60) ? day() : null)
      await sql`update projects set followed_from = ${followed.get(id)} where id = ${id}`.execute(test.db)
    }
    const isFollowed = (project: number, dueOn: string) => dueOn >= (followed.get(project) ?? '')
    const papers = folders.flatMap((folder) =>
      YEARS.filter(() => maybe(70)).map((year) => ({
        folder,
        period: String(year),
        dueOn: day(),
        files: maybe(25) ? 1 : 0,
        excuse: maybe(15) ? 'Kommer ikke' : null,
      })),
    )
    for (const { folder, period, dueOn, files, excuse } of papers)
      await sql`
        insert into year_cells (folder_id, period, project_id, starts_on, ends_on, due_on, files_count, shown_count, excuse, excused_at)
        values (${folder.id}, ${period}, ${folder.project_id}, ${`${period}-01-01`}, ${`${period}-12-31`}, ${dueOn}, ${files}, ${files},
          ${excuse}, case when ${excuse}::text is not null then now() end)`.execute(test.db)
    const duties: Row[] = Array.from({ length: chance.number(9) }, () => {
      const folder = maybe(60) ? chance.of(folders) : null
      // Often the same last day as its paper's.
      const period = String(chance.of(YEARS))
      const paper = papers.find((each) => each.folder === folder && each.period === period)
      const project = folder?.project_id ?? chance.of(projects).id
      const dueOn = paper && maybe(60) ? paper.dueOn : day()
      return {
        kind: 'duty',
        title: randomUUID(),
        project,
        folder: folder?.id ?? null,
        period,
        dueOn,
        isFollowed: isFollowed(project, dueOn),
        responsible: maybe(40) ? colleague : null,
        isOpen: maybe(75),
      }
    })
    await sql`
      with given as (
        select * from json_to_recordset(${JSON.stringify(duties.map(toColumns))}::json)
          as given (${sql.raw('title text, project_id bigint, folder_id bigint, period text, due_on date, responsible_id bigint, is_done boolean')})
      ), rules as (insert into obligations (title, due_rule) select title, 'months' from given returning id, title)
      insert into duties (obligation_id, project_id, folder_id, period, starts_on, ends_on, due_on, responsible_id, done_at)
      select rules.id, project_id, folder_id, period, (period || '-01-01')::date, (period || '-12-31')::date, due_on,
        responsible_id, case when is_done then now() end
      from given join rules using (title)`.execute(test.db)
    return [
      ...duties,
      ...papers.map(({ folder, period, dueOn, files, excuse }): Row => ({
        kind: 'paper',
        title: folder.name,
        project: folder.project_id,
        folder: folder.id,
        period,
        dueOn,
        responsible: null,
        isOpen: files === 0 && excuse === null,
        isFollowed: isFollowed(folder.project_id, dueOn),
      })),
    ]
  }
}

const toColumns = ({ title, project, folder, period, dueOn, responsible, isOpen }: Row) =>
  Object.fromEntries(
    [title, project, folder, period, dueOn, responsible, !isOpen].map((value, index) => [
      COLUMNS[index]!,
      value,
    ]),
  )

/** The open duties that are followed, and such papers without an open duty of their own. */
function openOf(rows: readonly Row[]): Row[] {
  const open = rows.filter(({ isOpen, isFollowed }) => isOpen && isFollowed)
  const stands = (paper: Row) =>
    open.some(
      ({ kind, folder, period, dueOn }) =>
        kind === 'duty' && folder === paper.folder && period === paper.period && dueOn <= paper.dueOn,
    )
  return open.filter((row) => row.kind === 'duty' || !stands(row))
}

function stateOf(dueOn: string): 'late' | 'month' | 'later' {
  if (dueOn < TODAY) return 'late'
  return dueOn <= monthEnd(TODAY) ? 'month' : 'later'
}

const nameOf = ({ kind, title, folder, period }: Row) => (kind === 'duty' ? title : `p${folder} ${period}`)
const nameOfDue = (due: Due) =>
  'duty' in due ? due.duty.title : `p${due.paper.folder.id} ${due.paper.period}`
const dayOf = (due: Due) => ('duty' in due ? due.duty : due.paper).due_on
