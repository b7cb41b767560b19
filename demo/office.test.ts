import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import type { Reader } from '../src/access/reader.ts'
import { findCellFaults } from '../test/office/cell-faults.ts'
import { freshApp, type TestApp } from '../test/app.ts'
import { connectAsOwner } from '../test/database.ts'
import { listReceived } from '../src/start/start.db.ts'
import { listNewest } from '../src/projects/news/news.db.ts'
import { periodInName } from '../src/files/names/file-name.ts'
import { fillOffice } from './office.ts'

let test: TestApp
let people: Reader[]
let opened: Map<number, Set<number>>

beforeAll(async () => {
  test = await freshApp({ hasJobs: false })
  // The demo is filled before its log is protected: some entries get an earlier time.
  await using owner = await connectAsOwner(test.db)
  await fillOffice({ ...test, db: owner })
  people = (await sql<Reader>`select id, role from users`.execute(test.db)).rows
  const { rows } = await sql<{ user_id: number; file_id: number }>`
    select user_id, file_id from log where act in ('file-opened', 'file-downloaded')`.execute(test.db)
  opened = new Map(
    [...Map.groupBy(rows, ({ user_id: id }) => id)].map(([id, all]) => [
      id,
      new Set(all.map(({ file_id: file }) => file)),
    ]),
  )
})

it('no log entry of a file is older than the file', async () => {
  const { rows } = await sql`
    select log.id from log join files on files.id = log.file_id where log.at < files.created_at`.execute(
    test.db,
  )
  expect(rows).toEqual([])
})

it('a file’s period is that of its name, and new papers come before older ones', async () => {
  const { rows } = await sql<{ name: string; period: string | null; folder_id: number; created_at: Date }>`
    select name, period, folder_id, created_at from files where not is_period_given order by folder_id, position`.execute(
    test.db,
  )
  expect(rows.filter(({ period }) => period !== null).length).toBeGreaterThan(300)
  for (const { name, period } of rows) expect([name, period]).toEqual([name, periodInName(name)])
  for (const inIt of Map.groupBy(rows, ({ folder_id: id }) => id).values()) {
    const times = inIt.map(({ created_at: at }) => at.getTime())
    expect(times).toEqual(times.toSorted((a, b) => b - a))
  }
})

it('papers are expected of the projects: some are there, some are missing, and the counts are right', async () => {
  expect(await findCellFaults(test.db)).toEqual([])
  const { rows } = await sql<{ projects: number; there: number; missing: number; given: number }>`
    select count(distinct project_id) as projects, count(*) filter (where is_by_paper or is_drafted) as there,
      count(*) filter (where done_at is null and not is_drafted and due_on < '2026-11-17') as missing,
      (select count(*) from files where is_period_given) as given
    from duties where folder_id is not null`.execute(test.db)
  const [{ projects, there, missing, given }] = rows as [(typeof rows)[number]]
  expect(projects).toBeGreaterThanOrEqual(12)
  expect(there).toBeGreaterThan(3 * missing)
  expect(missing).toBeGreaterThan(3)
  expect(given).toBe(1)
})

it('nobody has opened a file that is new to them', async () => {
  let news = 0
  for (const person of people)
    for (const { id } of await listNewest(test.db, person, 1000)) {
      news++
      expect(opened.get(person.id)?.has(id) ?? false).toBe(false)
    }
  expect(news).toBeGreaterThan(0)
})

it('a letter from an investor is new, or has been opened and taken or finished by the same person', async () => {
  const office = people.filter(({ role }) => role === 'administrator' || role === 'employee')
  const { files: letters } = await listReceived(test.db, office[0]!, { most: 100, mostNew: 100 })
  expect(letters.map(({ is_new: isNew }) => isNew)).toEqual(expect.arrayContaining([true, false]))
  expect(new Set(letters.map(({ inbox }) => inbox.state))).toEqual(new Set(['new', 'taken', 'done']))
  for (const { id, is_new: isNew, inbox } of letters) {
    expect(office.some((person) => opened.get(person.id)?.has(id))).toBe(!isNew)
    if (inbox.by) expect(opened.get(inbox.by.id)?.has(id)).toBe(true)
  }
})

it('each read mark has an entry in the log, and each opening a read mark', async () => {
  const { rows } = await sql<{ user_id: number; file_id: number }>`
    select user_id, file_id from file_reads`.execute(test.db)
  for (const { user_id: user, file_id: file } of rows) expect(opened.get(user)?.has(file)).toBe(true)
  expect(rows).toHaveLength([...opened.values()].reduce((sum, { size }) => sum + size, 0))
})

it('a project’s last change is the time of its newest paper', async () => {
  const { rows } = await sql<{ changed_at: Date; newest: Date }>`
    select projects.changed_at, max(files.created_at) as newest
    from projects join folders on folders.project_id = projects.id join files on files.folder_id = folders.id
    group by projects.id`.execute(test.db)
  for (const { changed_at: changed, newest } of rows) expect(changed).toEqual(newest)
  expect(new Set(rows.map(({ newest }) => newest.toDateString())).size).toBeGreaterThan(5)
})
