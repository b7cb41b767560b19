import { randomUUID } from 'node:crypto'
import { sql, type Generated } from 'kysely'
import type { AskedAct, GatedAct, Gate, Outcome, Scope } from '../../access/gate.ts'
import type { Visit } from '../../access/reader.ts'
import { readSight } from '../../access/sight.db.ts'
import { newReaders } from '../../access/sight.ts'
import { tryAgain } from '../../files/change/lock.db.ts'
import { addLogEntry } from '../../log/log.db.ts'
import { CAN_APPROVE, findOffice, needsApproval } from '../../office/office.db.ts'
import { transactional, type Trx } from '../../server/database/database.ts'
import { sendMail } from '../../server/mail.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { askedActMail } from './approval-mail.ts'
import { askedText } from './asked.ts'
import { waitForGate } from './enter-gate.db.ts'

declare module '../../server/database/database.ts' {
  interface Tables {
    asked_acts: {
      id: string
      kind: string
      params: string
      says: string
      reached: number
      files: Generated<number[]>
      asked_by: number
      asked_at: Generated<Date>
      state: Generated<'waiting' | 'approved' | 'rejected' | 'taken-back'>
      answered_by: Generated<number | null>
      answered_at: Generated<Date | null>
      answer: Generated<string>
    }
  }
}

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
  await waitForGate(trx)
  const scopeBefore = await act.scope(trx, params, null)
  const before = await look(trx, scopeBefore)
  await sql`savepoint act`.execute(trx)
  const result = await act.run(trx, parts, visit, params)
  const scope = both(scopeBefore, await act.scope(trx, params, result))
  const after = await look(trx, scope)
  const readers = newReaders(before.sight, after.sight)
  // Nobody alone may leave the office with nobody else to approve.
  const losesApprover = before.approvers > 1 && after.approvers < 2
  const isAlone = before.approvers < 2
  if (
    readers.length === 0 &&
    !losesApprover &&
    !isSomebodyElse(before, after) &&
    (!act.asksAlways || isAlone)
  )
    return { asked: null, result }
  await sql`rollback to savepoint act`.execute(trx)
  const asked = await keepAct(trx, parts, visit, {
    kind: act.kind,
    params: JSON.stringify(params),
    says: await act.describe(trx, params),
    reached: readers.length,
    files: scope.files ?? [],
  })
  return { asked, result: null }
}

/** An act can name things that are there only before it, or only after it. */
function both(one: Scope, other: Scope): Scope {
  const joined = (name: keyof Scope) => [...new Set([...(one[name] ?? []), ...(other[name] ?? [])])]
  return { files: joined('files'), projects: joined('projects'), people: joined('people') }
}

/** Whoever reads the mail of another address gets in as that person, and sees or approves what they do. */
const isSomebodyElse = (before: Looked, after: Looked) =>
  after.addresses.some(({ id, email_key: now }) =>
    before.addresses.some((each) => each.id === id && each.email_key !== now),
  )

type Looked = Awaited<ReturnType<typeof look>>

async function look(trx: Trx, scope: Scope) {
  const { rows } = await sql<{ approvers: number }>`
    select count(*)::integer as approvers from users where ${CAN_APPROVE}`.execute(trx)
  const { rows: addresses } = await sql<{ id: number; email_key: string }>`
    select id, email_key from users where id = any (${scope.people ?? []}::bigint[])`.execute(trx)
  return { sight: await readSight(trx, scope), approvers: rows[0]!.approvers, addresses }
}

type Kept = { kind: string; params: string; says: string; reached: number; files: number[] }

/** Keeps an act until it is answered, and asks everybody who can approve it. The same act asked twice is kept once. */
async function keepAct(
  trx: Trx,
  { jobs, config }: Parts,
  { actor, reader }: Visit,
  kept: Kept,
): Promise<AskedAct> {
  const { rows: people } = await sql<{ name: string; email: string; is_asker: boolean }>`
    select name, email, id = ${reader.id} as is_asker from users
    where ${CAN_APPROVE} or id = ${reader.id} order by name collate danish, id`.execute(trx)
  const colleagues = people.filter((person) => !person.is_asker)
  const text = askedText(
    kept.reached,
    colleagues.map(({ name }) => name),
  )
  const { rows: same } = await sql<{ id: string }>`
    select id from asked_acts where asked_by = ${reader.id} and state = 'waiting' and kind = ${kept.kind}
      and params = ${kept.params}::jsonb`.execute(trx)
  if (same[0]) return { id: same[0].id, text }
  const id = randomUUID()
  await sql`
    insert into asked_acts (id, kind, params, says, reached, files, asked_by)
    values (${id}::uuid, ${kept.kind}, ${kept.params}::jsonb, ${kept.says}, ${kept.reached}, ${kept.files}::bigint[],
      ${reader.id})`.execute(trx)
  await addLogEntry(trx, actor, 'act-asked', { detail: kept.kind })
  const office = await findOffice(trx)
  const asker = people.find((person) => person.is_asker)!.name
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

const takeBackAct = transactional(
  async (trx: Trx, { actor, reader }: Visit, id: string): Promise<boolean> => {
    const { rows } = await sql<{ kind: string }>`
    update asked_acts set state = 'taken-back', answered_by = ${reader.id}, answered_at = now(), params = '{}'
    where id = ${id}::uuid and asked_by = ${reader.id} and state = 'waiting' returning kind`.execute(trx)
    if (!rows[0]) return false
    await addLogEntry(trx, actor, 'act-taken-back', { detail: rows[0].kind })
    return true
  },
)
