import { sql, type RawBuilder } from 'kysely'
import { FIRST_PAGE, pageInfo, type Page } from '../../base/pagination.ts'
import { readEntries } from '../../log/entries.db.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { conflict, notFound, tooMany } from '../../server/http/errors.ts'
import { messageOf, MOST_ITEMS, TEST_EVENT, testMessageOf, type HookEvent } from './event.ts'
import { isDelivered, type Delivery, type Outcome, type SendFault } from './hook.ts'
import type { Message } from './send.server.ts'

/** How long a sender may be silent before another takes over: longer than one try may take. */
const HELD = '30 seconds'
/** The longest wait between two tries, and some more. A later time was written while the clock was ahead. */
const LONGEST_WAIT = '5 hours'

/** Condition: a time has come, or can only be a mistake of the clock. */
function hasCome(time: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${time} is null or ${time} <= now() or ${time} > now() + ${LONGEST_WAIT}::interval)`
}

const IS_FREE = sql<boolean>`(${hasCome(sql`running_hooks.held_until`)} and ${hasCome(sql`running_hooks.wait_until`)})`
const IS_DUE = sql<boolean>`(hook_deliveries.state = 'waiting' and ${hasCome(sql`hook_deliveries.next_at`)})`

/** Lists the hooks that have something to send just now. */
export async function listDueHooks(db: Database): Promise<number[]> {
  const { rows } = await sql<{ hook_id: number }>`
    select hook_id from running_hooks
    where ${IS_FREE} and (
      exists (select from hook_queue where hook_queue.hook_id = running_hooks.hook_id)
      or exists (select from hook_deliveries where hook_deliveries.hook_id = running_hooks.hook_id and ${IS_DUE}))
    order by hook_id`.execute(db)
  return rows.map(({ hook_id: id }) => id)
}

/** A message that is this process's to send. */
export type Taken = { delivery: number; hookId: number; tries: number; message: Message }

/**
 * Takes a hook's next message, so that nobody else sends it meanwhile; null if there is none, or somebody else is
 * sending. If the process dies before it notes the outcome, the message is sent again later, with the same id.
 */
export const takeNext = transactional(async (trx: Trx, hookId: number): Promise<Taken | null> => {
  const { rows } = await sql<{ url: string; secrets: string[] }>`
    select url, array_remove(array[secret, case when old_secret_until > now() then old_secret end], null) as secrets
    from running_hooks join hooks on hooks.id = running_hooks.hook_id
    where running_hooks.hook_id = ${hookId} and ${IS_FREE}
    for key share of hooks skip locked for update of running_hooks skip locked`.execute(trx)
  const [hook] = rows
  if (!hook) return null
  const delivery = (await findDue(trx, hookId)) ?? (await formDelivery(trx, hookId))
  if (delivery === null) return null
  await sql`update running_hooks set held_until = now() + ${HELD}::interval where hook_id = ${hookId}`.execute(
    trx,
  )
  const { rows: tried } = await sql<{ tries: number; message_id: string; payload: string }>`
    update hook_deliveries
    set tries = tries + 1, tried_at = now(), first_tried_at = coalesce(first_tried_at, now())
    where id = ${delivery} returning tries, message_id, payload`.execute(trx)
  const { tries, message_id: id, payload: body } = tried[0]!
  return { delivery, hookId, tries, message: { ...hook, id, body } }
})

async function findDue(trx: Trx, hookId: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from hook_deliveries where hook_id = ${hookId} and ${IS_DUE} order by id limit 1`.execute(trx)
  return rows[0]?.id ?? null
}

/** Makes one message from the queue: the first acts, as long as they are of one kind. */
async function formDelivery(trx: Trx, hookId: number): Promise<number | null> {
  for (;;) {
    const waiting = await trx
      .selectFrom('hook_queue')
      .select(['id', 'log_id', sql<HookEvent>`event`.as('event')])
      .where('hook_id', '=', hookId)
      .orderBy('id')
      .limit(MOST_ITEMS)
      .execute()
    const [first] = waiting
    if (!first) return null
    const end = waiting.findIndex(({ event }) => event !== first.event)
    const taken = end < 0 ? waiting : waiting.slice(0, end)
    const ids = taken.map(({ id }) => id)
    await trx.deleteFrom('hook_queue').where('id', 'in', ids).execute()
    const delivery = await addDelivery(
      trx,
      hookId,
      first.event,
      taken.map((each) => each.log_id),
    )
    if (delivery !== null) return delivery
  }
}

async function addDelivery(
  trx: Trx,
  hookId: number,
  event: HookEvent,
  logIds: number[],
): Promise<number | null> {
  const entries = new Map((await readEntries(trx, logIds)).map((entry) => [entry.id, entry]))
  const told = logIds.flatMap((id) => entries.get(id) ?? [])
  if (told.length === 0) return null // the log has been emptied
  const { id } = await trx
    .insertInto('hook_deliveries')
    .values({ hook_id: hookId, event, items_count: told.length, payload: messageOf(event, told) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const DELIVERIES_PER_PAGE = 25
/** How much of a message the page shows. */
const MOST_SHOWN = 2000

/** Returns one page of a hook's messages, newest first. */
export async function listDeliveries(db: Database, hookId: number, page: number): Promise<Page<Delivery>> {
  const { total } = await db
    .selectFrom('hook_deliveries')
    .select((each) => each.fn.countAll<number>().as('total'))
    .where('hook_id', '=', hookId)
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('hook_deliveries')
    .select(['id', 'event', 'items_count', 'payload', 'state', 'tries', 'created_at', 'tried_at', 'next_at'])
    .select(['status', sql<SendFault | null>`fault`.as('fault'), 'answer', 'took_ms'])
    .where('hook_id', '=', hookId)
    .orderBy('id', 'desc')
    .limit(DELIVERIES_PER_PAGE)
    .offset((page - FIRST_PAGE) * DELIVERIES_PER_PAGE)
    .execute()
  const data = rows.map(({ items_count: items, took_ms: took, ...row }) => ({
    ...row,
    items,
    payload: row.payload.length > MOST_SHOWN ? `${row.payload.slice(0, MOST_SHOWN)}…` : row.payload,
    created_at: row.created_at.toISOString(),
    tried_at: row.tried_at?.toISOString() ?? null,
    next_at: row.next_at.toISOString(),
    tookMs: took ?? 0,
  }))
  return { data, meta: pageInfo({ page, perPage: DELIVERIES_PER_PAGE, total, rows: data.length }) }
}

/** Sends a message once more, with the same id. A waiting message is unchanged. */
export const sendAgain = transactional(async (trx: Trx, hookId: number, delivery: number): Promise<void> => {
  const found = await trx
    .selectFrom('hook_deliveries')
    .select(['state', 'event'])
    .where('id', '=', delivery)
    .where('hook_id', '=', hookId)
    .forUpdate()
    .executeTakeFirst()
  if (!found || found.event === TEST_EVENT) throw notFound('Beskeden findes ikke.')
  if (found.state === 'waiting') return
  const isOn = await trx
    .selectFrom('running_hooks')
    .select('hook_id')
    .where('hook_id', '=', hookId)
    .executeTakeFirst()
  if (!isOn) throw conflict('Slå webhooken til, før du sender beskeden igen.')
  await sql`
    update hook_deliveries set state = 'waiting', tries = 0, next_at = now(), first_tried_at = null
    where id = ${delivery}`.execute(trx)
})

/** How often one hook can be tried. */
const SECONDS_BETWEEN_TESTS = 5

/** Returns a message that only tries the hook. It is written down when its outcome is known. */
export const beginTest = transactional(async (trx: Trx, hookId: number): Promise<Message> => {
  const { rows } = await sql<{ url: string; secret: string; wait: number | null; id: string }>`
    select url, secret, gen_random_uuid() as id,
      ceil(extract(epoch from tested_at + make_interval(secs => ${SECONDS_BETWEEN_TESTS}) - now()))::integer as wait
    from hooks where id = ${hookId} for update`.execute(trx)
  const [hook] = rows
  if (!hook) throw notFound('Webhooken findes ikke.')
  if (hook.wait !== null && hook.wait > 0 && hook.wait <= SECONDS_BETWEEN_TESTS)
    throw tooMany(
      hook.wait,
      `Der er lige sendt en prøve. Prøv igen om ${hook.wait === 1 ? '1 sekund' : `${hook.wait} sekunder`}.`,
    )
  await sql`update hooks set tested_at = now() where id = ${hookId}`.execute(trx)
  return { url: hook.url, secrets: [hook.secret], id: hook.id, body: testMessageOf(new Date()) }
})

/** Stores the outcome of a test. Does nothing if the hook is deleted by now. */
export const noteTest = transactional(
  async (trx: Trx, hookId: number, message: Message, outcome: Outcome): Promise<void> => {
    const state = isDelivered(outcome) ? 'delivered' : 'failed'
    await sql`
      insert into hook_deliveries (hook_id, message_id, event, items_count, payload, state, tries, first_tried_at, tried_at,
        status, fault, answer, took_ms)
      select id, ${message.id}, ${TEST_EVENT}, 0, ${message.body}, ${state}, 1, now(), now(),
        ${outcome.status}, ${outcome.fault}, ${outcome.answer}, ${outcome.tookMs}
      from hooks where id = ${hookId} for key share`.execute(trx)
  },
)

/** Deletes messages that were sent, or given up, a month ago. */
export async function purgeDeliveries(db: Database): Promise<void> {
  await sql`
    delete from hook_deliveries where coalesce(tried_at, created_at) < now() - interval '30 days'`.execute(db)
  await sql`
    delete from hook_queue
    where not exists (select from hooks where hooks.id = hook_queue.hook_id)
      or not exists (select from log where log.id = hook_queue.log_id and log.at > now() - interval '30 days')`.execute(
    db,
  )
}
