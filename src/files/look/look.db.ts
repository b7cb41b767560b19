import { sql } from 'kysely'
import { JOIN_OUTSIDE_READERS } from '../../access/outside-readers.db.ts'
import { isSeenByPerson } from '../../access/queried-reader.db.ts'
import type { FileOwner, Reader } from '../../access/reader.ts'
import { isFileSeen, isOwnedBy } from '../../access/seen.db.ts'
import { listEntries } from '../../log/entries.db.ts'
import { CROSSES_NEW_YEAR } from '../../projects/members.db.ts'
import { may } from '../../rights.ts'
import type { Database } from '../../server/database/database.ts'
import { notFound } from '../../server/http/errors.ts'
import { fileFields, toStoredFile, type FileRow } from '../file/file-fields.db.ts'
import type { FindNotes } from '../file/paper-note.ts'
import { NAMED_READERS, SHOWN_ENTRIES, type LookFacts, type OfficeFacts } from './look.ts'
import { HAS_THUMBNAIL } from './thumbnails.db.ts'

type Row = FileRow & {
  crosses_new_year: boolean | null
  has_thumbnail: boolean
  uploader: string | null
  unread: OfficeFacts['unread']
}

/** Returns the facts about a file for the panel. Throws not-found if the reader does not see it there. */
export async function getLook(
  db: Database,
  reader: Reader,
  owner: FileOwner,
  fileId: number,
  findNotes: FindNotes,
): Promise<LookFacts> {
  const { rows } = await sql<Row>`
    select ${fileFields(reader)}, ${HAS_THUMBNAIL} as has_thumbnail,
      (select ${CROSSES_NEW_YEAR} from projects where projects.id = folders.project_id) as crosses_new_year,
      (select users.name from users where users.id = files.uploaded_by) as uploader,
      (select json_build_object('isFailed', texts.state = 'failed', 'reason', texts.reason) from texts
        where texts.sha256 = blobs.sha256 and texts.reason is not null) as unread
    from files join folders on folders.id = files.folder_id join blobs on blobs.id = files.blob_id
    where files.id = ${fileId} and ${isOwnedBy(owner)} and ${isFileSeen(reader)}`.execute(db)
  if (!rows[0]) throw notFound('Filen findes ikke længere.')
  const { has_thumbnail: hasThumbnail, crosses_new_year: crosses, uploader, unread, ...row } = rows[0]
  const { year: _year, sha256: _sha256, ...file } = toStoredFile(row)
  return {
    file,
    has_thumbnail: hasThumbnail,
    office: may(reader.role, 'seeFileHistory')
      ? {
          uploaded_by: uploader,
          crosses_new_year: crosses ?? false,
          unread,
          notes: (await findNotes(reader, 'files', [fileId]))[fileId] ?? [],
          readers: await listReaders(db, fileId),
          history: await listEntries(db, { file: fileId, limit: SHOWN_ENTRIES }),
        }
      : null,
  }
}

/** Lists who outside the office sees the file, by name. */
async function listReaders(db: Database, fileId: number): Promise<OfficeFacts['readers']> {
  const { rows } = await sql<OfficeFacts['readers']['first'][number] & { total: number }>`
    select users.id, users.name, users.role, count(*) over () as total
    from files join folders on folders.id = files.folder_id ${JOIN_OUTSIDE_READERS}
    where files.id = ${fileId} and ${isSeenByPerson(isFileSeen)}
    order by users.name, users.id limit ${NAMED_READERS}`.execute(db)
  return { total: rows[0]?.total ?? 0, first: rows.map(({ id, name, role }) => ({ id, name, role })) }
}
