import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Edit, FieldWords } from '../../server/edits.ts'
import { addLogEntry, type Actor } from '../../log/log.db.ts'
import { endNotice, raiseNotice } from '../../log/notices/notices.db.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { settle } from '../../server/edits.ts'
import { invalid, notFound } from '../../server/http/errors.ts'
import { EVENTS, type HookEvent } from './event.ts'
import { hostOf, MOST_HOOKS, type Hook } from './hook.ts'

export type HookFields = { name: string; url: string; events: HookEvent[] }

const NO_HOOK = 'Webhooken findes ikke.'

/** How long a secret still signs after another took its place. */
const CHANGE_OVER = '1 day'

export async function getHook(db: Database, id: number): Promise<Hook> {
  const [hook] = await listHooks(db, id)
  if (!hook) throw notFound(NO_HOOK)
  return hook
}

/** Lists the hooks in the order of their names, or only one. */
export async function listHooks(db: Database, id: number | null = null): Promise<Hook[]> {
  const { rows } = await sql<Omit<Hook, 'failing_since'> & { failing_since: Date | null }>`
    select hooks.id, name, url, events, running_hooks.hook_id is not null as is_on, stopped_because, failing_since,
      (select count(*) from hook_queue where hook_queue.hook_id = hooks.id) + (
        select coalesce(sum(items_count), 0) from hook_deliveries
        where hook_deliveries.hook_id = hooks.id and state = 'waiting') as waiting
    from hooks left join running_hooks on running_hooks.hook_id = hooks.id
    where ${id}::bigint is null or hooks.id = ${id}
    order by name, hooks.id`.execute(db)
  return rows.map((row) => ({ ...row, failing_since: row.failing_since?.toISOString() ?? null }))
}

/** 256 random bits, as the specification writes them. */
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** Adds a hook, switched on. Returns its secret, which cannot be read again. */
export const addHook = transactional(
  async (trx: Trx, actor: Actor, fields: HookFields): Promise<{ id: number; secret: string }> => {
    await refuseTaken(trx, fields.name, null)
    const secret = newSecret()
    const { id } = await trx
      .insertInto('hooks')
      .values({ ...fields, secret })
      .returning('id')
      .executeTakeFirstOrThrow()
    await trx.insertInto('running_hooks').values({ hook_id: id }).execute()
    await addLogEntry(trx, actor, 'hook-added', { detail: hostOf(fields.url) })
    return { id, secret }
  },
)

const HOOK_WORDS: FieldWords<HookFields> = {
  name: 'Navn',
  url: 'Adresse',
  events: { label: 'Send besked om', say: (events) => events.map((event) => EVENTS[event].text).join(', ') },
}

/** If somebody else has changed the same field since the form was opened, refuses with both values. */
export const changeHook = transactional(
  async (trx: Trx, actor: Actor, id: number, sent: HookFields, edit: Edit | null): Promise<void> => {
    await lockNames(trx)
    const { version, ...hook } = await lockHook(trx, id)
    const fields = settle(edit, HOOK_WORDS, sent, hook)
    await refuseTaken(trx, fields.name, id)
    await trx
      .updateTable('hooks')
      .set({ ...fields, version: version + 1 })
      .where('id', '=', id)
      .execute()
    // A new address may answer at once, even if the old one did not.
    if (hook.url !== fields.url) await forgetFailures(trx, id)
    await addLogEntry(trx, actor, 'hook-changed', { detail: hostOf(fields.url) })
  },
)

const lockNames = (trx: Trx) => sql`select pg_advisory_xact_lock(hashtextextended('hooks', 0))`.execute(trx)

/** Only one transaction at a time adds or renames a hook, so a second press of the button finds the name taken. */
async function refuseTaken(trx: Trx, name: string, except: number | null): Promise<void> {
  await lockNames(trx)
  const hooks = await trx.selectFrom('hooks').select(['id', 'name']).execute()
  if (hooks.some((hook) => hook.id !== except && hook.name.toLowerCase() === name.toLowerCase()))
    throw invalid({ name: ['Der er allerede en webhook med det navn.'] })
  if (except === null && hooks.length >= MOST_HOOKS)
    throw invalid({ name: [`Der kan højst være ${MOST_HOOKS} webhooks. Slet en, der ikke bruges.`] })
}

async function lockHook(trx: Trx, id: number): Promise<HookFields & { version: number }> {
  const hook = await trx
    .selectFrom('hooks')
    .select(['name', 'url', sql<HookEvent[]>`events`.as('events'), 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!hook) throw notFound(NO_HOOK)
  return hook
}

async function forgetFailures(trx: Trx, id: number): Promise<void> {
  await trx
    .updateTable('running_hooks')
    .set({ failing_since: null, wait_until: null })
    .where('hook_id', '=', id)
    .execute()
  await sql`
    update hook_deliveries set next_at = least(next_at, now()) where hook_id = ${id} and state = 'waiting'`.execute(
    trx,
  )
}

/** Waiting messages stay, and are sent when the hook is switched on again. What happens meanwhile is never queued. */
export const switchHook = transactional(
  async (trx: Trx, actor: Actor, id: number, isOn: boolean): Promise<void> => {
    const { url } = await lockHook(trx, id)
    const isDone = isOn ? await switchOn(trx, id) : await switchOff(trx, id, null)
    if (isDone)
      await addLogEntry(trx, actor, isOn ? 'hook-switched-on' : 'hook-switched-off', { detail: hostOf(url) })
  },
)

async function switchOn(trx: Trx, id: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('running_hooks')
    .values({ hook_id: id })
    .onConflict((there) => there.doNothing())
    .executeTakeFirst()
  await trx.updateTable('hooks').set({ stopped_because: null }).where('id', '=', id).execute()
  await forgetFailures(trx, id)
  await tellOfStopped(trx)
  return numInsertedOrUpdatedRows === 1n
}

/** Returns whether it was on. `because`: why Ringbind does it, if no person does. */
export async function switchOff(trx: Trx, id: number, because: 'failed' | 'gone' | null): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('running_hooks')
    .where('hook_id', '=', id)
    .executeTakeFirst()
  const wasOn = numDeletedRows > 0n
  if (!wasOn && because !== null) return false
  // A person who switches off what Ringbind has already switched off wants to hear no more of it.
  await trx.updateTable('hooks').set({ stopped_because: because }).where('id', '=', id).execute()
  await tellOfStopped(trx)
  return wasOn
}

/** Makes another secret. The old one signs beside it for a day. A second press of the button keeps the one from before the first. */
export const renewSecret = transactional(async (trx: Trx, actor: Actor, id: number): Promise<string> => {
  const { url } = await lockHook(trx, id)
  const secret = newSecret()
  await sql`
    update hooks set
      old_secret = case when old_secret_until > now() + ${CHANGE_OVER}::interval - interval '1 minute' then old_secret else secret end,
      old_secret_until = now() + ${CHANGE_OVER}::interval, secret = ${secret}
    where id = ${id}`.execute(trx)
  await addLogEntry(trx, actor, 'hook-secret-renewed', { detail: hostOf(url) })
  return secret
})

export const removeHook = transactional(async (trx: Trx, actor: Actor, id: number): Promise<void> => {
  const { url } = await lockHook(trx, id)
  await trx.deleteFrom('hooks').where('id', '=', id).execute()
  await trx.deleteFrom('hook_queue').where('hook_id', '=', id).execute()
  await tellOfStopped(trx)
  await addLogEntry(trx, actor, 'hook-removed', { detail: hostOf(url) })
})

/** Keeps the notice about hooks that Ringbind has switched off. */
async function tellOfStopped(trx: Trx): Promise<void> {
  const stopped = await trx
    .selectFrom('hooks')
    .select('name')
    .where('stopped_because', 'is not', null)
    .orderBy('name')
    .execute()
  const names = stopped.map(({ name }) => name)
  if (names.length > 0) await raiseNotice(trx, 'hook-stopped', { names })
  else await endNotice(trx, 'hook-stopped')
}
