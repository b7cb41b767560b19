import { sql } from 'kysely'
import { JOIN_OUTSIDE_READERS } from '../../access/outside-readers.db.ts'
import { holdPapers, type HeldCause, type NewHold } from '../../files/versions/held.db.ts'
import type { Trx } from '../../server/database/database.ts'
import type { Taken } from '../form/entry.ts'
import type { SavedPaper } from '../papers/check-papers.db.ts'
import { foundOf } from '../papers/judgement.ts'
import { textState, type TextState } from './text-state.db.ts'
import { unreadableText, type UnreadBytes } from './unreadable.ts'

/**
 * Condition on `folders`: what lies there is, or may become, somebody's outside the office: a person's folder, one that is
 * shared, or one that an auditor sees.
 */
export const IS_OPEN = sql<boolean>`(folders.user_id is not null or folders.visible_to_investors
  or exists (select from (select folders.*) as folders ${JOIN_OUTSIDE_READERS}))`

type Row = UnreadBytes & { id: string; state: TextState; is_compared: boolean; is_open: boolean }

/**
 * Holds the papers of a form that are not read yet, and those that no machine can read, unless whoever saves has seen that.
 * The others were compared already. Returns the bytes that are held, and why, and
 * the ids of papers that are shown although nobody can read them.
 */
export async function holdSaved(
  trx: Trx,
  savedBy: number,
  papers: SavedPaper[],
  taken: Taken,
  acknowledged: readonly string[],
): Promise<{ held: Map<number, HeldCause>; accepted: string[] }> {
  const asked = papers.map(({ id, name, hashName, folderId }) => ({
    id,
    name,
    folder_id: folderId,
    blob_id: taken.get(hashName)!.blobId,
  }))
  const { rows } = await sql<Row>`
    select asked.id, asked.name, blobs.type, text_kind(blobs.type, asked.name) as kind, texts.reason,
      ${textState(sql`asked.name`, true)} as state, ${IS_OPEN} as is_open,
      -- Scanned pages come one by one.
      coalesce(paper_facts.pages = (
        select count(*) from page_texts where page_texts.text_id = texts.id), false) as is_compared
    from json_to_recordset(${JSON.stringify(asked)}::json) as asked (id text, name text, folder_id bigint, blob_id bigint)
    join blobs on blobs.id = asked.blob_id join folders on folders.id = asked.folder_id
    left join texts on texts.sha256 = blobs.sha256
    left join paper_facts on paper_facts.text_id = texts.id`.execute(trx)
  const states = new Map(rows.map((row) => [row.id, row]))
  const holds = asked.flatMap(({ id, blob_id: blobId }): NewHold[] => {
    const row = states.get(id)!
    const accepted = acknowledged.flatMap((each) =>
      each.startsWith(`${id}:`) ? each.slice(id.length + 1) : [],
    )
    if (row.state === 'read' && row.is_compared) return []
    if (row.state !== 'unreadable') return [{ blobId, cause: 'reading', heldBy: savedBy, accepted }]
    if (!row.is_open || accepted.includes('unreadable')) return []
    const found = foundOf([{ kind: 'unreadable', reason: unreadableText(row) }])
    return [{ blobId, cause: 'doubt', heldBy: savedBy, found }]
  })
  await holdPapers(trx, holds)
  return {
    held: new Map(holds.map(({ blobId, cause }) => [blobId, cause])),
    accepted: rows
      .filter(({ id, state }) => state === 'unreadable' && acknowledged.includes(`${id}:unreadable`))
      .map(({ id }) => id),
  }
}
