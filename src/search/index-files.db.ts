import { sql } from 'kysely'
import { listPackedPages } from '../reading/page-texts.db.ts'
import { transactional, type Database, type Trx } from '../server/database/database.ts'
import { partsOfTerms, termsIn } from './beside/beside.server.ts'
import {
  kindMark,
  kindOf,
  partMark,
  personMark,
  projectMark,
  segmentMark,
  segmentOf,
  senderMark,
} from './words/marks.ts'
import { idOfNumber, tokensOf } from './words/tokens.ts'
import { idsOfWords } from './words/words.db.ts'

/** Files are taken in groups, since most have a short name and no text; fewer, if those that have one are long. */
const AT_ONCE = 400
const TERMS_AT_ONCE = 50_000
/** Ten times the different words of a long annual report: only nonsense has more, and it would fill the list of words. */
const MOST_TERMS = 60_000

type Unindexed = {
  file_id: number
  change: number
  project_id: number | null
  user_id: number | null
  uploaded_by: number | null
  text_id: number | null
} & ({ name: string; folder: string; mime: string } | { /** The file is deleted. */ name: null })

/** Writes down the words of files that were added or changed, the newest first. Returns how many there were. */
export async function indexFiles(db: Database, signal?: AbortSignal): Promise<number> {
  for (let done = 0; ;) {
    const files = await listUnindexed(db)
    if (files.length === 0) return done
    let [group, terms]: [Read[], number] = [[], 0]
    for (const file of files) {
      if (signal?.aborted) return done
      const read = { file, terms: await termsOf(db, file) }
      group.push(read)
      terms += read.terms.size
      if (terms < TERMS_AT_ONCE && file !== files.at(-1)) continue
      await indexGroup(db, group)
      done += group.length
      ;[group, terms] = [[], 0]
    }
  }
}

/** A file and its words. */
type Read = { file: Unindexed; terms: Set<string> }

async function indexGroup(db: Database, group: Read[]): Promise<void> {
  const ids = await idsOfWords(db, new Set(group.flatMap(({ terms }) => [...terms])))
  const idsOf = (terms: Set<string>) => [...terms].map((term) => ids.get(term)!).sort((a, b) => a - b)
  const indexed: Indexed[] = []
  for (const { file, terms } of group) {
    const parts = await partsOfTerms([...terms])
    indexed.push({ ...file, words: [...marksOf(file), ...parts.map(partMark), ...idsOf(terms)] })
  }
  await writeWords(
    db,
    indexed,
    [...ids].flatMap(([term, id]) => (idOfNumber(term) === null ? [id] : [])),
  )
}

async function listUnindexed(db: Database): Promise<Unindexed[]> {
  const { rows } = await sql<Unindexed>`
    select unindexed_files.file_id, change, files.name, folders.name as folder, folders.project_id, folders.user_id,
      files.uploaded_by, blobs.type as mime, texts.id as text_id
    from (select file_id, change from unindexed_files order by file_id desc limit ${AT_ONCE}) as unindexed_files
    left join files on files.id = unindexed_files.file_id
    left join folders on folders.id = files.folder_id
    left join blobs on blobs.id = files.blob_id
    left join texts on texts.sha256 = blobs.sha256 and texts.state = 'read'`.execute(db)
  return rows
}

async function termsOf(db: Database, file: Unindexed): Promise<Set<string>> {
  if (file.name === null) return new Set()
  const { name, folder, text_id: textId } = file
  const terms = new Set([...tokensOf(name), ...tokensOf(folder)].map(({ term }) => term))
  if (textId === null) return terms
  for (let after = 0, hasMore = true; hasMore && terms.size < MOST_TERMS;) {
    const next = (await listPackedPages(db, [{ id: textId, after }])).get(textId)
    if (!next) break
    for (const term of await termsIn(next.pages, MOST_TERMS - terms.size)) terms.add(term)
    hasMore = next.hasMore
    after = next.pages.at(-1)!.page
  }
  return terms
}

function marksOf(unindexed: Unindexed): number[] {
  if (unindexed.name === null) return []
  const { file_id: file, name, mime, project_id: project, user_id: user, uploaded_by: sender } = unindexed
  return [
    ...(project === null ? [] : [projectMark(project)]),
    ...(user === null ? [] : [personMark(user)]),
    ...(sender === null ? [] : [senderMark(sender)]),
    kindMark(kindOf({ mime, name })),
    segmentMark(segmentOf(file)),
  ]
}

type Indexed = Pick<Unindexed, 'file_id' | 'change' | 'name'> & { words: number[] }

/** Words are not forgotten between finding their ids and writing them down. */
const LOCK = sql`hashtextextended('ringbind words', 0)`

/** A file that has changed since it was read stays in the queue, and all do if one of their words was forgotten meanwhile. */
const writeWords = transactional(async (trx: Trx, files: Indexed[], listed: number[]): Promise<void> => {
  await sql`select pg_advisory_xact_lock_shared(${LOCK})`.execute(trx)
  const { rows: known } = await sql<{ count: number }>`
    select count(*)::integer as count from words where id = any (${listed}::integer[])`.execute(trx)
  if (known[0]!.count < listed.length) return
  const rows = files.filter(({ name }) => name !== null).map(({ file_id, words }) => ({ file_id, words }))
  // A file may have been removed meanwhile.
  await sql`
    insert into file_words (file_id, words)
    select made.file_id, array(select jsonb_array_elements_text(made.words)::integer)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as made (file_id bigint, words jsonb)
    join files on files.id = made.file_id
    order by made.file_id
    on conflict (file_id) do update set words = excluded.words`.execute(trx)
  await sql`
    delete from unindexed_files using
      unnest(${files.map(({ file_id }) => file_id)}::bigint[], ${files.map(({ change }) => change)}::bigint[])
        as done (file_id, change)
    where unindexed_files.file_id = done.file_id and unindexed_files.change = done.change`.execute(trx)
})

/** Rises when the words of a file are written down in another way, as with another list of parts. */
const VERSION = 1

/** Asks for the words of files that have none yet, as after a restore or an upgrade. */
export const wantWords = transactional(async (trx: Trx): Promise<void> => {
  const { rows } = await sql`
    insert into words_version (version) values (${VERSION})
    on conflict (is_only) do update set version = excluded.version where words_version.version <> excluded.version
    returning version`.execute(trx)
  const isUpgrade = rows.length > 0
  await sql`
    insert into unindexed_files (file_id)
    select id from files
    where ${isUpgrade} or not exists (select from file_words where file_words.file_id = files.id)
    on conflict do nothing`.execute(trx)
})

/** Deletes words that no file has any more, so that no word of a deleted paper stays. Returns how many. */
export const forgetWords = transactional(async (trx: Trx): Promise<number> => {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
  const { numAffectedRows } = await sql`
    delete from words where not exists (select from file_words where file_words.words && array[words.id])`.execute(
    trx,
  )
  return Number(numAffectedRows ?? 0)
})
