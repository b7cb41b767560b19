import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { bindAct, type AskedAct, type GatedAct, type Gate, type Outcome } from '../../access/gate.ts'
import type { Visit } from '../../access/reader.ts'
import { tryAgain } from '../../files/change/lock.db.ts'
import { addLogEntry } from '../../log/log.db.ts'
import { CAN_APPROVE, findOffice, needsApproval } from '../../office/office.db.ts'
import { transactional, type Trx } from '../../server/database/database.ts'
import { sendMail } from '../../server/mail.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { askedActMail } from './approval-mail.ts'
import { askedText, foreseenText } from './asked.ts'
import { waitForGate } from './enter-gate.db.ts'
import { tryAct } from './try-act.db.ts'

/**
 * The one place that asks whether an act lets somebody outside the office see more. Compares, by the rule of seeing, what
 * they see before and after it, in the act's own transaction. If there is more, nothing is carried out, and a colleague is
 * asked. Without the office's wish for approval it only passes the act on.
 */
export function openGate(parts: Parts): Gate {
  const { db } = parts
  return {
    carryOut: async (visit, act, params) => {
      if (!(await needsApproval(db))) return { asked: null, result: await act.run(db, parts, visit, params) }
      return tryAgain(() => db.transaction().execute((trx) => carryOutWithin(trx, parts, visit, act, params)))
    },
    foresee: async (visit, act, params) => {
      if (!(await needsApproval(db))) return null
      return tryAgain(() => db.transaction().execute((trx) => foreseeWithin(trx, parts, visit, act, params)))
    },
    takeBack: (visit, id) => takeBackAct(db, visit, id),
  }
}

async function carryOutWithin<Params, Result>(
  trx: Trx,
  parts: Parts,
  visit: Visit,
  act: GatedAct<Params, Result>,
  params: Params,
): Promise<Outcome<Result>> {
  const { result, scope, shows, reached, isAsked } = await judgeAct(trx, parts, visit, act, params)
  if (!isAsked) return { asked: null, result }
  await sql`rollback to savepoint act`.execute(trx)
  const asked = await keepAct(trx, parts, visit, {
    kind: act.kind,
    params: JSON.stringify(params),
    says: await act.describe(trx, params),
    reached,
    files: scope.files ?? [],
    sight: JSON.stringify(shows),
  })
  return { asked, result: null }
}

async function foreseeWithin<Params, Result>(
  trx: Trx,
  parts: Parts,
  visit: Visit,
  act: GatedAct<Params, Result>,
  params: Params,
): Promise<string | null> {
  const { reached, isAsked } = await judgeAct(trx, parts, visit, act, params)
  await sql`rollback to savepoint act`.execute(trx)
  if (!isAsked) return null
  const { colleagues } = await findApprovers(trx, visit.reader)
  return foreseenText(
    reached,
    colleagues.map(({ name }) => name),
  )
}

/** Carries an act out after a savepoint, and says whether a colleague has to approve it. */
async function judgeAct<Params, Result>(
  trx: Trx,
  parts: Parts,
  visit: Visit,
  act: GatedAct<Params, Result>,
  params: Params,
) {
  await waitForGate(trx)
  const asksAlways = (await act.asksAlways?.(trx, params)) ?? false
  await sql`savepoint act`.execute(trx)
  const tried = await tryAct(trx, parts, visit, bindAct(act, params))
  const { shows, reached, losesApprover, isAlone } = tried
  const isMore = reached > 0 || losesApprover || shows.moved.length > 0
  return { ...tried, isAsked: isMore || (asksAlways && !isAlone) }
}

type Kept = { kind: string; params: string; says: string; reached: number; files: number[]; sight: string }

/** Keeps an act until it is answered, and asks everybody who can approve it. The same act asked twice is kept once. */
async function keepAct(
  trx: Trx,
  { jobs, config }: Parts,
  { actor, reader }: Visit,
  kept: Kept,
): Promise<AskedAct> {
  const { asker, colleagues } = await findApprovers(trx, reader)
  const text = askedText(
    kept.reached,
    colleagues.map(({ name }) => name),
  )
  const { rows: same } = await sql<{ id: string; is_same: boolean }>`
    select id, coalesce(sight = ${kept.sight}::jsonb, false) as is_same from asked_acts
    where asked_by = ${reader.id} and state = 'waiting' and kind = ${kept.kind}
      and params = ${kept.params}::jsonb`.execute(trx)
  if (same[0]?.is_same) return { id: same[0].id, text }
  const id = same[0]?.id ?? randomUUID()
  // If it would show something else by now, it is another request, and colleagues are asked again.
  await sql`
    insert into asked_acts (id, kind, params, says, reached, files, sight, asked_by)
    values (${id}::uuid, ${kept.kind}, ${kept.params}::jsonb, ${kept.says}, ${kept.reached}, ${kept.files}::bigint[],
      ${kept.sight}::jsonb, ${reader.id})
    on conflict (id) do update set says = excluded.says, reached = excluded.reached, files = excluded.files,
      sight = excluded.sight, asked_at = now()`.execute(trx)
  await addLogEntry(trx, actor, 'act-asked', { detail: kept.kind })
  const office = await findOffice(trx)
  for (const to of colleagues)
    await sendMail(
      trx,
      jobs,
      askedActMail(
        office,
        to,
        { asker, says: kept.says, reached: kept.reached },
        config.appUrl + urls.releases,
      ),
    )
  return { id, text }
}

/** Finds the name of who asks, and everybody else who can approve. */
async function findApprovers(trx: Trx, { id }: Visit['reader']) {
  const { rows } = await sql<{ name: string; email: string; is_asker: boolean }>`
    select name, email, id = ${id} as is_asker from users
    where ${CAN_APPROVE} or id = ${id} order by name collate danish, id`.execute(trx)
  return {
    asker: rows.find((person) => person.is_asker)!.name,
    colleagues: rows.filter((person) => !person.is_asker),
  }
}

const takeBackAct = transactional(
  async (trx: Trx, { actor, reader }: Visit, id: string): Promise<boolean> => {
    const { rows } = await sql<{ kind: string }>`
    update asked_acts set state = 'taken-back', answered_by = ${reader.id}, answered_at = now(), params = '{}', sight = null
    where id = ${id}::uuid and asked_by = ${reader.id} and state = 'waiting' returning kind`.execute(trx)
    if (!rows[0]) return false
    await addLogEntry(trx, actor, 'act-taken-back', { detail: rows[0].kind })
    return true
  },
)
