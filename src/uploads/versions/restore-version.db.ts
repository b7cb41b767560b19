import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { FileOwner, Visit } from '../../access/reader.ts'
import { changingFiles } from '../../files/change/lock.db.ts'
import { ownerLogFields } from '../../files/file/owner.db.ts'
import { HELD } from '../../files/file/file-fields.db.ts'
import type { HeldState } from '../../files/file/stored-file.ts'
import { releaseVersions, showInstead } from '../../files/versions/shown.db.ts'
import { lockVersion } from '../../files/versions/versions.db.ts'
import { addLogEntry } from '../../log/log.db.ts'
import { judgeUpload } from '../../releases/approval/approval.db.ts'
import { enterGate } from '../../releases/approval/enter-gate.db.ts'
import { addRelease, addWaitingRelease } from '../../releases/steps/releases.db.ts'
import type { Trx } from '../../server/database/database.ts'
import { conflict } from '../../server/http/errors.ts'
import type { Jobs } from '../../server/work/jobs.ts'
import { urls } from '../../urls.ts'
import { obstacleOf } from '../form/replaced.db.ts'

/**
 * Makes an older version the newest. Its bytes get a new number, and the bytes shown before become an older version:
 * nothing is copied. People are mailed as about any new version, and a colleague approves it where that is on.
 */
export const restoreVersion = changingFiles(
  async (trx: Trx, jobs: Jobs, { actor, reader }: Visit, owner: FileOwner, id: number): Promise<number> => {
    await enterGate(trx)
    const { file, version } = await lockVersion(trx, reader, owner, id)
    if (version.is_held_back && version.submission_id !== null)
      throw conflict('Versionens udsendelse er ikke udgivet. Udgiv den derfra.')
    const { rows } = await sql<{ held: HeldState | null; from_investor: boolean }>`
      select from_investor, ${HELD} as held
      from files where id = ${file.id}`.execute(trx)
    const { held, from_investor: isSent } = rows[0]!
    const obstacle = obstacleOf({ held, from_investor: isSent }, 'this-file')
    if (obstacle !== null) throw conflict(obstacle)
    await addLogEntry(trx, actor, 'version-restored', {
      ...ownerLogFields(owner),
      folderId: file.folder_id,
      fileId: file.id,
      detail: version.number === null ? 'new' : String(version.number),
    })
    if (held === 'draft') {
      await sql`
        with numbered as (
          update files set last_version = last_version + 1 where id = ${file.id} returning last_version, version_at
        )
        update file_versions set number = last_version, version_at = numbered.version_at, is_held_back = true
        from numbered where file_versions.id = ${version.id}`.execute(trx)
      await showInstead(trx, file.id, version.id)
      return file.id
    }
    const submission = await addSubmission(trx, reader.id, urls.fileHistory(file.id))
    await sql`
      update file_versions set submission_id = ${submission}, number = null, is_held_back = true, added_at = now(),
        version_at = 'infinity', version_by = ${reader.id}
      where id = ${version.id}`.execute(trx)
    if ((await judgeUpload(trx, [file.folder_id])) === 'asked')
      await addWaitingRelease(trx, jobs, actor, reader.id, submission, null)
    else {
      await releaseVersions(trx, submission)
      await addRelease(trx, reader.id, submission, { way: 'now' })
    }
    return file.id
  },
)

/** Adds a submission that no form has sent, for the release. */
async function addSubmission(trx: Trx, user: number, form: string): Promise<number> {
  const key = randomUUID()
  const { id } = await trx
    .insertInto('submissions')
    .values({ user_id: user, key, content: key, form })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
