import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { chromium, type Browser, type CDPSession, type Page } from '@playwright/test'
import { urls } from '../../src/urls.ts'
import { plainPage } from './drop.ts'
import { openFilesOffice, type FilesOffice } from '../office/files-office.ts'
import { median, type Result } from '../measure/result.ts'

/** A slow phone: the processor four times slower than this one, and a mobile connection. */
const SLOWDOWN = 4
const NETWORK = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 }
const SCREEN = { width: 375, height: 812 }

const ROUNDS = 5
/** Only ends a hang. */
const HANG_MS = 300_000
const MOST_MS = { readable: 1200, clickable: 2500, act: 100 }
const MOST_JAVASCRIPT_KB = 95
const MOST_SHIFT = 0
const OPEN_FILES = 2000

const FOLDERS = Array.from({ length: 20 }, () => 5)

/** Measures the file list on a slow phone, with an empty cache, beside the least page with as many rows. */
export async function measure(): Promise<Result[]> {
  await using open = new AsyncDisposableStack()
  const office = open.use(await openFilesOffice([FOLDERS, [OPEN_FILES]]))
  const bare = await serveBarePage(open, 100)
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  })
  open.defer(() => browser.close())
  return [...(await compareOpening(browser, office, bare)), ...(await measureActs(browser, office))]
}

type Opening = { readable: number; clickable: number; shift: number; needed: number; all: number }

async function compareOpening(browser: Browser, office: FilesOffice, bare: string): Promise<Result[]> {
  const ours: Opening[] = []
  const theirs: Opening[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const both = [
      await openOnce(browser, office.url + urls.files(office.projectIds[0]!), office.headers.cookie),
      await openOnce(browser, bare),
    ] as const
    if (round === 0) continue // warming up
    ours.push(both[0])
    theirs.push(both[1])
  }
  const middle = (rounds: Opening[], name: keyof Opening) => median(rounds.map((each) => each[name]))
  const time = (what: string, name: 'readable' | 'clickable'): Result => ({
    what: `the file list on a slow phone, until ${what}`,
    value: middle(ours, name),
    unit: 'ms',
    limit: { what: 'the least page', value: middle(theirs, name) },
    aim: { value: MOST_MS[name] },
  })
  const shift = Math.max(...ours.map((each) => each.shift))
  const [needed, all] = [middle(ours, 'needed') / 1000, middle(ours, 'all') / 1000]
  return [
    time('its rows are readable', 'readable'),
    time('they can be pressed', 'clickable'),
    { what: 'layout shift meanwhile', value: shift, unit: '', aim: { value: MOST_SHIFT } },
    {
      what: 'JavaScript until React has taken it over, gzipped',
      value: needed,
      unit: 'kB',
      note: `${all.toFixed(1)} once the page is idle`,
      limit: { what: 'the least page', value: middle(theirs, 'needed') / 1000 },
      aim: { value: MOST_JAVASCRIPT_KB },
    },
  ]
}

/** Runs `use` on a page of a new phone, whose cache is empty. */
async function onPhone<Answer>(
  browser: Browser,
  cookie: string,
  url: string,
  use: (page: Page, phone: CDPSession) => Promise<Answer>,
): Promise<Answer> {
  const context = await browser.newContext({ viewport: SCREEN, hasTouch: true, isMobile: true })
  context.setDefaultTimeout(HANG_MS)
  try {
    const pairs = cookie.split('; ').filter(Boolean)
    await context.addCookies(
      pairs.map((each) => {
        const [name, value] = each.split('=') as [string, string]
        return { name, value, url }
      }),
    )
    const page = await context.newPage()
    const phone = await context.newCDPSession(page)
    await phone.send('Network.enable')
    await phone.send('Network.emulateNetworkConditions', NETWORK)
    await phone.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
    await page.addInitScript(watch)
    return await use(page, phone)
  } finally {
    await context.close()
  }
}

declare global {
  // Set in the pages for the measurement.
  var seen: { readable: number; hydrated: number; clickable: number; shift: number; longest: number }
}

/** Runs in the page before anything else. */
function watch(): void {
  const now = { readable: 0, hydrated: 0, clickable: 0, shift: 0, longest: 0 }
  globalThis.seen = now
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number
      hadRecentInput: boolean
    })[])
      if (!entry.hadRecentInput) now.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) now.longest = Math.max(now.longest, duration)
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  const look = () => {
    const isPainted = performance.getEntriesByName('first-contentful-paint').length > 0
    if (isPainted && document.querySelector('[data-file]')) now.readable ||= performance.now()
    const isHydrated = document.documentElement?.dataset.hydrated !== undefined
    if (isHydrated) now.hydrated ||= performance.now()
    if (isHydrated && document.querySelector('[data-act=menu]')) now.clickable ||= performance.now()
    if (now.readable === 0 || now.clickable === 0) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

async function openOnce(browser: Browser, url: string, cookie = ''): Promise<Opening> {
  return onPhone(browser, cookie, url, async (page) => {
    const scripts = new Map<string, number>()
    page.on('response', async (response) => {
      if (!new URL(response.url()).pathname.endsWith('.js')) return
      const body = await response.body().catch(() => Buffer.alloc(0))
      scripts.set(response.url(), gzipSync(body).length)
    })
    await page.goto(url)
    await page.waitForFunction(() => seen.clickable > 0 && seen.readable > 0, null, { timeout: HANG_MS })
    await page.waitForLoadState('networkidle')
    const { readable, clickable, shift } = await page.evaluate(() => seen)
    const needed = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ startTime }) => startTime < seen.hydrated)
        .map(({ name }) => name),
    )
    const sum = (names: Iterable<string>) =>
      [...names].reduce((bytes, name) => bytes + (scripts.get(name) ?? 0), 0)
    return { readable, clickable, shift, needed: sum(needed), all: sum(scripts.keys()) }
  })
}

/** Returns how long the page takes to draw the answer to an act, while a long folder is open. */
async function measureActs(browser: Browser, office: FilesOffice): Promise<Result[]> {
  const folder = office.folderId(1, 0)
  const url = `${office.url}${urls.files(office.projectIds[1]!)}?open=${folder}`
  const acts: { what: string; run: (page: Page) => Promise<void> }[] = [
    {
      what: 'opening the menu of a row',
      async run(page) {
        await page.locator('[data-act=menu]').nth(3).tap()
        await page.getByRole('menuitem', { name: 'Slet' }).waitFor()
        await page.keyboard.press('Escape')
      },
    },
    {
      what: 'moving a row by keyboard',
      async run(page) {
        const answered = page.waitForResponse(/move-down$/, { timeout: HANG_MS })
        await page.locator('[data-act=down]').nth(3).focus()
        await page.keyboard.press('Enter')
        await answered
      },
    },
  ]
  const costs = acts.map((): number[] => [])
  for (let round = 0; round <= ROUNDS; round++)
    await onPhone(browser, office.headers.cookie, url, async (page) => {
      await page.goto(url)
      await page.waitForFunction(() => seen.clickable > 0, null, { timeout: HANG_MS })
      await page.waitForLoadState('networkidle')
      for (const [index, { run }] of acts.entries()) {
        await page.evaluate(() => void (seen.longest = 0))
        await run(page)
        await page.waitForTimeout(500) // an event is reported after the next drawing
        if (round > 0) costs[index]!.push(await page.evaluate(() => seen.longest))
      }
    })
  return acts.map(({ what }, index) => {
    const cost = median(costs[index]!)
    return {
      what: `${what}, ${OPEN_FILES.toLocaleString('en')} files open`,
      value: cost,
      unit: 'ms',
      note: 'until it is drawn',
      aim: { value: MOST_MS.act },
    }
  })
}

/** Serves the least page: the rows as HTML, and React to take them over. */
async function serveBarePage(open: AsyncDisposableStack, rows: number): Promise<string> {
  const items = Array.from(
    { length: rows },
    (_, row) =>
      `<li data-file=""><span>Bilag ${row}.pdf</span><button type="button" data-act="menu">Flere</button></li>`,
  )
  const [head, script] = (await plainPage('bench/bare/plain-list.tsx')).split('<script type="module">')
  const answers: Record<string, { type: string; body: string }> = {
    '/': {
      type: 'text/html; charset=utf-8',
      body: `${head!.replace('<div id="app">', `<div id="app"><ul>${items.join('')}</ul>`)}<script type="module" src="/least.js"></script>`,
    },
    '/least.js': { type: 'text/javascript', body: script!.replace(/<\/script>$/, '') },
  }
  const server = createServer(({ url }, response) => {
    const answer = answers[url ?? '']
    if (!answer) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': answer.type, 'content-encoding': 'gzip' })
    return void response.end(gzipSync(answer.body))
  }).listen(0, '127.0.0.1')
  open.defer(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
