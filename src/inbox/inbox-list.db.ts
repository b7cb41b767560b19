import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../access/reader.ts'
import { isReleased } from '../access/seen.db.ts'
import type { ListQuery } from '../base/list-query.ts'
import type { Page } from '../base/pagination.ts'
import type { Database, Trx } from '../server/database/database.ts'
import { readPage } from '../server/database/list.db.ts'
import { isFound } from '../server/database/search.db.ts'
import { HELD } from '../files/file/file-fields.db.ts'
import type { IntakeFile } from '../intake/intake.ts'
import {
  MOST_FILES,
  type InboxCounts,
  type InboxFile,
  type InboxFilter,
  type InboxIntake,
  type InboxItem,
} from './inbox.ts'

/** Lists what investors have sent and what was handed in, newest first. */
export function listInbox(
  db: Database,
  reader: Reader,
  filter: InboxFilter,
  query: ListQuery,
): Promise<Page<InboxItem>> {
  return readPage(db, query, {
    id: sql<number>`inbox.submission_id`,
    found: sql`from inbox where ${isListed(filter, reader)} and ${isItemFound(query.q)}`,
    order: sql`inbox.submission_id desc`,
    read: (ids) => readItems(db, reader, ids),
  })
}

function isListed(filter: InboxFilter, reader: Reader): RawBuilder<boolean> {
  if (filter === 'all') return sql<boolean>`true`
  if (filter === 'mine') return isMine(reader)
  return sql<boolean>`inbox.state = ${sql.lit(filter)}`
}

const isMine = (reader: Reader) => sql<boolean>`inbox.state = 'taken' and inbox.changed_by = ${reader.id}`

/** Condition on `inbox`: the sender or one of the files is found. */
function isItemFound(q: string): RawBuilder<boolean> {
  if (q === '') return sql<boolean>`true`
  return sql<boolean>`(exists (
      select from submissions join users on users.id = submissions.user_id
      where submissions.id = inbox.submission_id and ${isFound(sql<string>`users.search`, q)})
    or exists (
      select from intakes where intakes.submission_id = inbox.submission_id and (${isFound(sql<string>`intakes.search`, q)}
        or exists (
          select from intake_files where intake_files.submission_id = intakes.submission_id
            and ${isFound(sql<string>`intake_files.search`, q)})))
    or exists (
      select from files where files.submission_id = inbox.submission_id and ${isFound(sql<string>`files.search`, q)}))`
}

export async function countInbox(db: Database, reader: Reader): Promise<InboxCounts> {
  const { rows } = await sql<InboxCounts>`
    select (select count(*)::integer from inbox where state = 'new') as new,
      (select count(*)::integer from inbox where ${isMine(reader)}) as mine`.execute(db)
  return rows[0]!
}

/** Reads one item. */
export async function getItem(db: Database | Trx, reader: Reader, id: number): Promise<InboxItem> {
  const [item] = await readItems(db, reader, [id])
  return item!
}

type FileRow = Omit<InboxFile, 'owner'> & { project_id: number | null; user_id: number | null }

type Row = Omit<InboxItem, 'sender' | 'intake' | 'sent_at' | 'files' | 'by' | 'at'> & {
  sender_id: number | null
  sender: string | null
  sent_at: Date
  files: FileRow[]
  by_id: number | null
  by: string | null
  at: Date | null
}

/** Reads several items; those that do not exist are left out. */
export async function readItems(db: Database | Trx, reader: Reader, ids: number[]): Promise<InboxItem[]> {
  const { rows } = await sql<Row>`
    select inbox.submission_id as id, senders.id as sender_id, senders.name as sender, submissions.created_at as sent_at,
      inbox.state, people.id as by_id, people.name as by, inbox.changed_at as at,
      sent.files, sent.left, sent.in_trash, greatest(0, inbox.files_count - sent.left) as gone
    from inbox
    join submissions on submissions.id = inbox.submission_id
    left join users as senders on senders.id = submissions.user_id
    left join users as people on people.id = inbox.changed_by
    cross join lateral (
      select count(*)::integer as left, count(*) filter (where in_trash)::integer as in_trash,
        coalesce(json_agg(to_json(listed)) filter (where number <= ${MOST_FILES}), '[]') as files
      from (
        select files.id, files.name, files.key || '/' || files.name as path, folders.project_id, folders.user_id,
          files.deleted_at is not null as in_trash, ${HELD} as held,
          case when folders.user_id is distinct from submissions.user_id then coalesce(projects.name, owners.name) end
            as moved_to,
          row_number() over (order by files.deleted_at is not null, files.id) as number
        from files
        join folders on folders.id = files.folder_id
        left join projects on projects.id = folders.project_id
        left join users as owners on owners.id = folders.user_id
        where files.submission_id = inbox.submission_id and ${isReleased(reader)}
        order by number
      ) as listed
    ) as sent
    where inbox.submission_id = any (${ids})`.execute(db)
  const intakes = await readIntakes(db, reader, ids)
  return rows.map(({ sender_id: senderId, sender, sent_at: sentAt, by_id: byId, by, at, files, ...row }) => {
    const intake = intakes.get(row.id) ?? null
    return {
      ...row,
      // The files of an intake belong to other submissions, and are counted separately.
      gone: intake ? 0 : row.gone,
      sender: senderId === null ? null : { id: senderId, name: sender! },
      intake,
      sent_at: sentAt.toISOString(),
      files: files.map(toFile),
      by: byId === null ? null : { id: byId, name: by! },
      at: at?.toISOString() ?? null,
    }
  })
}

const toFile = ({
  id,
  name,
  path,
  project_id: project,
  user_id: user,
  in_trash,
  moved_to,
  held,
}: FileRow): InboxFile => ({
  id,
  name,
  path,
  owner: project === null ? { user: user! } : { project },
  in_trash,
  moved_to,
  held,
})

type IntakeRow = Omit<InboxIntake, 'files'> & {
  id: number
  files: (IntakeFile & { filed: FileRow | null })[]
}

/** Reads what was handed in, by its id, with the first of its files. A filed one is shown as far as the reader sees it. */
async function readIntakes(
  db: Database | Trx,
  reader: Reader,
  ids: number[],
): Promise<Map<number, InboxIntake>> {
  const { rows } = await sql<IntakeRow>`
    select intakes.submission_id as id, source, sender, subject, note, pictures, untaken, came.files, came.waiting, came.total
    from intakes
    cross join lateral (
      select count(*)::integer as total, count(*) filter (where state = 'waiting')::integer as waiting,
        coalesce(json_agg(json_build_object('id', id, 'name', name, 'size', size, 'state', state, 'filed', filed)
          order by number) filter (where number <= ${MOST_FILES}), '[]') as files
      from (
        select intake_files.id, intake_files.name, intake_files.size, of.state, filed.filed,
          row_number() over (order by of.state <> 'waiting', intake_files.id) as number
        from intake_files
        cross join lateral (
          select case when filed_at is not null then 'filed' when removed_at is not null then 'removed' else 'waiting' end
            as state
        ) as of
        left join lateral (
          select json_build_object('id', files.id, 'name', files.name, 'path', files.key || '/' || files.name,
            'project_id', folders.project_id, 'user_id', folders.user_id, 'in_trash', files.deleted_at is not null, 'held', ${HELD},
            'moved_to', coalesce(projects.name, owners.name)) as filed
          from files join folders on folders.id = files.folder_id
          left join projects on projects.id = folders.project_id
          left join users as owners on owners.id = folders.user_id
          where files.id = intake_files.file_id and ${isReleased(reader)}
        ) as filed on true
        where intake_files.submission_id = intakes.submission_id
      ) as listed
    ) as came
    where intakes.submission_id = any (${ids})`.execute(db)
  return new Map(
    rows.map(({ id, files, ...row }) => [
      id,
      { ...row, files: files.map((file) => ({ ...file, filed: file.filed && toFile(file.filed) })) },
    ]),
  )
}
