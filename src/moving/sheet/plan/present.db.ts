import { sql, type RawBuilder } from 'kysely'
import { COLUMN_FIELDS } from '../../../accounts/users/user.fields.ts'
import { emailKey } from '../../../base/text.ts'
import { PROJECT_FIELDS } from '../../../projects/project/project.fields.ts'
import { columnValues } from '../../../server/database/fields.db.ts'
import type { Database, Trx } from '../../../server/database/database.ts'
import type { CheckedSheet } from '../read/checked-sheet.ts'
import { inParts } from '../../../server/database/in-parts.ts'
import type { Present, PresentPerson, PresentProject } from './plan.ts'

/** Reads the projects and people that a sheet names. Only administrators import, and they see everybody. */
export async function readPresent(
  db: Database | Trx,
  { projects, people }: Pick<CheckedSheet, 'projects' | 'people'>,
): Promise<Present> {
  const numbers = [
    ...projects.flatMap(({ number }) => number ?? []),
    ...people.flatMap(({ projects: named }) => named),
  ]
  const emails = people.flatMap(({ email }) => (email === undefined ? [] : emailKey(email)))
  const ownNumbers = people.flatMap(({ numbers: own }) => own)
  return {
    projects: await readProjects(db, [...new Set(numbers)]),
    people: await readPeople(db, [...new Set(emails)], [...new Set(ownNumbers)]),
  }
}

async function readProjects(db: Database | Trx, numbers: string[]): Promise<PresentProject[]> {
  const found: PresentProject[] = []
  for (const part of inParts(numbers)) {
    const { rows } = await sql<PresentProject>`
      select projects.id, ${columnValues(PROJECT_FIELDS, 'projects')}, array(select changes.year_ends from accounting_year_changes as changes
          where changes.project_id = projects.id order by since) as later_ends
      from unnest(${part}::text[]) as wanted (number) join projects on projects.number = wanted.number`.execute(
      db,
    )
    found.push(...rows)
  }
  return found
}

async function readPeople(db: Database | Trx, emails: string[], numbers: string[]): Promise<PresentPerson[]> {
  const found = new Map<number, PresentPerson>()
  const read = async (ids: RawBuilder<unknown>) => {
    const { rows } = await sql<PresentPerson>`
      select users.id, ${columnValues(COLUMN_FIELDS, 'users')}, has_way_in(users) as "hasWayIn",
        deactivated_at is not null as "isDeactivated",
        array(select number from user_numbers where user_id = users.id order by number collate danish) as numbers,
        array(select projects.number from project_members join projects on projects.id = project_members.project_id
          where project_members.user_id = users.id order by projects.number) as projects
      from (${ids}) as wanted (id) join users on users.id = wanted.id`.execute(db)
    for (const person of rows) found.set(person.id, person)
  }
  for (const part of inParts(emails))
    await read(sql`
      select users.id from unnest(${part}::text[]) as wanted (key) join users on users.email_key = wanted.key`)
  // Most people are found by their e-mail.
  const known = new Set(found.values().flatMap((person) => person.numbers))
  for (const part of inParts(numbers.filter((number) => !known.has(number))))
    await read(sql`
      select distinct user_id from unnest(${part}::text[]) as wanted (number)
      join user_numbers on user_numbers.number = wanted.number`)
  return [...found.values()]
}
