import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFileSeen, isPersonSeen, isProjectSeen } from '../../access/seen.db.ts'
import { shownAt } from '../../files/file/file-fields.db.ts'
import { FILE_YEAR, isFileOfYear } from '../../files/file/file-year.db.ts'
import { isOffice } from '../../rights.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { cancellable } from '../../server/database/cancellable.db.ts'
import { isFound } from '../../server/database/search.db.ts'
import { mapInTurns } from '../../server/process/breather.ts'
import { tokensOf } from '../words/tokens.ts'
import {
  kindMark,
  personMark,
  placesOf,
  projectMark,
  segmentMark,
  segmentOf,
  senderMark,
} from '../words/marks.ts'
import type { Question } from '../answer/results.ts'
import { NO_QUESTION } from '../answer/search-address.ts'

/** A file that was found, with the values that order and count it. */
export type Candidate = {
  id: number
  folder_id: number
  folder: string
  project_id: number | null
  year: number | null
  rank: number
}

/** The answers to one part of a question: ids of words, and marks of parts, projects and people. */
export type Alternatives = {
  ids: number[]
  /** Whether a word matches, and whether it does so exactly as written. */
  isAnswer: (term: string) => boolean
  isExact: (term: string) => boolean
}

/** `timeZone`: where the days begin. */
export type Filters = Omit<Question, 'q' | 'page'> & { timeZone: string }

const { q: _q, page: _page, ...NOTHING_CHOSEN } = NO_QUESTION

export const NO_FILTERS: Filters = { ...NOTHING_CHOSEN, timeZone: 'UTC' }

/** Which files are searched, and how many are wanted. */
export type Scope = {
  reader: Reader
  filters: Filters
  most: number
  /** The projects and people whose files the reader may see; null for everybody's. */
  marks: number[] | null
  /** Words that a file must have because of the filters; null if nothing has them. */
  needed: number[] | null
}

/**
 * Finds files that have one of the alternatives of each part, and that the reader sees: all of them, or if there are too many,
 * the newest. The best come first.
 */
export async function findCandidates(
  db: Database,
  { reader, filters, most, marks, needed }: Scope,
  parts: Alternatives[],
  signal?: AbortSignal,
): Promise<{ files: Candidate[]; isMore: boolean }> {
  if (parts.some(({ ids }) => ids.length === 0) || marks?.length === 0 || needed === null)
    return { files: [], isMore: false }
  const conditions = [
    ...parts.map(({ ids }) => hasOneOf(ids)),
    ...[...filterMarks(filters), ...needed].map((id) => hasOneOf([id])),
  ]
  const { ids, isMore } = await readNewest(db, { reader, marks, most }, conditions, signal)
  const files = await readCandidates(db, reader, parts, filters, ids)
  return { files: files.slice(0, most), isMore: isMore || files.length > most }
}

/** Files in the trash and the like, which the office does not see either. */
const UNSEEN = 100

/** The index compares all ids of a condition at each step, so many are asked for in groups. */
const MOST_TOGETHER = 400

export function hasOneOf(ids: number[]): RawBuilder<boolean> {
  const size = ids.length > MOST_TOGETHER ? Math.ceil(Math.sqrt(ids.length)) : ids.length
  const groups = Array.from({ length: Math.ceil(ids.length / size) }, (_, n) =>
    ids.slice(n * size, (n + 1) * size),
  )
  return sql<boolean>`(${sql.join(
    groups.map((group) => sql`file_words.words && ${group}::integer[]`),
    sql` or `,
  )})`
}

const MANY_PLACES = 50

/** How many of the newest segments are searched first: common words are found there often enough. */
const WINDOWS = [1, 8, 64]

/**
 * Reads the newest files that fulfil conditions on their words. PostgreSQL estimates that many words match nearly all
 * files, and would compare each file with each word, which takes seconds, so it is told to use the index.
 */
async function readNewest(
  db: Database,
  { reader, marks, most }: Pick<Scope, 'reader' | 'marks' | 'most'>,
  conditions: RawBuilder<boolean>[],
  signal: AbortSignal | undefined,
): Promise<{ ids: number[]; isMore: boolean }> {
  // More than are shown, since the reader may not see all of them.
  const mostRead = isOffice(reader.role) ? most + UNSEEN : 2 * most
  const told = (ids: number[]) => ({ ids: ids.slice(0, mostRead), isMore: ids.length > mostRead })
  return cancellable(db, signal, async (trx) => {
    const { rows } = await sql<{ last: number | null; seqscan: string; indexscan: string }>`
      select (select max(file_id) from file_words) as last,
        set_config('enable_seqscan', 'off', true) as seqscan,
        set_config('enable_indexscan', 'off', true) as indexscan`.execute(trx)
    const last = segmentOf(rows[0]!.last ?? 0)
    const newest = (window: number) =>
      hasOneOf(Array.from({ length: window + 1 }, (_, n) => segmentMark(last - n)))
    if (marks && marks.length >= MANY_PLACES) {
      const sample = await readIds(trx, [newest(1), ...conditions], mostRare(last) + 1)
      if (sample.length > mostRare(last))
        return told(await listAmongSeen(trx, { reader, marks }, conditions, most + 1))
    }
    // Readers who see little have little to search.
    let aSegment = Infinity
    for (const window of marks ? [] : WINDOWS.filter((segments) => segments < last)) {
      // Twice as many as before are possible; rarer words are searched everywhere at once.
      if (2 * aSegment * (window + 1) < mostRead) continue
      const ids = await readIds(trx, [newest(window), ...conditions], mostRead + 1)
      if (ids.length > mostRead) return told(ids)
      aSegment = ids.length / (window + 1)
    }
    return told(await readIds(trx, marks ? [...conditions, hasOneOf(marks)] : conditions, mostRead + 1))
  })
}

/** Up to this many files may have a word for the index to find those of many projects at once. */
const RARE = 5000

/** How many of them are among the newest two segments. */
const mostRare = (segments: number) => Math.ceil((2 * RARE) / (segments + 1))

/**
 * Looks at the files that a reader sees, the newest first, until there are enough: for a reader of many projects and a word
 * that many files have. The index would compare each of those files with each of the projects.
 */
export async function listAmongSeen(
  trx: Trx,
  { reader, marks }: { reader: Reader; marks: number[] },
  conditions: RawBuilder<boolean>[],
  most: number,
): Promise<number[]> {
  const { projects, people } = placesOf(marks)
  await sql`select set_config('enable_indexscan', 'on', true)`.execute(trx)
  const { rows } = await sql<{ ids: number[] }>`
    with seen as materialized (
      select files.id from folders join files on files.folder_id = folders.id
      where (folders.project_id = any (${projects}::bigint[]) or folders.user_id = any (${people}::bigint[]))
        and ${isFileSeen(reader)}
      order by files.id desc
    )
    select array(
      select seen.id from seen cross join lateral (
        select from file_words where file_words.file_id = seen.id and ${allOf(conditions)} offset 0
      ) as has limit ${most}
    )::integer[] as ids`.execute(trx)
  return rows[0]!.ids
}

const allOf = (conditions: RawBuilder<unknown>[]) =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)

async function readIds(trx: Trx, conditions: RawBuilder<unknown>[], most: number): Promise<number[]> {
  const { rows } = await sql<{ ids: number[] }>`
    select array(
      select file_id from file_words where ${allOf(conditions)}
      order by file_id desc limit ${most}
    )::integer[] as ids`.execute(trx)
  return rows[0]!.ids
}

/** Reads the files that the reader sees, with the values that order them. */
async function readCandidates(
  db: Database,
  reader: Reader,
  parts: Alternatives[],
  filters: Filters,
  ids: number[],
): Promise<Candidate[]> {
  if (ids.length === 0) return []
  const conditions = [...filterConditions(reader, filters), isFileSeen(reader)]
  const { rows } = await sql<Omit<Candidate, 'rank'> & { name: string }>`
    select files.id, files.folder_id, folders.name as folder, folders.project_id, ${FILE_YEAR} as year, files.name
    from unnest(${ids}::integer[]) as found (id)
    join files on files.id = found.id
    join folders on folders.id = files.folder_id
    join blobs on blobs.id = files.blob_id and blobs.state = 'stored'
    where ${sql.join(conditions, sql` and `)}`.execute(db)
  const rankOf = (name: string) => {
    const terms = tokensOf(name).map(({ term }) => term)
    return parts.reduce(
      (sum, { isAnswer, isExact }) => sum + (terms.some(isExact) ? 2 : 0) + (terms.some(isAnswer) ? 1 : 0),
      0,
    )
  }
  const ranked = await mapInTurns(rows, ({ name, ...row }) => ({ ...row, rank: rankOf(name) }))
  return ranked.sort((a, b) => b.rank - a.rank || (b.year ?? 0) - (a.year ?? 0) || b.id - a.id)
}

/** Returns the marks of the projects and people whose files the reader may see; null if that is everybody's. */
export async function listMarksSeen(db: Database, reader: Reader): Promise<number[] | null> {
  if (isOffice(reader.role)) return null
  const { rows } = await sql<{ projects: number[]; people: number[] }>`select
    array(select projects.id from projects where ${isProjectSeen(reader)})::integer[] as projects,
    array(select users.id from users where ${isPersonSeen(reader)})::integer[] as people`.execute(db)
  return [...rows[0]!.projects.map(projectMark), ...rows[0]!.people.map(personMark)]
}

/** The marks of the filters that the index knows. */
function filterMarks({ project, type, by }: Filters): number[] {
  return [
    ...(project === null ? [] : [projectMark(project)]),
    ...(type === null ? [] : [kindMark(type)]),
    ...(by === null ? [] : [senderMark(by)]),
  ]
}

/** Conditions on `files` joined with `folders`. The kind of a file is known only by its mark. */
export function filterConditions(reader: Reader, filters: Filters): RawBuilder<boolean>[] {
  const { project, folder, year, by, from, to, timeZone } = filters
  const day = sql`(${shownAt(reader)} at time zone ${timeZone})::date`
  return [
    ...(project === null ? [] : [sql<boolean>`folders.project_id = ${project}`]),
    ...(folder === null ? [] : [sql<boolean>`folders.name = ${folder}`]),
    ...(year === null ? [] : [isFileOfYear(year)]),
    ...(by === null ? [] : [sql<boolean>`files.uploaded_by = ${by}`]),
    ...(from === null ? [] : [sql<boolean>`${day} >= ${from}::date`]),
    ...(to === null ? [] : [sql<boolean>`${day} <= ${to}::date`]),
  ]
}

/** Condition on `users`: people outside the office know others by name, not by number or e-mail. */
export function isPersonFound(reader: Reader, q: string): RawBuilder<boolean> {
  return isFound(isOffice(reader.role) ? sql<string>`users.search` : sql<string>`search_key(users.name)`, q)
}

/** Shorter words are part of too many names. */
const SHORTEST_NAME = 3
const MOST_PLACES = 400

/** Returns, for each word, the marks of projects and people that the reader sees and whose name or number has it as a word. */
export async function findPlaces(db: Database, reader: Reader, words: string[]): Promise<number[][]> {
  const isName = (word: string) => word.length >= SHORTEST_NAME && /^[\p{L}\p{N}]+$/u.test(word)
  if (!words.some(isName)) return words.map(() => [])
  const hasWord = (key: RawBuilder<string>, word: string) =>
    sql<boolean>`${key} ~ ('(^|[^[:alnum:]])' || replace(folded(${word}), 'aa', '(aa|å)') || '([^[:alnum:]]|$)')`
  const fields = words.filter(isName).map(
    (word) => sql`to_jsonb(
      array(select -4 * projects.id from projects
        where ${isFound(sql<string>`projects.search`, word)} and ${hasWord(sql<string>`projects.search`, word)}
          and ${isProjectSeen(reader)} limit ${MOST_PLACES})
      || array(select -4 * users.id - 1 from users
        where ${isPersonFound(reader, word)} and ${hasWord(sql<string>`search_key(users.name)`, word)}
          and ${isPersonSeen(reader)} limit ${MOST_PLACES}))`,
  )
  const { rows } = await sql<{ marks: number[][] }>`
    select jsonb_build_array(${sql.join(fields)}) as marks`.execute(db)
  const marks = rows[0]!.marks
  let next = 0
  return words.map((word) => (isName(word) ? marks[next++]! : []))
}
