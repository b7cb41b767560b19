import { createServer, type Server } from 'node:http'
import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { bytesOf, CANARY_PORT, HONEST, HOSTILE, SAID_BY_PDF } from '../files/hostile.ts'
import { PORTS, readFacts } from './facts.ts'
import { enterAs } from './visitor.ts'

// Runs in one process, because the tests share the port that hostile files would call.
test.describe.configure({ mode: 'default' })

let calls: string[] = []
let canary: Server

test.beforeAll(async () => {
  canary = createServer((request, response) => {
    calls.push(request.url!)
    if (request.url === '/live') response.setHeader('content-type', 'text/html').end(HOSTILE.html!.bytes)
    else response.end()
  })
  await new Promise<void>((resolve) => void canary.listen(CANARY_PORT, '127.0.0.1', resolve))
})
test.afterAll(() => void canary.close())

const addressOf = (key: string) => readFacts(PORTS.office).testFiles[key]!

/** Collects every trace that a script would leave. The first page of the context must be on our own origin. */
function watch(context: BrowserContext): () => Promise<string[]> {
  calls = []
  const traces: string[] = []
  const follow = (page: Page) => {
    page.on('dialog', (dialog) => {
      traces.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
  }
  context.pages().forEach(follow)
  context.on('page', follow)
  context.on('request', (request) => {
    if (/canary|:3189/.test(request.url())) traces.push(`request: ${request.url()}`)
  })
  return async () => {
    const left: string[] = []
    for (const page of context.pages()) {
      const title = await page.title().catch(() => '')
      if (title === 'hostile') left.push('title')
    }
    const cookies = await context.cookies()
    if (cookies.some(({ name }) => name === 'hostile')) left.push('cookie')
    if (await context.pages()[0]!.evaluate(() => localStorage.getItem('hostile'))) left.push('localStorage')
    return [...traces, ...left, ...calls.map((call) => `call: ${call}`)]
  }
}

/** Waits long enough for a script to leave a trace: the tests expect none, so they cannot wait for one. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 500))

/** Opens a file in a new tab, as the file list does, and returns whether the browser saved it. */
async function openInTab(page: Page, address: string): Promise<{ tab: Page; isSaved: boolean }> {
  const context = page.context()
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    page.evaluate((href) => {
      const link = document.createElement('a')
      Object.assign(link, { href, target: '_blank', rel: 'noopener' })
      document.body.append(link)
      link.click()
    }, address),
  ])
  const isSaved = await Promise.race([
    tab.waitForEvent('download').then(() => true),
    tab.waitForURL((url) => url.pathname === address, { waitUntil: 'load' }).then(() => false),
  ]).catch(() => true)
  return { tab, isSaved }
}

test('S2.2 no hostile file runs a script when it is opened', async ({ page }) => {
  await enterAs(page, 'medarbejder')
  await page.goto('/projects')
  const traces = watch(page.context())
  for (const [key, file] of Object.entries(HOSTILE)) {
    const { tab, isSaved } = await openInTab(page, addressOf(key))
    expect([key, isSaved]).toEqual([key, !file.isShown])
    // A reload uses the browser's cache, with the headers of a 304.
    if (!isSaved) await tab.reload()
    if (key === 'scriptedPdf') await expect.poll(traces).toContain(`dialog: ${SAID_BY_PDF}`)
  }
  await aWhile()
  expect(new Set(await traces())).toEqual(new Set([`dialog: ${SAID_BY_PDF}`]))
})

// Proves the test above: without it a harmless file would prove nothing.
test('every hostile file would run if it were sent with its real type @long', async ({
  browser,
  baseURL,
}) => {
  for (const [key, file] of Object.entries(HOSTILE)) {
    if (file.liveAs === null) continue
    await using context = await browser.newContext({ baseURL: baseURL! })
    const page = await context.newPage()
    const traces = watch(context)
    await page.route('/page', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<script src="${addressOf(key)}"></script>` }),
    )
    await page.route(addressOf(key), (route) =>
      route.fulfill({ contentType: file.liveAs!, body: bytesOf(file) }),
    )
    await page.goto(file.liveAs === 'text/javascript' ? '/page' : addressOf(key))
    await expect
      .poll(async () => new Set((await traces()).map((trace) => trace.split(':')[0])), { message: key })
      .toEqual(new Set(['cookie', 'dialog', 'localStorage', 'request', 'title']))
  }
})

test('the test’s server hears the calls of a file that runs', async ({ page }) => {
  await page.goto(`http://127.0.0.1:${CANARY_PORT}/live`)
  await expect.poll(() => calls).toEqual(expect.arrayContaining(['/image-html', '/fetch-html']))
})

test('S2.2 no stored file can be a script, a style or a worker of our pages', async ({ page }) => {
  await enterAs(page, 'medarbejder')
  await page.goto('/projects')
  const traces = watch(page.context())
  for (const key of Object.keys(HOSTILE)) {
    const outcome = await page.evaluate(async (address) => {
      const load = (element: HTMLElement) =>
        new Promise<string>((resolve) => {
          element.addEventListener('load', () => resolve('loaded'))
          element.addEventListener('error', () => resolve('refused'))
          document.head.append(element)
        })
      const make = (tag: string, fields: object) => Object.assign(document.createElement(tag), fields)
      const start = (worker: Worker) =>
        new Promise<string>((resolve) => {
          worker.addEventListener('error', () => resolve('refused'))
          setTimeout(() => resolve('no error'), 2000)
        })
      return {
        script: await load(make('script', { src: address })),
        module: await load(make('script', { src: address, type: 'module' })),
        style: await load(make('link', { href: address, rel: 'stylesheet' })),
        worker: await start(new Worker(address)),
        serviceWorker: await navigator.serviceWorker.register(address).then(
          () => 'loaded',
          () => 'refused',
        ),
      }
    }, addressOf(key))
    expect([key, new Set(Object.values(outcome))]).toEqual([key, new Set(['refused'])])
  }
  await aWhile()
  expect(await traces()).toEqual([])
})

/** Everything that can be opened, in all elements that hold another document. */
const FRAMED = Object.entries({ ...HOSTILE, ...HONEST })
  .filter(([, { isShown }]) => isShown)
  .map(([key]) => key)
const framesOf = (addresses: string[]) =>
  addresses
    .map((each) => `<iframe src="${each}"></iframe><object data="${each}"></object><embed src="${each}">`)
    .join('')

test('S2.2 no stored file can be shown in a frame of another origin', async ({ page, baseURL }) => {
  await enterAs(page, 'medarbejder')
  // Another port is another origin, but the same site, so that the cookie goes along.
  const stranger = 'http://127.0.0.1:9999/frames'
  const body = framesOf(FRAMED.map((key) => new URL(addressOf(key), baseURL).href))
  await page.route(stranger, (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.goto(stranger)
  await expect
    .poll(() => page.frames().filter((frame) => frame.url().startsWith('chrome-error:')).length)
    .toBeGreaterThanOrEqual(FRAMED.length)
  const left = page.frames().filter((frame) => frame !== page.mainFrame() && /uploads/.test(frame.url()))
  expect(left.map((frame) => frame.url())).toEqual([])
})

test('S2.2 a stored file in a frame of ours runs nothing', async ({ page }) => {
  const traces = watch(page.context())
  await enterAs(page, 'medarbejder')
  // Without our policy, which would already refuse most of it.
  const body = FRAMED.map((key) => `<iframe src="${addressOf(key)}?show"></iframe>`).join('')
  await page.route('/frames', (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.goto('/frames')
  await expect
    .poll(() => page.frames().filter((frame) => /uploads/.test(frame.url())).length)
    .toBeGreaterThanOrEqual(FRAMED.length)
  await aWhile()
  // The viewer shows what a PDF says, as it does in a tab.
  expect((await traces()).filter((trace) => trace !== `dialog: ${SAID_BY_PDF}`)).toEqual([])
  await page.goto('about:blank') // Chromium may break when it closes a tab with several viewers
})

/** Counts the pure red pixels on the screen. */
async function redPixels(page: Page): Promise<number> {
  const picture = (await page.screenshot()).toString('base64')
  const judge = await page.context().newPage()
  const count = await judge.evaluate(async (base64) => {
    const image = new Image()
    image.src = `data:image/png;base64,${base64}`
    await image.decode()
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')!
    canvas.drawImage(image, 0, 0)
    const { data } = canvas.getImageData(0, 0, image.width, image.height)
    let red = 0
    for (let at = 0; at < data.length; at += 4)
      if (data[at]! > 240 && data[at + 1]! < 20 && data[at + 2]! < 20) red++
    return red
  }, picture)
  await judge.close()
  return count
}

test('S2.2 a harmless PDF is really displayed, and so are an image and a text', async ({ page }) => {
  await enterAs(page, 'medarbejder')
  for (const round of ['first', 'again']) {
    await page.goto(addressOf('pdf'))
    await expect.poll(() => redPixels(page), { message: `the PDF, ${round}` }).toBeGreaterThan(10_000)
  }
  await page.goto(addressOf('png'))
  expect(await redPixels(page)).toBe(64)
  await page.goto(addressOf('text'))
  await expect(page.locator('body')).toContainText('Kære investor')
  // The browser's own style wraps long lines.
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
})
