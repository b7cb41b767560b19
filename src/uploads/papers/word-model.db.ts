import { sql } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFileSeen } from '../../access/seen.db.ts'
import { breather } from '../../server/process/breather.ts'
import { unpackText } from '../../reading/page-texts.db.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { readDirectory } from './directory.db.ts'
import { findNames } from './find-names.ts'
import { fold } from '../../base/folded-words.ts'
import { linesOf } from './paper-lines.ts'
import { modelWords, PERSON, trainModel, type WordModel } from './word-model.ts'

/** The newest papers tell best how the office files today. */
const MOST_PAPERS = 4000
const AT_ONCE = 200
/** Fewer papers tell nothing. */
const LEAST_PAPERS = 30
/**
 * It is rebuilt when this many papers have come, or after a day, so that deleted papers are not remembered for long.
 */
const CHANGED_PAPERS = 25
const CHANGED_SHARE = 0.2
const OLD_HOURS = 24

/** The office files papers, so the model learns from what the office sees. */
const OFFICE: Reader = { id: 0, role: 'employee' }

export async function readModel(db: Database | Trx): Promise<WordModel | null> {
  const { rows } = await sql<{ model: WordModel }>`select model from word_models`.execute(db)
  return rows[0]?.model ?? null
}

/** Learns from the office's own papers, if enough has changed. Returns how many papers it learnt from, or null. */
export async function learnWords(db: Database, signal: AbortSignal): Promise<number | null> {
  if (!(await isLearningDue(db))) return null
  const directory = await readDirectory(db, OFFICE)
  const breathe = breather()
  const papers: { key: string; words: string[] }[] = []
  let newest = 0
  for (let before = Number.MAX_SAFE_INTEGER; papers.length < MOST_PAPERS;) {
    if (signal.aborted) return null
    const rows = await listFiled(db, before)
    for (const { id, folder, text } of rows) {
      await breathe()
      newest = Math.max(newest, id)
      const lines = linesOf([text])
      const words = modelWords(lines, findNames(lines, directory))
      papers.push({ key: folder === null ? PERSON : fold(folder), words })
    }
    if (rows.length < AT_ONCE) break
    before = rows.at(-1)!.id
  }
  if (papers.length < LEAST_PAPERS) {
    await db.deleteFrom('word_models').execute()
    return null
  }
  const model = JSON.stringify(trainModel(papers))
  await db
    .insertInto('word_models')
    .values({ model, newest_file: newest })
    .onConflict((conflict) =>
      conflict.column('is_only').doUpdateSet({ model, newest_file: newest, trained_at: sql<Date>`now()` }),
    )
    .execute()
  return papers.length
}

async function isLearningDue(db: Database): Promise<boolean> {
  const { rows } = await sql<{ papers: number; is_old: boolean; added: number }>`
    select (model ->> 'papers')::integer as papers,
      trained_at < now() - make_interval(hours => ${OLD_HOURS}) as is_old,
      (select count(*) from files where files.id > newest_file) as added
    from word_models`.execute(db)
  const [row] = rows
  return !row || row.is_old || row.added >= Math.max(CHANGED_PAPERS, row.papers * CHANGED_SHARE)
}

const FIRST_LETTERS = 8000

/** Lists filed papers with the first of their pages that has text, the newest first. */
async function listFiled(
  db: Database,
  before: number,
): Promise<{ id: number; folder: string | null; text: string }[]> {
  const { rows } = await sql<{ id: number; folder: string | null; packed: Buffer }>`
    select files.id, case when folders.user_id is null then folders.name end as folder, first.packed
    from files join folders on folders.id = files.folder_id
    join blobs on blobs.id = files.blob_id join texts on texts.sha256 = blobs.sha256
    cross join lateral (
      select packed from page_texts where text_id = texts.id order by page limit 1
    ) as first
    where files.id < ${before} and ${isFileSeen(OFFICE)} and not files.from_investor
    order by files.id desc limit ${AT_ONCE}`.execute(db)
  return rows.map(({ packed, ...row }) => ({ ...row, text: unpackText(packed).slice(0, FIRST_LETTERS) }))
}
