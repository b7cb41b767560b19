import { sql } from 'kysely'
import type { Visit } from '../../access/reader.ts'
import { addLogEntry } from '../../log/log.db.ts'
import { transactional, type Trx } from '../../server/database/database.ts'
import { settle, type Edit } from '../../server/edits.ts'
import { change, lockRelease } from '../approval/locked-release.db.ts'
import { NAME_WORDS } from '../release/release-edit.ts'
import { releaseName, type Naming } from '../release/release-name.ts'
import { NAMING } from '../release/release-name.db.ts'

/** Gives a release the office's own name. '', or the name made of its papers, makes it follow them again. */
export const nameRelease = transactional(
  async (
    trx: Trx,
    { actor, reader }: Visit,
    id: number,
    sent: { name: string },
    edit: Edit | null,
  ): Promise<void> => {
    const release = await lockRelease(trx, reader, id, 'name')
    const { rows } = await sql<{ naming: Naming }>`
      select ${NAMING} as naming from releases where id = ${id}`.execute(trx)
    const naming = rows[0]!.naming
    const { name } = settle(edit, NAME_WORDS, sent, { name: releaseName(naming) })
    const given = name === '' || name === releaseName({ ...naming, given: null }) ? null : name
    if (given === naming.given) return
    await change(trx, release, { name: given })
    await addLogEntry(trx, actor, 'release-named', { detail: String(id) })
  },
)
