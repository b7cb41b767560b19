import { sql } from 'kysely'
import type { User } from '../../accounts/users/user.ts'
import { addLogEntry } from '../../log/log.db.ts'
import { findOffice } from '../../office/office.db.ts'
import { isAdministrator, rolesThat } from '../../rights.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import type { Jobs } from '../../server/work/jobs.ts'
import { sendMail } from '../../server/mail.ts'
import { urls } from '../../urls.ts'
import { listDueHooks, takeNext, type Taken } from './deliveries.db.ts'
import { hookStoppedMail } from './hook-mail.ts'
import { hostOf, stepAfter, type Outcome } from './hook.ts'
import { switchOff } from './hooks.db.ts'
import { sendMessage, type Sending } from './send.server.ts'

type DeliverTools = {
  db: Database
  jobs: Jobs
  appUrl: string
  sending: Sending
}

/** Looks for hooks with something to send, and sends it: each hook's messages one after the other, all hooks at once. */
export class Deliverer {
  #tools: DeliverTools
  #lanes = new Map<number, Promise<void>>()

  constructor(tools: DeliverTools) {
    this.#tools = tools
  }

  /** Starts what there is to do, and does not wait for it: a slow receiver holds nobody else up. */
  async look(signal: AbortSignal, complain: (error: unknown) => void): Promise<void> {
    for (const id of await listDueHooks(this.#tools.db)) {
      if (this.#lanes.has(id)) continue
      const lane = this.#run(id, signal)
        .catch(complain)
        .finally(() => this.#lanes.delete(id))
      this.#lanes.set(id, lane)
    }
  }

  /** Waits until nothing is being sent. */
  async rest(): Promise<void> {
    await Promise.all(this.#lanes.values())
  }

  async #run(hookId: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const taken = await takeNext(this.#tools.db, hookId)
      if (!taken) return
      const outcome = await sendMessage(taken.message, this.#tools.sending)
      await noteOutcome(this.#tools.db, this.#tools, taken, outcome)
    }
  }
}

/** Writes down what came of a try, and what happens next. */
export const noteOutcome = transactional(
  async (
    trx: Trx,
    tools: Pick<DeliverTools, 'jobs' | 'appUrl'>,
    taken: Taken,
    outcome: Outcome,
  ): Promise<void> => {
    const { hookId, delivery, tries } = taken
    // In the lock order of all code: the hook, whether it runs, its messages.
    await sql`select from hooks where id = ${hookId} for no key update`.execute(trx)
    const { rows } = await sql<{ has_failed: boolean | null }>`
      select failing_since <= first_tried_at as has_failed
      from hook_deliveries left join running_hooks using (hook_id)
      where hook_deliveries.id = ${delivery}`.execute(trx)
    const [found] = rows
    if (!found) return // the hook is deleted
    const step = stepAfter(outcome, tries, found.has_failed ?? false)
    const state = step.kind === 'again' ? 'waiting' : step.kind
    const wait = step.kind === 'again' ? step.afterSeconds : 0
    await sql`
      update running_hooks set held_until = null,
        failing_since = case when ${step.kind === 'delivered'} then null
          else coalesce(failing_since, (select tried_at from hook_deliveries where id = ${delivery})) end,
        wait_until = case when ${step.kind === 'again' && step.holdsHook} then now() + make_interval(secs => ${wait}) end
      where hook_id = ${hookId}`.execute(trx)
    await sql`
      update hook_deliveries set state = ${state}, next_at = now() + make_interval(secs => ${wait}),
        status = ${outcome.status}, fault = ${outcome.fault}, answer = ${outcome.answer}, took_ms = ${outcome.tookMs}
      where id = ${delivery}`.execute(trx)
    if (step.kind === 'failed' && step.stops !== null) await stopHook(trx, tools, hookId, step.stops)
  },
)

async function stopHook(
  trx: Trx,
  { jobs, appUrl }: Pick<DeliverTools, 'jobs' | 'appUrl'>,
  hookId: number,
  because: 'failed' | 'gone',
): Promise<void> {
  if (!(await switchOff(trx, hookId, because))) return
  const { name, url } = await trx
    .selectFrom('hooks')
    .select(['name', 'url'])
    .where('id', '=', hookId)
    .executeTakeFirstOrThrow()
  const about = { name, host: hostOf(url), because }
  await addLogEntry(trx, { userId: null, address: null }, 'hook-stopped', { detail: about.host })
  const office = await findOffice(trx)
  for (const to of await listAdministrators(trx))
    await sendMail(trx, jobs, hookStoppedMail(office, to, about, appUrl + urls.hook(hookId)))
}

async function listAdministrators(trx: Trx): Promise<User[]> {
  const { rows } = await sql<User>`
    select id, name, email, role from users
    where role = any (${rolesThat(isAdministrator)}) and deactivated_at is null and has_way_in(users)
    order by id`.execute(trx)
  return rows
}
