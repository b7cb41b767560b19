import { sql } from 'kysely'
import { listPageTexts, readPageTexts, type PageText } from '../../reading/page-texts.db.ts'
import type { Database } from '../../server/database/database.ts'
import type { Candidate } from './candidates.db.ts'
import { regExpOf } from './pattern.ts'

const MOST_PHRASE_FILES = 400
const AT_ONCE = 40
const FIRST_PAGES = 50

/** Keeps the files that have the phrases. Looks at the best only: reading every page would take too long. */
export async function keepPhrases(
  db: Database,
  files: Candidate[],
  patterns: string[],
  isMore: boolean,
): Promise<{ files: Candidate[]; isMore: boolean }> {
  const looked = files.slice(0, MOST_PHRASE_FILES)
  const { rows } = await sql<{ id: number; name: string; text_id: number | null }>`
    select files.id, files.name, texts.id as text_id from files join blobs on blobs.id = files.blob_id
    left join texts on texts.sha256 = blobs.sha256 and texts.state = 'read'
    where files.id = any (${looked.map(({ id }) => id)}::bigint[])`.execute(db)
  const phrases = patterns.map(regExpOf)
  const kept = new Set<number>()
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const some = rows.slice(from, from + AT_ONCE)
    const texts = some.flatMap(({ text_id: id }) => (id === null ? [] : [id]))
    const first = await listPageTexts(db, texts, FIRST_PAGES)
    for (const { id, name, text_id: textId } of some) {
      const pages = textId === null ? [] : (first.get(textId) ?? [])
      const missing = missingIn(pages, missingIn([{ text: name }], phrases))
      if (
        missing.length === 0 ||
        (pages.length === FIRST_PAGES && (await hasLater(db, textId!, pages, missing)))
      )
        kept.add(id)
    }
  }
  return { files: looked.filter(({ id }) => kept.has(id)), isMore: isMore || files.length > looked.length }
}

/** Returns the phrases that none of the texts has. */
const missingIn = (texts: { text: string }[], phrases: RegExp[]) =>
  phrases.filter((phrase) => !texts.some(({ text }) => phrase.test(text)))

async function hasLater(
  db: Database,
  textId: number,
  first: PageText[],
  phrases: RegExp[],
): Promise<boolean> {
  let missing = phrases
  for await (const pages of readPageTexts(db, textId, { after: first.at(-1)!.page })) {
    missing = missingIn(pages, missing)
    if (missing.length === 0) return true
  }
  return false
}
