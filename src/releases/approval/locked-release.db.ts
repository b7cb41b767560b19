import { sql, type RawBuilder, type UpdateObject } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { filesOf } from '../../files/versions/shown.db.ts'
import type { Act } from '../../log/words/act.ts'
import type { Actor } from '../../log/log.db.ts'
import type { Trx } from '../../server/database/database.ts'
import type { Tables } from '../../server/database/tables.ts'
import { conflict, forbidden, notFound } from '../../server/http/errors.ts'
import { judgeRelease } from './approval.db.ts'
import { enterGate } from './enter-gate.db.ts'
import { findObstacle, type Obstacle, type Verdict } from './approval.ts'
import { STATE_NAMES, type ReleaseAct, type ReleaseState } from '../release/release.ts'

export type LockedRelease = {
  id: number
  submission_id: number
  made_by: number
  state: ReleaseState
  publish_at: Date | null
  planned_by: number | null
  announced_at: Date | null
  asked_at: Date | null
  asked_by: number | null
  /** What publishing by the person who has locked it means. */
  verdict: Verdict
}

/** Locks a release, and refuses an act that its state does not allow, or not to this person. */
export async function lockRelease(
  trx: Trx,
  reader: Reader,
  id: number,
  act: ReleaseAct,
): Promise<LockedRelease> {
  await enterGate(trx)
  const { rows } = await sql<Omit<LockedRelease, 'verdict'>>`
    select id, submission_id, made_by, state, publish_at, planned_by, announced_at, asked_at, asked_by
    from releases where id = ${id} for no key update`.execute(trx)
  const [release] = rows
  if (!release) throw notFound(NO_RELEASE)
  const verdict = await judgeRelease(trx, release, reader)
  const obstacle = findObstacle(act, {
    state: release.state,
    verdict,
    isAsker: (release.asked_by ?? release.made_by) === reader.id,
    hasTime: release.publish_at !== null,
  })
  if (obstacle) throw refusalOf(obstacle, release.state)
  return { ...release, verdict }
}

function refusalOf(obstacle: Obstacle, state: ReleaseState): Error {
  if (obstacle === 'own') return forbidden('Du har selv bedt om godkendelse. En kollega skal svare.')
  if (obstacle === 'state')
    return conflict(`Det kan ikke gøres nu: Udsendelsen er ${STATE_WORDS[state]}. Genindlæs siden.`)
  return conflict(
    {
      waiting: 'Udsendelsen venter på godkendelse. Godkend eller afvis den først.',
      asked: 'Udsendelsen venter allerede på godkendelse.',
    }[obstacle],
  )
}

export const NO_RELEASE = 'Udsendelsen findes ikke.'

const STATE_WORDS: Record<ReleaseState, string> = {
  draft: 'en kladde',
  planned: 'planlagt',
  waiting: 'ikke godkendt endnu',
  published: STATE_NAMES.published.toLowerCase(),
  recalled: STATE_NAMES.recalled.toLowerCase(),
}

export type Values = UpdateObject<Tables, 'releases'>

export async function change(trx: Trx, { id }: Pick<LockedRelease, 'id'>, values: Values): Promise<void> {
  await trx.updateTable('releases').set(values).where('id', '=', id).execute()
}

type FileChange = {
  set: RawBuilder<unknown>
  act: Act
  actor: Actor
  /** Leaves files in the trash unchanged. */
  isLiveOnly?: boolean
  /** Leaves other files unchanged. */
  only?: RawBuilder<unknown>
}

/** Changes all files of a release, also those in the trash, and logs it for each. First locks their folders. */
export async function changeFiles(
  trx: Trx,
  release: Pick<LockedRelease, 'submission_id'>,
  { set, act, actor, isLiveOnly = false, only = sql`true` }: FileChange,
): Promise<void> {
  const submission = release.submission_id
  await lockFolders(trx, release)
  await sql`
    with changed as (
      update files set ${set}
      where submission_id = ${submission} and ${only} ${isLiveOnly ? sql`and deleted_at is null` : sql``}
      returning id, folder_id, version
    )
    insert into log (act, user_id, token_id, address, subject_user_id, project_id, folder_id, file_id, detail)
    select ${act}, ${actor.userId}::bigint, ${actor.tokenId ?? null}::bigint, ${actor.address}::inet, folders.user_id,
      folders.project_id, folders.id, changed.id, case when changed.version > 1 then changed.version::text end
    from changed join folders on folders.id = changed.folder_id order by changed.id`.execute(trx)
}

/** Lists the files of a release, with those that it has only a version of. */
export async function listReleaseFiles(trx: Trx, id: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct files.id from releases, ${filesOf(sql`releases.submission_id`)} where releases.id = ${id}`.execute(
    trx,
  )
  return rows.map((row) => row.id)
}

/**
 * Locks the folders and projects of a release's files, in the order all code locks them, with those of files that it has
 * only a version of.
 */
export async function lockFolders(
  trx: Trx,
  { submission_id: submission }: Pick<LockedRelease, 'submission_id'>,
): Promise<void> {
  const folders = await listFolders(trx, submission)
  await sql`
    with targets as materialized (
      select id, project_id from folders where id = any (${folders}) order by id for update
    ), owners as materialized (
      select id from projects where id = any (array(select project_id from targets)) order by id for no key update
    )
    select (select count(*) from owners)`.execute(trx)
  // Locking one more now could cause a deadlock.
  if ((await listFolders(trx, submission)).some((id) => !folders.includes(id)))
    throw conflict('En af filerne bliver flyttet lige nu. Prøv igen.')
}

async function listFolders(trx: Trx, submission: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct folder_id as id from ${filesOf(submission)}`.execute(trx)
  return rows.map(({ id }) => id)
}
