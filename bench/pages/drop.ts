import type { BrowserContext, Page } from '@playwright/test'
import { build } from 'vite'
import { folderKey } from '../../src/projects/folder.ts'
import type { UploadMap } from '../../src/uploads/names/placing.ts'
import { urls } from '../../src/urls.ts'
import { makeUser } from '../../test/make.ts'
import { openOffice } from '../office/office-in-browser.ts'
import { median, type Result } from '../measure/result.ts'

const FILES = 2000
/** So few that all rows are drawn: larger piles are closed lines, which `pile` measures. */
const PROJECTS = 2
const FOLDERS = ['Årsrapport', 'Budget', 'Referat', 'Lejekontrakt']
const ROUNDS = 7
const UPDATES = 10
const MOST_RATIO = 3
/** Longer than the time between two drawings of progress. */
const PAUSE_MS = 300

const EMAIL = 'bench@example.dk'

export type Dropped = { name: string; size: number }

const DROPPED: Dropped[] = Array.from({ length: FILES }, (_, index) => ({
  name: `${FOLDERS[index % FOLDERS.length]} (${1000 + (index % PROJECTS)}) ${2000 + (index % 25)} bilag ${index}.pdf`,
  size: 1000 + index,
}))

/** Compares dropping many files in a browser with as many plain rows by the same React. No call reaches a server. */
export async function measure(): Promise<Result[]> {
  await using open = new AsyncDisposableStack()
  const context = await openOffice(open, EMAIL, async (db) => {
    await makeUser(db, { role: 'employee', email: EMAIL })
  })
  const plain = await plainPage('bench/bare/plain-rows.tsx')
  const costs = { ours: [] as number[], plain: [] as number[], update: [] as number[] }
  for (let round = 0; round <= ROUNDS; round++) {
    const [ours, bare] = [await dropOnPage(context), await drawPlainly(context, plain)]
    if (round === 0) continue // warming up
    costs.ours.push(ours.drop)
    costs.update.push(ours.update)
    costs.plain.push(bare)
  }
  const [ours, bare, update] = [median(costs.ours), median(costs.plain), median(costs.update)]
  return [
    {
      what: `${FILES} files dropped: sorting and drawing them`,
      value: ours,
      unit: 'ms of work',
      limit: { what: 'as many plain rows by React', value: bare },
      aim: { times: MOST_RATIO },
    },
    {
      what: 'drawing progress while they are there',
      value: update,
      unit: 'ms of work',
      limit: { what: 'drawing them plainly', value: bare },
    },
  ]
}

declare global {
  // Set in the pages for the measurement.
  var dropped: DataTransfer
  var draw: (files: Dropped[]) => void
  var drawn: (selector: string, count: number) => Promise<void>
  var progress: (part: number) => void
}

async function dropOnPage(context: BrowserContext): Promise<{ drop: number; update: number }> {
  const page = await context.newPage()
  try {
    await page.addInitScript(prepare, { map: mapOf(), resolve: urls.resolveUpload })
    await page.goto(urls.upload)
    await page.locator('html[data-hydrated]').waitFor()
    await page.evaluate((files) => {
      globalThis.dropped = new DataTransfer()
      for (const { name, size } of files) dropped.items.add(new File(['x'.repeat(size)], name))
    }, DROPPED)
    await page.waitForTimeout(PAUSE_MS)
    const drop = await workOf(page, () =>
      page.evaluate((count) => {
        const zone = document.querySelector('input[type=file]')!.parentElement!
        zone.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: dropped }))
        return drawn('[data-upload]', count)
      }, FILES),
    )
    await page.waitForTimeout(3 * PAUSE_MS) // until it has asked which files are already there
    const update = await workOf(page, async () => {
      for (let count = 1; count <= UPDATES; count++) {
        await page.evaluate((part) => progress(part), count / (UPDATES + 1))
        await page.waitForTimeout(PAUSE_MS)
      }
    })
    return { drop, update: update / UPDATES }
  } finally {
    await page.close()
  }
}

async function drawPlainly(context: BrowserContext, html: string): Promise<number> {
  const page = await context.newPage()
  try {
    await page.addInitScript(prepare, { map: mapOf(), resolve: urls.resolveUpload })
    await page.route('**/plain', (route) => route.fulfill({ contentType: 'text/html', body: html }))
    await page.goto('/plain')
    await page.waitForTimeout(PAUSE_MS)
    return await workOf(page, () =>
      page.evaluate((files) => {
        draw(files)
        return drawn('li', files.length)
      }, DROPPED),
    )
  } finally {
    await page.close()
  }
}

/**
 * Returns how long the page's thread works meanwhile, in milliseconds: scripts, styles, layout, painting; not
 * waiting.
 */
export async function workOf(page: Page, run: () => Promise<void>): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const seconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')!.value
  }
  const before = await seconds()
  await run()
  const after = await seconds()
  await session.detach()
  return (after - before) * 1000
}

type Answers = { map: UploadMap; resolve: string }

/**
 * Runs in the page before anything else. It answers all calls there, and keeps uploads running while the page is
 * open.
 */
export function prepare({ map, resolve }: Answers): void {
  const calls: EventTarget[] = []
  const NOBODY = { people: 0, never_in: 0, needs_approval: false, no_mail: 0, later: 0, names: [] }
  class Call extends EventTarget {
    upload = new EventTarget()
    open(): void {}
    setRequestHeader(): void {}
    abort(): void {}
    send(): void {
      calls.push(this.upload)
    }
  }
  Object.assign(globalThis, {
    XMLHttpRequest: Call,
    fetch: (url: string) => Promise.resolve(Response.json(url === resolve ? map : { data: {}, ...NOBODY })),
    progress: (part: number) => {
      const event = new ProgressEvent('progress', { lengthComputable: true, loaded: part * 1e6, total: 1e6 })
      calls[0]!.dispatchEvent(event)
    },
    drawn: async (selector: string, count: number) => {
      const frame = () => new Promise(requestAnimationFrame)
      while (document.querySelectorAll(selector).length < count) await frame()
      await frame()
      await frame()
    },
  })
}

function mapOf(): UploadMap {
  const folders = (project: number) =>
    Object.fromEntries(
      FOLDERS.map((name, index) => [
        folderKey(name),
        { id: project * 100 + index, name, visible_to_investors: index % 2 === 0 },
      ]),
    )
  const projects = Array.from({ length: PROJECTS }, (_, index) => {
    const number = String(1000 + index)
    const project = {
      id: index + 1,
      number,
      name: `K/S Projekt ${number}`,
      has_auditor: false,
      folders: folders(index + 1),
      near: {},
    }
    return [number, project] as const
  })
  return { projects: Object.fromEntries(projects), users: {} }
}

/** Builds a plain page as our own pages are built. */
export async function plainPage(input: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, rolldownOptions: { input } },
  })
  const [{ output }] = [built].flat() as [Extract<typeof built, { output: unknown }>]
  return `<!doctype html><meta charset="utf-8"><div id="app"></div><script type="module">${output[0].code}</script>`
}
