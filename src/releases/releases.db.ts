import { sql, type Generated, type RawBuilder, type UpdateObject } from 'kysely'
import type { Visit } from '../access/reader.ts'
import type { Act } from '../log/act.ts'
import { addLogEntry, type Actor } from '../log/log.db.ts'
import { transactional, type Database, type Tables, type Trx } from '../server/database/database.ts'
import { conflict, notFound } from '../server/http/errors.ts'
import { countReached } from './reach.db.ts'
import { remindPeople, stopRecallMails, waitAgain } from './tell-people.db.ts'
import {
  isPossible,
  STATE_NAMES,
  type Publishing,
  type ReleaseAct,
  type ReleaseMail,
  type ReleaseState,
} from './release.ts'

declare module '../server/database/database.ts' {
  interface Tables {
    releases: {
      id: Generated<number>
      submission_id: number
      made_by: number
      made_at: Generated<Date>
      state: ReleaseState
      publish_at: Date | null
      planned_by: number | null
      published_at: Date | null
      published_by: number | null
      reached: number | null
      recalled_at: Generated<Date | null>
      recalled_by: Generated<number | null>
      announced_at: Generated<Date | null>
      message: Generated<string>
      is_for_everybody: Generated<boolean>
    }
  }
}

/** Adds the release of a form that has just been stored, in the same transaction. */
export async function addRelease(
  trx: Trx,
  madeBy: number,
  submissionId: number,
  publishing: Publishing,
): Promise<void> {
  const isNow = publishing.way === 'now'
  await trx
    .insertInto('releases')
    .values({
      submission_id: submissionId,
      made_by: madeBy,
      state: ({ now: 'published', draft: 'draft', later: 'planned' } as const)[publishing.way],
      publish_at: publishing.way === 'later' ? publishing.at : null,
      planned_by: publishing.way === 'later' ? madeBy : null,
      published_at: isNow ? sql<Date>`now()` : null,
      published_by: isNow ? madeBy : null,
      reached: isNow ? await countReached(trx, submissionId) : null,
    })
    .execute()
}

export const publishRelease = transactional(
  async (trx: Trx, { actor, reader }: Visit, id: number): Promise<void> => {
    await publishWithin(trx, actor, reader.id, await lockRelease(trx, id, 'publish'))
  },
)

async function publishWithin(trx: Trx, actor: Actor, by: number, release: LockedRelease): Promise<void> {
  await changeFiles(trx, release, {
    set: sql`is_held_back = false, shown_at = now(), released_at = now()`,
    act: 'file-published',
    actor,
  })
  await change(trx, release, {
    state: 'published',
    publish_at: null,
    published_at: sql<Date>`now()`,
    published_by: by,
    reached: await countReached(trx, release.submission_id),
  })
}

export const planRelease = transactional(
  async (trx: Trx, { actor, reader }: Visit, id: number, at: Date): Promise<void> => {
    const release = await lockRelease(trx, id, 'plan')
    await change(trx, release, { state: 'planned', publish_at: at, planned_by: reader.id })
    await addLogEntry(trx, actor, 'release-planned', { detail: String(id) })
  },
)

/** Makes a planned release a draft again. */
export const holdRelease = transactional(async (trx: Trx, { actor }: Visit, id: number): Promise<void> => {
  await change(trx, await lockRelease(trx, id, 'hold'), { state: 'draft', publish_at: null })
  await addLogEntry(trx, actor, 'release-held', { detail: String(id) })
})

/** Moves all files of a release that nobody has seen to the trash. */
export const discardRelease = transactional(
  async (trx: Trx, { actor, reader }: Visit, id: number): Promise<void> => {
    const release = await lockRelease(trx, id, 'discard')
    await changeFiles(trx, release, {
      set: sql`deleted_at = now(), deleted_by = ${reader.id}`,
      act: 'file-deleted',
      actor,
      isLiveOnly: true,
    })
    await change(trx, release, { state: 'draft', publish_at: null })
  },
)

/** Moves all files of a release to the trash, before anybody was told of it. */
export const regretRelease = transactional(
  async (trx: Trx, { actor, reader }: Visit, id: number): Promise<void> => {
    const release = await lockRelease(trx, id, 'regret')
    if (release.announced_at)
      throw conflict('Der er allerede sendt besked om filerne. Træk dem tilbage i stedet.')
    await changeFiles(trx, release, {
      set: sql`is_held_back = true, deleted_at = now(), deleted_by = ${reader.id}`,
      act: 'file-deleted',
      actor,
      isLiveOnly: true,
    })
    // Those that were in the trash before.
    await sql`update files set is_held_back = true
      where submission_id = ${release.submission_id} and not is_held_back`.execute(trx)
    await change(trx, release, { state: 'draft', published_at: null, published_by: null, reached: null })
  },
)

/** Changes what the mail about a release says, until it is sent. */
export const writeReleaseMail = transactional(
  async (trx: Trx, { actor }: Visit, id: number, mail: ReleaseMail): Promise<void> => {
    const release = await lockRelease(trx, id, 'write')
    if (release.announced_at) throw conflict('Mailen er allerede sendt.')
    await change(trx, release, mail)
    await addLogEntry(trx, actor, 'release-mail-changed', { detail: String(id) })
  },
)

/** Queues another mail to those who were told of a release and have opened none of it. */
export const remindOf = transactional(async (trx: Trx, { actor }: Visit, id: number): Promise<void> => {
  await lockRelease(trx, id, 'remind')
  if ((await remindPeople(trx, id)) === 0)
    throw conflict(
      'Der er ingen at sende en påmindelse til: Den er allerede på vej, eller alle har åbnet filer.',
    )
  await addLogEntry(trx, actor, 'release-reminded', { detail: String(id) })
})

/** Takes all files of a release away from everybody outside the office. */
export const recallRelease = transactional(
  async (trx: Trx, { actor, reader }: Visit, id: number): Promise<void> => {
    const release = await lockRelease(trx, id, 'recall')
    await changeFiles(trx, release, { set: sql`is_held_back = true`, act: 'file-recalled', actor })
    await change(trx, release, {
      state: 'recalled',
      recalled_at: sql<Date>`now()`,
      recalled_by: reader.id,
    })
  },
)

/** Shows the files of a recalled release again. */
export const undoRecall = transactional(
  async (trx: Trx, { actor, reader }: Visit, id: number): Promise<void> => {
    const release = await lockRelease(trx, id, 'undo-recall')
    await changeFiles(trx, release, { set: sql`is_held_back = false`, act: 'file-published', actor })
    await waitAgain(trx, id)
    await stopRecallMails(trx, id)
    await change(trx, release, {
      state: 'published',
      recalled_at: null,
      recalled_by: null,
      // Nobody was told yet: the time for regret begins anew.
      ...(release.announced_at === null && { published_at: sql<Date>`now()`, published_by: reader.id }),
    })
  },
)

/** Publishes planned releases whose time has come, each in its own transaction, in the name of who planned it. */
export async function publishPlanned(db: Database): Promise<number> {
  for (let published = 0; ; published++) {
    const isDone = await db.transaction().execute(async (trx) => {
      const { rows } = await sql<LockedRelease & { planned_by: number }>`
        select id, submission_id, state, announced_at, planned_by from releases
        where state = 'planned' and publish_at <= now()
        order by publish_at, id limit 1 for update skip locked`.execute(trx)
      const [release] = rows
      if (!release) return true
      const { planned_by: planner } = release
      await publishWithin(trx, { userId: planner, address: null }, planner, release)
      return false
    })
    if (isDone) return published
  }
}

type LockedRelease = { id: number; submission_id: number; state: ReleaseState; announced_at: Date | null }

/** Locks a release, and refuses an act that its state does not allow. */
export async function lockRelease(trx: Trx, id: number, act: ReleaseAct): Promise<LockedRelease> {
  const { rows } = await sql<LockedRelease>`
    select id, submission_id, state, announced_at from releases where id = ${id} for update`.execute(trx)
  const [release] = rows
  if (!release) throw notFound(NO_RELEASE)
  if (!isPossible(act, release.state))
    throw conflict(
      `Det kan ikke gøres nu: Udsendelsen er ${STATE_WORDS[release.state]}. Genindlæs siden for at se, hvad der er sket.`,
    )
  return release
}

export const NO_RELEASE = 'Udsendelsen findes ikke.'

const STATE_WORDS: Record<ReleaseState, string> = {
  draft: 'en kladde',
  planned: 'planlagt',
  waiting: 'ikke godkendt endnu',
  published: STATE_NAMES.published.toLowerCase(),
  recalled: STATE_NAMES.recalled.toLowerCase(),
}

type Values = UpdateObject<Tables, 'releases'>

async function change(trx: Trx, { id }: LockedRelease, values: Values): Promise<void> {
  await trx.updateTable('releases').set(values).where('id', '=', id).execute()
}

type FileChange = {
  set: RawBuilder<unknown>
  act: Act
  actor: Actor
  /** Leaves files in the trash as they are. */
  isLiveOnly?: boolean
}

/**
 * Changes all files of a release, also those in the trash, and logs it for each. First locks their folders and
 * projects, in the order all code locks them.
 */
async function changeFiles(
  trx: Trx,
  { submission_id: submission }: LockedRelease,
  { set, act, actor, isLiveOnly = false }: FileChange,
): Promise<void> {
  const folders = await listFolders(trx, submission)
  await sql`
    with targets as materialized (
      select id, project_id from folders where id = any (${folders}) order by id for update
    ), owners as materialized (
      select id from projects where id = any (array(select project_id from targets)) order by id for no key update
    )
    select (select count(*) from owners)`.execute(trx)
  // To lock one more now could make a circle of waiting.
  if ((await listFolders(trx, submission)).some((id) => !folders.includes(id)))
    throw conflict('En af filerne bliver flyttet lige nu. Prøv igen.')
  await sql`
    with changed as (
      update files set ${set}
      where submission_id = ${submission} ${isLiveOnly ? sql`and deleted_at is null` : sql``}
      returning id, folder_id
    )
    insert into log (act, user_id, address, subject_user_id, project_id, folder_id, file_id)
    select ${act}, ${actor.userId}, ${actor.address}, folders.user_id, folders.project_id, folders.id, changed.id
    from changed join folders on folders.id = changed.folder_id order by changed.id`.execute(trx)
}

async function listFolders(trx: Trx, submission: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct folder_id as id from files where submission_id = ${submission}`.execute(trx)
  return rows.map(({ id }) => id)
}
