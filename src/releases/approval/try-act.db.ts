import { sql } from 'kysely'
import type { BoundAct, Scope } from '../../access/gate.ts'
import type { Visit } from '../../access/reader.ts'
import { detailGain, lastPerson, readSight } from '../../access/sight.db.ts'
import { findGain, NOTHING_STORED, type StoredSight } from '../../access/sight.ts'
import { CAN_APPROVE } from '../../office/office.db.ts'
import type { Trx } from '../../server/database/database.ts'
import type { Parts } from '../../server/parts.ts'

type Weighed<Result> = {
  result: Result
  /** Everything that it is about. */
  scope: Scope
  /** What it newly shows, and to whom. */
  shows: StoredSight
  /** How many people outside the office see more. */
  reached: number
  /** Nobody may leave the office alone with nobody else to approve. */
  losesApprover: boolean
  /** There is nobody else to ask. */
  isAlone: boolean
}

/** Carries an act out, and returns what it newly shows. The caller rolls it back if that is too much. */
export async function tryAct<Result>(
  trx: Trx,
  parts: Parts,
  visit: Visit,
  act: BoundAct<Result>,
): Promise<Weighed<Result>> {
  const known = await lastPerson(trx)
  const scopeBefore = await act.scope(trx, null)
  const before = await look(trx, scopeBefore)
  const result = await act.run(trx, parts, visit)
  const scope = both(scopeBefore, await act.scope(trx, result))
  const after = await look(trx, scope)
  const gain = findGain(before.sight, after.sight)
  const people = new Set([...gain.files, ...gain.folders].flatMap((each) => each.people))
  const seen = people.size === 0 ? NOTHING_STORED : await detailGain(trx, gain, known)
  return {
    result,
    scope,
    shows: { ...seen, moved: findMoved(before, after) },
    reached: people.size,
    losesApprover: before.approvers > 1 && after.approvers < 2,
    isAlone: before.approvers < 2,
  }
}

/** An act can name things that are there only before it, or only after it. */
function both(one: Scope, other: Scope): Scope {
  const joined = (name: keyof Scope) => [...new Set([...(one[name] ?? []), ...(other[name] ?? [])])]
  return { files: joined('files'), projects: joined('projects'), people: joined('people') }
}

type Looked = Awaited<ReturnType<typeof look>>

async function look(trx: Trx, scope: Scope) {
  const { rows } = await sql<{ approvers: number }>`
    select count(*)::integer as approvers from users where ${CAN_APPROVE}`.execute(trx)
  const { rows: addresses } = await sql<{ id: number; email_key: string }>`
    select id, email_key from users where id = any (${scope.people ?? []}::bigint[])`.execute(trx)
  return { sight: await readSight(trx, scope), approvers: rows[0]!.approvers, addresses }
}

/** A person who reads the mail of the new address gets in as that person, and sees or approves what they do. */
function findMoved(before: Looked, after: Looked): number[] {
  const was = new Map(before.addresses.map(({ id, email_key: email }) => [id, email]))
  return after.addresses
    .filter(({ id, email_key: now }) => was.has(id) && was.get(id) !== now)
    .map(({ id }) => id)
}
