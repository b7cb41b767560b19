import { sql } from 'kysely'
import type { Visit } from '../../access/reader.ts'
import { dropVersions, holdVersions } from '../../files/versions/shown.db.ts'
import { transactional, type Trx } from '../../server/database/database.ts'
import { conflict } from '../../server/http/errors.ts'
import {
  change,
  changeFiles,
  lockFolders,
  lockRelease,
  type LockedRelease,
} from '../approval/locked-release.db.ts'
import { DRAFT } from './releases.db.ts'

/** Moves all files of a release that nobody has seen to the trash. */
export const discardRelease = transactional(async (trx: Trx, visit: Visit, id: number): Promise<void> => {
  const release = await lockRelease(trx, visit.reader, id, 'discard')
  await moveToTrash(trx, visit, release)
  await dropVersions(trx, visit.actor, release.submission_id)
  await change(trx, release, DRAFT)
})

/** Moves all files of a release to the trash, before anybody was mailed about it. */
export const regretRelease = transactional(async (trx: Trx, visit: Visit, id: number): Promise<void> => {
  const release = await lockRelease(trx, visit.reader, id, 'regret')
  if (release.announced_at)
    throw conflict('Der er allerede sendt besked om filerne. Træk dem tilbage i stedet.')
  await lockFolders(trx, release)
  await sql`update files set is_held_back = true where submission_id = ${release.submission_id}`.execute(trx)
  // Files that it has replaced show their old version; the others are deleted.
  await holdVersions(trx, release.submission_id)
  await dropVersions(trx, visit.actor, release.submission_id)
  await moveToTrash(trx, visit, release)
  await change(trx, release, { ...DRAFT, published_at: null, published_by: null, reached: null })
})

const moveToTrash = (trx: Trx, { actor, reader }: Visit, release: LockedRelease) =>
  changeFiles(trx, release, {
    set: sql`deleted_at = now(), deleted_by = ${reader.id}`,
    act: 'file-deleted',
    actor,
    isLiveOnly: true,
  })
