import { sql, type RawBuilder } from 'kysely'
import type { Act } from '../../log/words/act.ts'
import { hasOwnFiles, rolesThat } from '../../rights.ts'
import type { Trx } from '../../server/database/database.ts'
import type { Made } from './plan/plan.ts'

/** How many obstacles are named; the rest are counted. */
const MOST_TOLD = 20

/** Acts that change nothing about a person or a project. */
const HARMLESS: Act[] = [
  'user-invited',
  'log-exported',
  'sign-in-failed',
  'password-reset-asked',
  'asked-to-wait',
]

/** Says in Danish what was done since to the things that an import made. */
export async function findObstacles(trx: Trx, made: Made, lastLogId: number): Promise<string[]> {
  const found = [
    ...(await ofNewProjects(trx, made, lastLogId)),
    ...(await ofNewPeople(trx, made, lastLogId)),
    ...(await ofChangedProjects(trx, made)),
    ...(await ofChangedPeople(trx, made)),
    ...(await ofMembers(trx, made)),
  ]
  const more = found.length - MOST_TOLD
  return more > 0 ? [...found.slice(0, MOST_TOLD), `Og ${more} andre ting.`] : found
}

/** Acts of another sheet do not count once that one is undone as well. */
const wasTouched = (column: RawBuilder<unknown>, lastLogId: number) => sql<boolean>`exists (
  select from log where ${column} and log.id > ${lastLogId} and act <> all (${HARMLESS})
    and not exists (select from sheet_imports where undone_at is not null
      and sheet_imports.id::text = substring(log.detail from 'sheet:([0-9]+)$')))`

async function ofNewProjects(trx: Trx, { newProjects: ids }: Made, lastLogId: number): Promise<string[]> {
  const { rows } = await sql<{ number: string; name: string; has_files: boolean }>`
    select number, name, has_files from (
      select number, name, exists (
          select from files join folders on folders.id = files.folder_id where folders.project_id = projects.id
        ) as has_files, ${wasTouched(sql`log.project_id = projects.id`, lastLogId)} as is_touched
      from projects where id = any (${ids})
    ) as project
    where has_files or is_touched order by number limit 1000`.execute(trx)
  return rows.map(
    ({ number, name, has_files: hasFiles }) =>
      `Projekt ${number} ${name} ${hasFiles ? 'har fået filer' : 'er ændret siden'}.`,
  )
}

async function ofNewPeople(trx: Trx, { newPeople: ids }: Made, lastLogId: number): Promise<string[]> {
  const { rows } = await sql<{ name: string; has_come: boolean }>`
    select name, has_come from (
      select name, has_way_in(users) or exists (select from log where user_id = users.id) as has_come,
        ${wasTouched(sql`log.subject_user_id = users.id`, lastLogId)}
          or exists (select from log where as_user_id = users.id) or exists (select from log where for_user_id = users.id)
          or exists (select from folders where user_id = users.id) as is_touched
      from users where id = any (${ids})
    ) as person
    where has_come or is_touched order by name limit 1000`.execute(trx)
  return rows.map(
    ({ name, has_come: hasCome }) =>
      `${name} ${hasCome ? 'har taget imod invitationen' : 'er ændret siden, eller har fået filer'}.`,
  )
}

async function ofChangedProjects(trx: Trx, { changedProjects }: Made): Promise<string[]> {
  const { rows } = await sql<{ number: string; name: string }>`
    select projects.number, projects.name
    from json_to_recordset(${JSON.stringify(changedProjects)}::json) as made (id bigint, after jsonb)
    join projects on projects.id = made.id
    where not to_jsonb(projects) @> made.after
    order by projects.number limit 1000`.execute(trx)
  return rows.map(({ number, name }) => `Projekt ${number} ${name} er ændret siden.`)
}

async function ofChangedPeople(trx: Trx, { changedPeople }: Made): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select users.name
    from json_to_recordset(${JSON.stringify(changedPeople)}::json) as made (id bigint, after jsonb, "addedNumbers" jsonb)
    join users on users.id = made.id
    cross join lateral (
      select coalesce(jsonb_agg(number), '[]') as all from user_numbers where user_id = users.id) as numbers
    where not to_jsonb(users) @> made.after
      or not numbers.all @> made."addedNumbers"
      -- They sign in with the address that the import gave them.
      or made.after ? 'email' and has_way_in(users)
      -- They would have no number left.
      or users.role = any (${rolesThat(hasOwnFiles)}) and jsonb_array_length(made."addedNumbers") > 0
        and jsonb_array_length(numbers.all) = jsonb_array_length(made."addedNumbers")
    order by users.name limit 1000`.execute(trx)
  return rows.map(({ name }) => `${name} er ændret siden.`)
}

async function ofMembers(trx: Trx, { members }: Made): Promise<string[]> {
  const { rows } = await sql<{ person: string; project: string }>`
    select users.name as person, projects.name as project
    from json_to_recordset(${JSON.stringify(members)}::json) as made ("projectId" bigint, "userId" bigint)
    join users on users.id = made."userId" join projects on projects.id = made."projectId"
    where not exists (
      select from project_members where project_id = made."projectId" and user_id = made."userId")
    order by users.name limit 1000`.execute(trx)
  return rows.map(({ person, project }) => `${person} er ikke længere medlem af ${project}.`)
}
