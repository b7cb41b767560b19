import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { LIFETIMES } from '../../base/upload-lifetimes.ts'
import type { Publishing } from '../../releases/release/release.ts'
import type { Trx } from '../../server/database/database.ts'
import { prepare } from '../../server/database/prepared.ts'
import { conflict } from '../../server/http/errors.ts'
import type { Entry, Faults, Skipped, Taken } from '../transport/entry.ts'

/** Tells two forms under the same key apart. */
export function contentOf(form: string, entries: Entry[], publishing: Publishing | undefined): string {
  const lines = entries
    .map(({ hashName, folderId, userId, replaces, name }) =>
      [
        hashName,
        folderId && `folder ${folderId}`,
        userId && `user ${userId}`,
        ...(replaces ? [`replaces ${replaces}`] : []),
        name,
      ].join(' '),
    )
    .sort()
  return hash('sha256', [form, ...waysOf(publishing), ...lines].join('\n'))
}

/** How it is published, unless that is at once: the same files under the same key, but held back, are another form. */
function waysOf(publishing: Publishing | undefined): string[] {
  if (!publishing || publishing.way === 'now') return []
  return [publishing.way === 'later' ? `later ${publishing.at.toISOString()}` : publishing.way]
}

type Before = { skipped: number; isWaiting: boolean }

/** Refuses other files under the same key, or their sender would believe that they are saved. */
async function checkRepetition(trx: Trx, userId: number, key: string, content: string): Promise<Before> {
  const before = await trx
    .selectFrom('submissions')
    .leftJoin('releases', 'releases.submission_id', 'submissions.id')
    .select(['content', sql<Skipped[] | null>`skipped`.as('skipped'), 'state'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (before.content !== content)
    throw Object.assign(
      conflict('Formularen er allerede gemt med andre filer. Genindlæs siden, og send de nye filer igen.'),
      { code: 'already_saved' as const, more: { saved: true } },
    )
  return { skipped: before.skipped?.length ?? 0, isWaiting: before.state === 'waiting' }
}

type Beginning = {
  user: number
  key: string
  content: string
  form: string
  hash_names: string[]
  seconds: number
}
type Begun = { id: number } & ({ hash_name: string; blob_id: number; type: string; sha256: string } | Nothing)
type Nothing = { hash_name: null }

/**
 * Adds a submission and takes the sender's own whole files out of the temporary files, unless it was sent before: then
 * it returns nothing. Without such files it returns the submission alone.
 */
const addSubmission = prepare<Beginning, Begun>(
  ({ user, key, content, form, hash_names: hashNames, seconds }) => sql`
    with submission as (
      insert into submissions (user_id, key, content, form)
      values (${user}::bigint, ${key}::text, ${content}::text, ${form}::text)
      on conflict (user_id, key) do nothing returning id
    ), wanted as materialized (
      select hash_name from temporary_files
      where user_id = ${user}::bigint and hash_name = any (${hashNames}::text[])
        and created_at > now() - make_interval(secs => ${seconds}::double precision)
        and (select count(*) from submission) = 1
      order by hash_name for update
    ), taken as (
      delete from temporary_files using wanted, blobs
      where temporary_files.hash_name = wanted.hash_name
        and blobs.id = temporary_files.blob_id and blobs.state = 'stored'
      returning temporary_files.hash_name, blobs.id as blob_id, blobs.type, blobs.sha256
    )
    select submission.id, taken.* from submission left join taken on true`,
)

type Form = { form: string; key: string; content: string }

/** Begins a submission, and takes its temporary files; says what became of it if it was sent before. */
export async function beginSubmission(
  trx: Trx,
  userId: number,
  { form, key, content }: Form,
  entries: Entry[],
  faults: Faults,
): Promise<{ submission: number; taken: Taken } | { before: Before }> {
  const rows = await addSubmission(trx, {
    user: userId,
    key,
    content,
    form,
    hash_names: entries.map(({ hashName }) => hashName),
    seconds: LIFETIMES.temporaryFileMs / 1000,
  })
  const [row] = rows
  if (!row) return { before: await checkRepetition(trx, userId, key, content) }
  return { submission: row.id, taken: takenFrom(rows, entries, faults) }
}

function takenFrom(begun: Begun[], entries: Entry[], faults: Faults): Taken {
  const rows = begun.filter((row) => row.hash_name !== null)
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
