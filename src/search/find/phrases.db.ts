import { sql } from 'kysely'
import type { Database } from '../../server/database/database.ts'
import type { Look } from '../beside/beside.server.ts'
import type { Candidate } from './candidates.db.ts'
import { lookThrough } from './look-through.db.ts'
import { regExpOf } from '../words/pattern.ts'

const MOST_PHRASE_FILES = 400

/** Keeps the files that have the phrases, as far as the look goes. Looks at the best only: every page would take too long. */
export async function keepPhrases(
  db: Database,
  files: Candidate[],
  patterns: string[],
  isMore: boolean,
  look: Look,
): Promise<{ files: Candidate[]; isMore: boolean }> {
  const looked = files.slice(0, MOST_PHRASE_FILES)
  const { rows } = await sql<{ id: number; name: string; text_id: number | null }>`
    select files.id, files.name, texts.id as text_id from files join blobs on blobs.id = files.blob_id
    left join texts on texts.sha256 = blobs.sha256 and texts.state = 'read'
    where files.id = any (${looked.map(({ id }) => id)}::bigint[])`.execute(db)
  const phrases = patterns.map(regExpOf)
  const byId = new Map(
    rows.map(({ id, name, text_id }) => {
      const missing = phrases.flatMap((phrase, index) => (phrase.test(name) ? [] : [index]))
      return [id, { textId: text_id, missing }]
    }),
  )
  // In the order of the candidates: the best first.
  const inOrder = looked.flatMap(({ id }) => byId.get(id) ?? [])
  const texts = inOrder.flatMap(({ textId, missing }) =>
    textId !== null && missing.length > 0 ? [textId] : [],
  )
  const found = new Map<number, Set<number>>()
  await lookThrough(db, texts, patterns, look, (textId, pages) => {
    const has = new Set([...(found.get(textId) ?? []), ...pages.flatMap(({ matched }) => matched)])
    found.set(textId, has)
    return has.size < patterns.length
  })
  const hasAll = ({ textId, missing }: { textId: number | null; missing: number[] }) =>
    missing.every((index) => textId !== null && found.get(textId)?.has(index))
  const kept = looked.filter(({ id }) => byId.has(id) && hasAll(byId.get(id)!))
  return { files: kept, isMore: isMore || files.length > looked.length }
}
