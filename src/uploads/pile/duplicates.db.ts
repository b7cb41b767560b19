import type { Reader } from '../../access/reader.ts'
import { isFileShown, isFolderSeen } from '../../access/seen.db.ts'
import { isOffice } from '../../rights.ts'
import { sql } from 'kysely'
import type { Database } from '../../server/database/database.ts'
import type { Duplicate } from './duplicate.ts'

/** A file that is being uploaded, and where it goes. */
type Candidate = {
  id: string
  name: string
  folder_id?: number | undefined
  user_id?: number | undefined
  /** The `hash_name` of its bytes, once they are on the server. */
  data?: string | undefined
}

/**
 * Finds files in each candidate's folder with the same name or the same bytes. Ignores what others have sent and not saved. The
 * office can replace the only file with the same name, if others see it and no investor has sent it.
 */
export async function findDuplicates(
  db: Database,
  sender: Reader,
  candidates: Candidate[],
): Promise<Record<string, Duplicate>> {
  const { rows } = await sql<Duplicate & { id: string }>`
    with asked as (
      select asked.id, asked.name, folders.id as folder_id, blobs.sha256
      from json_to_recordset(${JSON.stringify(candidates)}::json)
        as asked (id text, name text, folder_id bigint, user_id bigint, data text)
      left join folders on (folders.id = asked.folder_id or folders.user_id = asked.user_id) and ${isFolderSeen(sender)}
      left join temporary_files on temporary_files.hash_name = asked.data and temporary_files.user_id = ${sender.id}
      left join blobs on blobs.id = temporary_files.blob_id and blobs.state = 'stored'
    )
    select asked.id, asked.sha256,
      exists (
        select from files
        where files.folder_id = asked.folder_id and files.name collate "C" = asked.name and ${isFileShown(sender)}
      ) as same_name,
      case when ${isOffice(sender.role)}::boolean then (
        select min(files.id) from files
        where files.folder_id = asked.folder_id and files.name collate "C" = asked.name and ${isFileShown(sender)}
        having count(*) = 1 and bool_and(not files.is_held_back and not files.from_investor)
      ) end as replaces,
      (
        select files.name from blobs join files on files.blob_id = blobs.id
        where blobs.sha256 = asked.sha256 and blobs.state = 'stored'
          and files.folder_id = asked.folder_id and ${isFileShown(sender)}
        order by files.name collate "C" <> asked.name, files.position limit 1
      ) as same_bytes
    from asked`.execute(db)
  return Object.fromEntries(rows.map(({ id, ...found }) => [id, found]))
}
