import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import type { Reader } from '../../src/access/reader.ts'
import { daysAfter } from '../../src/base/time/days.ts'
import { countOpenPapers } from '../../src/start/office/papers.db.ts'
import { countDuties, listDuties, listNearest, listOpen, listRuleCounts } from '../../src/year/due/due.db.ts'
import { DUTY_STATES, OPEN_STATES, type DutyState } from '../../src/year/obligations/duty-state.ts'
import { ALL_DUTIES, type Duty, type DutyQuery } from '../../src/year/obligations/duty.ts'
import { NEW_OBLIGATION } from '../../src/year/obligations/obligation.ts'
import { remindOfDuties } from '../../src/year/obligations/tell-responsible.db.ts'
import { tallyOf } from '../../src/year/overview/overview.ts'
import { readOverview } from '../../src/year/overview/overview.db.ts'
import { ALL_PAPERS } from '../../src/year/papers/papers-query.ts'
import { findPapers } from '../../src/year/papers/papers.db.ts'
import { freshApp, type TestApp } from '../app.ts'
import { chanceOf, type Chance } from '../chance.ts'
import { makeProject, makeUser } from '../make.ts'

const TODAY = '2026-11-19'
const YEARS = [2024, 2025, 2026]
const MOST = 4
/** How many offices one test compares. */
const AT_A_TIME = 100

/** A duty of the model. With a folder, its paper ends it. */
type Row = {
  /** Of an obligation; null for what a folder expects. */
  title: string | null
  project: number
  folder: { id: number; name: string } | null
  period: string
  endsOn: string
  dueOn: string
  responsible: number | null
  isDone: boolean
  isDraft: boolean
  excuse: string | null
  /** Whether its project is followed from its last day or an earlier one. */
  isFollowed: boolean
}

/**
 * Makes random offices of duties, of which some projects are followed from a day, and compares with a model every place that
 * says how much is late, missing or coming: the list, the grid, the rules, the start page, the calendar, the mails, and what investors
 * await.
 */
export function dueSuite({ first = 1, offices }: { first?: number; offices: number }): void {
  let test: TestApp
  let reader: Reader
  let investor: Reader
  let colleague: number
  let projects: { id: number; number: string }[]
  let folders: { id: number; project_id: number; name: string }[]
  const nameById = new Map<number, string>()

  beforeAll(async () => {
    test = await freshApp({ hasJobs: false })
    reader = { id: (await makeUser(test.db, { role: 'employee' })).id, role: 'employee' }
    investor = { id: (await makeUser(test.db, { role: 'investor' })).id, role: 'investor' }
    colleague = (await makeUser(test.db, { role: 'employee' })).id
    const members = { members: [investor.id] }
    projects = [await makeProject(test.db, members), await makeProject(test.db, members)]
    ;({ rows: folders } = await sql<(typeof folders)[number]>`
      select id, project_id, name from folders where name in ('Årsrapport', 'Budget') and project_id is not null`.execute(
      test.db,
    ))
    await sql`update folders set visible_to_investors = true where project_id is not null`.execute(test.db)
  })

  // One says how far a long run has come.
  const starts = Array.from(
    { length: Math.ceil(offices / AT_A_TIME) },
    (_, index) => first + index * AT_A_TIME,
  )
  it.each(starts)(
    `every place tells what is late as the model does, in ${Math.min(offices, AT_A_TIME)} random offices from seed %i`,
    { timeout: 60 * 60_000 },
    async (start) => {
      for (let seed = start; seed < Math.min(start + AT_A_TIME, first + offices); seed++) {
        const rows = await makeOffice(chanceOf(seed))
        await compareLists(rows, seed)
        const open = rows.filter(isOpen)
        const late = open.filter((row) => stateOf(row) === 'late')
        const near = await listNearest(test.db, reader, TODAY, MOST)
        const days = (all: readonly Row[]) => all.map(({ dueOn }) => dueOn).sort()
        expect(near.late.total, `seed ${seed}`).toBe(late.length)
        expect(near.late.rows.map(dayOf)).toEqual(days(late).toReversed().slice(0, MOST))
        const next = days(open.filter((row) => stateOf(row) !== 'late')).slice(0, MOST)
        expect(near.next.map(dayOf)).toEqual(next)
        for (const person of [null, colleague])
          expect(await inCalendar(person), `seed ${seed}`).toEqual(
            open
              .filter((row) => person === null || row.responsible === person)
              .map(nameOf)
              .sort(),
          )
        await compareGrid(rows, seed)
        await compareOthers(rows, seed)
        await compareAwaited(rows, seed)
        await compareMail(rows, seed)
      }
    },
  )

  async function compareLists(rows: readonly Row[], seed: number): Promise<void> {
    for (const query of queriesOf()) {
      const found = rows.filter((row) => isFound(row, query))
      const counts = await countDuties(test.db, reader, query, TODAY)
      for (const state of ['open', ...DUTY_STATES] as const) {
        const wanted = found.filter((row) => (state === 'open' ? isOpen(row) : stateOf(row) === state))
        if (state !== 'open') expect(counts[state], `seed ${seed}, ${state}`).toBe(wanted.length)
        expect(await listed({ ...query, state }), `seed ${seed}, ${state}`).toEqual(wanted.map(nameOf).sort())
      }
    }
  }

  /** The grid has the same cells as the list of its year has rows, and the sums of all projects. */
  async function compareGrid(rows: readonly Row[], seed: number): Promise<void> {
    for (const query of queriesOf())
      for (const year of YEARS) {
        const asked = { ...query, year, client: null, today: TODAY }
        const { rows: shown, columns } = await readOverview(test.db, reader, asked)
        const those = rows.filter((row) => isFound(row, { ...query, year }))
        const cells = shown.flatMap((row) => row.cells)
        expect(
          cells.map(({ duty, state }) => `${nameById.get(duty!)} ${state}`).sort(),
          `seed ${seed}`,
        ).toEqual(those.map((row) => `${nameOf(row)} ${stateOf(row)}`).sort())
        const counted = those.filter((row) => !['excused', 'unfollowed'].includes(stateOf(row)))
        expect(tallyOf(columns), `seed ${seed}`).toEqual({
          expected: counted.length,
          there: counted.filter(({ isDone }) => isDone).length,
        })
      }
  }

  /** The rules and folders have what is open of them, the start page what is missing and all that is open by month. */
  async function compareOthers(rows: readonly Row[], seed: number): Promise<void> {
    const open = rows.filter(isOpen)
    for (const query of queriesOf()) {
      const { obligations, folders: expecting } = await listRuleCounts(test.db, reader, query, TODAY)
      const found = open.filter((row) => isFound(row, query))
      for (const state of OPEN_STATES)
        expect(
          [...obligations, ...expecting].reduce((sum, each) => sum + each.open[state], 0),
          `seed ${seed}, ${state}`,
        ).toBe(found.filter((row) => stateOf(row) === state).length)
    }
    const { missing, months } = await countOpenPapers(test.db, reader, TODAY)
    expect(missing.total, `seed ${seed}`).toBe(open.filter((row) => stateOf(row) === 'missing').length)
    expect(
      months.reduce((sum, { count }) => sum + count, 0),
      `seed ${seed}`,
    ).toBe(open.length)
  }

  /** Investors await the papers that the office awaits, whether they are late or not, and what is excused. */
  async function compareAwaited(rows: readonly Row[], seed: number): Promise<void> {
    const awaited = rows
      .filter(({ folder }) => folder)
      .filter((row) => !['done', 'unfollowed'].includes(stateOf(row)))
    // A draft that is not followed is there for the office alone.
    const seen = awaited.filter(({ isFollowed, excuse }) => isFollowed || excuse !== null)
    for (const year of YEARS) {
      const { open } = await findPapers(test.db, investor, { ...ALL_PAPERS, year })
      const those = seen.filter(({ period }) => period === String(year))
      expect(open[0]?.awaited_total ?? 0, `seed ${seed}, ${year}`).toBe(those.length)
      expect(open[0]?.awaited.filter((paper) => paper.is_excused).length ?? 0).toBe(
        those.filter(({ excuse }) => excuse !== null).length,
      )
    }
  }

  /** The mail of the day has what its reader is responsible for, once it is late or its first reminder has come. */
  async function compareMail(rows: readonly Row[], seed: number): Promise<void> {
    await sql`delete from duty_mails`.execute(test.db)
    await remindOfDuties(test.db, { ...test.jobs, enqueueMany: () => Promise.resolve() }, TODAY)
    const { rows: told } = await sql<{ id: number }>`
      select id from duties where told_on = ${TODAY}::date`.execute(test.db)
    const until = daysAfter(TODAY, Math.max(...NEW_OBLIGATION.remind_days))
    const theirs = rows.filter((row) => row.responsible === colleague && isOpen(row) && row.dueOn <= until)
    expect(told.map(({ id }) => nameById.get(id)!).sort(), `seed ${seed}`).toEqual(theirs.map(nameOf).sort())
  }

  async function listed(query: DutyQuery): Promise<string[]> {
    const { data, meta } = await listDuties(test.db, reader, query, TODAY)
    const names = data.map(nameOfDuty)
    if (query.state !== 'done') expect(data.map(dayOf)).toEqual(data.map(dayOf).sort())
    expect(meta.total).toBe(names.length)
    return names.sort()
  }

  async function inCalendar(person: number | null): Promise<string[]> {
    const duties = await listOpen(test.db, reader, person, { today: TODAY, most: 1000 })
    expect(duties.map(dayOf)).toEqual(duties.map(dayOf).sort())
    return duties.map(nameOfDuty).sort()
  }

  const queriesOf = (): DutyQuery[] => [
    ALL_DUTIES,
    { ...ALL_DUTIES, q: projects[0]!.number },
    { ...ALL_DUTIES, person: colleague },
    { ...ALL_DUTIES, rule: 'Budget' },
    { ...ALL_DUTIES, year: 2025, person: 'none' },
  ]

  const isFound = ({ project, responsible, folder, period }: Row, { q, person, rule, year }: DutyQuery) =>
    (q === '' || project === projects[0]!.id) &&
    (person === null || responsible === (person === 'none' ? null : person)) &&
    (rule === null || folder?.name === rule) &&
    (year === null || period === String(year))

  async function makeOffice(chance: Chance): Promise<Row[]> {
    await sql`delete from obligations`.execute(test.db)
    await sql`delete from duties`.execute(test.db)
    await sql`delete from year_cells`.execute(test.db)
    const day = () => daysAfter(TODAY, chance.number(8) * 12 - 45)
    const maybe = (percent: number) => chance.number(100) < percent
    const followed = new Map<number, string | null>()
    for (const { id } of projects) {
      followed.set(id, maybe(60) ? day() : null)
      await sql`update projects set followed_from = ${followed.get(id)} where id = ${id}`.execute(test.db)
    }
    const rowOf = (title: string | null, folder: (typeof folders)[number] | null, year: number): Row => {
      const [project, dueOn] = [folder?.project_id ?? chance.of(projects).id, day()]
      const [isDone, isDraft] = [maybe(25), folder !== null && maybe(15)]
      return {
        title,
        project,
        folder,
        period: String(year),
        endsOn: daysAfter(dueOn, -chance.number(60)),
        dueOn,
        responsible: maybe(40) ? colleague : null,
        isDone,
        isDraft: !isDone && isDraft,
        excuse: maybe(15) ? 'Kommer ikke' : null,
        isFollowed: dueOn >= (followed.get(project) ?? ''),
      }
    }
    // A paper is asked for by its folder or by an obligation.
    const rows = [
      ...folders.flatMap((folder) =>
        YEARS.filter(() => maybe(70)).map((year) => rowOf(maybe(30) ? randomUUID() : null, folder, year)),
      ),
      ...Array.from({ length: chance.number(6) }, () => rowOf(randomUUID(), null, chance.of(YEARS))),
    ]
    for (const row of rows) await addDuty(row)
    return rows
  }

  async function addDuty(row: Row): Promise<void> {
    const { title, project, folder, period, endsOn, dueOn, responsible, isDone, isDraft, excuse } = row
    const { rows } = await sql<{ id: number }>`
      with rule as (insert into obligations (title, due_rule) select ${title}::text, 'months' where ${title}::text is not null returning id)
      insert into duties (obligation_id, project_id, folder_id, period, starts_on, ends_on, due_on, responsible_id, done_at,
        is_drafted, excuse, excused_at)
      values ((select id from rule), ${project}, ${folder?.id ?? null}, ${period}, ${`${period}-01-01`}, ${endsOn}, ${dueOn},
        ${responsible}, case when ${isDone} then now() end, ${isDraft}, ${excuse}, case when ${excuse}::text is not null then now() end) returning id`.execute(
      test.db,
    )
    nameById.set(rows[0]!.id, nameOf(row))
    if (folder && (isDone || isDraft))
      await sql`
        insert into year_cells (folder_id, period, project_id, files_count, shown_count)
        values (${folder.id}, ${period}, ${project}, 1, ${isDone ? 1 : 0})`.execute(test.db)
  }
}

function stateOf({ isDone, isDraft, excuse, isFollowed, dueOn, endsOn }: Row): DutyState {
  if (isDone) return 'done'
  if (isDraft) return 'draft'
  if (excuse !== null) return 'excused'
  if (!isFollowed) return 'unfollowed'
  if (dueOn < TODAY) return 'late'
  return endsOn < TODAY ? 'missing' : 'coming'
}

const isOpen = (row: Row) => OPEN_STATES.some((state) => state === stateOf(row))

const nameOf = ({ title, folder, period }: Row) => title ?? `${folder!.id} ${period}`
const nameOfDuty = ({ obligation_id: rule, title, folder, period }: Duty) =>
  rule === null ? `${folder!.id} ${period}` : title
const dayOf = ({ due_on: day }: Duty) => day
