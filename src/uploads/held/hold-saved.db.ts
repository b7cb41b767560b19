import { sql } from 'kysely'
import { IS_OPEN } from '../../access/outside-readers.db.ts'
import { holdPapers, noteCompared, type HeldCause, type NewHold } from '../../files/versions/held.db.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import type { Taken } from '../transport/entry.ts'
import type { CheckedPapers, SavedPaper } from '../papers/check-papers.db.ts'
import { foundOf } from '../papers/judgement.ts'
import type { Unshown } from './unshown.ts'
import { READS_ALL, textState, type TextState } from './text-state.db.ts'
import { unreadableText, type UnreadBytes } from '../papers/unreadable.ts'

type Row = UnreadBytes & { id: string; state: TextState; pages: number; is_open: boolean }

type Saving = {
  /** The contradictions that the uploader has acknowledged: '3:year'. */
  acknowledged: readonly string[]
  /** The papers that were compared already; null for those that need no comparing. */
  checked: CheckedPapers | null
  /** Whether papers are read here, and whether they are scanned for viruses. */
  isRead: boolean
  isScanned: boolean
}

type Held = {
  /** The bytes that are held, and why. */
  held: Map<number, HeldCause>
  /** Which kinds of contradictions were found and acknowledged, by the form's id of the paper. */
  accepted: CheckedPapers['accepted']
}

/**
 * Holds the papers of a form that were not compared with their places, and unreadable ones, unless the uploader has
 * acknowledged that.
 */
export async function holdSaved(
  trx: Trx,
  savedBy: number,
  papers: SavedPaper[],
  taken: Taken,
  { acknowledged, checked, isRead, isScanned }: Saving,
): Promise<Held> {
  const asked = papers.map(({ id, name, hashName, folderId }) => ({
    id,
    name,
    folder_id: folderId,
    blob_id: taken.get(hashName)!.blobId,
  }))
  const accepted: Held['accepted'] = new Map(checked?.accepted)
  const holds: NewHold[] = []
  const states = isRead && checked ? await listStates(trx, asked) : new Map<string, Row>()
  for (const { id, hashName, sha256 } of papers) {
    const row = states.get(id)
    if (!row) continue
    const verdict = verdictOf(row, checked?.compared.get(sha256))
    const hold = { blobId: taken.get(hashName)!.blobId, heldBy: savedBy }
    const seen = accepted.get(id) ?? []
    if (verdict === 'unread') holds.push({ ...hold, cause: 'reading', accepted: seen })
    if (verdict !== 'unreadable') continue
    if (acknowledged.includes(`${id}:unreadable`)) accepted.set(id, [...seen, 'unreadable'])
    else {
      const found = foundOf([{ kind: 'unreadable', reason: unreadableText(row) }])
      holds.push({ ...hold, cause: 'doubt', found })
    }
  }
  const scans = (isScanned && checked ? asked : []).map(({ blob_id: blobId }): NewHold => ({
    blobId,
    cause: 'scan',
    heldBy: savedBy,
  }))
  await holdPapers(trx, [...holds, ...scans])
  const read = new Set(holds.map(({ blobId }) => blobId))
  const free = asked.filter(({ blob_id: blobId }) => !read.has(blobId))
  if (isRead)
    await noteCompared(
      trx,
      free.map(({ blob_id: blobId, folder_id: folderId }) => ({ blobId, folderId })),
    )
  return { held: new Map([...scans, ...holds].map(({ blobId, cause }) => [blobId, cause])), accepted }
}

/**
 * Holds what an investor sends until it is scanned. The log says that it was added, and showing it is news to nobody: it is the
 * investor's own.
 */
export async function holdSent(trx: Trx, sentBy: number, papers: SavedPaper[], taken: Taken): Promise<void> {
  const blobIds = papers.map(({ hashName }) => taken.get(hashName)!.blobId)
  await holdPapers(
    trx,
    blobIds.map((blobId) => ({ blobId, cause: 'scan', heldBy: sentBy, wasShown: true })),
  )
  await sql`update files set is_held_back = true where blob_id = any (${blobIds}::bigint[])`.execute(trx)
}

/** Counts what an investor sent and does not see. */
export async function countUnshown(db: Database, sender: number): Promise<Unshown> {
  const { rows } = await sql<Unshown>`
    select count(*) filter (where held_papers.cause in ('scan', 'unscanned'))::integer as scanning,
      count(*) filter (where held_papers.cause = 'virus')::integer as found
    from folders join files on files.folder_id = folders.id join held_papers on held_papers.blob_id = files.blob_id
    where folders.user_id = ${sender} and files.from_investor and files.uploaded_by = ${sender}
      and files.is_held_back and files.deleted_at is null`.execute(db)
  return rows[0]!
}

/** Facts that came since papers were compared were compared with nothing, and scanned pages come one by one. */
function verdictOf(row: Row, comparedPages: number | undefined): 'compared' | 'unread' | 'unreadable' {
  if (row.state === 'unreadable') return row.is_open ? 'unreadable' : 'compared'
  return row.state === 'read' && comparedPages === row.pages ? 'compared' : 'unread'
}

type Asked = { id: string; name: string; folder_id: number; blob_id: number }

async function listStates(trx: Trx, asked: Asked[]): Promise<Map<string, Row>> {
  const { rows } = await sql<Row>`
    select asked.id, asked.name, blobs.type, text_kind(blobs.type, asked.name) as kind, texts.reason,
      texts.is_scan_failed is true as is_scan_failed,
      ${textState(sql`asked.name`, READS_ALL)} as state, ${IS_OPEN} as is_open,
      (select count(*)::integer from page_texts where page_texts.text_id = texts.id) as pages
    from json_to_recordset(${JSON.stringify(asked)}::json) as asked (id text, name text, folder_id bigint, blob_id bigint)
    join blobs on blobs.id = asked.blob_id join folders on folders.id = asked.folder_id
    left join texts on texts.sha256 = blobs.sha256`.execute(trx)
  return new Map(rows.map((row) => [row.id, row]))
}
