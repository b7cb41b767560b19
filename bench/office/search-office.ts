import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { packText } from '../../src/reading/page-texts.db.ts'
import type { Database } from '../../src/server/database/database.ts'
import type { Role } from '../../src/rights.ts'
import { makeUser } from '../../test/make.ts'
import { danishPage } from './danish-text.ts'
import { openFilesOffice, type FilesOffice, type Sizes } from './files-office.ts'
import { signIn } from './sign-in.ts'

/** Every fiftieth file is a document of five pages, so that there is a page of text for every ten files. */
const FILES_A_DOCUMENT = 50
const PAGES_A_DOCUMENT = 5

/** Who asks, and of how many projects they are a member. An adviser sees what the largest investor does. */
const READERS = {
  administrator: { role: 'administrator', projects: 0 },
  auditor: { role: 'auditor', projects: 100 },
  'investor with 3 projects': { role: 'investor', projects: 3 },
  'investor with 300': { role: 'investor', projects: 300 },
  adviser: { role: 'adviser', projects: 0 },
} satisfies Record<string, { role: Role; projects: number }>
const LENDER = 'investor with 300'

export type ReaderName = keyof typeof READERS
export const READER_NAMES = Object.keys(READERS) as ReaderName[]

export type SearchOffice = AsyncDisposable & {
  /** Asks as a reader. Returns the answer, and how long it took in milliseconds. */
  ask: (reader: ReaderName, path: string) => Promise<{ body: string; ms: number }>
  sql: Client
  /** How long it took to write down the words of all files. */
  indexSeconds: number
  words: WordCounts
}

export type WordCounts = {
  /** How many pages have each word of letters. */
  pages: Map<string, number>
  /** How many words the text has, and how many bytes. */
  total: number
  bytes: number
}

/** Opens an office with text in its files, and signs in a person of each kind. */
export async function openSearchOffice(sizes: Sizes): Promise<SearchOffice> {
  const pages = (sizes.flat().reduce((sum, files) => sum + files, 0) / FILES_A_DOCUMENT) * PAGES_A_DOCUMENT
  const words: WordCounts = { pages: new Map(), total: 0, bytes: 0 }
  let indexSeconds = 0
  const office = await openFilesOffice(
    sizes,
    { READ_DOCUMENTS: 'false', THUMBNAILS: 'false', REQUESTS_PER_MINUTE: '10000000' },
    {
      nameWords: wordsOfNames(),
      async fillMore({ db, sql }) {
        await addReaders(db, sql)
        await addTexts(sql, pages, words)
        indexSeconds = await indexAll(sql)
      },
    },
  )
  const cookies = new Map<ReaderName, string>()
  for (const name of READER_NAMES) cookies.set(name, (await signIn(office.url, emailOf(name))).cookie)
  return {
    ask: (reader, path) => ask(office, cookies.get(reader)!, path),
    sql: office.sql,
    indexSeconds,
    words,
    [Symbol.asyncDispose]: () => office[Symbol.asyncDispose](),
  }
}

const emailOf = (name: ReaderName) => `${name.replaceAll(' ', '-')}@example.dk`

async function ask({ url }: FilesOffice, cookie: string, path: string) {
  const began = performance.now()
  const answer = await fetch(url + path, { headers: { cookie } })
  const body = await answer.text()
  const ms = performance.now() - began
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${body}`)
  return { body, ms }
}

/** Names are made of words that documents have too. */
function wordsOfNames(): string[] {
  const words = new Set<string>()
  for (let page = 1_000_000; page < 1_000_200; page++)
    for (const word of danishPage(page).match(/\p{L}{4,}/gu) ?? []) words.add(word)
  return [...words]
}

async function addReaders(db: Database, sql: Client): Promise<void> {
  const ids = new Map<ReaderName, number>()
  for (const name of READER_NAMES) {
    const { role, projects } = READERS[name]
    const { id } = await makeUser(db, { name, role, email: emailOf(name) })
    ids.set(name, id)
    // Spread over all projects.
    await sql.query(
      `insert into project_members (project_id, user_id, since)
       select id, $1, '-infinity' from projects order by hashint8(id * 31 + $1) limit $2`,
      [id, projects],
    )
  }
  await sql.query(`insert into lendings (lender_id, adviser_id, is_everything) values ($1, $2, true)`, [
    ids.get(LENDER),
    ids.get('adviser'),
  ])
}

async function addTexts(sql: Client, pages: number, words: WordCounts): Promise<void> {
  await sql.query(`update blobs set sha256 = lpad(to_hex(id), 64, '0') where id % ${FILES_A_DOCUMENT} = 0`)
  await sql.query(`
    insert into texts (id, sha256, kind, state, pages) overriding system value
    select id / ${FILES_A_DOCUMENT}, sha256, 'pdf', 'read', ${PAGES_A_DOCUMENT}
    from blobs where id % ${FILES_A_DOCUMENT} = 0`)
  await sql.query(`select setval(pg_get_serial_sequence('texts', 'id'), (select max(id) from texts))`)
  await pipeline(
    Readable.from(linesOf(pages, words)),
    sql.query(copyFrom('copy page_texts (text_id, page, packed) from stdin')),
  )
}

function* linesOf(pages: number, words: WordCounts): Generator<string> {
  for (let page = 0; page < pages; page++) {
    const text = danishPage(page)
    const all = text.toLowerCase().match(/\p{L}+/gu) ?? []
    words.total += all.length
    words.bytes += Buffer.byteLength(text)
    for (const word of new Set(all)) words.pages.set(word, (words.pages.get(word) ?? 0) + 1)
    const document = 1 + Math.floor(page / PAGES_A_DOCUMENT)
    yield `${document}\t${1 + (page % PAGES_A_DOCUMENT)}\t\\\\x${packText(text).toString('hex')}\n`
  }
}

/** Has the app write down the words of every file. Only ends a hang after an hour. */
async function indexAll(sql: Client): Promise<number> {
  // Building the index at the end is faster than growing it, and nobody searches yet.
  const { rows } = await sql.query<{ make: string }>(
    `select pg_get_indexdef('file_words_words'::regclass) as make`,
  )
  await sql.query('drop index file_words_words')
  await sql.query('vacuum analyze texts, page_texts, blobs, files, folders')
  const began = performance.now()
  await sql.query('insert into unindexed_files (file_id) select id from files')
  for (;;) {
    const left = await sql.query<{ is_left: boolean }>(
      'select exists (select from unindexed_files) as is_left',
    )
    if (!left.rows[0]!.is_left) break
    if (performance.now() - began > 3_600_000) throw new Error('Writing down the words takes too long.')
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
  await sql.query(rows[0]!.make)
  return (performance.now() - began) / 1000
}
