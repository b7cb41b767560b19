import { sql } from 'kysely'
import type { Act } from '../log/words/act.ts'
import type { Database } from '../server/database/database.ts'
import type { MailTrial } from '../server/try-mail.ts'
import type { Decision, NewOffice } from './first-steps.ts'

const CHANGES_FOLDERS: Act[] = [
  'folder-added',
  'folder-changed',
  'folder-shared',
  'folder-unshared',
  'folder-moved',
  'folder-removed',
]
const ACCEPTED: MailTrial['kind'] = 'accepted'

/** Reads how far a new office has come; null if the list is put away, which costs next to nothing. */
export async function findNewOffice(db: Database, reader: { id: number }): Promise<NewOffice | null> {
  const { rows } = await sql<NewOffice>`
    select decided,
      exists (select from office where name <> '') as "hasName",
      exists (select from log where act = 'test-mail-sent' and detail = ${ACCEPTED}) as "hasMailed",
      'folders' = any (decided) or exists (
        select from log where act = any (${CHANGES_FOLDERS}) and project_id is null and subject_user_id is null
      ) as "hasChangedFolders",
      exists (select from projects) as "hasProject",
      exists (select from users where id <> ${reader.id}) as "hasPerson",
      exists (select from files) as "hasFile"
    from (select coalesce((select first_steps from office), '{}') as decided) as office_now
    where not 'hidden' = any (decided)`.execute(db)
  return rows[0] ?? null
}

/** Remembers a decision for all administrators. Said twice, it is the same. */
export async function decideFirstStep(db: Database, decision: Decision): Promise<void> {
  await sql`
    insert into office (first_steps) values (array[${decision}::text])
    on conflict (is_only) do update set first_steps = office.first_steps || excluded.first_steps
      where not office.first_steps @> excluded.first_steps`.execute(db)
}
