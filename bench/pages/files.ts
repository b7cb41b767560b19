import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { openThrowAway } from '../../demo/throw-away.ts'
import type { Envelope } from '../../src/pages.ts'
import { fileUrls, urls } from '../../src/urls.ts'
import { openFilesOffice, type FilesOffice, type Sizes } from '../office/files-office.ts'
import { median, type Result } from '../measure/result.ts'
import { startServer } from '../office/server-process.ts'
import { weigh } from '../measure/weigh.ts'

const WARM_UPS = 10
const ROUNDS = 40
const CONNECTIONS = 8
const BURST_MS = 2000
const BURSTS = 5
const LEAST_SHARE = 0.5
const MOST_MS = 150
const MOST_JAVASCRIPT_KB = 95

const FOLDERS = 20
const project = (first: number) => [first, ...Array.from({ length: FOLDERS - 1 }, () => 5)]
const office = (projects: number): Sizes => Array.from({ length: projects }, () => project(5))

const [SMALL, LARGE] = [office(10), office(10_000)]
/** One project with a folder as large as an archive, one ordinary project, and two folders to sort. */
const WIDE: Sizes = [project(100_000), project(10), [10_000, 10]]

/**
 * Measures a project's files: the page against React alone, offices and folders of all sizes, and the cost of
 * sorting.
 */
export async function measure(): Promise<Result[]> {
  const results: Result[] = []
  {
    await using small = await openFilesOffice(SMALL)
    results.push(...(await compareWithReact(small)))
    results.push(
      await weigh('the file list', pageOf(small), (path) => bodyOf(small, path), {
        mostKilobytes: MOST_JAVASCRIPT_KB,
      }),
    )
    await using large = await openFilesOffice(LARGE)
    results.push(...(await compareOffices(small, large)))
  }
  await using wide = await openFilesOffice(WIDE)
  return [...results, ...(await compareFolders(wide)), ...(await compareSorting(wide))]
}

// Against React alone

async function compareWithReact(small: FilesOffice): Promise<Result[]> {
  const path = pageOf(small)
  const page = await bodyOf(small, path)
  const envelope = JSON.parse(/<script[^>]* id="page">(.*?)<\/script>/s.exec(page)![1]!) as Envelope
  const directory = await openThrowAway('bench-page')
  try {
    const file = `${directory.path}.json`
    writeFileSync(file, JSON.stringify(envelope))
    await using bare = await startServer('bench/bare/bare-files.ts', { PAGE: file })
    const same = await call(bare.url + path)
    const inside = (html: string) => html.slice(html.indexOf('<div id="app">'))
    if (inside(same) !== inside(page)) throw new Error('The bare page is not the same.')
    const plain = await loadBoth(
      { url: small.url + path, headers: small.headers },
      { url: bare.url + path, headers: {} },
    )
    const packed = await loadBoth(
      { url: small.url + path, headers: { ...small.headers, 'accept-encoding': 'br' } },
      { url: bare.url + path, headers: {} },
    )
    const result = (what: string, [ours, theirs]: [number, number], most: number | null): Result => ({
      what,
      value: ours,
      unit: 'pages/s',
      isRate: true,
      note: `${(page.length / 1000).toFixed(0)} kB`,
      limit: { what: 'React from memory', value: theirs },
      ...(most !== null && { aim: { times: most } }),
    })
    return [
      result(`the file list, ${FOLDERS} folders of 5 files`, plain, 1 / LEAST_SHARE),
      result('the same, packed with Brotli', packed, null),
    ]
  } finally {
    directory.remove()
  }
}

type Target = { url: string; headers: Record<string, string> }

/** Returns the pages per second of both, measured in turns. */
async function loadBoth(ours: Target, theirs: Target): Promise<[number, number]> {
  const rates: [number[], number[]] = [[], []]
  for (let burst = 0; burst <= BURSTS; burst++) {
    const both = [await load(ours), await load(theirs)] as const
    if (burst === 0) continue // warming up
    both.forEach((rate, index) => rates[index]!.push(rate))
  }
  return [median(rates[0]), median(rates[1])]
}

async function load({ url, headers }: Target): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const began = performance.now()
  let answers = 0
  const askOn = async () => {
    while (performance.now() - began < BURST_MS) {
      await call(url, { headers, agent, isRead: false })
      answers++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, askOn))
  const seconds = (performance.now() - began) / 1000
  agent.destroy()
  await sleep(100)
  return answers / seconds
}

// A small office and a large one

async function compareOffices(small: FilesOffice, large: FilesOffice): Promise<Result[]> {
  // Uses the same number of projects in both offices, spread over each.
  const used = ({ projectIds }: FilesOffice, round: number) =>
    projectIds[(round % SMALL.length) * (projectIds.length / SMALL.length)]!
  const compare = (query: string, most: number) =>
    compareTimes(
      `the file list${query} out of 1,000,000 files`,
      (round) => get(large, urls.files(used(large, round)) + query),
      'out of 1,000',
      (round) => get(small, urls.files(used(small, round)) + query),
      most,
    )
  return [
    await compare('', 1.3),
    await compare('?q=rapport', 3),
    await compare('?q=referat+2012', 3),
    await compare('?q=e', 3),
    await compare('?q=findesikke', 3),
  ]
}

// A large folder and a small one

async function compareFolders(wide: FilesOffice): Promise<Result[]> {
  const [many, few] = wide.projectIds as [number, number]
  const list = fileUrls.list({ project: many }, wide.folderId(0, 0))
  return [
    await compareTimes(
      'the file list with 100,000 files in the first folder',
      () => get(wide, urls.files(many)),
      'with 10',
      () => get(wide, urls.files(few)),
      1.3,
    ),
    await tell('page 1 of the 100,000', () => get(wide, list)),
    await tell('page 4000', () => get(wide, `${list}?page=4000`)),
    await tell('a search in it that finds 20,000', () => get(wide, `${list}?q=rapport`)),
    await tell('one that finds few', () => get(wide, `${list}?q=rapport+2010+c4`)),
    await tell('one that finds nothing', () => get(wide, `${list}?q=findesikke`)),
    await tell('the file list of that project, with a search', () =>
      get(wide, `${urls.files(many)}?q=rapport`),
    ),
  ]
}

// Sorting

async function compareSorting(wide: FilesOffice): Promise<Result[]> {
  const [large, small] = [wide.folderId(2, 0), wide.folderId(2, 1)]
  const owner = { project: wide.projectIds[2]! }
  const ids = await idsIn(wide, large)
  const written: number[] = []
  /** Moves one file within a part of the large folder. */
  const sortPart = (part: number[]) => async (round: number) => {
    const [from, to] = [(round * 7) % part.length, (round * 7 + part.length / 2) % part.length]
    part.splice(to, 0, ...part.splice(from, 1))
    const before = await sequenceOf(wide)
    const time = await post(wide, fileUrls.updateOrder(owner, large), { newOrder: part })
    written.push(await writtenSince(wide, large, before))
    return time
  }
  const smallIds = await idsIn(wide, small)
  const orders = await compareTimes(
    'a new order of 1,000 out of 10,000 files, one moved',
    sortPart(ids.slice(3000, 4000)),
    'of 10',
    sortPart(ids.slice(6000, 6010)),
    5,
  )
  const moves = await compareTimes(
    'move-up among 10,000 files',
    (round) => post(wide, fileUrls.moveUp(owner, ids[8000 + round]!)),
    'among 10',
    // Always the second file: it changes places with the first.
    (round) => post(wide, fileUrls.moveUp(owner, smallIds[round % 2 === 1 ? 1 : 0]!)),
    2,
  )
  if (written.includes(0)) throw new Error('An order was not written.')
  return [
    orders,
    {
      what: 'rows written by each of these orders, at most',
      value: Math.max(...written),
      unit: '',
      aim: { value: 1 },
    },
    moves,
  ]
}

async function idsIn({ sql }: FilesOffice, folder: number): Promise<number[]> {
  const { rows } = await sql.query<{ id: string }>(
    'select id from files where folder_id = $1 order by position',
    [folder],
  )
  return rows.map(({ id }) => Number(id))
}

/** Returns the number of the next transaction. */
async function sequenceOf({ sql }: FilesOffice): Promise<string> {
  const { rows } = await sql.query<{ next: string }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text as next',
  )
  return rows[0]!.next
}

async function writtenSince({ sql }: FilesOffice, folder: number, before: string): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    'select count(*)::integer as count from files where folder_id = $1 and xmin::text::bigint >= $2::bigint',
    [folder, before],
  )
  return rows[0]!.count
}

// Asking

const KEPT_ALIVE = new Agent({ keepAlive: true, maxSockets: 1 })

type Call = {
  method?: string
  headers?: Record<string, string>
  agent?: Agent
  body?: string
  /** Whether the body is returned; otherwise the call only waits for it. */
  isRead?: boolean
}

/** Sends a request. Cheaper than `fetch`, because client and server share the machine. */
function call(
  url: string,
  { method = 'GET', headers = {}, agent = KEPT_ALIVE, body, isRead = true }: Call = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (answer) => {
      let text = ''
      if (isRead || answer.statusCode !== 200)
        answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      else answer.resume()
      answer.once('error', reject).once('end', () => {
        if (answer.statusCode === 200) resolve(text)
        else reject(new Error(`${url} answered ${answer.statusCode}: ${text}`))
      })
    })
    sent.once('error', reject).end(body)
  })
}

const pageOf = ({ projectIds }: FilesOffice) => urls.files(projectIds[0]!)

/** Returns a page as HTML, as a browser gets it. */
function bodyOf({ url, headers: { cookie } }: FilesOffice, path: string): Promise<string> {
  return call(url + path, { headers: { cookie } })
}

async function get({ url, headers: { cookie } }: FilesOffice, path: string): Promise<number> {
  const began = performance.now()
  await call(url + path, { headers: { cookie }, isRead: false })
  return performance.now() - began
}

async function post({ url, headers }: FilesOffice, path: string, body: object = {}): Promise<number> {
  const text = JSON.stringify(body)
  const began = performance.now()
  const answer = await call(url + path, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    },
    body: text,
  })
  if (!answer.startsWith('{"success":true')) throw new Error(`${path} answered ${answer}`)
  return performance.now() - began
}

type Timed = (round: number) => Promise<number>

/** Measures the one and the other in turns. */
async function compareTimes(
  what: string,
  measureIt: Timed,
  other: string,
  measureOther: Timed,
  most: number,
): Promise<Result> {
  const times: [number[], number[]] = [[], []]
  for (let round = 1; round <= WARM_UPS + ROUNDS; round++) {
    const [it, that] = [await measureIt(round), await measureOther(round)]
    if (round <= WARM_UPS) continue
    times[0].push(it)
    times[1].push(that)
  }
  const [it, that] = [median(times[0]), median(times[1])]
  return {
    what,
    value: it,
    unit: 'ms',
    limit: { what: other, value: that },
    aim: { times: most },
  }
}

async function tell(what: string, measureIt: Timed): Promise<Result> {
  const times: number[] = []
  for (let round = 1; round <= WARM_UPS + ROUNDS; round++) times.push(await measureIt(round))
  const time = median(times.slice(WARM_UPS))
  return {
    what,
    value: time,
    unit: 'ms',
    aim: { value: MOST_MS },
    family: 'pages and searches of 100,000 files',
  }
}
