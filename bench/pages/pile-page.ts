import type { BrowserContext, Page } from '@playwright/test'
import { folderKey } from '../../src/projects/folder.ts'
import type { UploadMap } from '../../src/uploads/names/placing.ts'
import { urls } from '../../src/urls.ts'
import { foldersByName, makeProject, makeUser } from '../../test/make.ts'
import { prepare, type Dropped } from './drop.ts'
import { openOffice } from '../office/office-in-browser.ts'
import type { Result } from '../measure/result.ts'

const FILES = 2000
const PROJECTS = 60
const PEOPLE = 200
const FOLDERS = ['Årsrapport', 'Budget', 'Referat', 'Lejekontrakter', 'Diverse']
const ROUNDS = 3
/** The page's thread is never busy for longer. */
const MOST_MS = 50
/** Longer than the time between two drawings of progress. */
const PAUSE_MS = 300

const EMAIL = 'bench@example.dk'

const nameOf = (index: number) => {
  if (index % 10 === 0) return `Kapitalkonto (${5000 + (index % PEOPLE)}) 2025 ${index}.pdf`
  if (index % 20 === 1) return `Ferie (${1000 + (index % PROJECTS)}) ${index}.pdf`
  return `${FOLDERS[index % FOLDERS.length]} (${1000 + (index % PROJECTS)}) 2025 ${index}.pdf`
}
/** Each project and each person that files are placed in has a line; those of an unknown folder are placed nowhere. */
const LINES_DRAWN = new Set(
  Array.from({ length: FILES }, (_, index) => nameOf(index)).flatMap((name) =>
    name.startsWith('Ferie') ? [] : name.match(/\d{4}/)![0],
  ),
).size
const dropped = (nameFor: (index: number) => string): Dropped[] =>
  Array.from({ length: FILES }, (_, index) => ({ name: nameFor(index), size: 150_000 + 100 * index }))

/** Measures how long the page's thread is busy at most with a pile of 2,000 files. No call reaches a server. */
export async function measure(): Promise<Result[]> {
  await using open = new AsyncDisposableStack()
  let folderPage = ''
  const context = await openOffice(open, EMAIL, async (db) => {
    await makeUser(db, { role: 'employee', email: EMAIL })
    const project = await makeProject(db)
    folderPage = urls.uploadTo(project.id, (await foldersByName(db, project.id)).Budget!)
  })
  const steps = new Map<string, number[]>()
  for (let round = 0; round <= ROUNDS; round++)
    for (const [what, longest] of [
      ...(await measurePile(context)),
      ...(await measureFolder(context, folderPage)),
    ])
      if (round > 0) steps.set(what, [...(steps.get(what) ?? []), longest]) // the first warms up
  return [...steps].map(([what, all]) => {
    // Work of our own is there every time; what others on the machine cause is not.
    const longest = Math.min(...all)
    return {
      what: `${FILES} files, ${what}: longest task`,
      value: longest,
      unit: 'ms',
      aim: { value: MOST_MS },
      family: `a pile of ${FILES.toLocaleString('en')} files: longest task of the page`,
    }
  })
}

type Step = [what: string, longest: number]

async function measurePile(context: BrowserContext): Promise<Step[]> {
  const page = await openForm(context, urls.upload)
  try {
    await carry(page, nameOf)
    return [
      ['dropped for 60 projects and 200 people', await longestOf(page, () => drop(page, LINES, LINES_DRAWN))],
      ['drawing progress', await longestOf(page, () => makeProgress(page))],
      ['opening a project', await longestOf(page, () => openLine(page))],
    ]
  } finally {
    await page.close()
  }
}

async function measureFolder(context: BrowserContext, address: string): Promise<Step[]> {
  const page = await openForm(context, address)
  try {
    await carry(page, (n) => `Bilag ${n}.pdf`)
    return [
      [
        'dropped for one folder, all rows drawn',
        await longestOf(page, () => drop(page, '[data-upload]', FILES)),
      ],
      ['drawing progress with all rows', await longestOf(page, () => makeProgress(page))],
    ]
  } finally {
    await page.close()
  }
}

const LINES = 'h2 > button[aria-expanded]'

declare global {
  // Set in the pages for the measurement.
  var carried: File[]
}

async function openForm(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  await page.addInitScript(prepare, { map: mapOf(), resolve: urls.resolveUpload })
  await page.goto(address)
  await page.locator('html[data-hydrated]').waitFor()
  return page
}

/** Makes the files, which is the measurement's own work. */
async function carry(page: Page, nameFor: (index: number) => string): Promise<void> {
  await page.evaluate((files) => {
    globalThis.carried = files.map(
      ({ name, size }) => Object.defineProperty(new File(['x'], name), 'size', { value: size }), // nothing reads their bytes
    )
  }, dropped(nameFor))
  await page.waitForTimeout(PAUSE_MS)
}

async function drop(page: Page, selector: string, count: number): Promise<void> {
  await page.evaluate(() => {
    const zone = document.querySelector('input[type=file]')!.parentElement!
    const event = new DragEvent('drop', { bubbles: true, cancelable: true })
    const items = [{ webkitGetAsEntry: () => null }]
    Object.defineProperty(event, 'dataTransfer', { value: { items, files: carried, types: ['Files'] } })
    setTimeout(() => zone.dispatchEvent(event))
  })
  await page.evaluate(([what, wanted]) => drawn(what, wanted), [selector, count] as const)
  await page.waitForTimeout(5 * PAUSE_MS) // until it has asked what there is to ask
}

/** Presses a line. To look for it by its role and name would be most of the work. */
async function openLine(page: Page): Promise<void> {
  await page.evaluate((lines) => {
    const line = [...document.querySelectorAll<HTMLElement>(lines)].at(1)!
    setTimeout(() => line.click())
    return drawn('[data-upload]', 1)
  }, LINES)
}

async function makeProgress(page: Page): Promise<void> {
  for (let count = 1; count <= 5; count++) {
    await page.evaluate((part) => progress(part), count / 6)
    await page.waitForTimeout(PAUSE_MS)
  }
}

type TraceEvent = { name: string; tid: number; pid: number; tdur?: number; args: { name?: string } }

/**
 * Returns the longest task of the page's thread meanwhile, in milliseconds of its own processor time: other work on a busy
 * machine does not matter here.
 */
async function longestOf(page: Page, run: () => Promise<void>): Promise<number> {
  const session = await page.context().browser()!.newBrowserCDPSession()
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  await session.send('Tracing.start', {
    traceConfig: { includedCategories: ['toplevel', '__metadata'], excludedCategories: ['*'] },
    transferMode: 'ReportEvents',
  })
  await run()
  await page.waitForTimeout(PAUSE_MS)
  const done = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await done
  await session.detach()
  const threads = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = events.flatMap(({ pid, tid, tdur }) =>
    tdur !== undefined && threads.has(`${pid} ${tid}`) ? tdur / 1000 : [],
  )
  return Math.max(0, ...tasks)
}

function mapOf(): UploadMap {
  const projects = Array.from({ length: PROJECTS }, (_, index) => {
    const number = String(1000 + index)
    const folders = FOLDERS.map((name, at) => [
      folderKey(name),
      { id: index * 100 + at + 1, name, visible_to_investors: at % 2 === 0 },
    ])
    const named = { id: index + 1, number, name: `K/S Projekt ${number}`, has_auditor: false, near: {} }
    return [number, { ...named, folders: Object.fromEntries(folders) }] as const
  })
  const people = Array.from(
    { length: PEOPLE },
    (_, index) => [String(5000 + index), { id: index + 1, name: `Investor ${index}` }] as const,
  )
  return { projects: Object.fromEntries(projects), users: Object.fromEntries(people), proposals: {} }
}
