import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Reader, Visit } from '../../access/reader.ts'
import { isFolderSeen, isPersonSeen } from '../../access/seen.db.ts'
import { openUserFolders } from '../../files/file/user-folder.db.ts'
import type { Publishing } from '../../releases/release/release.ts'
import { hasOwnFiles, rolesThat } from '../../rights.ts'
import type { Database } from '../../server/database/database.ts'
import { invalid } from '../../server/http/errors.ts'
import type { Parts } from '../../server/parts.ts'
import type { Entry, Placing } from '../transport/entry.ts'
import { storeSubmission } from '../form/submissions.db.ts'
import { findSentFile } from '../transport/sent-file.db.ts'
import { receiveTemporaryFile, removeTemporaryFiles, type Most } from '../transport/temporary.db.ts'
import type { SplitPerson } from './named-people.ts'
import { writeRanges } from './pdf/page-ranges.ts'
import { partName, partNameFault } from './part-names.ts'
import { splitPdf } from './pdf/run-split.server.ts'

/**
 * Lists everybody who can have files, with what a page may call them. A company that is called like a project of the office
 * names nobody: many papers do.
 */
export async function listSplitPeople(db: Database, reader: Reader): Promise<SplitPerson[]> {
  const { rows } = await sql<SplitPerson>`
    select id, name, deactivated_at is null as is_active,
      array(select number from user_numbers where user_id = users.id order by number collate danish) as numbers,
      array(
        select distinct name from report_companies where user_id = users.id
          and not exists (select from projects where lower(projects.name) = lower(report_companies.name))
        order by name
      ) as companies
    from users where role = any (${rolesThat(hasOwnFiles)}) and ${isPersonSeen(reader)} order by id`.execute(
    db,
  )
  return rows
}

/** Who gets which pages, and what happens to the PDF itself. */
export type SentSplit = {
  key: string
  hashName: string
  pages: number
  parts: { id: string; userId: number; pages: number[] }[]
  leftOut: number[]
  pattern: string
  /** The folder for the PDF itself; null if it is not kept. */
  original: number | null
  knownShared: number[] | null
  publishing: Publishing
}

/** The address that the form posts to. */
type Options = { form: string; limit: number; most: Most; signal: AbortSignal }

export const GONE = "PDF'en er ikke længere på serveren. Vælg den igen."

/**
 * Divides a PDF and stores a part for each person: all of it in one transaction, or nothing. What the parts are made of is
 * temporary until then, so that a crash leaves nothing that anybody sees; the purge takes the rest.
 */
export async function storeSplit(
  parts: Parts,
  visit: Visit,
  sent: SentSplit,
  { form, limit, most, signal }: Options,
): Promise<{ skipped: number; isWaiting: boolean }> {
  const { db, storage } = parts
  const { id: userId } = visit.reader
  const content = contentOf(form, sent)
  const submission = {
    form,
    key: sent.key,
    place: placeParts(visit.reader, sent),
    knownShared: sent.knownShared,
    keep: [],
    publishing: sent.publishing,
    content,
  }
  // Sent again after a lost answer: the PDF may be deleted.
  if (await isSaved(db, userId, sent.key))
    return storeSubmission(parts, visit, { ...submission, entries: [] })
  const file = await findSentFile(db, userId, sent.hashName)
  if (!file) throw invalid({ file: [GONE] })
  const names = await namesFor(db, visit.reader, sent)
  const made: string[] = []
  try {
    await splitPdf(
      await storage.open(file.key),
      sent.pages,
      sent.parts.map((part) => part.pages),
      async (bytes, index) => {
        const name = names.get(sent.parts[index]!.id)!
        const { hash_name: hashName } = await receiveTemporaryFile(parts, userId, name, bytes, limit, {
          most,
        })
        made.push(hashName)
      },
      { signal },
    )
    const entries: Entry[] = sent.parts.map(({ id, userId: owner }, index) => ({
      id,
      name: names.get(id)!,
      hashName: made[index]!,
      userId: owner,
    }))
    if (sent.original !== null)
      entries.push({ id: ORIGINAL, name: file.name, hashName: sent.hashName, folderId: sent.original })
    const { isNew, ...stored } = await storeSubmission(parts, visit, { ...submission, entries })
    if (!isNew) await removeTemporaryFiles(parts, userId, made)
    return stored
  } catch (error) {
    await removeTemporaryFiles(parts, userId, made).catch(() => undefined) // the purge removes them
    throw error
  }
}

const ORIGINAL = 'original'

async function isSaved(db: Database, userId: number, key: string): Promise<boolean> {
  const row = await db
    .selectFrom('submissions')
    .select('id')
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst()
  return row !== undefined
}

/** Names the parts; refuses all that cannot be named, before anything is made. */
async function namesFor(
  db: Database,
  reader: Reader,
  { parts, pattern }: SentSplit,
): Promise<Map<string, string>> {
  const people = new Map((await listSplitPeople(db, reader)).map((person) => [person.id, person]))
  const names = new Map<string, string>()
  const faults: Record<string, string[]> = {}
  for (const { id, userId } of parts) {
    const person = people.get(userId)
    const fault = ownerFault(person)
    if (!person || fault !== null) {
      faults[`parts.${id}.user_id`] = [fault!]
      continue
    }
    const owner = { name: person.name, number: person.numbers[0] ?? null }
    const wrong = partNameFault(pattern, owner)
    if (wrong !== null) faults.pattern = [...(faults.pattern ?? []), wrong]
    else names.set(id, partName(pattern, owner))
  }
  if (Object.keys(faults).length > 0) throw invalid(faults)
  return names
}

function ownerFault(person: { name: string; is_active: boolean } | undefined): string | null {
  if (!person) return 'Der kan kun gives sider til investorer.'
  return person.is_active
    ? null
    : `${person.name} er deaktiveret. Giv siderne til en anden, eller udelad dem.`
}

/** Puts each part with its person, and the PDF itself in its folder; without one, the PDF goes. */
function placeParts(reader: Reader, { hashName, original }: SentSplit): Placing {
  return async (trx, entries, faults) => {
    const asked = entries.flatMap(({ userId }) => userId ?? [])
    // Locked, so that nobody is deactivated before the files are theirs.
    const { rows: people } = await sql<{ id: number; name: string; is_active: boolean }>`
      select id, name, deactivated_at is null as is_active from users
      where id = any (${asked}) and role = any (${rolesThat(hasOwnFiles)}) and ${isPersonSeen(reader)}
      order by id for share`.execute(trx)
    for (const { id, userId } of entries) {
      if (userId === undefined) continue
      const fault = ownerFault(people.find((person) => person.id === userId))
      if (fault !== null) faults[`parts.${id}.user_id`] = [fault]
    }
    if (original !== null) {
      const { rows } = await sql`
        select from folders where id = ${original} and project_id is not null and ${isFolderSeen(reader)}`.execute(
        trx,
      )
      if (rows.length === 0) faults.original = ['Mappen findes ikke.']
    } else {
      const { rows } = await sql`
        with gone as (
          delete from temporary_files where hash_name = ${hashName} and user_id = ${reader.id} returning blob_id
        ), given_up as (
          update blobs set state = 'removing' from gone where blobs.id = gone.blob_id
        )
        select from gone`.execute(trx)
      if (rows.length === 0) faults.file = [GONE]
    }
    if (Object.keys(faults).length > 0) return new Map()
    const folders = await openUserFolders(trx, asked)
    return new Map(
      entries.map(({ id, userId }) => [id, userId === undefined ? original! : folders.get(userId)!]),
    )
  }
}

/** The same for the same form, since its parts are made again each time it is sent. */
function contentOf(
  form: string,
  { hashName, parts, leftOut, pattern, original, publishing }: SentSplit,
): string {
  const lines = parts.map(({ userId, pages }) => `${userId} ${writeRanges(pages)}`).sort()
  const how = [hashName, writeRanges(leftOut), pattern, original, JSON.stringify(publishing)]
  return hash('sha256', [form, ...how, ...lines].join('\n'))
}
