import { sql, type RawBuilder } from 'kysely'
import { folderLenders } from '../access/lenders.db.ts'
import type { Reader } from '../access/reader.ts'
import { isFileSeen, isFileShown } from '../access/seen.db.ts'
import { fileFields, type FileRow } from '../files/file/file-fields.db.ts'
import { listNewest } from '../projects/news/news.db.ts'
import type { InboxState } from '../inbox/inbox.ts'
import { periodKeyText } from '../base/time/period.ts'
import { CROSSES_NEW_YEAR } from '../projects/members.db.ts'
import { isOffice, may } from '../rights.ts'
import type { Database } from '../server/database/database.ts'
import { ownFiles, paperTitle, shortProjectName } from '../year/papers/paper-title.ts'
import type { Received, StartFile } from './sections/start-file.ts'

/** Lists the files that are new to the reader, in their projects and among their own, newest first. */
export async function listNews(db: Database, reader: Reader, most: number): Promise<StartFile[]> {
  const newest = await listNewest(db, reader, most)
  if (newest.length === 0) return []
  const which = sql<boolean>`files.id = any (${newest.map(({ id }) => id)})`
  const files = new Map((await readFiles(db, reader, which)).map((file) => [file.id, file]))
  return newest.flatMap(({ id, at }) => {
    const file = files.get(id)
    return file ? [{ ...file, at: at.toISOString() }] : []
  })
}

/** How many of the newest received files are looked at. Older ones are on the page of the person who sent them. */
const MOST_LOOKED_AT = 200

/** Lists files that investors have sent lately: first those that nobody has taken, up to a limit, then the newest. */
export async function listReceived(
  db: Database,
  reader: Reader,
  { most, mostNew }: { most: number; mostNew: number },
): Promise<Received> {
  const { rows } = await sql<{
    id: number
    state: InboxState
    by_id: number | null
    by: string | null
    total: number
    new_count: number
  }>`
    select sent.id, sent.state, users.id as by_id, users.name as by, sent.total, sent.new_count
    from (
      select newest.id, newest.created_at, coalesce(inbox.state, 'done') as state, inbox.changed_by,
        count(*) over () as total, count(*) filter (where inbox.state = 'new') over () as new_count
      from (
        select id, created_at, submission_id from files where from_investor and ${isFileShown(reader)}
        order by created_at desc, id desc limit ${MOST_LOOKED_AT}
      ) as newest left join inbox using (submission_id)) as sent
    left join users on users.id = sent.changed_by
    order by sent.state = 'new' desc, sent.created_at desc, sent.id desc limit ${Math.max(most, mostNew)}`.execute(
    db,
  )
  const [first] = rows
  if (!first) return { files: [], total: 0, new_count: 0 }
  const shown = rows.slice(0, Math.max(most, Math.min(first.new_count, mostNew)))
  const which = sql<boolean>`files.id = any (${shown.map(({ id }) => id)})`
  const files = new Map((await readFiles(db, reader, which)).map((file) => [file.id, file]))
  return {
    files: shown.flatMap(({ id, state, by_id: byId, by }) => {
      const file = files.get(id)
      const taker = byId === null ? null : { id: byId, name: by! }
      return file ? [{ ...file, is_new: state === 'new', inbox: { state, by: taker } }] : []
    }),
    total: first.total,
    new_count: first.new_count,
  }
}

type Row = FileRow & {
  project_id: number | null
  user_id: number | null
  project: string | null
  sender_id: number | null
  sender: string | null
  shown_at: Date
  lent_by: string[]
  folder: string
  paper_period: string | null
  crosses_new_year: boolean
}

async function readFiles(db: Database, reader: Reader, which: RawBuilder<boolean>): Promise<StartFile[]> {
  const { rows } = await sql<Row>`
    select ${fileFields(reader)}, files.shown_at, folders.project_id, folders.user_id, projects.name as project,
      folders.name as folder, files.period as paper_period, projects.id is not null and ${CROSSES_NEW_YEAR} as crosses_new_year,
      users.id as sender_id, users.name as sender, ${folderLenders(reader)} as lent_by
    from files
    join blobs on blobs.id = files.blob_id
    join folders on folders.id = files.folder_id
    left join projects on projects.id = folders.project_id
    left join users on users.id = files.uploaded_by and files.from_investor
    where ${which} and ${isFileSeen(reader)} order by files.shown_at desc, files.id desc`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    title: may(reader.role, 'seePapers') ? titleOf(row, reader) : row.name,
    path: row.path,
    mime: row.mime,
    is_new: row.is_new,
    is_version: row.is_version,
    from_investor: row.from_investor,
    held: row.held,
    waiting: row.waiting,
    owner: row.project_id === null ? { user: row.user_id! } : { project: row.project_id },
    project: row.project,
    lent_by: row.lent_by,
    sender: isOffice(reader.role) && row.sender_id !== null ? { id: row.sender_id, name: row.sender! } : null,
    at: row.shown_at.toISOString(),
  }))
}

/** As *Papirer* says it. */
const titleOf = (
  { project, folder, name, paper_period: period, crosses_new_year: crosses }: Row,
  { role }: Reader,
): string =>
  paperTitle({
    folder: project === null ? null : folder,
    period: periodKeyText(period, crosses),
    name,
    whose: project === null ? ownFiles(role) : shortProjectName(project),
  })
