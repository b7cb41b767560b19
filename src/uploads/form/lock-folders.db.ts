import { sql } from 'kysely'
import type { NewFiles } from '../../files/change/change.db.ts'
import type { Trx } from '../../server/database/database.ts'
import { prepare } from '../../server/database/prepared.ts'
import { conflict } from '../../server/http/errors.ts'
import type { Faults } from '../transport/entry.ts'

type Target = Pick<NewFiles, 'owner'> & { id: number; name: string; isShared: boolean }

type TargetRow = {
  id: number
  name: string
  project_id: number | null
  user_id: number | null
  visible_to_investors: boolean
  /** Counted so that they are locked. */
  owners: number
}

/** Locks folders and then their projects, in the order all code locks them. */
export const lockTargets = prepare<{ ids: number[] }, TargetRow>(
  ({ ids }) => sql`
    with targets as materialized (
      select id, name, project_id, user_id, visible_to_investors from folders
      where id = any (${ids}::bigint[]) order by id for update
    ), owners as materialized (
      select id from projects where id = any (array(select project_id from targets)) order by id for no key update
    )
    select targets.*, (select count(*) from owners) as owners from targets order by id`,
)

/** Locks the folders and then their projects, in the order all code locks them: an added file writes both. */
export async function lockFolders(trx: Trx, placed: Map<string, number>, faults: Faults): Promise<Target[]> {
  const rows = await lockTargets(trx, { ids: [...new Set(placed.values())] })
  const found = new Set(rows.map(({ id }) => id))
  for (const [id, folder] of placed)
    if (!found.has(folder)) faults[`files.${id}.name`] = ['Mappen findes ikke længere.']
  return rows.map(({ id, name, project_id: project, user_id: user, visible_to_investors: isShared }) => ({
    id,
    name,
    owner: project === null ? { user: user! } : { project },
    isShared: isShared && project !== null,
  }))
}

/** Refuses the form if the page did not warn that a folder is shared with investors. */
export function checkSharing(folders: Target[], known: number[]): void {
  const shared = folders.filter(({ id, isShared }) => isShared && !known.includes(id))
  if (shared.length === 0) return
  const names = shared.map(({ name }) => `”${name}”`).join(', ')
  throw Object.assign(
    conflict(`${names} deles nu med investorer. Gem igen, hvis de må se det, du uploader.`),
    { more: { shared: shared.map(({ id }) => id) } },
  )
}
