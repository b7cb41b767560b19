import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { enter, type Entered } from '../../test/enter.ts'
import { foldersByName, makeFile, makeProject } from '../../test/make.ts'
import { urls } from '../urls.ts'
import { readWaitingNumbers } from './waiting-numbers.db.ts'

let test: TestApp
let mette: Entered
let jens: Entered

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  mette = await enter(test, 'employee')
  jens = await enter(test, 'administrator')
})

const numbersOf = ({ id }: Entered) => readWaitingNumbers(test.db, { id, role: 'employee' })

/** Makes a submission of one paper. */
async function submit(who: Entered): Promise<{ submission: number; file: number }> {
  const project = await makeProject(test.db)
  const folders = await foldersByName(test.db, project.id)
  const file = await makeFile(test, folders['Årsrapport']!)
  const { rows } = await sql<{ id: number }>`
    insert into submissions (user_id, key, content) values (${who.id}, ${String(file.id)}, '') returning id`.execute(
    test.db,
  )
  const submission = rows[0]!.id
  await sql`update files set submission_id = ${submission} where id = ${file.id}`.execute(test.db)
  return { submission, file: file.id }
}

it('counts new items of the inbox, releases of colleagues that wait, and papers that are held', async () => {
  expect(await numbersOf(mette)).toEqual({ inbox: 0, releases: 0 })

  const sent = await submit(mette)
  await sql`insert into inbox (submission_id, files_count) values (${sent.submission}, 1)`.execute(test.db)
  expect(await numbersOf(mette)).toEqual({ inbox: 1, releases: 0 })

  const { submission, file } = await submit(jens)
  await sql`insert into releases (submission_id, made_by, state, asked_at)
    values (${submission}, ${jens.id}, 'waiting', now())`.execute(test.db)
  expect((await numbersOf(mette)).releases).toBe(1)
  expect((await numbersOf(jens)).releases).toBe(0) // nobody approves their own

  await sql`insert into held_papers (blob_id, cause) select blob_id, 'doubt' from files where id = ${file}`.execute(
    test.db,
  )
  expect((await numbersOf(jens)).releases).toBe(1)
  await sql`update files set deleted_at = now() where id = ${file}`.execute(test.db)
  expect((await numbersOf(mette)).releases).toBe(0)
})

it('stops counting at 100', async () => {
  await sql`
    with made as (
      insert into submissions (user_id, key, content) select ${mette.id}, 'many-' || n, '' from generate_series(1, 150) as n returning id)
    insert into inbox (submission_id, files_count) select id, 1 from made`.execute(test.db)
  expect((await numbersOf(mette)).inbox).toBe(100)
  expect((await mette.visitor.get(urls.projects)).body).toContain('99+')
})

it('an error page does not count, because the database may be away', async () => {
  const isWhole = async () => (await mette.visitor.get('/findes-ikke')).body.includes('Hovedmenu')
  await sql`alter table asked_acts rename to asked_acts_away`.execute(test.db)
  try {
    expect(await isWhole()).toBe(true)
  } finally {
    await sql`alter table asked_acts_away rename to asked_acts`.execute(test.db)
  }
})

it('shows no numbers outside the office', async () => {
  const investor = await enter(test, 'investor')
  expect((await investor.visitor.get(urls.start)).body).not.toContain('99+')
})
