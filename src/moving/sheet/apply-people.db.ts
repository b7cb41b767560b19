import { sql } from 'kysely'
import { updateUserSearch } from '../../accounts/users/users.db.ts'
import { emailKey } from '../../base/text.ts'
import { sheetDetail } from '../../log/words/act.ts'
import { renamed } from '../../log/log.db.ts'
import type { Trx } from '../../server/database/database.ts'
import { logEach, Stale, type Writing } from './apply-projects.db.ts'
import { inParts } from './plan/in-parts.ts'
import type { ChangedPerson, NewMembership, NewPerson } from './plan/plan.ts'

/** Adds people with their numbers, like their form, without inviting them. Returns their ids by e-mail key. */
export async function addPeople(
  writing: Writing,
  people: readonly NewPerson[],
): Promise<Map<string, number>> {
  const { trx } = writing
  const ids = new Map<string, number>()
  for (const part of inParts(people)) {
    const written = part.map(({ name, email, role }) => ({ name, email, email_key: emailKey(email), role }))
    const { rows } = await sql<{ id: number; email_key: string }>`
      insert into users (name, email, email_key, role)
      select name, email, email_key, role
      from json_to_recordset(${JSON.stringify(written)}::json) as row (name text, email text, email_key text, role text)
      on conflict (email_key) do nothing returning id, email_key`.execute(trx)
    if (rows.length < part.length) throw new Stale()
    for (const { id, email_key: key } of rows) ids.set(key, id)
    const owned = part.flatMap(({ email, numbers }) =>
      numbers.map((number) => ({ number, user_id: ids.get(emailKey(email))! })),
    )
    await addNumbers(trx, owned)
    const added = rows.map(({ id }) => id)
    await updateUserSearch(trx, added)
  }
  const detail = sheetDetail(writing.sheet)
  const entries = [...ids.values()].map((userId) => ({ userId, detail }))
  await logEach(writing, 'user-added', entries)
  return ids
}

async function addNumbers(trx: Trx, numbers: { number: string; user_id: number }[]): Promise<void> {
  const { rows } = await sql`
    insert into user_numbers (number, user_id)
    select number, user_id from json_to_recordset(${JSON.stringify(numbers)}::json) as row (number text, user_id bigint)
    on conflict do nothing returning number`.execute(trx)
  if (rows.length < numbers.length) throw new Stale()
}

/** Changes people who have not changed since they were compared. */
export async function changePeople(writing: Writing, people: readonly ChangedPerson[]): Promise<void> {
  const { trx } = writing
  for (const part of inParts(people)) {
    await writePeople(trx, part)
    const owned = part.flatMap(({ id, addedNumbers }) =>
      addedNumbers.map((number) => ({ number, user_id: id })),
    )
    await addNumbers(trx, owned)
    const changed = part.map(({ id }) => id)
    await updateUserSearch(trx, changed)
  }
  await logChangedPeople(writing, people)
}

export function logChangedPeople(writing: Writing, people: readonly ChangedPerson[]): Promise<void> {
  const changed = people.map(({ id, before, after, addedNumbers }) => ({
    userId: id,
    detail: sheetDetail(
      writing.sheet,
      ...Object.keys(after),
      ...(addedNumbers.length > 0 ? ['numbers'] : []),
    ),
    names: renamed(before.name ?? '', after.name ?? before.name ?? ''),
  }))
  return logEach(writing, 'user-changed', changed)
}

type Written = Pick<ChangedPerson, 'id' | 'before' | 'after'>

/**
 * Writes names and e-mails of people who still have the values in `before`. Throws `Stale` if one of them has not. Ends
 * links that were sent to an old address.
 */
export async function writePeople(trx: Trx, people: readonly Written[]): Promise<void> {
  const written = people.map(({ id, before, after }) => ({
    id,
    old_name: before.name,
    old_email: before.email,
    name: after.name,
    email: after.email,
    email_key: after.email === undefined ? undefined : emailKey(after.email),
  }))
  const { rows } = await sql`
    update users set name = coalesce(wanted.name, users.name), email = coalesce(wanted.email, users.email),
      email_key = coalesce(wanted.email_key, users.email_key)
    from json_to_recordset(${JSON.stringify(written)}::json) as wanted (id bigint, old_name text, old_email text,
      name text, email text, email_key text)
    where users.id = wanted.id and users.name = coalesce(wanted.old_name, users.name)
      and users.email = coalesce(wanted.old_email, users.email)
    returning users.id`.execute(trx)
  if (rows.length < people.length) throw new Stale()
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
  const detail = sheetDetail(writing.sheet)
  const entries = added.map((on) => ({ ...on, detail }))
  await logEach(writing, 'member-added', entries)
  return added
}
