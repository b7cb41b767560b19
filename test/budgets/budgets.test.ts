import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { Client } from 'pg'
import { beforeAll, expect, it, vi } from 'vitest'
import { poolOf } from '../../src/server/database/database.ts'
import { receiveTemporaryFile } from '../../src/uploads/transport/temporary.db.ts'
import { fileUrls, urls } from '../../src/urls.ts'
import { freshApp, type TestApp } from '../app.ts'
import { asSuperuser } from '../database.ts'
import { enter, type Entered } from '../enter.ts'
import { foldersByName, makeFile, makeManyFiles, makeProject, makeUser, PASSWORD } from '../make.ts'
import { Visitor } from '../visitor.ts'
import { BUDGETS, type Budget, type DailyAct } from './budgets.ts'

let test: TestApp
let database: string
let acts: Record<DailyAct, (nth: number) => Promise<Reply>>
/** What is done before an act, and costs it nothing. */
let before: Partial<Record<DailyAct, (nth: number) => Promise<void>>>

type Reply = Awaited<ReturnType<Entered['visitor']['get']>>

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(test.db)
  database = rows[0]!.name
  const { id: officeId, visitor: office } = await enter(test, 'employee')
  const investor = await enter(test, 'investor')
  const others = {
    administrator: (await enter(test, 'administrator')).visitor,
    auditor: await enter(test, 'auditor'),
    adviser: (await enter(test, 'adviser')).visitor,
  }
  const { id: project } = await makeProject(test.db, { members: [investor.id, others.auditor.id] })
  await makeUser(test.db, { email: 'budget@example.dk' })
  for (let nth = 0; nth < 9; nth++) await makeProject(test.db)
  const folders = await foldersByName(test.db, project)
  for (const folder of Object.values(folders)) await makeManyFiles(test.db, folder, 5)
  const { path } = await makeFile(test, folders.Budget!)
  const files = await makeManyFiles(test.db, folders.Diverse!, 20)
  const form = urls.uploadTo(project, folders.Budget!)
  const entry = (name: string, data: string) => ({ name, mime: 'text/plain', data })
  await keepPlans()
  await useOneConnection()
  const owner = { project }
  const post = (url: string, fields: object = {}) => office.post(url, { ...fields }, { script: true })
  let pile: object = {}
  before = {
    'the form of twenty files': async (nth) => {
      const sent = await Promise.all(
        Array.from({ length: IN_PILE }, async (_, index) => {
          const name = `Bilag ${nth} ${index}.txt`
          const bytes = Readable.from([Buffer.from(name)])
          return entry(name, (await receiveTemporaryFile(test, officeId, name, bytes, 1e6)).hash_name)
        }),
      )
      pile = { submission: randomUUID(), files: Object.fromEntries(sent.entries()) }
    },
  }
  const download = fileUrls.download(owner, path)
  const { headers } = await office.get(download)
  acts = {
    'the file list': () => office.get(urls.files(project)),
    'the file list as JSON': () => office.get(urls.listFolders(project)),
    'the projects’ page': () => office.get(urls.projects),
    'a download': () => office.get(download),
    'a download, not changed (304)': () =>
      office.get(download, { headers: { 'if-none-match': String(headers.etag) } }),
    'moving a file': (nth) =>
      post(urls.moveFile(project), {
        file_id: files[0],
        folder_id: nth % 2 === 0 ? folders.Forsikring : folders.Diverse,
      }),
    'one place up': (nth) => post(fileUrls.moveUp(owner, files[10 + (nth % 2)]!)),
    'deleting a file': (nth) =>
      office.post(fileUrls.file(owner, files[nth]!), {}, { method: 'DELETE', script: true }),
    'restoring a file': (nth) => post(fileUrls.restore(owner, files[nth]!)),
    'one file and its form': async (nth) => {
      const name = `Note ${nth}.txt`
      const sent = await office.postFile(urls.temporaryUpload, name, `Note ${nth}`, 'files[0]')
      const [{ hash_name: data }] = sent.json<[{ hash_name: string }]>()
      return post(form, { submission: randomUUID(), files: { f0: entry(name, data) } })
    },
    'the form of twenty files': () => post(form, pile),
    'signing in': () => new Visitor(test.app).signIn('budget@example.dk', PASSWORD),
    'what a search suggests': () => office.get(`${urls.suggestions}?q=bil`),
    'a search': () => office.get(`${urls.search}?q=bilag`),
    'the start page of the office': () => office.get(urls.start),
    'the start page of an administrator': () => others.administrator.get(urls.start),
    'the start page of an investor': () => investor.visitor.get(urls.start),
    'the start page of an auditor': () => others.auditor.visitor.get(urls.start),
    'the start page of an adviser': () => others.adviser.get(urls.start),
  }
})

/** Tells PostgreSQL how large the tables are, once: plans that change meanwhile would change the counts. */
async function keepPlans(): Promise<void> {
  const tables = await asSuperuser(
    "select format('alter table %s set (autovacuum_enabled = off)', oid::regclass) as alter from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    database,
  )
  for (const { alter } of tables.rows as { alter: string }[]) await asSuperuser(alter, database)
  await asSuperuser('vacuum analyze', database)
  await asSuperuser(`alter database ${database} set track_functions = 'pl'`, database)
}

/** Leaves the app one new connection, so that PostgreSQL plans each query as often as it runs. */
async function useOneConnection(): Promise<void> {
  const pool = poolOf(test.db)!
  const all = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  for (const client of all) client.release(true)
  pool.options.max = 1
}

const IN_PILE = 20

/** How often an act is done until PostgreSQL has its plans, and how often it is then counted. */
const WARM = 7
const COUNTED = 5

it.each(Object.entries(BUDGETS) as [DailyAct, Budget][])('keeps to its budget: %s', async (name, budget) => {
  const runs: Budget[] = []
  for (let nth = 0; nth < WARM + COUNTED; nth++) {
    await before[name]?.(nth)
    const first = await readCounts()
    const asked = vi.spyOn(Client.prototype, 'query')
    const reply = await acts[name](nth)
    const statements = asked.mock.calls.filter(([query]) => !/\bjobs\./.test(query)).length
    asked.mockRestore()
    expect(reply.statusCode).toBeLessThan(400)
    if (nth < WARM) continue
    const after = await readCounts()
    runs.push({
      statements,
      triggers: after.triggers - first.triggers,
      buffers: after.buffers - first.buffers,
      rows: after.rows - first.rows,
      ...(budget.page && { page: await readPage(reply) }),
    })
  }
  const least = (count: (run: Budget) => number) => Math.min(...runs.map(count))
  const found: Budget = {
    statements: least((run) => run.statements),
    triggers: least((run) => run.triggers),
    buffers: least((run) => run.buffers),
    rows: least((run) => run.rows),
    ...(budget.page && { page: runs.at(-1)!.page! }),
  }
  expect(listFaults(found, budget)).toEqual([])
})

/**
 * Says what is not in the budget: statements, triggers and requests to be as said, the others at most so. Of a page, which depends on
 * no plan of PostgreSQL, not a fifth less.
 */
function listFaults(found: Budget, budget: Budget): string[] {
  const counts = flat(found)
  return Object.entries(flat(budget)).flatMap(([count, most]) => {
    const is = counts[count]!
    const least = LEAST[count] ?? 0
    return is > (SPREAD[count] ?? 1) * most || is < least * most
      ? [`${count}: ${is}, and ${most} in the budget`]
      : []
  })
}

const LEAST: Record<string, number> = { statements: 1, triggers: 1, requests: 1, bytes: 0.8, scripts: 0.8 }

/** Where random ids fall in an index, and how PostgreSQL plans, differs from run to run. A query per row costs several times as much. */
const SPREAD: Record<string, number> = { buffers: 1.3, rows: 1.3 }

const flat = ({ page, ...counts }: Budget): Record<string, number> => ({ ...counts, ...page })

/** Reads what PostgreSQL has touched so far in the app’s only connection, which writes it down when it is asked to. */
async function readCounts(): Promise<{ triggers: number; buffers: number; rows: number }> {
  await sql`select pg_stat_force_next_flush()`.execute(test.db)
  const { rows } = await asSuperuser(
    `select (select sum(hits) + sum(coalesce(reads, 0)) from pg_stat_activity, pg_stat_get_backend_io(pid)
        where datname = current_database() and usename = 'ringbind') as buffers,
      (select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) + n_tup_ins + n_tup_upd + n_tup_del)
        from pg_stat_user_tables where schemaname = 'public') as rows,
      (select coalesce(sum(calls), 0) from pg_stat_user_functions join pg_proc on pg_proc.oid = funcid
        where prorettype = 'trigger'::regtype) as triggers`,
    database,
  )
  const [{ triggers, buffers, rows: touched }] = rows as [{ triggers: string; buffers: string; rows: string }]
  return { triggers: Number(triggers), buffers: Number(buffers), rows: Number(touched) }
}

async function readPage(reply: Reply): Promise<NonNullable<Budget['page']>> {
  const named = new Set(
    [...reply.body.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|woff2))"/g)].map(([, path]) => path!),
  )
  const scripts = await Promise.all(
    [...named].filter((path) => path.endsWith('.js')).map((path) => test.app.inject({ url: path })),
  )
  return {
    bytes: reply.rawPayload.length,
    requests: named.size,
    scripts: scripts.reduce((sum, { rawPayload }) => sum + rawPayload.length, 0),
  }
}
