import { sql, type RawBuilder } from 'kysely'
import type { Trx } from '../../server/database/database.ts'

/**
 * Why only the office sees a paper, whatever the state of its release: it is not read yet, somebody has to approve it,
 * it is not scanned for viruses yet, one was found, or it could not be scanned (somebody has to approve it).
 */
export type HeldCause = 'reading' | 'doubt' | 'scan' | 'virus' | 'unscanned'

/** Why bytes are held although their release is published; null if they are not. */
export const causeOf = (blob: RawBuilder<unknown>): RawBuilder<HeldCause | null> =>
  sql`(select cause from held_papers where held_papers.blob_id = ${blob} order by cause <> 'virus', cause limit 1)`

export type NewHold = {
  blobId: number
  cause: HeldCause
  heldBy: number | null
  /** Kinds of contradictions that the person who saves it has seen. */
  accepted?: readonly string[]
  /** Contradictions between the paper and its place. */
  found?: readonly unknown[]
  /** Whether it was shown before, so that it is not new to anybody. */
  wasShown?: boolean
}

/**
 * Holds papers. The caller adds their files afterwards, in the same transaction, and they are held back whatever the
 * caller says.
 */
export async function holdPapers(trx: Trx, holds: readonly NewHold[]): Promise<void> {
  if (holds.length === 0) return
  await sql`
    insert into held_papers (blob_id, cause, held_by, accepted, found, told_at, was_shown)
    select blob_id, cause, held_by, array(select json_array_elements_text(accepted)), found,
      case when cause = 'doubt' then now() end, was_shown -- whoever saves it sees a doubt at once
    from json_to_recordset(${JSON.stringify(
      holds.map(({ blobId, cause, heldBy, accepted = [], found = null, wasShown = false }) => ({
        blob_id: blobId,
        cause,
        held_by: heldBy,
        accepted,
        found,
        was_shown: wasShown,
      })),
    )}::json) as held (blob_id bigint, cause text, held_by bigint, accepted json, found jsonb, was_shown boolean)`.execute(
    trx,
  )
}

/** Remembers that papers were compared with the folders that they lie in, or go to. */
export async function noteCompared(
  trx: Trx,
  papers: readonly { blobId: number; folderId: number }[],
): Promise<void> {
  if (papers.length === 0) return
  await sql`
    insert into compared_papers (blob_id, project_id, user_id, is_shared)
    select compared.blob_id, folders.project_id, folders.user_id, folders.visible_to_investors
    from json_to_recordset(${JSON.stringify(
      papers.map(({ blobId, folderId }) => ({ blob_id: blobId, folder_id: folderId })),
    )}::json) as compared (blob_id bigint, folder_id bigint)
    join folders on folders.id = compared.folder_id
    on conflict (blob_id) do update
    set project_id = excluded.project_id, user_id = excluded.user_id, is_shared = excluded.is_shared`.execute(
    trx,
  )
}
