import { chromium, type BrowserContext } from '@playwright/test'
import { openThrowAway } from '../../demo/throw-away.ts'
import { readConfig } from '../../src/config.ts'
import type { Database } from '../../src/server/database/database.ts'
import { startRingbind } from '../../src/start.ts'
import { startServer } from './server-process.ts'
import { signIn } from './sign-in.ts'

/** Only ends a hang, since a busy machine is slow. */
const HANG_MS = 300_000

/** Starts a Ringbind that `fill` has filled, and a browser in which `email` is signed in; `open` ends both. */
export async function openOffice(
  open: AsyncDisposableStack,
  email: string,
  fill: (db: Database) => Promise<void>,
): Promise<BrowserContext> {
  const directory = await openThrowAway('bench')
  open.defer(() => directory.remove())
  const settings = { PORT: '0', LOG_LEVEL: 'warn', DATA_DIR: directory.path }
  {
    await using filled = await startRingbind(readConfig(settings))
    await fill(filled.db)
  }
  const { url } = open.use(await startServer('src/server.ts', settings))
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  })
  open.defer(() => browser.close())
  const context = await browser.newContext({ baseURL: url })
  context.setDefaultTimeout(HANG_MS)
  const { cookie } = await signIn(url, email)
  await context.addCookies(
    cookie.split('; ').map((each) => {
      const [name, value] = each.split('=') as [string, string]
      return { name, value, url }
    }),
  )
  return context
}
