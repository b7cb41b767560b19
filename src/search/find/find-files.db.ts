import type { Reader } from '../../access/reader.ts'
import { isOffice } from '../../rights.ts'
import type { Database } from '../../server/database/database.ts'
import { Look } from '../beside/beside.server.ts'
import {
  FILES_A_PAGE,
  MOST_FOUND,
  type FileHit,
  type Question,
  type SearchAnswer,
} from '../answer/results.ts'
import { NO_FILTERS, type Candidate, type Filters } from './candidates.db.ts'
import { countFacets, countUnread } from './counts.db.ts'
import { describeFiles } from './describe-files.db.ts'
import { findByWords, openScope, type FoundFiles } from './find-by-words.db.ts'
import { findMended } from './mend.db.ts'
import { answerWordsOf, findParts, type Part } from './parts.db.ts'
import { parseQuestion, type Unit } from './question.ts'
import { findUnindexed } from './unindexed.db.ts'

type Found = FoundFiles & { parts: Part[]; corrected: string | null }

/** Finds files by the words in their names and texts: only those that the reader sees. */
export async function findFiles(
  db: Database,
  reader: Reader,
  question: Question,
  timeZone: string,
  look = new Look(),
): Promise<SearchAnswer> {
  const { q, page, ...asked } = question
  // Only the office sees who sent a file.
  const filters = { ...asked, by: isOffice(reader.role) ? asked.by : null, timeZone }
  const { files, isMore, parts, corrected } = await findAll(db, reader, q, filters, 'whole', look)
  const shown = files.slice((page - 1) * FILES_A_PAGE, page * FILES_A_PAGE)
  const [hits, unread, facets] = await Promise.all([
    describe(db, reader, shown, parts, 'all-pages', look),
    countUnread(db, reader),
    countFacets(db, files),
  ])
  return { files: hits, total: files.length, isMore, isCut: look.isCut, unread, corrected, facets }
}

/** Finds a few files while somebody types: the last word may be only begun. */
export async function findFewFiles(
  db: Database,
  reader: Reader,
  q: string,
  most: number,
  look = new Look({ kind: 'box' }),
): Promise<Pick<SearchAnswer, 'files' | 'isMore' | 'isCut' | 'corrected'>> {
  const { files, isMore, parts, corrected } = await findAll(db, reader, q, NO_FILTERS, 'begun', look)
  const hits = await describe(db, reader, files.slice(0, most), parts, 'first-pages', look)
  return { files: hits, isMore: isMore || files.length > most, isCut: look.isCut, corrected }
}

/** A few of these are shown. */
const MOST_WHILE_TYPING = 60

async function findAll(
  db: Database,
  reader: Reader,
  q: string,
  filters: Filters,
  state: 'whole' | 'begun',
  look: Look,
): Promise<Found> {
  const scope = await openScope(db, reader, filters, state === 'begun' ? MOST_WHILE_TYPING : MOST_FOUND)
  const isBegun = state === 'begun' && /[\p{L}\p{N}]$/u.test(q)
  const ask = async (units: Unit[]) => {
    look.signal?.throwIfAborted()
    // First: a file whose words are written down in this moment is found here or by them.
    const unindexed = await findUnindexed(db, reader, units, filters)
    const parts = await findParts(db, reader, units, isBegun)
    return { ...(await findByWords(db, scope, parts, look, unindexed)), parts, corrected: null }
  }
  const units = parseQuestion(q)
  const found = await ask(units)
  if (found.files.length > 0) return found
  const apart = units.flatMap(inGroups)
  if (apart.length > units.length) {
    const again = await ask(apart)
    if (again.files.length > 0) return again
  }
  return (await findMended(db, scope, found.parts, look)) ?? found
}

/** Digits in groups may be several numbers: `2024 123` */
function inGroups(unit: Unit): Unit[] {
  if (unit.kind !== 'number' || unit.parts.length < 2) return [unit]
  return unit.parts.map((term) => ({ kind: 'number', term, text: term, parts: [] }))
}

async function describe(
  db: Database,
  reader: Reader,
  files: Candidate[],
  parts: Part[],
  depth: 'first-pages' | 'all-pages',
  look: Look,
): Promise<FileHit[]> {
  const patterns = parts
    .filter(({ words, compounds }) => words.length + compounds.length > 0)
    .map(({ pattern }) => pattern)
  return describeFiles(
    db,
    reader,
    files.map(({ id }) => id),
    { answers: parts.map(answerWordsOf), patterns: [...new Set(patterns)], depth, look },
  )
}
