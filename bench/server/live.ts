import { createHash, randomBytes } from 'node:crypto'
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { changesOf, fileUrls, type Topic } from '../../src/urls.ts'
import { untilLinked } from './chain.ts'
import { openFilesOffice, type FilesOffice } from '../office/files-office.ts'
import { memoryOf } from '../measure/memory.ts'
import { measureCost, type Cost } from '../measure/processor.ts'
import { median, type Result } from '../measure/result.ts'
import { call } from '../office/send.ts'

const PAGES = 500
const PAGES_EACH = 20
const WRITERS = 8
const ACTS = 480
const ROUNDS = 5
/** As long as from one beat to the next. */
const STILL_SECONDS = 40
const SETTLE_MS = 5000
const MB = 1_000_000

type Listening = { events: () => number; close: () => Promise<void> }

/** Measures what 500 listening pages cost: memory, an act while they listen, and the time while nothing happens. */
export async function measure(): Promise<Result[]> {
  await using office = await openFilesOffice(
    Array.from({ length: 4 }, () => Array.from({ length: WRITERS }, () => 10)),
    { TRUST_PROXY: '127.0.0.1' },
  )
  const cookies = await signManyIn(office)
  const files = await firstFiles(office)
  return [
    ...(await measureListening(office, cookies, files)),
    await measureTriggers(office, files),
    await measureWait(office, cookies, files),
  ]
}

async function measureListening(
  office: FilesOffice,
  cookies: string[],
  files: number[][],
): Promise<Result[]> {
  const costs: Record<'none' | 'elsewhere' | 'here', Cost[]> = { none: [], elsewhere: [], here: [] }
  const memory: number[] = []
  let still = 0
  for (let round = 0; round <= ROUNDS; round++) {
    const cost = { none: await act(office, files), elsewhere: NO_COST, here: NO_COST }
    const before = memoryOf([office.pid], 'PSS')
    const elsewhere = await listen(office, cookies, [`project:${office.projectIds[1]!}`])
    memory.push(memoryOf([office.pid], 'PSS') - before)
    cost.elsewhere = await act(office, files)
    if (round === ROUNDS) {
      await settle(office)
      const { node, postgres } = await measureCost([office.pid], 1, () => sleep(STILL_SECONDS * 1000))
      still = (node + postgres) / STILL_SECONDS
    }
    await elsewhere.close()
    const here = await listen(office, cookies, [`project:${office.projectIds[0]!}`])
    cost.here = await act(office, files)
    await here.close()
    if (round === 0) continue // warming up
    for (const name of ['none', 'elsewhere', 'here'] as const) costs[name].push(cost[name])
  }
  await settle(office)
  const quiet = await measureCost([office.pid], 1, () => sleep(STILL_SECONDS * 1000))
  const idle = (quiet.node + quiet.postgres) / STILL_SECONDS
  return [
    {
      what: `${PAGES} pages that listen: more memory of the process`,
      value: Math.max(...memory) / MB,
      unit: 'MB',
      aim: { value: 100 },
    },
    compare(`an act while ${PAGES} pages listen for something else`, costs.elsewhere, 'no page', costs.none),
    compare(`an act while ${PAGES} pages listen for it`, costs.here, 'no page', costs.none),
    {
      what: `${PAGES} pages that listen while nothing happens: more processor`,
      value: still - idle,
      unit: 'ms a second',
      note: `with no page ${idle.toFixed(1)}`,
      aim: { value: 5 },
    },
  ]
}

/** Waits for what acts leave to do, so that it is not counted as what comes after them. */
async function settle(office: FilesOffice): Promise<void> {
  await untilLinked(office)
  await sleep(SETTLE_MS)
}

const NO_COST: Cost = { node: 0, postgres: 0 }
const sumOf = ({ node, postgres }: Cost) => node + postgres

function compare(what: string, ours: Cost[], beside: string, theirs: Cost[]): Result {
  const [one, other] = [median(ours.map(sumOf)), median(theirs.map(sumOf))]
  return {
    what,
    value: one,
    unit: 'ms of processor',
    limit: { what: beside, value: other },
    aim: { times: 1.2 },
  }
}

/** Several people move files in the first project, each in a folder of their own. */
async function act(office: FilesOffice, files: number[][]): Promise<Cost> {
  const { url, headers, projectIds } = office
  const owner = { project: projectIds[0]! }
  return measureCost([office.pid], ACTS, () =>
    Promise.all(
      files.map(async ([first, second]) => {
        for (let number = 0; number < ACTS / WRITERS; number++) {
          const file = number % 2 === 0 ? second! : first!
          await call(url + fileUrls.moveUp(owner, file), 'POST', headers)
        }
      }),
    ),
  )
}

/** Compares acts of several people with and without the triggers that tell of them. */
async function measureTriggers(office: FilesOffice, files: number[][]): Promise<Result> {
  const { rows } = await office.sql.query<{ trigger: string; of: string }>(`
    select tgname as trigger, tgrelid::regclass as of from pg_trigger where tgname ~ '_(note|tell)$'`)
  const turn = async (how: 'enable' | 'disable') => {
    for (const { trigger, of } of rows) await office.sql.query(`alter table ${of} ${how} trigger ${trigger}`)
  }
  const [told, silent]: [Cost[], Cost[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round++) {
    await turn('disable')
    const without = await act(office, files)
    await turn('enable')
    const withThem = await act(office, files)
    if (round === 0) continue
    silent.push(without)
    told.push(withThem)
  }
  return compare(`an act of ${WRITERS} at once that tells of itself`, told, 'one that does not', silent)
}

/** Measures how long it takes from an act until the last page is told. */
async function measureWait(office: FilesOffice, cookies: string[], files: number[][]): Promise<Result> {
  const { url, headers, projectIds } = office
  const owner = { project: projectIds[0]! }
  const pages = await listen(office, cookies, [`project:${owner.project}`])
  const waits: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = pages.events()
    const began = performance.now()
    await call(url + fileUrls.moveUp(owner, files[0]![(round + 1) % 2]!), 'POST', headers)
    while (pages.events() < before + PAGES) await sleep(5)
    waits.push(performance.now() - began)
  }
  await pages.close()
  return {
    what: `from an act until the last of ${PAGES} pages is told`,
    value: median(waits) / 1000,
    unit: 's',
    aim: { value: 1.5 },
  }
}

/** Opens pages that listen, each of them for one of the topics. */
async function listen(office: FilesOffice, cookies: string[], topics: Topic[]): Promise<Listening> {
  const agent = new Agent({ keepAlive: false, maxSockets: Infinity })
  let events = 0
  const open: ClientRequest[] = []
  const { hostname, port } = new URL(office.url)
  for (let number = 0; number < PAGES; number++) {
    const person = Math.floor(number / PAGES_EACH)
    const one = request({
      agent,
      hostname,
      port,
      path: changesOf(topics[number % topics.length]!),
      headers: { cookie: cookies[person]!, 'x-forwarded-for': `10.0.0.${person}` },
    })
    open.push(one)
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      one.once('response', resolve).once('error', reject)
      one.end()
    })
    if (answer.statusCode !== 200) throw new Error(`A page that listens was answered ${answer.statusCode}.`)
    one.on('error', () => undefined)
    answer.on('error', () => undefined)
    answer
      .setEncoding('latin1')
      .on('data', (text: string) => (events += text.match(/^data: changed/gm)?.length ?? 0))
  }
  await sleep(1000) // the first event of each has come
  return {
    events: () => events,
    close: async () => {
      for (const one of open) one.destroy()
      await sleep(500)
    },
  }
}

async function signManyIn({ sql }: FilesOffice): Promise<string[]> {
  const cookies: string[] = []
  for (let number = 0; number < PAGES / PAGES_EACH; number++) {
    const token = randomBytes(32).toString('base64url')
    const { rows } = await sql.query<{ id: string }>(
      `insert into users (name, email, email_key, role) values ('Kollega', $1, $1, 'employee') returning id`,
      [`kollega${number}@example.dk`],
    )
    await sql.query(`insert into sessions (hash, user_id, device) values ($1, $2, '')`, [
      createHash('sha256').update(token).digest(),
      rows[0]!.id,
    ])
    cookies.push(`session=${token}`)
  }
  return cookies
}

/** The first two files of each folder of the first project. */
async function firstFiles({ sql, folderId }: FilesOffice): Promise<number[][]> {
  const found: number[][] = []
  for (let folder = 0; folder < WRITERS; folder++) {
    const { rows } = await sql.query<{ id: string }>(
      'select id from files where folder_id = $1 order by position limit 2',
      [folderId(0, folder)],
    )
    found.push(rows.map(({ id }) => Number(id)))
  }
  return found
}
