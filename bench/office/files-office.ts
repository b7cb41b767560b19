import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateNKeysBetween } from 'fractional-indexing'
import { Client } from 'pg'
import { openThrowAway } from '../../demo/throw-away.ts'
import { readConfig } from '../../src/config.ts'
import type { Database } from '../../src/server/database/database.ts'
import { startRingbind } from '../../src/start.ts'
import { makeUser } from '../../test/make.ts'
import { startServer } from './server-process.ts'
import { signIn, type SignedIn } from './sign-in.ts'

/** How many files each folder of each project has. */
export type Sizes = number[][]

export type FilesOffice = AsyncDisposable & {
  url: string
  /** The process that serves. */
  pid: number
  dataDir: string
  /** The headers of an employee who is signed in. */
  headers: SignedIn
  sql: Client
  /** The ids of the projects, in the order of `Sizes`. */
  projectIds: number[]
  /** Returns a folder's id by its project's and its own index. */
  folderId: (project: number, folder: number) => number
}

const EMAIL = 'bench@example.dk'
const FIRST_PROJECT = 1000
const FIRST_FOLDER = 1000

type Filling = {
  /** Words for the names of files. Without them each name has a number of its own. */
  nameWords?: string[]
  /** Adds more. Then files are found by their words; otherwise none are written down. */
  fillMore?: (office: { db: Database; sql: Client }) => Promise<void>
}

/** Opens an office with files, served by its own process; `more` adds settings. */
export async function openFilesOffice(
  sizes: Sizes,
  more: Record<string, string> = {},
  { nameWords, fillMore }: Filling = {},
): Promise<FilesOffice> {
  await using open = new AsyncDisposableStack()
  const directory = await openThrowAway('bench')
  open.defer(() => directory.remove())
  const settings = {
    PORT: '0',
    LOG_LEVEL: 'warn',
    REQUESTS_PER_MINUTE: '10000000',
    DATA_DIR: directory.path,
    // The files have no bytes of which a picture could be made.
    THUMBNAILS: 'false',
  }
  await using filled = new AsyncDisposableStack()
  const { db } = filled.use(
    await startRingbind(readConfig({ ...settings, ...more }), {
      fill: ({ db: empty }) => makeUser(empty, { role: 'employee', email: EMAIL }),
    }),
  )
  const filling = await connect(directory.path, filled)
  await fill(filling, sizes, nameWords)
  if (fillMore) await fillMore({ db, sql: filling })
  // Otherwise the server would index them during the measurement.
  else await filling.query(`insert into file_words (file_id, words) select id, '{}' from files`)
  await filling.query('vacuum analyze')
  await storeNewest(await connect(directory.path, filled), directory.path)
  await filled.disposeAsync()
  const server = open.use(await startServer('src/server.ts', { ...settings, ...more }))
  const headers = await signIn(server.url, EMAIL)
  const sql = await connect(directory.path, open)
  const starts = sizes.map((_, index) => sizes.slice(0, index).reduce((sum, { length }) => sum + length, 0))
  const opened = open.move()
  return {
    url: server.url,
    pid: server.pid,
    dataDir: directory.path,
    headers,
    sql,
    projectIds: sizes.map((_, index) => FIRST_PROJECT + index),
    folderId: (project, folder) => FIRST_FOLDER + starts[project]! + folder,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Connects as the superuser, who may skip triggers. */
async function connect(dataDir: string, open: AsyncDisposableStack): Promise<Client> {
  const client = new Client({ host: join(dataDir, 'postgres/run'), user: 'postgres', database: 'ringbind' })
  await client.connect()
  open.defer(() => client.end())
  return client
}

/** Writes the bytes of the newest file: the start refuses a data directory that has none of the newest. */
async function storeNewest(sql: Client, dataDir: string): Promise<void> {
  const { rows } = await sql.query<{ key: string; size: string }>(
    'select key, size from blobs order by id desc limit 1',
  )
  for (const { key, size } of rows) {
    const directory = join(dataDir, 'files', key.slice(0, 2))
    await mkdir(directory, { recursive: true })
    await writeFile(join(directory, key.slice(2)), Buffer.alloc(Number(size)))
  }
}

/** Adds files that are spread over the tables as if they had come over the years, not folder by folder. */
async function fill(sql: Client, sizes: Sizes, nameWords: string[] = []): Promise<void> {
  const folders = sizes.flatMap((each, project) =>
    each.map((size, place) => ({ project: FIRST_PROJECT + project, place: place + 1, size })),
  )
  const column = (name: 'project' | 'place' | 'size') => folders.map((folder) => folder[name])
  const largest = folders.reduce((most, { size }) => Math.max(most, size), 0)
  // Skips the row triggers and checks, since the data is right; and building an index is faster than growing it.
  await sql.query(`set session_replication_role = replica`)
  await sql.query(`set synchronous_commit = off`)
  await sql.query(`set maintenance_work_mem = '512MB'`)
  await sql.query(`set work_mem = '256MB'`)
  const { rows: indexes } = await sql.query<{ drop: string; make: string }>(`
    select 'alter table ' || conrelid::regclass || ' drop constraint ' || conname as drop,
      'alter table ' || conrelid::regclass || ' add constraint ' || conname || ' ' || pg_get_constraintdef(oid) as make
    from pg_constraint where conrelid in ('files'::regclass, 'blobs'::regclass) and contype = 'u'
    union all
    select 'drop index ' || indexrelid::regclass, pg_get_indexdef(indexrelid) from pg_index
    where indrelid in ('files'::regclass, 'blobs'::regclass)
      and not exists (select from pg_constraint where conindid = indexrelid)`)
  for (const { drop } of indexes) await sql.query(drop)
  await sql.query(
    `insert into projects (id, number, name, files_count) overriding system value
     select project, project::text, 'K/S Havnegade ' || project, sum(size)
     from unnest($1::integer[], $2::integer[]) as made (project, size) group by project`,
    [column('project'), column('size')],
  )
  await sql.query(
    `insert into folders (id, project_id, name, visible_to_investors, place, files_count, shown_count) overriding system value
     select ${FIRST_FOLDER} - 1 + nth, project, 'Mappe ' || place, place % 3 > 0, place, size, size
     from unnest($1::integer[], $2::integer[], $3::integer[]) with ordinality as made (project, place, size, nth)`,
    [column('project'), column('place'), column('size')],
  )
  await sql.query(
    `insert into files (id, folder_id, blob_id, name, key, period, position, created_at) overriding system value
     select nth, folder_id, nth,
       (array['Årsrapport', 'Budget', 'Referat', 'Lejekontrakt', 'Police'])[1 + nth % 5] || ' ' || 2000 + nth % 25 ||
         ' ' || coalesce(($2::text[])[1 + floor(cardinality($2) * power(random(), 3))] || ' ' ||
           ($2::text[])[1 + floor(cardinality($2) * power(random(), 2))], substr(md5(nth::text), 1, 8)) || '.pdf',
       lpad(to_hex(nth), 32, '0'), 2000 + nth % 25, position, now() - make_interval(mins => nth::integer)
     from (
       select folders.id as folder_id, position, row_number() over (order by hashint8(folders.id * 1000003 + places.place)) as nth
       from folders
       join unnest($1::text[]) with ordinality as places (position, place) on places.place <= folders.files_count
       where folders.project_id is not null
     ) as made order by nth`,
    [generateNKeysBetween(null, null, largest), nameWords],
  )
  await sql.query(`
    insert into blobs (id, key, state, size, sha256, type) overriding system value
    select id, key, 'stored', 10000 + id, repeat('0123456789abcdef', 4), 'application/pdf' from files order by id`)
  // As papers that were compared with their place when they were saved: otherwise each that is moved is held back and read.
  await sql.query(`
    insert into compared_papers (blob_id, project_id, is_shared)
    select files.blob_id, folders.project_id, true from files join folders on folders.id = files.folder_id`)
  for (const { make } of indexes) await sql.query(make)
  // Writes the counts that triggers would have kept.
  await sql.query(`
    insert into year_cells (folder_id, period, project_id, files_count, shown_count)
    select folder_id, period, project_id, count(*), count(*)
    from files join folders on folders.id = files.folder_id group by folder_id, period, project_id`)
  for (const table of ['projects', 'folders', 'files', 'blobs'])
    await sql.query(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`)
}
