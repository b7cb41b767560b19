import { LIFETIMES } from '../../base/lifetimes.ts'
import { createHash } from 'node:crypto'
import { sql, type ColumnType, type Generated } from 'kysely'
import { addFiles, type NewFiles } from '../../files/change/change.db.ts'
import type { Actor } from '../../log/log.db.ts'
import { mapInTurns } from '../../server/process/breather.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { conflict, invalid } from '../../server/http/errors.ts'
import { yearInName } from '../names/file-name.ts'

declare module '../../server/database/database.ts' {
  interface Tables {
    submissions: {
      id: Generated<number>
      user_id: number
      key: string
      content: string
      created_at: Generated<Date>
      /** Its address; null: from before this was kept. */
      form: ColumnType<string | null, string, never>
      /** What it did not store. */
      skipped: ColumnType<Skipped[] | null, never, string>
    }
  }
}

/** A file of a form: S3.4. The folder or person that the page has put it to is what it said, not where it goes. */
export type Entry = {
  id: string
  name: string
  hashName: string
  folderId?: number | undefined
  folder?: string | undefined
  userId?: number | undefined
}

/** What was sent, by its `hash_name`. */
export type Taken = Map<string, { blobId: number; type: string; sha256: string }>

export type Faults = Record<string, string[]>

/** Which folder each entry goes to, by its id; what is wrong with one goes to `faults`. */
export type Placing = (
  trx: Trx,
  entries: Entry[],
  faults: Faults,
  taken: Taken,
) => Promise<Map<string, number>>

/** A file that was not stored: its bytes lie in its folder already, in `twin`. */
export type Skipped = { name: string; twin: string; folder_id: number }

export type Submission = {
  /** Which form it is: the same files in another are another submission. */
  form: string
  key: string
  entries: Entry[]
  /** Says where the form's files go. */
  place: Placing
  /** The folders that the page has said are shared with investors; null: it has not said. */
  knownShared?: number[] | null
  /** The entries to be stored even where the same bytes lie in the folder; null: all of them. */
  keep?: string[] | null
  fromInvestor?: boolean
}

/**
 * Puts all files of a form into their folders, or none: S3.4. A form that was sent before is not stored again. No bytes are
 * copied: what was temporary is the file from now on.
 */
export async function storeSubmission(
  db: Database,
  actor: Actor & { userId: number },
  { form, key, entries, place, knownShared = null, keep = null, fromInvestor = false }: Submission,
): Promise<{ isNew: boolean; skipped: number }> {
  const content = contentOf(form, entries)
  return db.transaction().execute(async (trx) => {
    const submission = await trx
      .insertInto('submissions')
      .values({ user_id: actor.userId, key, content, form })
      .onConflict((repeated) => repeated.columns(['user_id', 'key']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!submission) {
      const before = await checkRepetition(trx, actor.userId, key, content)
      return { isNew: false, skipped: before.length }
    }
    const faults: Faults = {}
    const taken = await takeTemporaryFiles(trx, actor.userId, entries, faults)
    const placed = await place(trx, entries, faults, taken)
    const folders = await lockFolders(trx, placed, faults)
    if (Object.keys(faults).length > 0) throw invalid(faults)
    if (knownShared) checkSharing(folders, knownShared)
    const skipped = keep === null ? NOTHING : await findSkipped(trx, entries, placed, taken, keep)
    await dropSkipped(trx, submission.id, entries, taken, skipped)
    const files = Map.groupBy(
      entries.filter(({ id }) => !skipped.has(id)),
      ({ id }) => placed.get(id)!,
    )
    const years = new Map(await mapInTurns(entries, ({ name }) => [name, yearInName(name)]))
    await addFiles(
      trx,
      actor,
      folders.map(({ id, owner }) => ({
        owner,
        folderId: id,
        files: (files.get(id) ?? []).map(({ name, hashName }) => ({
          name,
          blobId: taken.get(hashName)!.blobId,
          year: years.get(name) ?? null,
          submissionId: submission.id,
          fromInvestor,
        })),
      })),
    )
    return { isNew: true, skipped: skipped.size }
  })
}

function contentOf(form: string, entries: Entry[]): string {
  const lines = entries
    .map(({ hashName, folderId, userId, name }) =>
      [hashName, folderId && `folder ${folderId}`, userId && `user ${userId}`, name].join(' '),
    )
    .sort()
  return createHash('sha256')
    .update([form, ...lines].join('\n'))
    .digest('hex')
}

/** Who is told that it is saved already must have sent nothing else. */
async function checkRepetition(trx: Trx, userId: number, key: string, content: string): Promise<Skipped[]> {
  const before = await trx
    .selectFrom('submissions')
    .select(['content', 'skipped'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (before.content !== content)
    throw Object.assign(
      conflict('Formularen er allerede gemt med andre filer. Genindlæs siden, og send de nye filer igen.'),
      { more: { saved: true } },
    )
  return before.skipped ?? []
}

const NOTHING: ReadonlyMap<string, Skipped> = new Map()

/** What lies in its folder already, live and with the same bytes, or comes twice in the form; by its id. */
async function findSkipped(
  trx: Trx,
  entries: Entry[],
  placed: Map<string, number>,
  taken: Taken,
  keep: string[],
): Promise<Map<string, Skipped>> {
  const asked = entries.map(({ id, name, hashName }) => ({
    id,
    name,
    folderId: placed.get(id)!,
    sha256: taken.get(hashName)!.sha256,
  }))
  const { rows } = await sql<{ folder_id: number; sha256: string; name: string }>`
    select distinct on (asked.folder_id, asked.sha256) asked.folder_id, asked.sha256, files.name
    from unnest(${asked.map(({ folderId }) => folderId)}::bigint[], ${asked.map(({ sha256 }) => sha256)}::text[])
      as asked (folder_id, sha256)
    join blobs on blobs.sha256 = asked.sha256 and blobs.state = 'stored'
    join files on files.blob_id = blobs.id and files.folder_id = asked.folder_id and files.deleted_at is null
    order by asked.folder_id, asked.sha256, files.position`.execute(trx)
  const there = new Map(rows.map((row) => [`${row.folder_id} ${row.sha256}`, row.name]))
  const skipped = new Map<string, Skipped>()
  for (const { id, name, folderId, sha256 } of asked) {
    const twin = there.get(`${folderId} ${sha256}`)
    if (twin === undefined) there.set(`${folderId} ${sha256}`, name)
    else if (!keep.includes(id)) skipped.set(id, { name, twin, folder_id: folderId })
  }
  return skipped
}

/** Writes down what is not stored; its bytes go with the next purge. */
async function dropSkipped(
  trx: Trx,
  submissionId: number,
  entries: Entry[],
  taken: Taken,
  skipped: ReadonlyMap<string, Skipped>,
): Promise<void> {
  if (skipped.size === 0) return
  const blobs = entries.filter(({ id }) => skipped.has(id)).map(({ hashName }) => taken.get(hashName)!.blobId)
  await trx.updateTable('blobs').set({ state: 'removing' }).where('id', 'in', blobs).execute()
  await trx
    .updateTable('submissions')
    .set({ skipped: JSON.stringify([...skipped.values()]) })
    .where('id', '=', submissionId)
    .execute()
}

/** Theirs alone, whole, each once, and no longer temporary. */
async function takeTemporaryFiles(
  trx: Trx,
  userId: number,
  entries: Entry[],
  faults: Faults,
): Promise<Taken> {
  const { rows } = await sql<{ hash_name: string; blob_id: number; type: string; sha256: string }>`
    with wanted as (
      select hash_name from temporary_files
      where user_id = ${userId} and hash_name = any (${entries.map(({ hashName }) => hashName)})
        and created_at > now() - make_interval(secs => ${LIFETIMES.temporaryFileMs / 1000})
      order by hash_name for update
    )
    delete from temporary_files using wanted, blobs
    where temporary_files.hash_name = wanted.hash_name
      and blobs.id = temporary_files.blob_id and blobs.state = 'stored'
    returning temporary_files.hash_name, blobs.id as blob_id, blobs.type, blobs.sha256`.execute(trx)
  const taken: Taken = new Map(
    rows.map((row) => [row.hash_name, { blobId: row.blob_id, type: row.type, sha256: row.sha256 }]),
  )
  const seen = new Set<string>()
  for (const { id, name, hashName } of entries) {
    if (!taken.has(hashName))
      faults[`files.${id}.data`] = [`${name} er ikke længere på serveren. Send filen igen.`]
    else if (seen.has(hashName)) faults[`files.${id}.data`] = [`${name} er med to gange.`]
    seen.add(hashName)
  }
  return taken
}

type Target = Pick<NewFiles, 'owner'> & { id: number; name: string; isShared: boolean }

/** Folders first and then their projects, each in the same order as everybody's: an added file writes both. */
async function lockFolders(trx: Trx, placed: Map<string, number>, faults: Faults): Promise<Target[]> {
  const { rows } = await sql<{
    id: number
    name: string
    project_id: number | null
    user_id: number | null
    visible_to_investors: boolean
  }>`
    select id, name, project_id, user_id, visible_to_investors from folders
    where id = any (${[...new Set(placed.values())]}) order by id for update`.execute(trx)
  const found = new Set(rows.map(({ id }) => id))
  for (const [id, folder] of placed)
    if (!found.has(folder)) faults[`files.${id}.name`] = ['Mappen findes ikke længere.']
  const projects = new Set(rows.flatMap(({ project_id: project }) => project ?? []))
  await sql`select from projects where id = any (${[...projects]}) order by id for no key update`.execute(trx)
  return rows.map(({ id, name, project_id: project, user_id: user, visible_to_investors: isShared }) => ({
    id,
    name,
    owner: project === null ? { user: user! } : { project },
    isShared: isShared && project !== null,
  }))
}

/** Nothing is shown to investors by somebody who has been told that the office alone will see it. */
function checkSharing(folders: Target[], known: number[]): void {
  const shared = folders.filter(({ id, isShared }) => isShared && !known.includes(id))
  if (shared.length === 0) return
  const names = shared.map(({ name }) => `”${name}”`).join(', ')
  throw Object.assign(
    conflict(`${names} deles nu med investorer. Gem igen, hvis de må se det, du uploader.`),
    { more: { shared: shared.map(({ id }) => id) } },
  )
}
