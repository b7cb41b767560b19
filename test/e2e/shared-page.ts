import { test as base, type Browser, type BrowserContext, type Page } from '@playwright/test'

export { expect } from '@playwright/test'

/** A browser's only tab. A test leaves it empty for the next one. */
type Tab = { context: BrowserContext; page: Page; isSpoilt: boolean }

type Tabs = Map<string, Tab>

const DESKTOP = { width: 1280, height: 720 }

/**
 * Gives each test a page that earlier tests of its worker have used, emptied: a new one compiles every script anew, which
 * takes longer than most tests.
 */
export const test = base.extend<
  {
    tab: Tab
    /** The page of another person, in another browser. */
    otherPage: Page
    /** A page without JavaScript, in another browser. */
    plainPage: Page
  },
  { tabs: Tabs }
>({
  tabs: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      await use(new Map())
    },
    { scope: 'worker' },
  ],
  tab: async ({ tabs, browser, baseURL, javaScriptEnabled, hasTouch, isMobile, viewport }, use) => {
    const name = JSON.stringify([baseURL, javaScriptEnabled, hasTouch, isMobile])
    const tab = await findTab(tabs, name, browser)
    await tab.page.setViewportSize(viewport ?? DESKTOP)
    await use(tab)
    await leave(tabs, name, tab)
  },
  context: ({ tab }, use) => use(tab.context),
  page: ({ tab }, use) => use(tab.page),
  otherPage: async ({ tabs, browser, baseURL, viewport }, use) => {
    const name = `other ${baseURL}`
    const tab = await findTab(tabs, name, browser)
    await tab.page.setViewportSize(viewport ?? DESKTOP)
    await use(tab.page)
    await leave(tabs, name, tab)
  },
  plainPage: async ({ tabs, browser, baseURL, viewport }, use) => {
    const name = `plain ${baseURL}`
    const tab = await findTab(tabs, name, browser, { javaScriptEnabled: false })
    await tab.page.setViewportSize(viewport ?? DESKTOP)
    await use(tab.page)
    await leave(tabs, name, tab)
  },
})

async function findTab(
  tabs: Tabs,
  name: string,
  browser: Browser,
  options: { javaScriptEnabled?: boolean } = {},
): Promise<Tab> {
  const found = tabs.get(name)
  if (found) return found
  const context = await browser.newContext(options)
  const tab: Tab = { context, page: await context.newPage(), isSpoilt: false }
  noticeSpoiling(tab)
  tabs.set(name, tab)
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

async function leave(tabs: Tabs, name: string, tab: Tab): Promise<void> {
  if (!tab.isSpoilt && !tab.page.isClosed()) return emptyTab(tab)
  tabs.delete(name)
  await tab.context.close()
}

/** Leaves nothing of a test in its tab, except what the browser has cached. */
export async function emptyTab({ context, page }: { context: BrowserContext; page: Page }): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close()
  for (const event of ['console', 'dialog', 'download', 'pageerror', 'request', 'response'] as const)
    page.removeAllListeners(event)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.evaluate(() => {
    if (!location.protocol.startsWith('http')) return
    sessionStorage.clear()
    localStorage.clear()
  })
  await page.goto('about:blank')
  await context.clearCookies()
  await page.emulateMedia({ media: null, colorScheme: 'light' })
  await page.mouse.move(-1, -1)
}
