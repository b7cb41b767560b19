import { sql } from 'kysely'
import { COLUMN_FIELDS, DETAIL_FIELDS, type UserValues } from '../../accounts/users/user.fields.ts'
import { updateUserSearch } from '../../accounts/users/users.db.ts'
import { namesOf } from '../../base/fields/field.ts'
import { emailKey } from '../../base/text.ts'
import { sheetDetail } from '../../log/words/act.ts'
import type { Trx } from '../../server/database/database.ts'
import { inParts } from '../../server/database/in-parts.ts'
import type { ChangedPerson, NewMembership } from './plan/plan.ts'
import { addRows, changeRows, logEach, renamedBy, reversed, Stale, type Writing } from './write-rows.db.ts'

const USERS = sql.table('users')

/** Adds people with their numbers, like their form, without inviting them. Returns their ids by e-mail key. */
export async function addPeople(
  writing: Writing,
  people: readonly UserValues[],
): Promise<Map<string, number>> {
  const { trx } = writing
  const keyed = people.map((person) => ({ ...person, email_key: emailKey(person.email) }))
  const ids = await addRows(trx, USERS, [...namesOf(COLUMN_FIELDS), 'email_key'], 'email_key', keyed)
  const owned = keyed.map(({ email_key: key, numbers }) => ({ id: ids.get(key)!, numbers }))
  await addNumbers(trx, owned)
  const added = [...ids.values()].map((userId) => ({ userId }))
  await logEach(writing, 'user-added', added)
  return ids
}

/** Adds people's numbers, and lets them be found by what they have now. */
async function addNumbers(trx: Trx, people: readonly { id: number; numbers: string[] }[]): Promise<void> {
  for (const part of inParts(people)) {
    const numbers = part.flatMap(({ id, numbers: own }) => own.map((number) => ({ number, user_id: id })))
    const { rows } = await sql`
      insert into user_numbers (number, user_id)
      select number, user_id from json_to_recordset(${JSON.stringify(numbers)}::json) as row (number text, user_id bigint)
      on conflict do nothing returning number`.execute(trx)
    if (rows.length < numbers.length) throw new Stale()
    const ids = part.map(({ id }) => id)
    await updateUserSearch(trx, ids)
  }
}

/** Changes people who have not changed since they were compared. */
export async function changePeople(writing: Writing, people: readonly ChangedPerson[]): Promise<void> {
  await writePeople(writing, people)
  const owned = people.map(({ id, addedNumbers: numbers }) => ({ id, numbers }))
  await addNumbers(writing.trx, owned)
}

/** Takes changes of people back. */
export async function changePeopleBack(writing: Writing, people: readonly ChangedPerson[]): Promise<void> {
  const { trx } = writing
  await writePeople(writing, reversed(people))
  for (const part of inParts(people)) {
    await sql`
      delete from user_numbers
      where number = any (${part.flatMap(({ addedNumbers }) => addedNumbers)})`.execute(trx)
    const ids = part.map(({ id }) => id)
    await updateUserSearch(trx, ids)
  }
}

/**
 * Writes and logs details of people who still have the values in `before`. Throws `Stale` if one of them has not. Ends links
 * that were sent to an old address.
 */
async function writePeople(writing: Writing, people: readonly ChangedPerson[]): Promise<void> {
  const { trx, sheet } = writing
  const keyed = people.map(({ id, before, after }) => ({
    id,
    before,
    after: { ...after, email_key: after.email && emailKey(after.email) },
  }))
  await changeRows(trx, USERS, [...namesOf(DETAIL_FIELDS), 'email_key'], keyed)
  const changed = people.map((person) => {
    const fields = [...Object.keys(person.after), ...(person.addedNumbers.length > 0 ? ['numbers'] : [])]
    return { userId: person.id, detail: sheetDetail(sheet, ...fields), names: renamedBy(person) }
  })
  await logEach(writing, 'user-changed', changed)
  const moved = people.filter(({ after }) => after.email !== undefined).map(({ id }) => id)
  if (moved.length === 0) return
  await trx.deleteFrom('link_tokens').where('user_id', 'in', moved).execute()
  await trx.deleteFrom('failed_mails').where('user_id', 'in', moved).execute()
}

/** Makes people members of projects. Returns those who were not members before. */
export async function addMemberships(
  writing: Writing,
  memberships: readonly NewMembership[],
): Promise<{ projectId: number; userId: number }[]> {
  const added: { projectId: number; userId: number }[] = []
  for (const part of inParts(memberships)) {
    const { rows } = await sql<{ projectId: number; userId: number }>`
      insert into project_members (project_id, user_id)
      select projects.id, users.id
      from json_to_recordset(${JSON.stringify(part)}::json) as row (email text, project text)
      join users on users.email_key = row.email join projects on projects.number = row.project
      order by projects.id, users.id
      on conflict do nothing returning project_id as "projectId", user_id as "userId"`.execute(writing.trx)
    if (rows.length < part.length) throw new Stale()
    added.push(...rows)
  }
  await logEach(writing, 'member-added', added)
  return added
}
