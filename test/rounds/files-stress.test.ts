import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { Client } from 'pg'
import { expect, inject, it } from 'vitest'
import { isLong } from '../long-only.ts'
import type { Database } from '../../src/server/database/database.ts'
import { refreshAllDuties } from '../../src/year/obligations/refresh-duties.db.ts'
import { fileUrls, urls } from '../../src/urls.ts'
import { freshApp, type TestApp } from '../app.ts'
import { afterwards } from '../clean-up.ts'
import { stressFiles, type Worker } from './files-stress.ts'
import { foldersByName, makeManyFiles, makeProject, makeUser, PASSWORD } from '../make.ts'
import { Visitor } from '../visitor.ts'

const SECONDS = Number(process.env.STRESS_SECONDS ?? 30)
const SEED = Number(process.env.STRESS_SEED ?? 20_261_115)
const CLIENTS = 8
const FOLDERS = 6
const FILES_EACH = 10

it.runIf(isLong)(
  `files stay whole, and no request fails, while ${CLIENTS} people change them for ${SECONDS} seconds`,
  { timeout: 300_000 + SECONDS * 2000 },
  async () => {
    const test = await freshApp({
      env: { REQUESTS_PER_MINUTE: '1000000', TRUST_PROXY: 'true', LOG_LEVEL: 'error' },
    })
    await test.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = test.app.server.address() as AddressInfo
    const { id: project } = await makeProject(test.db)
    const folders = Object.values(await foldersByName(test.db, project)).slice(0, FOLDERS)
    for (const folder of folders) await makeManyFiles(test.db, folder, FILES_EACH)
    const clients = await Promise.all(Array.from({ length: CLIENTS }, (_, index) => enter(test, index < 3)))

    let isOver = false
    const looking = lookAtCells(test.db, () => isOver)
    const { faults, deadlocks, ...counts } = await stressFiles({
      db: test.db,
      url: `http://127.0.0.1:${port}`,
      project,
      folders,
      clients,
      seconds: SECONDS,
      seed: SEED,
    }).finally(() => (isOver = true))
    await looking
    console.log(`files, seed ${SEED}:`, { ...counts, deadlocks })
    expect({ faults, failed: failedRequests(test.logged()) }).toEqual({ faults: [], failed: [] })
    expect(deadlocks).toBe(0)
    for (const { done } of Object.values(counts.acts)) expect(done).toBeGreaterThan(0)
  },
)

it('requests do not deadlock over a file that is being moved', async () => {
  const { app, db } = await freshApp({ hasJobs: false })
  const { id: project } = await makeProject(db)
  const [a, b] = Object.values(await foldersByName(db, project)) as [number, number]
  const [inA] = (await makeManyFiles(db, a, 1)) as [number]
  const [moving] = (await makeManyFiles(db, b, 1)) as [number]
  const { email } = await makeUser(db, { role: 'employee' })
  const visitor = new Visitor(app)
  await visitor.signIn(email, PASSWORD)
  const post = (url: string, fields = {}) => visitor.post(url, fields, { script: true })

  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  const mover = new Client({ host: inject('socket'), user: 'postgres', database: rows[0]!.name })
  await mover.connect()
  afterwards(() => mover.end())
  await mover.query('begin')
  await mover.query('set local session_replication_role = replica') // otherwise it would lock a, too
  await mover.query('select from folders where id = $1 for update', [b])
  await mover.query(`update files set folder_id = $1, position = 'a5' where id = $2`, [a, moving])
  const up = post(fileUrls.moveUp({ project }, moving)) // has seen it in b, and waits for the lock on b
  await expect.poll(() => countWaiting(db)).toBe(1)
  const move = post(urls.moveFile(project), { file_id: inA, folder_id: b }) // has locked a, and waits for b
  await expect.poll(() => countWaiting(db)).toBe(2)
  await mover.query('commit')
  const statuses = await Promise.all([up, move].map(async (answer) => (await answer).statusCode))
  expect(statuses).toEqual([200, 200])
})

/** Returns the lines of requests that failed. Background work has its own tests, and may be late here. */
function failedRequests(log: string): string[] {
  return log.split('\n').filter((line) => line.includes('"msg":"request failed"'))
}

/** Recomputes the cells meanwhile, as saving a project or the nightly job does. */
async function lookAtCells(db: Database, isOver: () => boolean): Promise<void> {
  for (let round = 0; !isOver(); round++) await refreshAllDuties(db, round % 2 ? '2026-11-17' : '2027-01-01')
}

async function countWaiting(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]!.count
}

async function enter({ app, db }: TestApp, mayRemove: boolean): Promise<Worker> {
  const { id, email } = await makeUser(db, { role: mayRemove ? 'administrator' : 'employee' })
  const visitor = new Visitor(app)
  await visitor.signIn(email, PASSWORD)
  await visitor.get('/findes-ikke') // sets the session's token
  const { cookies } = visitor
  return {
    userId: id,
    mayRemove,
    headers: {
      accept: 'application/json',
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'x-requested-with': 'XMLHttpRequest',
      'x-xsrf-token': decodeURIComponent(cookies.get('XSRF-TOKEN')!),
    },
  }
}
