import { sql, type RawBuilder } from 'kysely'
import { transactional, type Trx } from '../server/database/database.ts'
import type { Slots } from '../server/database/prepared.ts'
import type { Act } from './words/act.ts'

/** The person who acts, the API key of their program, and the IP address. `userId` is null if nobody is signed in. */
export type Actor = { userId: number | null; asUserId?: number; tokenId?: number; address: string | null }

/** The things that an act is about. */
export type On = {
  userId?: number | null
  /** The person on whose behalf it is done. Not logged if that is the actor. */
  forUserId?: number | null
  projectId?: number | null
  folderId?: number
  fileId?: number
  /** The API key that the act is about. */
  tokenId?: number
  detail?: string
  /** The old and new name, if it changed. */
  names?: Names | undefined
}

type Names = { before: string; after: string }

/** For `names`: returns undefined if the name is the same. */
export const renamed = (before: string, after: string): Names | undefined =>
  before === after ? undefined : { before, after }

/** Logs an act in the same transaction as the act itself. Returns the entry's id. */
export async function addLogEntry(trx: Trx, actor: Actor, act: Act, on: On = {}): Promise<number> {
  const [id] = await addLogEntries(trx, actor, act, [on])
  return id!
}

/** Logs an act that changes nothing else, in a transaction of its own. */
export const addLoneLogEntry = transactional(addLogEntry)

/** Logs the same act on several things. */
export async function addLogEntries(trx: Trx, actor: Actor, act: Act, on: On[]): Promise<number[]> {
  if (on.length === 0) return []
  const entries = on.map(({ userId, forUserId, projectId, folderId, fileId, tokenId, detail }) => ({
    act,
    user_id: actor.userId,
    as_user_id: actor.asUserId ?? null,
    address: actor.address,
    subject_user_id: userId ?? null,
    for_user_id: forUserId === actor.userId ? null : (forUserId ?? null),
    project_id: projectId ?? null,
    folder_id: folderId ?? null,
    file_id: fileId ?? null,
    token_id: tokenId ?? actor.tokenId ?? null,
    detail: detail ?? null,
  }))
  // One JSON parameter: sorting a thousand files would need more parameters than a statement can have.
  const { rows } = await sql<{ id: number }>`
    insert into log (act, user_id, as_user_id, address, subject_user_id, for_user_id, project_id, folder_id, file_id,
      token_id, detail)
    select act, user_id, as_user_id, address, subject_user_id, for_user_id, project_id, folder_id, file_id, token_id, detail
    from json_to_recordset(${JSON.stringify(entries)}::json) as entry (act text, user_id bigint, as_user_id bigint, address inet,
      subject_user_id bigint, for_user_id bigint, project_id bigint, folder_id bigint, file_id bigint, token_id bigint,
      detail text)
    returning id`.execute(trx)
  const ids = rows.map(({ id }) => id)
  const named = on.flatMap(({ names }, index) => (names ? [{ log_id: ids[index]!, ...names }] : []))
  if (named.length > 0) await trx.insertInto('log_names').values(named).execute()
  return ids
}

/** The values of an entry that a prepared query writes. */
export type Logged = {
  actor: number | null
  token: number | null
  address: string | null
  on_user: number | null
  on_project: number | null
}

export function loggedBy({ userId, tokenId, address }: Actor, on: On): Logged {
  return {
    actor: userId,
    token: tokenId ?? null,
    address,
    on_user: on.userId ?? null,
    on_project: on.projectId ?? null,
  }
}

/** Part of a prepared query: logs an act on the file that the part `changed` returns. */
export function logChangedFile(act: Act, slots: Slots<Logged>): RawBuilder<unknown> {
  return sql`
    insert into log (act, user_id, token_id, address, subject_user_id, project_id, folder_id, file_id)
    select ${sql.lit(act)}, ${slots.actor}::bigint, ${slots.token}::bigint, ${slots.address}::inet, ${slots.on_user}::bigint,
      ${slots.on_project}::bigint, changed.folder_id, changed.id
    from changed`
}
