import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../src/server/database/database.ts'
import { fileUrls } from '../../src/urls.ts'
import type { Caller, Way } from './caller.ts'
import type { LoadClient, LoadCounts } from './instance-load.ts'

// Compares the state of an installation with what it acknowledged to its clients.

const PATIENCE_MS = 240_000

/** Lists the files of a form. */
export function idsOf(db: Database, submission: string): Promise<{ id: number; name: string }[]> {
  return patiently(async () => {
    const { rows } = await sql<{ id: number; name: string }>`
      select files.id, files.name from files join submissions on submissions.id = submission_id
      where submissions.key = ${submission}`.execute(db)
    return rows
  })
}

/** Finds the release of a form. */
export function releaseOf(db: Database, submission: string): Promise<number> {
  return patiently(async () => {
    const { rows } = await sql<{ id: number }>`
      select releases.id from releases join submissions on submissions.id = submission_id
      where submissions.key = ${submission}`.execute(db)
    if (!rows[0]) throw new Error(`The form ${submission} has no release.`)
    return rows[0].id
  })
}

/** Asks again for as long as the database may be away. */
async function patiently<Value>(ask: () => Promise<Value>): Promise<Value> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (performance.now() > until) throw error
      await sleep(100)
    }
  }
}

type Row = {
  id: number
  name: string
  folder: number
  is_deleted: boolean
  sha256: string
  path: string
  added: number
}

async function readFiles(db: Database): Promise<Map<number, Row>> {
  const { rows } = await sql<Row>`
    select files.id, files.name, folder_id as folder, deleted_at is not null as is_deleted, sha256,
      files.key || '/' || files.name as path,
      (select count(*)::integer from log where log.file_id = files.id and act = 'file-added') as added
    from files join blobs on blobs.id = blob_id and state = 'stored' where submission_id is not null`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Checks that every acknowledged file is in its last place, with its bytes, and was added once. */
export async function fileFaults(db: Database, clients: LoadClient[]): Promise<string[]> {
  const files = await readFiles(db)
  const faults: string[] = []
  for (const { id, name, sha256: hash, folder, isDeleted } of clients.flatMap(({ kept }) => kept)) {
    const row = files.get(id)
    const there = row && [row.name, row.sha256, row.folder, row.is_deleted, row.added].join(' ')
    const wanted = [name, hash, folder, isDeleted, 1].join(' ')
    if (there !== wanted) faults.push(`file ${id} is '${there}' instead of '${wanted}'`)
  }
  return faults
}

/** Downloads the acknowledged files with an id above `after`, and compares their bytes. */
export async function servingFaults(
  db: Database,
  reader: Caller,
  clients: LoadClient[],
  after = 0,
): Promise<string[]> {
  const files = await readFiles(db)
  const faults: string[] = []
  for (const { kept, project } of clients)
    for (const { id, isDeleted, sha256: hash } of kept) {
      const path = files.get(id)?.path
      if (isDeleted || id <= after || path === undefined) continue // `fileFaults` reports a missing one
      const { status, body } = await reader.call('GET', fileUrls.download({ project }, path))
      const served = createHash('sha256').update(body).digest('hex')
      if (status !== 200 || served !== hash) faults.push(`${path} is served ${status}`)
    }
  return faults
}

/** Checks that published releases are published, and that the investors may see their files. */
export async function releaseFaults(db: Database, clients: LoadClient[]): Promise<string[]> {
  const { rows } = await sql<{ id: number; state: string; held: number }>`
    select releases.id, state,
      (select count(*)::integer from files where files.submission_id = releases.submission_id and is_held_back) as held
    from releases`.execute(db)
  const known = new Map(rows.map((row) => [row.id, `${row.state}, ${row.held} files held back`]))
  return clients
    .flatMap(({ published }) => published)
    .filter((id) => known.get(id) !== 'published, 0 files held back')
    .map((id) => `release ${id} was published, and is ${known.get(id)}`)
}

/** Checks that ended sessions stay ended. */
export async function sessionFaults(call: Way, clients: LoadClient[]): Promise<string[]> {
  const faults: string[] = []
  for (const cookie of clients.flatMap(({ endedSessions }) => endedSessions)) {
    const headers = { cookie, accept: 'application/json', 'x-requested-with': 'XMLHttpRequest' }
    const { status } = await call('GET', '/api/projects', { headers })
    if (status !== 401) faults.push(`a session that was ended is answered ${status}`)
  }
  return faults
}

/** Checks that each acknowledged invitation has its mail. */
export function mailFaults(received: { to: string }[], clients: LoadClient[]): string[] {
  const got = new Set(received.map(({ to }) => to))
  return clients
    .flatMap(({ invited }) => invited)
    .filter((email) => !got.has(email))
    .map((email) => `${email} got no mail`)
}

export function totalOf(all: LoadCounts[]): LoadCounts {
  const sum = { ...all[0]! }
  for (const counts of all.slice(1))
    for (const name of Object.keys(sum) as (keyof LoadCounts)[]) sum[name] += counts[name]
  return sum
}
