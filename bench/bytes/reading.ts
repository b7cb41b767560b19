import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import { Client } from 'pg'
import { openThrowAway } from '../../demo/throw-away.ts'
import { readConfig } from '../../src/config.ts'
import { receiveBlob } from '../../src/server/storage/blobs.db.ts'
import { startRingbind } from '../../src/start.ts'
import { urls } from '../../src/urls.ts'
import { chanceOf, type Chance } from '../../test/chance.ts'
import { stream, writeObjects } from '../../test/files/hostile-pdfs.ts'
import { foldersByName, makeFiles, makeProject, makeUser } from '../../test/make.ts'
import { memoryOf } from '../measure/memory.ts'
import { median, type Result } from '../measure/result.ts'
import { startServer } from '../office/server-process.ts'
import { signIn, type SignedIn } from '../office/sign-in.ts'

const DOCUMENTS = 1000
const PAGES = 20
const LETTERS = 2000
const EMAIL = 'bench@example.dk'
const CLIENTS = 3
const REQUESTS = 60
const MOST_ROUNDS = 12
const MOST_RATIO = 1.3
const MOST_GROWTH_MB = 64

/** Measures what reading 1,000 PDFs of 20 pages costs other requests, compared with when nothing is read. */
export async function measure(): Promise<Result[]> {
  await using open = new AsyncDisposableStack()
  const directory = await openThrowAway('bench')
  open.defer(() => directory.remove())
  const settings = {
    PORT: '0',
    LOG_LEVEL: 'warn',
    REQUESTS_PER_MINUTE: '10000000',
    THUMBNAILS: 'false',
    READ_SCANS: 'false',
    DATA_DIR: directory.path,
  }
  const project = await fill({ ...settings, READ_DOCUMENTS: 'false' })
  const server = open.use(await startServer('src/server.ts', settings))
  const sql = new Client({
    host: join(directory.path, 'postgres/run'),
    user: 'postgres',
    database: 'ringbind',
  })
  await sql.connect()
  open.defer(() => sql.end())
  const pages = [urls.start, urls.files(project), urls.projects].map((path) => server.url + path)
  const headers = await signIn(server.url, EMAIL)
  // As many pages as below, so that the memory that serving them takes is not counted as that of reading.
  for (let round = 0; round < 2 * MOST_ROUNDS; round++) await ask(pages, headers)

  const times: Record<'reading' | 'quiet', number[]> = { reading: [], quiet: [] }
  const before = memoryOf([server.pid], 'RSS')
  let most = before
  let [read, seconds] = [0, 0]
  for (let round = 0; round < MOST_ROUNDS && (await countWanted(sql)) > 0; round++) {
    const first = await countWanted(sql)
    await sql.query(`update texts set tries = 0 where state = 'wanted'`)
    while ((await countWanted(sql)) === first) await sleep(50)
    const [began, left] = [performance.now(), await countWanted(sql)]
    times.reading.push(...(await ask(pages, headers)))
    most = Math.max(most, memoryOf([server.pid], 'RSS'))
    read += left - (await countWanted(sql))
    seconds += (performance.now() - began) / 1000
    await sql.query(`update texts set tries = 2 where state = 'wanted'`) // a pause
    await sleep(1000)
    times.quiet.push(...(await ask(pages, headers)))
  }
  const [busy, quiet] = [median(times.reading), median(times.quiet)]
  const growth = (most - before) / 1e6
  return [
    {
      what: `a request while PDFs of ${PAGES} pages are read, ${CLIENTS} connections`,
      value: busy,
      unit: 'ms',
      note: `${(read / seconds).toFixed(1)} PDFs a second`,
      limit: { what: 'nothing is read', value: quiet },
      aim: { times: MOST_RATIO },
    },
    {
      what: 'memory (RSS) of the server meanwhile',
      value: growth,
      unit: 'MB',
      note: `on top of ${(before / 1e6).toFixed(0)}`,
      aim: { value: MOST_GROWTH_MB },
    },
  ]
}

async function fill(settings: Record<string, string>): Promise<number> {
  await using ringbind = await startRingbind(readConfig(settings), {
    fill: ({ db }) => makeUser(db, { role: 'employee', email: EMAIL }),
  })
  const { db, storage } = ringbind
  const project = (await makeProject(db)).id
  const folder = (await foldersByName(db, project)).Budget!
  const chance = chanceOf(1)
  const words = Array.from({ length: 30_000 }, () => makeWord(chance))
  for (let number = 1; number <= DOCUMENTS; number++) {
    const pdf = writeDocument(() => makeText(chance, words))
    const blob = await receiveBlob(db, storage, Readable.from([pdf]), Infinity)
    await makeFiles(db, folder, [{ name: `Bilag ${number}.pdf`, blobId: blob.id }])
  }
  // Keeps the texts from being read before the measurement.
  await db.updateTable('texts').set({ tries: 2 }).execute()
  return project
}

const PARTS =
  'års rap port bud get led el se lån hus lej er regn skab ning gæld kapi tal for man de by gård møl le'.split(
    ' ',
  )

function makeWord(chance: Chance): string {
  return Array.from({ length: 1 + chance.number(4) }, () => chance.of(PARTS)).join('')
}

/** Some words come often, and most seldom. */
function makeText(chance: Chance, words: string[]): string {
  let text = ''
  while (text.length < LETTERS) {
    const rank = Math.floor(words.length ** (chance.number(1000) / 1000))
    text += `${words[rank - 1]} `
  }
  return text
}

function writeDocument(text: () => string): Buffer {
  const contents = Array.from({ length: PAGES }, () => {
    const lines = text().match(/.{1,80}(?: |$)/g) ?? []
    return Buffer.from(
      `BT /F1 10 Tf 12 TL 50 800 Td ${lines.map((line) => `(${line}) Tj T*`).join('\n')} ET`,
      'latin1',
    )
  })
  const first = 4
  const kids = contents.map((_, index) => `${first + 2 * index} 0 R`)
  return writeObjects([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids.join(' ')}]/Count ${PAGES}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    ...contents.flatMap((content, index) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents ${first + 1 + 2 * index} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`,
      stream(deflateSync(content), '/Filter/FlateDecode'),
    ]),
  ])
}

async function countWanted(sql: Client): Promise<number> {
  const { rows } = await sql.query<{ count: string }>(`select count(*) from texts where state = 'wanted'`)
  return Number(rows[0]!.count)
}

/** Asks for the pages in turn, on several connections, and returns how long each answer took. */
async function ask(pages: string[], headers: SignedIn): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const times: number[] = []
  let next = 0
  const askSome = async () => {
    while (next < REQUESTS) {
      const began = performance.now()
      await fetchPage(pages[next++ % pages.length]!, headers, agent)
      times.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, askSome))
  agent.destroy()
  return times
}

function fetchPage(url: string, headers: SignedIn, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent }, (response) => {
      response.resume().on('error', reject)
      response.on('end', () =>
        response.statusCode === 200
          ? resolve()
          : reject(new Error(`${url} answered ${response.statusCode}.`)),
      )
    }).on('error', reject)
  })
}
