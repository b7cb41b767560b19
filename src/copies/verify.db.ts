import type { Client } from 'pg'
import { inOrder } from '../base/in-order.ts'
import { formatBytes } from '../base/bytes.ts'
import { settleDamage } from '../files/content/damage.db.ts'
import { checkChain } from '../log/chain/check-chain.db.ts'
import type { ChainHead } from '../log/chain/link.server.ts'
import type { Database } from '../server/database/database.ts'
import { findFault } from '../server/storage/read-blob.ts'
import type { FileStorage } from '../server/storage/storage.ts'
import type { Progress } from './backup.db.ts'
import { openSession } from './session.db.ts'
import { nameBlobs } from './used-by.db.ts'

type Verified = {
  blobs: number
  bytes: number
  /** How many keys are in the store. */
  keys: number
  /** How many entries of the log are linked, and the end of the chain. */
  links: number
  head: ChainHead | null
  /** One line per fault. */
  faults: string[]
}

type BlobRow = { id: number; key: string; size: number; sha256: string }
type Installation = { db: Database; storage: FileStorage }

const READ_AT_ONCE = 8
const A_TIME = 500

/**
 * Checks the bytes of every stored blob, every key in the store and every stored count against the database. The office
 * may work meanwhile, so each apparent fault is checked twice.
 */
export async function verify(
  { db, storage }: Installation,
  { progress = () => undefined, signal, known }: Progress & { known?: ChainHead } = {},
): Promise<Verified> {
  await using client = await openSession(db, signal)
  const result: Verified = { blobs: 0, bytes: 0, keys: 0, links: 0, head: null, faults: [] }
  progress(() => 'Counting …')
  result.faults.push(...(await countFaults(client)))
  const heard = (links: number) => progress(() => `Reading the log: ${links} entries`)
  const { fault: broken, ...chain } = await checkChain(db, { known, signal, heard })
  Object.assign(result, chain)
  if (broken) result.faults.push(broken)

  const total = await countStored(client)
  const damaged = new Map<number, string>()
  const look = async (blob: BlobRow) => ({ blob, fault: await findFault(storage, blob, signal) })
  for await (const { blob, fault } of inOrder(listStored(client), READ_AT_ONCE, look)) {
    signal?.throwIfAborted()
    result.blobs++
    result.bytes += blob.size
    // The row changes before the bytes are removed, so a blob that is still stored must have had its bytes.
    if (fault && (await isStillStored(db, blob))) {
      damaged.set(blob.id, fault)
      result.faults.push(`${(await nameBlobs(db, [blob.id])).get(blob.id)}: ${fault}`)
    }
    progress(
      () =>
        `Reading files: ${result.blobs} of ${total.blobs}, ${formatBytes(result.bytes)} of ${formatBytes(total.bytes)}`,
    )
  }

  await settleDamage(db, damaged)
  let keys: Kept[] = []
  for await (const kept of storage.list()) {
    signal?.throwIfAborted()
    result.keys++
    keys.push(kept)
    if (keys.length === A_TIME) result.faults.push(...(await strangersIn({ db, storage }, keys.splice(0))))
    progress(() => `Comparing the store with the database: ${result.keys} of about ${total.blobs}`)
  }
  result.faults.push(...(await strangersIn({ db, storage }, keys)))
  return result
}

async function countStored(client: Client): Promise<{ blobs: number; bytes: number }> {
  const { rows } = await client.query<{ blobs: number; bytes: number }>(
    `select count(*) as blobs, coalesce(sum(size), 0)::bigint as bytes from blobs where state = 'stored'`,
  )
  return rows[0]!
}

async function* listStored(client: Client): AsyncGenerator<BlobRow> {
  for (let after = 0; ;) {
    const { rows } = await client.query<BlobRow>(
      `select id, key, size, sha256 from blobs where state = 'stored' and id > $1 order by id limit ${A_TIME}`,
      [after],
    )
    yield* rows
    if (rows.length < A_TIME) return
    after = rows.at(-1)!.id
  }
}

async function isStillStored(db: Database, { id }: BlobRow): Promise<boolean> {
  const row = await db
    .selectFrom('blobs')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', 'stored')
    .executeTakeFirst()
  return row !== undefined
}

type Kept = { key: string; size: number }

/** Reports keys without a row, and bytes longer than their row says. */
async function strangersIn({ db, storage }: Installation, kept: Kept[]): Promise<string[]> {
  const faults: string[] = []
  for (const { key } of (await findStrange(db, kept)).strangers) {
    // It may have been removed since it was listed.
    const size = await storage.length(key)
    if (size > 0 && (await findStrange(db, [{ key, size }])).strangers.length > 0)
      faults.push(`The store has ${size} bytes under ${key} that the database does not know of.`)
  }
  const { resized } = await findStrange(db, kept)
  const names = await nameBlobs(
    db,
    resized.map(({ id }) => id),
  )
  for (const { id, key, size } of resized) {
    const found = await storage.length(key)
    if (found > size) faults.push(`${names.get(id)}: it has ${found} bytes instead of ${size}.`)
  }
  return faults
}

async function findStrange(
  db: Database,
  kept: Kept[],
): Promise<{ strangers: Kept[]; resized: Pick<BlobRow, 'id' | 'key' | 'size'>[] }> {
  if (kept.length === 0) return { strangers: [], resized: [] }
  const rows = await db
    .selectFrom('blobs')
    .select(['id', 'key', 'state', 'size'])
    .where(
      'key',
      'in',
      kept.map(({ key }) => key),
    )
    .execute()
  const byKey = new Map(rows.map((row) => [row.key, row]))
  return {
    strangers: kept.filter(({ key }) => !byKey.has(key)),
    resized: kept.flatMap(({ key, size }) => {
      const row = byKey.get(key)
      return row?.state === 'stored' && row.size !== size ? [{ id: row.id, key, size: row.size! }] : []
    }),
  }
}

/** Compares each count in one statement, so that no other change comes between. */
async function countFaults(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ fault: string }>(`
    select 'The folder ' || folders.name || ' of ' || coalesce('project ' || projects.number || ' ' || projects.name, users.name, 'the template')
      || ' (folder ' || folders.id || ') says that it has ' || folders.files_count || ' files, and has ' || coalesce(counted.files, 0) || '.' as fault
    from folders
    left join (select folder_id, count(*) as files from files where deleted_at is null group by folder_id) as counted
      on counted.folder_id = folders.id
    left join projects on projects.id = folders.project_id
    left join users on users.id = folders.user_id
    where folders.files_count <> coalesce(counted.files, 0)
    union all
    select 'The folder ' || folders.name || ' (folder ' || folders.id || ') says that ' || folders.shown_count || ' files are not held back, and has '
      || coalesce(counted.files, 0) || '.'
    from folders
    left join (
      select folder_id, count(*) as files from files where deleted_at is null and not is_held_back group by folder_id
    ) as counted on counted.folder_id = folders.id
    where folders.shown_count <> coalesce(counted.files, 0)
    union all
    select 'Project ' || number || ' ' || name || ' says that it has ' || projects.files_count || ' files, and has ' || coalesce(counted.files, 0) || '.'
    from projects
    left join (
      select project_id, count(*) as files from files join folders on folders.id = folder_id where deleted_at is null group by project_id
    ) as counted on counted.project_id = projects.id
    where projects.files_count <> coalesce(counted.files, 0)
    union all
    select 'There are ' || (select count(*) from users) || ' people, and ' || count || ' are counted.'
    from counts where name = 'users' and count <> (select count(*) from users)
    union all
    select files.name || ' (file ' || files.id || ', blob ' || blobs.id || '): its bytes are ' || blobs.state || ', not stored.'
    from files join blobs on blobs.id = blob_id where state <> 'stored'
    union all
    select files.name || ' (version ' || file_versions.id || ' of file ' || files.id || ', blob ' || blobs.id || '): its bytes are '
      || blobs.state || ', not stored.'
    from file_versions join files on files.id = file_versions.file_id join blobs on blobs.id = file_versions.blob_id
    where state <> 'stored'
    union all
    select files.name || ' (file ' || files.id || '): its version ' || file_versions.id || ' has the bytes of file ' || others.id || '.'
    from file_versions join files on files.id = file_versions.file_id join files as others on others.blob_id = file_versions.blob_id
    union all
    select files.name || ' (file ' || files.id || ') does not show its newest version (' || file_versions.id || ').'
    from file_versions join files on files.id = file_versions.file_id
    where not file_versions.is_held_back and (files.is_held_back or file_versions.number > files.version)
    union all
    select temporary_files.name || ', sent but not saved (blob ' || blobs.id || '): its bytes are ' || blobs.state || '.'
    from temporary_files join blobs on blobs.id = blob_id
    where state = 'removing' or state = 'pending' and announced is null
    union all
    select intake_files.name || ', which waits in the inbox (blob ' || blobs.id || '): its bytes are ' || blobs.state || ', not stored.'
    from intake_files join blobs on blobs.id = blob_id where state <> 'stored'
    union all
    select intake_files.name || ', which waits in the inbox, has the bytes of file ' || files.id || '.'
    from intake_files join files on files.blob_id = intake_files.blob_id`)
  return rows.map(({ fault }) => fault)
}
