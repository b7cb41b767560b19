import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { isLong } from '../long-only.ts'
import { refreshAllDuties } from '../../src/year/obligations/refresh-duties.db.ts'
import { purgeTrash } from '../../src/files/trash/trash.db.ts'
import { periodInName } from '../../src/files/names/file-name.ts'
import { fillPeriods } from '../../src/uploads/names/period.db.ts'
import { fileUrls, urls } from '../../src/urls.ts'
import { freshApp, type TestApp } from '../app.ts'
import { findCellFaults } from './cell-faults.ts'
import { chanceOf, type Chance } from '../chance.ts'
import { enter } from '../enter.ts'
import { foldersByName, makeFiles, makeProject } from '../make.ts'
import type { Visitor } from '../visitor.ts'

const ROUNDS = 150
const NAMES = [
  '2024.pdf',
  '2025.pdf',
  'Q3 2025.pdf',
  '2024-25.pdf',
  '1. halvår 2025.pdf',
  'uden.pdf',
  '3Q26.pdf',
]
const PERIODS = ['2025', '', 'Q1 2026', '2024/25']
const FOLDERS = ['Årsrapport', 'Budget', 'Diverse']

let test: TestApp
let office: Visitor
beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '1000000' } })
  office = (await enter(test, 'administrator')).visitor
})

type Run = { chance: Chance; project: number; folders: number[]; undos: string[]; done: Set<string> }

/** Reads the ids of some of the project's files. */
async function some({ chance, project }: Run, isDeleted: boolean): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select files.id from files join folders on folders.id = folder_id
    where project_id = ${project} and (deleted_at is not null) = ${isDeleted} order by id`.execute(test.db)
  return rows.map(({ id }) => id).filter(() => chance.number(4) === 0)
}

async function post(run: Run, url: string, fields: object): Promise<void> {
  const reply = await office.post(url, { ...fields }, { script: true })
  expect([200, 404, 409]).toContain(reply.statusCode)
  const { undo } = reply.json<{ undo?: string | null }>()
  if (undo) run.undos.push(undo)
}

async function makeSome({ chance, folders }: Run): Promise<void> {
  const count = 1 + chance.number(4)
  const { rows: blobs } = await sql<{ id: number }>`
    insert into blobs (key, state, size, sha256, type)
    select md5(random()::text || n), 'stored', 1, repeat('a', 64), 'application/pdf'
    from generate_series(1, ${count}::integer) as n returning id`.execute(test.db)
  const files = blobs.map(({ id }) => ({
    blobId: id,
    name: chance.of(NAMES),
    isHeldBack: chance.number(3) === 0,
  }))
  await makeFiles(test.db, chance.of(folders), files)
}

/** Acts on files and on expectations. Each does nothing if there is nothing to act on. */
const ACTS: Record<string, (run: Run) => Promise<void>> = {
  insert: makeSome,
  async move(run) {
    const files = await some(run, false)
    if (files.length > 0)
      await post(run, fileUrls.many(run, 'move'), {
        files,
        folder_id: run.chance.of(run.folders),
        shares: true,
      })
  },
  async delete(run) {
    const files = await some(run, false)
    if (files.length > 0) await post(run, fileUrls.many(run, 'delete'), { files })
  },
  async restore(run) {
    const files = await some(run, true)
    if (files.length > 0) await post(run, fileUrls.many(run, 'restore'), { files })
  },
  async remove(run) {
    const files = await some(run, true)
    if (files.length > 0) await post(run, fileUrls.many(run, 'remove'), { files })
  },
  async purge(run) {
    const files = await some(run, true)
    await sql`update files set deleted_at = now() - interval '40 days' where id = any (${files})`.execute(
      test.db,
    )
    await purgeTrash(test.db)
  },
  async rename(run) {
    const [file] = await some(run, false)
    if (file) await post(run, fileUrls.rename(run, file), { name: run.chance.of(NAMES) })
  },
  async correct(run) {
    const [file] = await some(run, false)
    if (file) await post(run, fileUrls.period(run, file), { period: run.chance.of(PERIODS) })
  },
  async 'as named'(run) {
    const [file] = await some(run, false)
    if (file) await post(run, fileUrls.period(run, file), { as_named: '1' })
  },
  async undo(run) {
    const undo = run.undos.pop()
    if (undo) await office.post(urls.undo(undo), {}, { script: true })
  },
  async 'hold back'(run) {
    await sql`update files set is_held_back = true where id = any (${await some(run, false)})`.execute(
      test.db,
    )
  },
  async publish(run) {
    await sql`update files set is_held_back = false where id = any (${await some(run, false)})`.execute(
      test.db,
    )
  },
  async 'an older version'(run) {
    await sql`
      with older as (
        update files set period = null where not is_period_given and id = any (${await some(run, false)}) returning id
      )
      insert into unread_periods select id from older`.execute(test.db)
    await fillPeriods(test.db)
  },
  async expect(run) {
    const rhythm = run.chance.of(['none', 'year', 'half', 'quarter'])
    const folder = run.chance.of(run.folders)
    await sql`update folders set expects = ${rhythm} where id = ${folder}`.execute(test.db)
    await refreshAllDuties(test.db, run.chance.of(['2025-12-31', '2026-01-01', '2026-11-17']))
  },
}

it.each(isLong ? [1, 2, 3] : [1])(
  'the cells of the year are always a count of the files: seed %s',
  async (seed) => {
    const { id: project } = await makeProject(test.db)
    const byName = await foldersByName(test.db, project)
    const run: Run = {
      chance: chanceOf(seed),
      project,
      folders: FOLDERS.map((name) => byName[name]!),
      undos: [],
      done: new Set(),
    }
    for (let round = 0; round < ROUNDS; round++) {
      const name = run.chance.of(Object.keys(ACTS))
      await ACTS[name]!(run)
      run.done.add(name)
      expect({ round, name, faults: await findCellFaults(test.db) }).toEqual({ round, name, faults: [] })
    }
    expect(run.done.size).toBe(Object.keys(ACTS).length)
    const { rows } = await sql<{ name: string; period: string | null; is_period_given: boolean }>`
    select files.name, period, is_period_given from files join folders on folders.id = folder_id
    where project_id = ${project}`.execute(test.db)
    expect(rows.length).toBeGreaterThan(0)
    for (const file of rows)
      if (!file.is_period_given)
        expect([file.name, file.period]).toEqual([file.name, periodInName(file.name)])
  },
)
