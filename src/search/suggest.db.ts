import { sql } from 'kysely'
import type { Reader } from '../access/reader.ts'
import { isFolderSeen, isPersonSeen, isProjectSeen } from '../access/seen.db.ts'
import { isOffice } from '../rights.ts'
import type { Database } from '../server/database/database.ts'
import { wordsOf } from '../base/list-query.ts'
import { isFound } from '../server/database/search.db.ts'
import type { Look } from './beside/beside.server.ts'
import { isPersonFound } from './find/candidates.db.ts'
import { findFewFiles } from './find/find-files.db.ts'
import { LONGEST_QUESTION } from './find/question.ts'
import type { Places } from './answer/search-answer.ts'
import type { FolderHit, PersonHit, ProjectHit, Suggestions } from './answer/results.ts'

const MOST = { projects: 4, folders: 3, people: 4, files: 6 }

/** Finds a few projects, folders, people and files while somebody types. */
export async function suggest(db: Database, reader: Reader, q: string, look?: Look): Promise<Suggestions> {
  if (wordsIn(q) === '')
    return { ...NO_PLACES, files: [], isMore: false, isCut: false, unread: 0, corrected: null }
  const [places, files] = await Promise.all([
    suggestPlaces(db, reader, q),
    findFewFiles(db, reader, q, MOST.files, look),
  ])
  return { ...places, ...files, unread: 0 }
}

const NO_PLACES: Places = { projects: [], folders: [], people: [] }
const wordsIn = (q: string) => wordsOf(q.slice(0, LONGEST_QUESTION).replaceAll(/["“”„»«]/g, ' ')).join(' ')

/** Finds a few projects, folders and people. */
export async function suggestPlaces(db: Database, reader: Reader, q: string): Promise<Places> {
  const words = wordsIn(q)
  if (words === '') return NO_PLACES
  const [projects, folders, people] = await Promise.all([
    findProjects(db, reader, words),
    findFolders(db, reader, words),
    findPeople(db, reader, words),
  ])
  return { projects, folders, people }
}

async function findProjects(db: Database, reader: Reader, q: string): Promise<ProjectHit[]> {
  const { rows } = await sql<ProjectHit>`
    select id, number, name, cvr, status from projects
    where ${isFound(sql<string>`search`, q)} and ${isProjectSeen(reader)}
    order by number = ${q} desc, status = 'active' desc, number limit ${MOST.projects}`.execute(db)
  return rows
}

/** Shorter words are part of nearly every name, and no index knows them. */
const SHORTEST_IN_FOLDER = 3

/** A folder is found by its name, or by its project's name and its own. */
async function findFolders(db: Database, reader: Reader, q: string): Promise<FolderHit[]> {
  const isInFolder = (word: string) => isFound(sql<string>`folders.search`, word)
  const words = wordsOf(q)
  const inFolder = words.filter(({ length }) => length >= SHORTEST_IN_FOLDER).map(isInFolder)
  if (inFolder.length === 0) return []
  const inEither = words.map(
    (word) => sql<boolean>`(${isInFolder(word)} or ${isFound(sql<string>`projects.search`, word)})`,
  )
  const { rows } = await sql<FolderHit>`
    select folders.id, folders.name,
      jsonb_build_object('id', projects.id, 'number', projects.number, 'name', projects.name) as project
    from folders join projects on projects.id = folders.project_id
    where (${sql.join(inFolder, sql` or `)}) and ${sql.join(inEither, sql` and `)}
      and ${isFolderSeen(reader)} and ${isProjectSeen(reader)}
    order by projects.status = 'active' desc, projects.number, folders.place limit ${MOST.folders}`.execute(
    db,
  )
  return rows
}

/** An adviser knows a lender by name, and not by number or e-mail. */
async function findPeople(db: Database, reader: Reader, q: string): Promise<PersonHit[]> {
  const isKnown = isOffice(reader.role) ? sql<boolean>`true` : sql<boolean>`users.id = ${reader.id}`
  const { rows } = await sql<PersonHit>`
    select users.id, users.name, users.role, case when ${isKnown} then users.email end as email,
      array(select number from user_numbers where user_numbers.user_id = users.id and ${isKnown} order by number) as numbers
    from users where ${isPersonFound(reader, q)} and ${isPersonSeen(reader)}
    order by users.name limit ${MOST.people}`.execute(db)
  return rows
}
