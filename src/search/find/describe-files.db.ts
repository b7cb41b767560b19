import { sql } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFileSeen } from '../../access/seen.db.ts'
import { fileFields, toStoredFile, type FileRow } from '../../files/list/file-fields.db.ts'
import { listPageTexts, readPageTexts, type PageText } from '../../reading/page-texts.db.ts'
import type { Database } from '../../server/database/database.ts'
import { regExpOf } from './pattern.ts'
import { contextOf, hitsIn, piecesOf, type Answers } from './pieces.ts'
import type { FileHit, PageHit } from '../results.ts'

type How = {
  answers: Answers
  /** One for each part of the question. */
  patterns: string[]
  /** While somebody types, only the first pages of a long document are looked at. */
  depth: 'first-pages' | 'all-pages'
}

const MOST_PAGES = 3
/** Of each file at first; while somebody types, of a long one no more. */
const PAGES_AT_ONCE = 50
const READ_PAGES = 12

type Row = FileRow & {
  text_id: number | null
  folder_id: number
  folder: string
  project: FileHit['project']
  user: FileHit['user']
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
      case when users.id is not null then jsonb_build_object('id', users.id, 'name', users.name) end as user
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
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [toHit(row, row.text_id === null ? [] : (pages.get(row.text_id) ?? []), how.answers)] : []
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
    held,
    pages,
  }
}

/** Finds the pages of texts that answer most parts of the question. */
async function findPages(
  db: Database,
  textIds: number[],
  { answers, patterns, depth }: How,
): Promise<Map<number, PageHit[]>> {
  const found = new Map<number, PageHit[]>()
  if (patterns.length === 0) return found
  const expressions = patterns.map(regExpOf)
  const first = await listPageTexts(db, textIds, PAGES_AT_ONCE)
  for (const [id, pages] of first) {
    const best = new BestPages(expressions)
    best.look(pages)
    const isLong = pages.length === PAGES_AT_ONCE && depth === 'all-pages'
    if (isLong) for await (const more of readPageTexts(db, id, { after: pages.at(-1)!.page })) best.look(more)
    found.set(id, best.inContext(answers))
  }
  return found
}

/** The pages of one text that match most patterns. */
class BestPages {
  #patterns: RegExp[]
  #best: (PageText & { matches: number })[] = []

  constructor(patterns: RegExp[]) {
    this.#patterns = patterns
  }

  look(pages: PageText[]): void {
    for (const { page, text } of pages) {
      const matches = this.#patterns.filter((pattern) => pattern.test(text)).length
      if (matches > 0) this.#best.push({ page, text, matches })
    }
    this.#best = this.#best.sort((a, b) => b.matches - a.matches || a.page - b.page).slice(0, READ_PAGES)
  }

  /** Compares their words once more. */
  inContext(answers: Answers): PageHit[] {
    const all = this.#best.map(({ page, text }) => ({ page, ...contextOf(text, answers) }))
    const most = Math.max(1, ...all.map(({ parts }) => parts))
    return all
      .filter(({ parts }) => parts === most)
      .slice(0, MOST_PAGES)
      .map(({ page, pieces }) => ({ page, pieces }))
  }
}
