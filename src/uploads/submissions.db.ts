import { createHash } from 'node:crypto'
import { sql, type Generated } from 'kysely'
import { addFiles } from '../files/change.db.ts'
import type { FileOwner } from '../files/stored-file.ts'
import type { Actor } from '../log/log.db.ts'
import type { Database, Trx } from '../server/database.ts'
import { conflict, invalid } from '../server/errors.ts'
import { yearInName } from './file-name.ts'

declare module '../server/database.ts' {
  interface Tables {
    submissions: {
      id: Generated<number>
      user_id: number
      key: string
      content: string
      created_at: Generated<Date>
    }
  }
}

/** A file of a form, and the folder that it goes to. */
export type Entry = { id: string; name: string; hashName: string; folderId: number }

/**
 * Puts all files of a form into their folders, or none: S3.4. A form that was sent before is not stored again. No bytes are
 * copied: what was temporary is the file from now on.
 */
export async function storeSubmission(
  db: Database,
  actor: Actor & { userId: number },
  key: string,
  entries: Entry[],
): Promise<{ isNew: boolean }> {
  const content = contentOf(entries)
  return db.transaction().execute(async (trx) => {
    const submission = await trx
      .insertInto('submissions')
      .values({ user_id: actor.userId, key, content })
      .onConflict((repeated) => repeated.columns(['user_id', 'key']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!submission) {
      await checkRepetition(trx, actor.userId, key, content)
      return { isNew: false }
    }
    const blobs = await takeTemporaryFiles(trx, actor.userId, entries)
    const folders = await lockFolders(trx, entries)
    // Project by project in the same order as everybody's, since each writes its project's row.
    for (const { id: folderId, owner } of folders) {
      const files = entries
        .filter((entry) => entry.folderId === folderId)
        .map(({ name, hashName }) => ({
          name,
          blobId: blobs.get(hashName)!,
          year: yearInName(name),
          submissionId: submission.id,
        }))
      await addFiles(trx, actor, owner, folderId, files)
    }
    return { isNew: true }
  })
}

function contentOf(entries: Entry[]): string {
  const lines = entries.map(({ hashName, folderId, name }) => `${hashName} ${folderId} ${name}`).sort()
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}

/** Who is told that it is saved already must have sent nothing else. */
async function checkRepetition(trx: Trx, userId: number, key: string, content: string): Promise<void> {
  const before = await trx
    .selectFrom('submissions')
    .select('content')
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (before.content !== content)
    throw conflict('Formularen er allerede gemt med andre filer. Genindlæs siden, og send de nye filer igen.')
}

/** Theirs alone, each once, and no longer temporary. */
async function takeTemporaryFiles(trx: Trx, userId: number, entries: Entry[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ hash_name: string; blob_id: number }>`
    with wanted as (
      select hash_name from temporary_files
      where user_id = ${userId} and hash_name = any (${entries.map(({ hashName }) => hashName)})
      order by hash_name for update
    )
    delete from temporary_files using wanted where temporary_files.hash_name = wanted.hash_name
    returning temporary_files.hash_name, temporary_files.blob_id`.execute(trx)
  const blobs = new Map(rows.map((row) => [row.hash_name, row.blob_id]))
  const seen = new Set<string>()
  const errors: Record<string, string[]> = {}
  for (const { id, name, hashName } of entries) {
    if (!blobs.has(hashName))
      errors[`files.${id}.data`] = [`${name} er ikke længere på serveren. Send filen igen.`]
    else if (seen.has(hashName)) errors[`files.${id}.data`] = [`${name} er med to gange.`]
    seen.add(hashName)
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return blobs
}

type Target = { id: number; owner: FileOwner }

async function lockFolders(trx: Trx, entries: Entry[]): Promise<Target[]> {
  const ids = [...new Set(entries.map(({ folderId }) => folderId))]
  const { rows } = await sql<{ id: number; project_id: number | null; user_id: number | null }>`
    select id, project_id, user_id from folders where id = any (${ids}) order by id for update`.execute(trx)
  const found = new Set(rows.map(({ id }) => id))
  const errors = Object.fromEntries(
    entries
      .filter(({ folderId }) => !found.has(folderId))
      .map(({ id }) => [`files.${id}.name`, ['Mappen findes ikke længere.']]),
  )
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return rows
    .map(({ id, project_id: project, user_id: user }) => ({
      id,
      owner: project === null ? { user: user! } : { project },
    }))
    .sort((a, b) => keyOf(a) - keyOf(b) || a.id - b.id)
}

const keyOf = ({ owner }: Target) => ('project' in owner ? owner.project : 0)
