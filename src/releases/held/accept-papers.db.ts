import { sql } from 'kysely'
import type { Reader, Visit } from '../../access/reader.ts'
import { isFileShown } from '../../access/seen.db.ts'
import type { HeldCause } from '../../files/versions/held.db.ts'
import { addLogEntries } from '../../log/log.db.ts'
import { needsApproval } from '../../office/office.db.ts'
import { transactional, type Trx } from '../../server/database/database.ts'
import { conflict, forbidden } from '../../server/http/errors.ts'
import { clearPapers, lockPapers, type LockedPapers } from './clear-papers.db.ts'
import type { Found } from './held.ts'
import { HELD_PAPERS, SHOWN_AS } from './held-papers.db.ts'

type Accepted = {
  blob_id: number
  cause: HeldCause
  submission_id: number | null
  project_id: number | null
  user_id: number | null
  folder_id: number
  file_id: number
  found: Found[] | null
}

/**
 * Holds papers no longer, although they say something against their places or are not read: somebody in the office says so,
 * and the log has it. All of them, or none.
 */
export const acceptPapers = transactional(
  async (trx: Trx, { actor, reader }: Visit, shown: string[]): Promise<void> => {
    const blobIds = [...new Set(shown.map((paper) => Number(paper.split('-')[0])))]
    const rows = await listShown(trx, reader, blobIds, shown)
    for (const [submission, papers] of Map.groupBy(rows, (paper) => paper.submission_id)) {
      const ids = papers.map((paper) => paper.blob_id)
      const locked = await lockPapers(trx, submission, ids)
      // A paper may have been moved before its folder was locked.
      const still = await listShown(trx, reader, ids, shown)
      if (isOwn(locked, reader.id) && (await needsApproval(trx)))
        throw forbidden('Du har selv uploadet filerne. En kollega skal svare.')
      await addLogEntries(
        trx,
        actor,
        'contradiction-accepted',
        papers.map((paper) => ({
          projectId: paper.project_id,
          userId: paper.user_id,
          folderId: paper.folder_id,
          fileId: paper.file_id,
          detail: paper.found?.map(({ kind }) => kind).join(',') ?? 'reading',
        })),
      )
      // A yes counts for what the page said of a paper, not for what else holds it.
      const said = new Set(still.map(({ blob_id: id, cause }) => `${id} ${cause}`))
      const cleared = locked.papers.filter(({ blob_id: id, cause }) => said.has(`${id} ${cause}`))
      await clearPapers(trx, actor, submission, { ...locked, papers: cleared })
    }
  },
)

/** Lists held papers, and refuses if one of them is not as the page showed it. */
async function listShown(trx: Trx, reader: Reader, blobIds: number[], shown: string[]): Promise<Accepted[]> {
  const { rows } = await sql<Accepted & { shown_as: string }>`
    select held.blob_id, held.cause, held.submission_id, folders.project_id, folders.user_id, held.folder_id, held.file_id, held.found,
      ${SHOWN_AS} as shown_as
    from ${HELD_PAPERS} join files on files.id = held.file_id join folders on folders.id = files.folder_id
    where held.blob_id = any (${blobIds}::bigint[]) and held.cause in ('reading', 'doubt', 'unscanned')
      and ${isFileShown(reader)}
    order by held.submission_id, held.file_id`.execute(trx)
  const found = new Set(rows.map((row) => row.blob_id))
  if (blobIds.some((blobId) => !found.has(blobId)))
    throw conflict('Et af papirerne er ikke holdt tilbage længere. Genindlæs siden.')
  const said = rows.filter((row) => shown.includes(row.shown_as))
  const answered = new Set(said.map((row) => row.blob_id))
  if (blobIds.some((blobId) => !answered.has(blobId)))
    throw conflict('Et af papirerne er siden flyttet, omdøbt eller læst. Genindlæs siden, og se på det igen.')
  return said
}

/** A draft is approved as it is when published; anything else may have been approved without this paper. */
const isOwn = ({ release, papers }: LockedPapers, reader: number) =>
  release?.state !== 'draft' &&
  (release?.made_by === reader || papers.some(({ held_by: by }) => by === reader))
