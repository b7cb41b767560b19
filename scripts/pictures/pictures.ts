import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { sql } from 'kysely'
import sharp from 'sharp'
import { SMTPServer } from 'smtp-server'
import { DEMO_PASSWORD } from '../../demo/demo-password.ts'
import { fillOffice } from '../../demo/office.ts'
import { writePile } from '../../demo/pile.ts'
import { openThrowAway } from '../../demo/throw-away.ts'
import { dayOf } from '../../src/base/time/dates.ts'
import { readConfig } from '../../src/config.ts'
import { keepSheet } from '../../src/moving/sheet/sheets.db.ts'
import { countTexts } from '../../src/reading/reading-state.db.ts'
import { backUpTo } from '../../src/scheduled-backups.ts'
import type { Database } from '../../src/server/database/database.ts'
import type { Parts } from '../../src/server/parts.ts'
import { PROJECT } from '../../src/server/process/project-directory.ts'
import { startRingbind } from '../../src/start.ts'
import { findChromium } from '../chromium.ts'
import { PICTURES, THEMES, type DemoFacts, type Picture } from './picture-list.ts'
import { SHEET } from './picture-sheet.ts'

// Takes the pictures of README and the manual from the demo's office. `npm run pictures -- project search` takes those two.

const DIRECTORY = fileURLToPath(new URL('docs/pictures', PROJECT))
const WIDTH = 1280
const HEIGHT = 800
/** Sharp on most screens, and still small. */
const SCALE = 1.5
const QUALITY = 72
/** Long enough for a computer that is busy with other things. */
const PATIENCE_MS = 120_000
const DAY_MS = 24 * 60 * 60 * 1000

const names = process.argv.slice(2)
const wanted = Object.entries<Picture>(PICTURES).filter(
  ([name]) => names.length === 0 || names.includes(name),
)
const unknown = names.filter((name) => !(name in PICTURES))
if (unknown.length > 0) {
  console.error(`There is no picture ${unknown.join(', ')}: see scripts/pictures/picture-list.ts.`)
  process.exit(1)
}

const directory = await openThrowAway('pictures')
try {
  const facts: DemoFacts = { projects: {}, people: {}, release: 0, sheet: 0, yesterday: '', pile: [] }
  await using mailServer = await startMailServer()
  mkdirSync(join(directory.path, 'kopier'), { recursive: true })
  // Not as a demo, whose banner would be on every picture.
  await using ringbind = await startRingbind(
    readConfig({
      ...process.env,
      LOG_LEVEL: 'error',
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: directory.path,
      DATABASE_URL: '',
      BACKUP_DIR: join(directory.path, 'kopier'),
      SMTP_URL: mailServer.url,
      SHUTDOWN_SECONDS: '1',
    }),
    { fill: async (parts) => Object.assign(facts, await fill(parts)) },
  )
  await whenRead(ringbind.db)
  await backUpTo(ringbind, ringbind.config.backupDir!, { info: () => undefined, error: () => undefined })
  await using browser = await chromium.launch({ executablePath: findChromium() })
  mkdirSync(DIRECTORY, { recursive: true })
  const contexts = new Map<string, BrowserContext>()
  for (const [name, picture] of wanted) {
    const login = picture.as ?? ''
    const context = contexts.get(login) ?? (await enter(browser, ringbind.url, login))
    contexts.set(login, context)
    await take(context, name, picture, facts).catch((error: Error) => {
      console.error(`${name}: ${error.message}`)
      process.exitCode = 1
    })
  }
} finally {
  directory.remove()
}
removeOthers()
console.log(`Together: ${kilobytes(readdirSync(DIRECTORY).map((name) => join(DIRECTORY, name)))} KB`)

async function fill(parts: Parts): Promise<DemoFacts> {
  const { db, config } = parts
  const office = await fillOffice(parts)
  // The first one has been read by some and not by others.
  const { rows } = await sql<{ id: number }>`
    select id from releases where state = 'published' order by id limit 1`.execute(db)
  const sheet = await keepSheet(db, office.people.administrator!, 'Projekter og personer.xlsx', SHEET)
  const pile = writePile(config.dataDir)
  return {
    ...office,
    release: rows[0]!.id,
    sheet,
    yesterday: dayOf(new Date(Date.now() - DAY_MS), config.timeZone),
    pile: readdirSync(pile).map((name) => join(pile, name)),
  }
}

/** Takes every mail, so that pages do not say that none can be sent. Nothing leaves the computer. */
async function startMailServer(): Promise<AsyncDisposable & { url: string }> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => stream.resume().once('end', () => done()),
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Waits until the words of all papers are known, so that a search finds them. */
async function whenRead(db: Database): Promise<void> {
  while ((await countTexts(db)).waiting > 0) await sleep(500)
}

async function enter(browser: Browser, url: string, login: string): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: url,
    locale: 'da-DK',
    timezoneId: 'Europe/Copenhagen',
    viewport: { width: WIDTH, height: HEIGHT },
    deviceScaleFactor: SCALE,
    reducedMotion: 'reduce',
  })
  if (login === '') return context
  const page = await context.newPage()
  await page.goto('/login')
  await page.getByLabel('E-mail').fill(`${login}@ringbind.example`)
  await page.getByLabel('Adgangskode').fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Log ind', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: /^Hej / }).waitFor()
  await page.close()
  return context
}

/** Takes one picture in both themes, of the same state. */
async function take(
  context: BrowserContext,
  name: string,
  picture: Picture,
  facts: DemoFacts,
): Promise<void> {
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const { width = WIDTH, height = HEIGHT } = picture
  await page.setViewportSize({ width, height })
  await page.goto(picture.address(facts))
  await page.locator('html[data-hydrated]').waitFor()
  await picture.after?.(page, facts)
  const files = THEMES.map((theme) => join(DIRECTORY, `${name}-${theme}.webp`))
  for (const [index, theme] of THEMES.entries()) await shoot(page, theme, files[index]!)
  await page.close()
  console.log(`${name}: ${kilobytes(files)} KB`)
}

async function shoot(page: Page, theme: 'light' | 'dark', path: string): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await page.evaluate(() => document.fonts.ready)
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  await sharp(png).webp({ quality: QUALITY, effort: 6, smartSubsample: true }).toFile(path)
}

/** Removes pictures that are no longer in the list. */
function removeOthers(): void {
  const known = new Set(
    Object.keys(PICTURES).flatMap((name) => THEMES.map((theme) => `${name}-${theme}.webp`)),
  )
  for (const name of readdirSync(DIRECTORY)) if (!known.has(name)) rmSync(join(DIRECTORY, name))
}

function kilobytes(paths: string[]): number {
  return Math.round(paths.reduce((sum, path) => sum + statSync(path).size, 0) / 1000)
}
