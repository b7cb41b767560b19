import { sql } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFileSeen } from '../../access/seen.db.ts'
import type { Database } from '../../server/database/database.ts'
import type { Facets } from '../answer/results.ts'
import type { Candidate } from './candidates.db.ts'

const MOST_UNREAD = 1000

/** Counts the newest files that the reader sees and whose text is not read yet. */
export async function countUnread(db: Database, reader: Reader): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from (select sha256 from texts where state = 'wanted' order by id desc limit ${MOST_UNREAD}) as wanted
    join blobs on blobs.sha256 = wanted.sha256 and blobs.state = 'stored'
    join files on files.blob_id = blobs.id join folders on folders.id = files.folder_id
    where ${isFileSeen(reader)}`.execute(db)
  return rows[0]!.count
}

const MOST_FACETS = 30

/** Counts the found files in each project, folder and year. */
export async function countFacets(db: Database, files: Candidate[]): Promise<Facets> {
  const count = <Key>(keyOf: (file: Candidate) => Key | null) => {
    const counts = new Map<Key, number>()
    for (const file of files) {
      const key = keyOf(file)
      if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    return [...counts].sort(([, a], [, b]) => b - a).slice(0, MOST_FACETS)
  }
  const projects = count(({ project_id: id }) => id)
  const { rows } = await sql<{ id: number; number: string; name: string }>`
    select id, number, name from projects where id = any (${projects.map(([id]) => id)}::bigint[])`.execute(
    db,
  )
  const named = new Map(rows.map((row) => [row.id, row]))
  return {
    projects: projects.flatMap(([id, total]) => {
      const project = named.get(id)
      return project ? [{ ...project, count: total }] : []
    }),
    folders: count(({ project_id: id, folder }) => (id === null ? null : folder)).map(([name, total]) => ({
      name,
      count: total,
    })),
    years: count(({ year }) => year).map(([year, total]) => ({ year, count: total })),
  }
}
