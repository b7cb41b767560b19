import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import { seesFile, seesFolder, seesPerson, seesProject } from '../../src/access/seen.ts'
import { addPageTexts } from '../../src/reading/page-texts.db.ts'
import { indexFiles } from '../../src/search/index-files.db.ts'
import type { FileHit, SearchAnswer, Suggestions } from '../../src/search/answer/results.ts'
import type { Database } from '../../src/server/database/database.ts'
import { urls } from '../../src/urls.ts'
import { comparisonFor, type Difference } from './differences.ts'
import type { RandomOffice, RandomPerson } from './random-office.ts'

type Answer = {
  data: FileHit[]
  meta: { total: number }
  about: Pick<SearchAnswer, 'unread' | 'corrected' | 'facets'>
}

/** Two of these are never one letter apart, and none is a word's ending. */
const DIGITS = ['bam', 'cof', 'dug', 'fek', 'gil', 'hob', 'jur', 'kep', 'mip', 'nov']

/** A word that only this file's text has. */
const secretOf = (name: string) =>
  `hemmelig${name.replaceAll(/\D/g, '').replaceAll(/\d/g, (digit) => DIGITS[Number(digit)]!)}ord`
const isRead = (name: string) => Number(name.replaceAll(/\D/g, '')) % 4 > 0

/**
 * Gives every file a text: a word that all have, and a unique one. Every fourth is not read yet. Older and later
 * versions have texts too, which nobody finds.
 */
export async function writeTexts(db: Database, { files }: RandomOffice): Promise<void> {
  for (const { id, name, versions } of files) {
    const state = isRead(name) ? 'read' : 'wanted'
    const { rows } = await sql<{ id: number }>`
      update texts set state = ${state}, pages = ${isRead(name) ? 2 : null}
      where sha256 = (select sha256 from blobs join files on files.blob_id = blobs.id where files.id = ${id})
      returning id`.execute(db)
    const text = `Et fællesord og ${secretOf(name)} i teksten.`
    if (isRead(name)) for (const own of rows) await addPageTexts(db, own.id, [{ page: 2, text }])
    for (const version of versions) {
      const { rows: older } = await sql<{ id: number }>`
        insert into texts (sha256, kind, state, pages) select sha256, 'text', 'read', 1 from blobs where id = ${version}
        on conflict do nothing returning id`.execute(db)
      for (const own of older) await addPageTexts(db, own.id, [{ page: 1, text: 'Et versionsord.' }])
    }
  }
  await indexFiles(db)
}

/** Searches as one reader, and compares hits, counts, suggestions and context with the model. */
export async function compareSearch(
  app: FastifyInstance,
  office: RandomOffice,
  reader: RandomPerson,
  cookies: Record<string, string>,
): Promise<Difference[]> {
  const { differences, compare } = comparisonFor(reader)
  const get = async (url: string) => {
    const { statusCode, body } = await app.inject({ url, cookies })
    if (statusCode !== (reader.isActive ? 200 : 401)) compare(url, statusCode, reader.isActive ? 200 : 401)
    return statusCode === 200 ? (JSON.parse(body) as unknown) : null
  }
  const ask = async (q: string, more = '') => {
    const found: FileHit[] = []
    for (let page = 1; ; page++) {
      const answer = (await get(
        `${urls.searchAnswers}?q=${encodeURIComponent(q)}&page=${page}${more}`,
      )) as Answer | null
      if (!answer) return null
      found.push(...answer.data)
      if (answer.data.length === 0 || found.length >= answer.meta.total) return { ...answer, found }
    }
  }
  const suggested = async (q: string) =>
    (await get(`${urls.suggestions}?q=${encodeURIComponent(q)}`)) as Suggestions | null

  const ids = (rows: { id: number }[]) => rows.map(({ id }) => id).sort((a, b) => a - b)
  const seen = office.files.filter(({ id }) => seesFile(office, reader, id))
  const read = seen.filter(({ name }) => isRead(name))
  const folderOf = (id: number) => office.folders.find((folder) => folder.id === id)!

  const all = await ask('fællesord')
  if (!all) return differences
  compare('files found by a word', [ids(all.found), all.meta.total], [ids(read), read.length])
  compare('files that are not read', all.about.unread, seen.length - read.length)
  compare(
    'projects of the found files',
    Object.fromEntries(all.about.facets.projects.map(({ id, count }) => [id, count])),
    countBy(read, ({ folder }) => {
      const { owner } = folderOf(folder)
      return 'project' in owner ? owner.project : null
    }),
  )
  compare(
    'folders of the found files',
    Object.fromEntries(all.about.facets.folders.map(({ name, count }) => [name, count])),
    countBy(read, ({ folder }) => ('project' in folderOf(folder).owner ? folderOf(folder).name : null)),
  )
  for (const { id, pages } of all.found) {
    const { name } = office.files.find((file) => file.id === id)!
    const text = pages.flatMap(({ pieces }) => pieces.map((piece) => piece.text)).join('')
    compare('the words in context', text, `Et fællesord og ${secretOf(name)} i teksten.`)
  }
  // The first of each kind are enough: each takes as long as a page.
  const sample = [read.slice(0, 1), office.files.filter((file) => !read.includes(file)).slice(0, 2)].flat()
  for (const { id, name } of sample) {
    const isFound = read.some((file) => file.id === id)
    const secret = secretOf(name)
    const answer = await ask(secret)
    compare(`files found by the word of file ${id}`, ids(answer!.found), isFound ? [id] : [])
    // One letter off: corrected only to a word that the reader sees.
    const wrong = await ask(secret.replace('hemmelig', 'hemmlig'))
    compare(
      `a mended word of file ${id}`,
      [wrong!.about.corrected, ids(wrong!.found)],
      isFound ? [secret, [id]] : [null, []],
    )
    const byName = await ask(name.replace('.txt', ''))
    compare(
      `files found by the name of file ${id}`,
      ids(byName!.found),
      ids(seen.filter((file) => file.id === id)),
    )
    const few = await suggested(secret.slice(0, -3))
    const begun = read.filter((file) => secretOf(file.name).startsWith(secret.slice(0, -3)))
    compare(`files suggested for the word of file ${id}`, few!.files.length, Math.min(6, begun.length))
    for (const hit of few!.files) compare('a suggested file is seen', seesFile(office, reader, hit.id), true)
  }
  compare('files found by a word of a version', (await ask('versionsord'))!.meta.total, 0)
  const { projects } = (await suggested('Projekt'))!
  compare(
    'suggested projects',
    [projects.length, projects.every(({ id }) => seesProject(office, reader, id))],
    [Math.min(4, office.projects.filter(({ id }) => seesProject(office, reader, id)).length), true],
  )
  const { people } = (await suggested('Person'))!
  compare(
    'suggested people',
    [people.length, people.every(({ id }) => seesPerson(office, reader, id))],
    [Math.min(4, office.people.filter(({ id }) => seesPerson(office, reader, id)).length), true],
  )
  const { folders } = (await suggested('Mappe'))!
  const seenFolders = office.folders.filter(
    ({ id, owner }) => 'project' in owner && seesFolder(office, reader, id),
  )
  compare(
    'suggested folders',
    [folders.length, folders.every(({ id }) => seenFolders.some((folder) => folder.id === id))],
    [Math.min(3, seenFolders.length), true],
  )
  return differences
}

function countBy<Row>(rows: Row[], keyOf: (row: Row) => string | number | null): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const row of rows) {
    const key = keyOf(row)
    if (key !== null) counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}
