import { sql } from 'kysely'
import { READERS_OF_OWN } from '../../access/outside-readers.db.ts'
import type { FileOwner, Reader } from '../../access/reader.ts'
import { isFileSeen, isFolderOf } from '../../access/seen.db.ts'
import { HELD } from '../../files/file/file-fields.db.ts'
import type { HeldState } from '../../files/file/stored-file.ts'
import { isAudited } from '../../projects/members.db.ts'
import type { Database } from '../../server/database/database.ts'
import { conflict, notFound } from '../../server/http/errors.ts'
import { obstacleOf } from '../form/replaced.db.ts'
import type { Target } from '../pile/pile.ts'

/** A file that can be replaced, and where it is. */
type ReplaceableFile = {
  id: number
  name: string
  held: HeldState | null
  target: Target
  folderId: number
}

/** Finds a file to replace. Throws if the reader does not see it, or if it cannot be replaced now. */
export async function getReplaceable(
  db: Database,
  reader: Reader,
  owner: FileOwner,
  id: number,
): Promise<ReplaceableFile> {
  const { rows } = await sql<
    Omit<ReplaceableFile, 'folderId'> & { folder_id: number; from_investor: boolean }
  >`
    select files.id, files.name, files.folder_id, files.from_investor,
      ${HELD} as held,
      case when users.id is not null
        then json_build_object('user', json_build_object('id', users.id, 'name', users.name,
          'readers', ${READERS_OF_OWN}))
        else json_build_object(
          'folder', json_build_object('id', folders.id, 'name', folders.name,
            'visible_to_investors', folders.visible_to_investors),
          'project', json_build_object('id', projects.id, 'number', projects.number, 'name', projects.name,
            'has_auditor', ${isAudited(sql`projects.id`)})) end as target
    from files join folders on folders.id = files.folder_id
    left join projects on projects.id = folders.project_id
    left join users on users.id = folders.user_id
    where files.id = ${id} and ${isFolderOf(owner, reader)} and ${isFileSeen(reader)}`.execute(db)
  const [row] = rows
  if (!row) throw notFound('Filen findes ikke.')
  const obstacle = obstacleOf(row, 'this-file')
  if (obstacle !== null) throw conflict(obstacle)
  const { folder_id: folderId, from_investor: _sent, ...file } = row
  return { ...file, folderId }
}
