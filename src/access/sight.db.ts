import { sql, type RawBuilder } from 'kysely'
import { isLentTo, rolesThat } from '../rights.ts'
import type { Database, Trx } from '../server/database/database.ts'
import type { Scope } from './gate.ts'
import { IS_LENT_NOW } from './lent.db.ts'
import { JOIN_OUTSIDE_READERS, OUTSIDE_ROLES } from './outside-readers.db.ts'
import { isSeenByPerson } from './queried-reader.db.ts'
import { contentsSeen, isFileShown, isFolderSeen, isReportSeen } from './seen.db.ts'
import { groupShown, type Bytes, type Gain, type StoredSight, type Sight, type Who } from './sight.ts'

type Readers = { folder: number; people: number[] }

/** Anybody outside the office: whether a file is shown does not depend on which role. */
const OUTSIDE = { id: 0, role: 'investor' } as const

/** Condition on bytes: the paper is held, so publishing its release does not show it. */
export const isPaperHeld = (blob: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from held_papers where held_papers.blob_id = ${blob})`

/** Condition on a submission: its papers are shown as soon as they are read or approved. */
const isReleased = (submission: RawBuilder<unknown>) => sql<boolean>`not exists (
  select from releases where releases.submission_id = ${submission} and releases.state <> 'published')`

/** Condition on `files`: held back only until it is read or approved, and shown by itself then. */
const IS_COMING = sql<boolean>`(files.deleted_at is null and files.is_held_back
  and ${isPaperHeld(sql`files.blob_id`)} and ${isReleased(sql`files.submission_id`)})`

/** Condition on `file_versions` and `files`: the same for a new version of a file. */
const IS_VERSION_COMING = sql<boolean>`(files.deleted_at is null and file_versions.is_held_back
  and file_versions.submission_id is not null and ${isPaperHeld(sql`file_versions.blob_id`)}
  and ${isReleased(sql`file_versions.submission_id`)})`

/** Part of a query, after `from`: the bytes that are shown, now or soon, of the files that a condition chooses, as `shown`. */
const shownOf = (which: RawBuilder<boolean>): RawBuilder<unknown> => sql`(
  select files.id, files.blob_id as blob, files.folder_id as folder from files
  where ${which} and (${isFileShown(OUTSIDE)} or ${IS_COMING})
  union all
  select files.id, file_versions.blob_id, files.folder_id
  from files join file_versions on file_versions.file_id = files.id where ${which} and ${IS_VERSION_COMING}
) as shown`

/** Condition on `folders`: it has something that its readers outside the office see, now or soon. */
const HAS_SHOWN = sql<boolean>`(${contentsSeen(OUTSIDE).filesCount} > 0 or exists (
  select from files where files.folder_id = folders.id and ${IS_COMING}) or exists (
  select from files join file_versions on file_versions.file_id = files.id
  where files.folder_id = folders.id and ${IS_VERSION_COMING}))`

/** Reads what people outside the office see in a part of it. Returns whole folders, without their files. */
export async function readSight(
  trx: Database | Trx,
  { files = [], projects = [], people = [] }: Scope,
): Promise<Sight> {
  const shown = files.length === 0 ? [] : await listShown(trx, files)
  const ofProjects =
    projects.length === 0
      ? []
      : await listReaders(trx, sql<boolean>`folders.project_id = any (${projects}) and ${HAS_SHOWN}`)
  const ofPeople = people.length === 0 ? [] : await listSeenBy(trx, people)
  return {
    files: shown,
    readers: await listReadersOf(
      trx,
      shown.map(({ folder }) => folder),
    ),
    folders: join([...ofProjects, ...ofPeople]),
  }
}

async function listShown(trx: Database | Trx, files: number[]): Promise<Sight['files']> {
  const { rows } = await sql<Sight['files'][number]>`
    select id, blob, folder from ${shownOf(sql<boolean>`files.id = any (${files})`)} order by id, blob`.execute(
    trx,
  )
  return rows
}

/** Lists who sees folders from outside the office. */
export async function listReadersOf(trx: Database | Trx, folders: number[]): Promise<Readers[]> {
  const ids = [...new Set(folders)]
  return ids.length === 0 ? [] : listReaders(trx, sql<boolean>`folders.id = any (${ids})`)
}

async function listReaders(trx: Database | Trx, which: ReturnType<typeof sql<boolean>>): Promise<Readers[]> {
  const { rows } = await sql<Readers>`
    select folders.id as folder, json_agg(distinct users.id) as people from folders ${JOIN_OUTSIDE_READERS}
    where ${which} group by folders.id`.execute(trx)
  return rows
}

/** Lists the folders that these people see, and those whom they lend to. */
async function listSeenBy(trx: Database | Trx, people: number[]): Promise<Readers[]> {
  const { rows } = await sql<Readers>`
    select folders.id as folder, json_agg(users.id) as people
    from users cross join folders
    where users.id in (
        select unnest(${people}::bigint[])
        union select adviser_id from lendings where lender_id = any (${people}) and ${IS_LENT_NOW})
      and users.deactivated_at is null and users.role = any (${OUTSIDE_ROLES}) and (folders.project_id is not null or folders.user_id is not null)
      and ${HAS_SHOWN} and ${isSeenByPerson(isFolderSeen)}
    group by folders.id`.execute(trx)
  return [...rows, ...(await listReportReaders(trx, people)), ...(await listOfficePeople(trx, people))]
}

/**
 * Lists the advisers who see the reports of these people, and the reports that these people see as advisers. A report
 * has the negative id of its owner.
 */
async function listReportReaders(trx: Database | Trx, people: number[]): Promise<Readers[]> {
  const { rows } = await sql<Readers>`
    select -users.id as folder, json_agg(distinct advisers.id) as people
    from lendings as given join users on users.id = given.lender_id
      join users as advisers on advisers.id = given.adviser_id and advisers.deactivated_at is null
        and advisers.role = any (${rolesThat(isLentTo)})
    where (given.lender_id = any (${people}) or given.adviser_id = any (${people}))
      and exists (select from report_companies where report_companies.user_id = users.id)
      and ${isReportSeen({ id: sql<number>`advisers.id`, role: 'adviser' })}
    group by users.id`.execute(trx)
  return rows
}

/**
 * Stands for everything that the office sees, drafts and trash included. A person who joins the office always sees
 * more.
 */
const WHOLE_OFFICE = 0

async function listOfficePeople(trx: Database | Trx, people: number[]): Promise<Readers[]> {
  const { rows } = await sql<{ people: number[] }>`
    select json_agg(id) as people from users
    where id = any (${people}) and deactivated_at is null and role <> all (${OUTSIDE_ROLES}) having count(*) > 0`.execute(
    trx,
  )
  return rows.map((row) => ({ folder: WHOLE_OFFICE, people: row.people }))
}

function join(rows: Readers[]): Readers[] {
  const joined = new Map<number, Set<number>>()
  for (const { folder, people } of rows)
    joined.set(folder, new Set([...(joined.get(folder) ?? []), ...people]))
  return [...joined].map(([folder, people]) => ({ folder, people: [...people] }))
}

/**
 * Lists what a gain shows, file by file, to store it with the act. `known` is the highest id of a person from before
 * the act: a person whom the act adds gets another id when it is carried out, so they are known by their e-mail.
 */
export async function detailGain(trx: Trx, gain: Gain, known: number): Promise<Omit<StoredSight, 'moved'>> {
  const people = [...gain.files, ...gain.folders].flatMap((each) => each.people)
  const { rows: added } = await sql<{ id: number; email_key: string }>`
    select id, email_key from users where id = any (${[...new Set(people)]}::bigint[]) and id > ${known}`.execute(
    trx,
  )
  const emails = new Map(added.map(({ id, email_key: email }) => [id, email]))
  const whoOf = (ids: number[]): Who[] => ids.map((id) => emails.get(id) ?? id)
  const folders = gain.folders.filter(({ folder }) => folder !== WHOLE_OFFICE)
  const { rows } = await sql<Bytes & { folder: number }>`
    select id, blob, folder from ${shownOf(sql<boolean>`files.folder_id = any (${folders.map(({ folder }) => folder)}::bigint[])`)}
    order by folder, id, blob`.execute(trx)
  const inFolder = Map.groupBy(rows, ({ folder }) => folder)
  return {
    office: gain.folders
      .filter(({ folder }) => folder === WHOLE_OFFICE)
      .flatMap(({ people: joining }) => whoOf(joining)),
    shown: groupShown([
      ...folders.map(({ folder, people: readers }) => ({
        people: whoOf(readers),
        files: (inFolder.get(folder) ?? []).map(({ id, blob }) => ({ id, blob })),
      })),
      ...gain.files.map(({ id, blob, people: readers }) => ({
        people: whoOf(readers),
        files: [{ id, blob }],
      })),
    ]),
  }
}

/** Returns the highest id of a person. */
export async function lastPerson(trx: Trx): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0) as id from users`.execute(trx)
  return rows[0]!.id
}
