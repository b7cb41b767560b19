import { expect, test as base, type BrowserContext, type Page, type ViewportSize } from '@playwright/test'

export { expect }

/** A browser's only tab. A test leaves it empty for the next one. */
type Tab = { context: BrowserContext; page: Page; isSpoilt: boolean }

/** The tabs of this worker, which has one browser. */
const tabs = new Map<string, Tab>()

const DESKTOP = { width: 1280, height: 720 }

/**
 * Gives each test a page that earlier tests of its worker have used, emptied: a new one compiles every script again,
 * which takes longer than most tests.
 */
export const test = base.extend<{
  tab: Tab
  /** The page of another person, in another browser. */
  otherPage: Page
  /** A page without JavaScript, in another browser. */
  plainPage: Page
}>({
  tab: async ({ browser, baseURL, javaScriptEnabled, hasTouch, isMobile, viewport }, use) => {
    const name = JSON.stringify([baseURL, javaScriptEnabled, hasTouch, isMobile])
    await lend(name, () => browser.newContext(), viewport, use)
  },
  context: ({ tab }, use) => use(tab.context),
  page: ({ tab }, use) => use(tab.page),
  otherPage: ({ browser, baseURL, viewport }, use) =>
    lend(
      `other ${baseURL}`,
      () => browser.newContext(),
      viewport,
      ({ page }) => use(page),
    ),
  plainPage: ({ browser, baseURL, viewport }, use) =>
    lend(
      `plain ${baseURL}`,
      () => browser.newContext({ javaScriptEnabled: false }),
      viewport,
      ({ page }) => use(page),
    ),
})

async function lend(
  name: string,
  newContext: () => Promise<BrowserContext>,
  viewport: ViewportSize | null,
  use: (tab: Tab) => Promise<void>,
): Promise<void> {
  const tab = tabs.get(name) ?? (await openTab(await newContext()))
  tabs.set(name, tab)
  await tab.page.setViewportSize(viewport ?? DESKTOP)
  await use(tab)
  if (!tab.isSpoilt && !tab.page.isClosed()) return emptyTab(tab)
  tabs.delete(name)
  await tab.context.close()
}

async function openTab(context: BrowserContext): Promise<Tab> {
  const tab: Tab = { context, page: await context.newPage(), isSpoilt: false }
  noticeSpoiling(tab)
  return tab
}

/** A page cannot take back a clock or a script that it starts with. */
function noticeSpoiling(tab: Tab): void {
  const { page } = tab
  const install = page.clock.install.bind(page.clock)
  page.clock.install = (options) => {
    tab.isSpoilt = true
    return install(options)
  }
  const addInitScript = page.addInitScript.bind(page)
  page.addInitScript = (script, argument) => {
    tab.isSpoilt = true
    return addInitScript(script, argument)
  }
}

/** Leaves nothing of a test in its tab, except what the browser has cached. */
export async function emptyTab({ context, page }: Pick<Tab, 'context' | 'page'>): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close()
  for (const event of ['console', 'dialog', 'download', 'pageerror', 'request', 'response'] as const)
    page.removeAllListeners(event)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  // A test may end while its last press still opens a page, which then interrupts this.
  await expect(() =>
    page.evaluate(() => {
      if (!location.protocol.startsWith('http')) return
      sessionStorage.clear()
      localStorage.clear()
    }),
  ).toPass()
  // A page that is being left keeps the place of an upload, so it is left now. Others stay until the next test opens
  // its page: an empty page in between costs half as much as a real one.
  // A page that is on its way elsewhere may end this once.
  if (/upload|my-files/.test(page.url())) await expect(() => page.goto('about:blank')).toPass()
  await context.clearCookies()
  await page.emulateMedia({ media: null, colorScheme: 'light' })
  await page.mouse.move(-1, -1)
}
