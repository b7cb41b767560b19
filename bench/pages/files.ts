import { writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { openThrowAway } from '../../demo/throw-away.ts'
import type { Envelope } from '../../src/pages.ts'
import { fileUrls, urls } from '../../src/urls.ts'
import { openFilesOffice, type FilesOffice, type Sizes } from '../office/files-office.ts'
import { median, type Result } from '../measure/result.ts'
import { startServer } from '../office/server-process.ts'
import { weigh } from '../measure/weigh.ts'
import { compareSorting } from './sorting.ts'
import { bodyOf, call, compareTimes, get, tell } from './timed-calls.ts'

const CONNECTIONS = 8
const BURST_MS = 2000
const BURSTS = 5
const LEAST_SHARE = 0.5
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

const pageOf = ({ projectIds }: FilesOffice) => urls.files(projectIds[0]!)
