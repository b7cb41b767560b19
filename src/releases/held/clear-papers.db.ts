import { sql } from 'kysely'
import { IS_OPEN, GETS_MAILS_ABOUT, JOIN_OUTSIDE_READERS } from '../../access/outside-readers.db.ts'
import { isPaperHeld } from '../../access/sight.db.ts'
import { noteCompared, type HeldCause } from '../../files/versions/held.db.ts'
import { logVersions, releaseVersions } from '../../files/versions/shown.db.ts'
import type { Actor } from '../../log/log.db.ts'
import type { Trx } from '../../server/database/database.ts'
import { askForMoreMails } from '../mailings/mailings.db.ts'
import { HELD_PAPERS } from './held-papers.db.ts'
import type { ReleaseState } from '../release/release.ts'

/** A paper that is held, with the file that it is, or will be a version of. */
type HeldPaper = {
  blob_id: number
  cause: HeldCause
  held_by: number | null
  file_id: number
  folder_id: number
  name: string
  is_version: boolean
  /** Whether investors see its folder, and whether anybody outside the office may. */
  is_shared: boolean
  is_open: boolean
  /** It was shown before it was moved or restored, so showing it again is not news. */
  was_shown: boolean
}

export type LockedPapers = {
  papers: HeldPaper[]
  /** The release that they came with; null for what came from a directory. */
  release: { id: number; state: ReleaseState; made_by: number; announced_at: Date | null } | null
}

/** Locks the release of held papers, then their folders and projects, as all code does, then the papers. */
export async function lockPapers(
  trx: Trx,
  submission: number | null,
  blobIds: number[],
): Promise<LockedPapers> {
  const { rows: releases } = await sql<NonNullable<LockedPapers['release']>>`
    select id, state, made_by, announced_at from releases
    where submission_id = ${submission}::bigint for no key update`.execute(trx)
  await sql`
    with targets as materialized (
      select id, project_id from folders where id in (
        select folder_id from ${HELD_PAPERS} where held.blob_id = any (${blobIds}::bigint[])) order by id for update
    ), owners as materialized (
      select id from projects where id = any (array(select project_id from targets)) order by id for no key update
    )
    select (select count(*) from owners)`.execute(trx)
  await sql`
    select from held_papers where blob_id = any (${blobIds}::bigint[]) order by blob_id for update`.execute(
    trx,
  )
  const { rows: papers } = await sql<HeldPaper>`
    select blob_id, cause, held_by, file_id, folder_id, held.name, is_version, was_shown,
      folders.visible_to_investors as is_shared, ${IS_OPEN} as is_open
    from ${HELD_PAPERS} join folders on folders.id = held.folder_id
    where held.blob_id = any (${blobIds}::bigint[]) and held.submission_id is not distinct from ${submission}::bigint
    order by file_id`.execute(trx)
  return { papers, release: releases[0] ?? null }
}

/**
 * Holds papers no longer for the causes named, and shows them with everything that publishing does, if their release is published. The caller has
 * locked them.
 */
export async function clearPapers(
  trx: Trx,
  actor: Actor,
  submission: number | null,
  { papers, release }: LockedPapers,
): Promise<void> {
  const blobIds = papers.map(({ blob_id: id }) => id)
  if (blobIds.length === 0) return
  await sql`
    delete from held_papers using unnest(${blobIds}::bigint[], ${papers.map(({ cause }) => cause)}::text[]) as cleared (id, why)
    where blob_id = id and cause = why collate "C"`.execute(trx)
  await noteCompared(
    trx,
    papers
      .filter(({ cause }) => cause === 'reading' || cause === 'doubt')
      .map(({ blob_id: blobId, folder_id: folderId }) => ({ blobId, folderId })),
  )
  if (release && release.state !== 'published') return
  const again = papers.filter((paper) => paper.was_shown).map((paper) => paper.blob_id)
  await sql`
    update files set is_held_back = false
    where blob_id = any (${again}::bigint[]) and is_held_back and not ${isPaperHeld(sql`files.blob_id`)}`.execute(
    trx,
  )
  // Files from a directory are as old as they were there, and not new to anybody.
  const times = release ? sql`, shown_at = now(), released_at = now()` : sql``
  await sql`
    with changed as (
      update files set is_held_back = false ${times}
      where blob_id = any (${blobIds}::bigint[]) and is_held_back and not ${isPaperHeld(sql`files.blob_id`)}
      returning id, folder_id, version
    )
    insert into log (act, user_id, token_id, address, subject_user_id, project_id, folder_id, file_id, detail)
    select 'file-published', ${actor.userId}::bigint, ${actor.tokenId ?? null}::bigint, ${actor.address}::inet,
      folders.user_id, folders.project_id, folders.id, changed.id,
      case when changed.version > 1 then changed.version::text end
    from changed join folders on folders.id = changed.folder_id order by changed.id`.execute(trx)
  if (submission !== null && papers.some(({ is_version: isVersion }) => isVersion)) {
    const detail = sql`coalesce(file_versions.number::text, 'new')`
    await logVersions(trx, actor, 'file-published', submission, detail)
    await releaseVersions(trx, submission)
  }
  const fresh = papers.filter((paper) => !paper.was_shown).map((paper) => paper.blob_id)
  if (release?.announced_at && fresh.length > 0) await tellAgain(trx, actor, release, fresh)
}

/** The rest of the release is mailed already: readers of these papers get another mail, which can be undone. */
async function tellAgain(
  trx: Trx,
  actor: Actor,
  { id, made_by: maker }: NonNullable<LockedPapers['release']>,
  blobIds: number[],
): Promise<void> {
  const { rows } = await sql<{ user_id: number; outcome: string }>`
    insert into release_people (release_id, user_id, outcome)
    select ${id}::bigint, users.id, case when bool_or(${GETS_MAILS_ABOUT}) then 'nothing' else 'declined' end
    from folders ${JOIN_OUTSIDE_READERS}
    where folders.id in (
      select folder_id from files
      where blob_id = any (${blobIds}::bigint[]) and deleted_at is null and not is_held_back)
    group by users.id
    on conflict (release_id, user_id) do update set outcome = excluded.outcome, mail_id = null, reason = null,
      is_reminder = false
    returning user_id, outcome`.execute(trx)
  const people = rows.filter(({ outcome }) => outcome === 'nothing').map((row) => row.user_id)
  const reader = { id: actor.userId ?? maker, role: 'employee' as const }
  if (people.length > 0) await askForMoreMails(trx, { actor, reader }, 'again', { release: id }, people)
}
