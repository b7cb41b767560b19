import { listed } from '../base/danish/listed.ts'
import { sql } from 'kysely'
import type { SentUser } from '../accounts/users/user.fields.ts'
import type { ProjectChanges } from '../projects/members.db.ts'
import { isOffice, ROLE_NAMES, type Role } from '../rights.ts'
import type { Edit } from '../server/edits.ts'
import type { Trx } from '../server/database/database.ts'

/** ' i K/S Et og K/S To', with the words before it; '' for none. */
export async function nameProjects(
  trx: Trx,
  before: string,
  { add, addByNumber }: Pick<ProjectChanges, 'add' | 'addByNumber'>,
): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select name from projects where id = any (${add}::bigint[]) or number = ${addByNumber}
    order by name collate danish`.execute(trx)
  return rows.length === 0 ? '' : before + listed(rows.map(({ name }) => name))
}

/** Describes the changes to a person that let anybody see more: role, e-mail and projects. */
export async function describeChange(
  trx: Trx,
  user: number,
  fields: SentUser,
  projects: ProjectChanges,
  edit: Edit | null,
): Promise<string> {
  const { rows } = await sql<{ name: string; email: string; role: Role }>`
    select name, email, role from users where id = ${user}`.execute(trx)
  const [now] = rows
  if (!now) return 'Ret en person'
  const changes = [
    edit?.was.role !== fields.role &&
      now.role !== fields.role &&
      `rolle fra ${ROLE_NAMES[now.role].toLowerCase()} til ${ROLE_NAMES[fields.role].toLowerCase()}`,
    edit?.was.email !== fields.email &&
      now.email !== fields.email &&
      `e-mail fra ${now.email} til ${fields.email}`,
    await nameProjects(trx, 'medlem af ', projects),
    await nameProjects(trx, 'ikke længere medlem af ', { add: projects.remove, addByNumber: '' }),
  ].filter((change) => change !== false && change !== '')
  return `Ret ${now.name}: ${changes.length === 0 ? 'oplysninger' : changes.join('; ')}`
}

export async function isOfOffice(trx: Trx, user: number): Promise<boolean> {
  const { rows } = await sql<{ role: Role }>`select role from users where id = ${user}`.execute(trx)
  return rows[0] !== undefined && isOffice(rows[0].role)
}

/** Whether access would hold for longer than now. */
export async function isLonger(trx: Trx, lending: number, until: Date | null): Promise<boolean> {
  const { rows } = await sql<{
    until: Date | null
  }>`select until from lendings where id = ${lending}`.execute(trx)
  const now = rows[0]?.until ?? null
  return now !== null && (until === null || until > now)
}

export async function nameAdviser(trx: Trx, lending: number): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select users.name from lendings join users on users.id = lendings.adviser_id where lendings.id = ${lending}`.execute(
    trx,
  )
  return rows[0]?.name ?? 'en rådgiver'
}
