import { sql } from 'kysely'
import { folderLenders } from '../../access/lenders.db.ts'
import type { Reader } from '../../access/reader.ts'
import { isFileSeen } from '../../access/seen.db.ts'
import { fileFields, toStoredFile, type FileRow } from '../../files/file/file-fields.db.ts'
import type { Database } from '../../server/database/database.ts'
import type { Look } from '../beside/beside.server.ts'
import { answersOf, type AnswerWords } from '../words/answers.ts'
import { lookThrough, type SeenPage } from './look-through.db.ts'
import { hitsIn, piecesOf, type Answers } from '../words/hits-in.ts'
import type { FileHit, PageHit } from '../answer/results.ts'

type How = {
  answers: AnswerWords[]
  /** One for each part of the question. */
  patterns: string[]
  /** While somebody types, only the first pages of a long document are looked at. */
  depth: 'first-pages' | 'all-pages'
  look: Look
}

const MOST_PAGES = 3
const READ_PAGES = 12

type Row = FileRow & {
  text_id: number | null
  folder_id: number
  folder: string
  project: FileHit['project']
  user: FileHit['user']
  lent_by: string[]
}

/** Describes files that were found, in their order, with the pages that answer best. Asks once more whether the reader sees them. */
export async function describeFiles(
  db: Database,
  reader: Reader,
  ids: number[],
  how: How,
): Promise<FileHit[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Row>`
    select ${fileFields(reader)}, texts.id as text_id, folders.id as folder_id, folders.name as folder,
      case when projects.id is not null
        then jsonb_build_object('id', projects.id, 'number', projects.number, 'name', projects.name) end as project,
      case when users.id is not null then jsonb_build_object('id', users.id, 'name', users.name) end as user,
      ${folderLenders(reader)} as lent_by
    from files join folders on folders.id = files.folder_id join blobs on blobs.id = files.blob_id
    left join projects on projects.id = folders.project_id left join users on users.id = folders.user_id
    left join texts on texts.sha256 = blobs.sha256 and texts.state = 'read'
    where files.id = any (${ids}::bigint[]) and ${isFileSeen(reader)}`.execute(db)
  const pages = await findPages(
    db,
    rows.flatMap(({ text_id: id }) => (id === null ? [] : [id])),
    how,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  const answers = how.answers.map(answersOf)
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [toHit(row, row.text_id === null ? [] : (pages.get(row.text_id) ?? []), answers)] : []
  })
}

function toHit(row: Row, pages: PageHit[], answers: Answers): FileHit {
  const { id, name, path, mime, year, size, created_at, held } = toStoredFile(row)
  return {
    id,
    name,
    namePieces: piecesOf(name, hitsIn(name, answers)),
    path,
    mime,
    year,
    size,
    created_at,
    owner: row.project ? { project: row.project.id } : { user: row.user!.id },
    project: row.project,
    user: row.user,
    folder: { id: row.folder_id, name: row.folder },
    lent_by: row.lent_by,
    held,
    pages,
  }
}

/** Finds the pages of texts that answer most parts of the question, as far as the look goes. */
async function findPages(
  db: Database,
  textIds: number[],
  { answers, patterns, depth, look }: How,
): Promise<Map<number, PageHit[]>> {
  const found = new Map<number, PageHit[]>()
  if (patterns.length === 0) return found
  const best = new Map<number, SeenPage[]>()
  await lookThrough(db, textIds, patterns, look, (id, pages) => {
    const all = [...(best.get(id) ?? []), ...pages.filter(({ matched }) => matched.length > 0)]
    all.sort((a, b) => b.matched.length - a.matched.length || a.page - b.page)
    best.set(id, all.slice(0, READ_PAGES))
    return depth === 'all-pages'
  })
  for (const [id, pages] of best) found.set(id, await inContext(pages, answers, look))
  return found
}

/** Compares the words of the best pages once more. */
async function inContext(pages: SeenPage[], answers: AnswerWords[], look: Look): Promise<PageHit[]> {
  const quotes = await look.quote(pages, answers)
  const most = Math.max(1, ...quotes.map(({ parts }) => parts))
  return quotes
    .flatMap(({ parts, pieces }, index) => (parts === most ? [{ page: pages[index]!.page, pieces }] : []))
    .slice(0, MOST_PAGES)
}
