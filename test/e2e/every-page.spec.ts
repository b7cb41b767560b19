import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import { pages, type PageName } from '../../src/pages.ts'
import { AXE } from './axe.ts'
import { LOOKS, type Look } from './every-page.ts'
import { findInvalidHtml } from './valid-html.ts'
import { readFacts } from './facts.ts'
import { enterAs, openHydrated } from './visitor.ts'
import { emptyTab, expect, test } from './shared-page.ts'

test('every page is in the list of pages to test', () => {
  expect(Object.keys(LOOKS).sort()).toEqual(Object.keys(pages).sort())
})

/** Common English words that are not Danish words. */
const ENGLISH =
  /\b(the|your|you|of|with|this|not|please|password|invalid|required|loading|search|close|open|sign)\b/i

/** The one text that the requirements give in English: S9.9. */
const GIVEN = /Showing \d+ of \d+ total items/g

const spokenNames = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('[aria-label], [title], [placeholder]')]
      .flatMap((each) => ['aria-label', 'title', 'placeholder'].map((name) => each.getAttribute(name) ?? ''))
      .join(' '),
  )

/** The page's text for people: addresses and examples for programs are the same in every language. */
const spokenText = (page: Page) =>
  page.locator('#app').evaluate((app: HTMLElement) => {
    const walker = document.createTreeWalker(app, NodeFilter.SHOW_TEXT)
    const texts: string[] = []
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (node.parentElement?.checkVisibility() && !node.parentElement.closest('[translate="no"]'))
        texts.push(node.textContent ?? '')
    return texts.join(' ').replace(/\s+/g, ' ')
  })

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** Draws what is far away too, which `innerText` leaves out. */
const shownText = (page: Page) =>
  page.locator('#app').evaluate((app: HTMLElement) => {
    for (const folder of app.querySelectorAll<HTMLElement>('.folder-section'))
      folder.style.contentVisibility = 'visible'
    return app.innerText
  })

/** Collects the console's errors and warnings, except a page's own status (404 …). */
function listenForComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    const ownStatus =
      message.text().startsWith('Failed to load resource') && message.location().url === page.url()
    if (['error', 'warning'].includes(message.type()) && !ownStatus) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return complaints
}

const envelopeName = (page: Page) =>
  page.evaluate(() => (JSON.parse(document.getElementById('page')!.textContent) as { name: string }).name)

const isRoot = (page: Page) =>
  page.evaluate(() =>
    Object.keys(document.getElementById('app')!).some((key) => key.startsWith('__reactContainer')),
  )

/** Waits until the page is idle, so that React has reported its warnings. */
const isIdle = (page: Page) =>
  page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve())))

async function open(page: Page, name: string, { address, as, before, after }: Look): Promise<void> {
  if (as) await enterAs(page, as)
  await before?.(page)
  const { baseURL } = test.info().project.use
  await openHydrated(page, address(readFacts(Number(new URL(baseURL!).port))))
  expect(await envelopeName(page)).toBe(name)
  await after?.(page)
}

async function isTheSameWithoutScript(page: Page, plain: Page, look: Look): Promise<void> {
  await plain.context().clearCookies()
  await plain.context().addCookies(await page.context().cookies())
  let texts = await textsOf(page, plain, look)
  // Another test may have changed something between the two.
  for (let again = 0; again < 3 && texts.plain !== texts.scripted; again++) {
    await openHydrated(page, page.url())
    texts = await textsOf(page, plain, look)
  }
  expect.soft(texts.plain).toBe(texts.scripted)
  await expect.soft(plain.getByRole('heading', { level: 1 })).toBeVisible()
}

/** Returns the text of a page with and without JavaScript, without what may differ. */
async function textsOf(page: Page, plain: Page, { changing }: Look) {
  await plain.goto(page.url())
  // Without JavaScript the page may add <noscript> texts, and leave out controls that need JavaScript.
  const said = (await plain.locator('noscript').allInnerTexts()).flatMap(linesOf)
  const controls = (await page.locator('[class~="noscript:hidden"]').allInnerTexts()).flatMap(linesOf)
  const changed = changing
    ? [...(await plain.locator(changing).allInnerTexts()), ...(await page.locator(changing).allInnerTexts())]
    : []
  const left = new Set([...said, ...controls, ...changed.flatMap(linesOf)])
  const only = (text: string) =>
    linesOf(text)
      .filter((line) => !left.has(line))
      .join('\n')
  return { plain: only(await shownText(plain)), scripted: only(await shownText(page)) }
}

async function isDanish(page: Page): Promise<void> {
  await expect.soft(page.locator('html')).toHaveAttribute('lang', 'da')
  const words = `${await page.title()} ${await spokenText(page)} ${await spokenNames(page)}`
  expect.soft(words.replaceAll(GIVEN, '').match(ENGLISH)).toBeNull()
}

/** Leaves the first rows of every list: axe asks for the colours of each element, and rows are alike. */
const leaveFirstRows = (page: Page) =>
  page.evaluate(() => {
    for (const row of document.querySelectorAll('main :is(li, tr, section):nth-of-type(n + 5)')) row.remove()
  })

const SCHEMES = ['light', 'dark'] as const
type Scheme = (typeof SCHEMES)[number]

async function findFaults(page: Page, within: string | undefined, rules: RunOptions): Promise<object[]> {
  return page.evaluate(
    async ({ part, options }) => {
      // Axe reads the whole document even if it tests only a part, so the rest is taken out meanwhile.
      const taken: [Element, Comment][] = []
      for (
        let inside = part ? document.querySelector(part) : null;
        inside && inside !== document.body;
        inside = inside.parentElement
      )
        for (const beside of inside.parentElement!.children)
          if (beside !== inside && !beside.matches(part!)) taken.push([beside, document.createComment('')])
      for (const [element, mark] of taken) element.replaceWith(mark)
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
        part ?? document,
        options,
      )
      for (const [element, mark] of taken) mark.replaceWith(element)
      return violations.map(({ id, help, nodes }) => ({ id, help, at: nodes.map((node) => node.html) }))
    },
    // No rule that is on reads style sheets, so axe need not fetch them.
    // A stored file in a frame is not ours, and the viewer of PDFs never answers axe.
    {
      part: within,
      options: {
        ...rules,
        // WCAG 2.5.8: axe leaves it out unless it is asked.
        ...(!rules.runOnly && { rules: { ...rules.rules, 'target-size': { enabled: true } } }),
        iframes: false,
        preload: false,
        resultTypes: ['violations' as const],
      },
    },
  )
}

/** Asks for everything except colours of the whole page, and for colours in each scheme. */
async function hasNoFaultOfAxe(page: Page, within: string | undefined): Promise<void> {
  await page.evaluate(AXE)
  expect.soft(await findFaults(page, within, { rules: { 'color-contrast': { enabled: false } } })).toEqual([])
  if (!within) await leaveFirstRows(page)
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme })
    const faults = await findFaults(page, within, { runOnly: ['color-contrast'] })
    expect.soft(faults, `in the ${colorScheme}`).toEqual([])
  }
}

/** Asks for everything at once, in one scheme and with the first rows of every list. */
async function hasNoFaultIn(page: Page, within: string | undefined, colorScheme: Scheme): Promise<void> {
  await page.evaluate(AXE)
  if (!within) await leaveFirstRows(page)
  await page.emulateMedia({ colorScheme })
  expect.soft(await findFaults(page, within, {}), `in the ${colorScheme}`).toEqual([])
}

/** WCAG 2.5.8 on a phone; on a wide screen axe asks with the rest. */
async function hasTargetsForFingers(page: Page, within: string | undefined): Promise<void> {
  await page.setViewportSize({ width: 375, height: 800 })
  expect.soft(await findFaults(page, within, { runOnly: ['target-size'] })).toEqual([])
}

const WIDTHS = [360, 375, 768, 1024, 1100, 1280]
/** Axe then asks at the last one. */
const FEW_WIDTHS = [
  [360, 1024],
  [1024, 360],
]

async function fits(page: Page, widths: number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    const needed = await page.evaluate(() => document.documentElement.scrollWidth)
    expect.soft(needed, `at ${width} pixels`).toBe(width)
  }
}

/** Leaves a page as a person does who signs out, for the next look. */
async function leave(page: Page): Promise<void> {
  await emptyTab({ context: page.context(), page })
  await page.setViewportSize({ width: 1280, height: 720 })
}

/**
 * `npm run test:long` asks everything of every look. Otherwise the gallery, which has every part, is asked everything with its
 * modals and menus, and the first look of every other page in one colour scheme and at one width: one page in the light and the
 * next in the dark, two on a wide screen and the next two on a phone.
 */
const asksAll = process.env.TESTS === 'long'

const A_LOOK_MS = 120_000

// All pages in one tab: it is much faster once it has compiled the scripts.
test(
  'S1.3 in development pages hydrate on #app without console messages',
  {
    tag: '@development',
  },
  async ({ page }) => {
    test.setTimeout(Object.keys(LOOKS).length * A_LOOK_MS)
    for (const name of Object.keys(LOOKS) as PageName[]) {
      const [look] = LOOKS[name]
      await test.step(name, async () => {
        const complaints = listenForComplaints(page)
        await open(page, name, look)
        await isIdle(page)
        expect.soft(complaints, name).toEqual([])
        expect.soft(await isRoot(page), name).toBe(true)
        await leave(page)
      })
    }
  },
)

for (const [place, [name, looks]] of Object.entries(LOOKS).entries()) {
  const isGallery = name === 'gallery'
  test.describe(name, () => {
    test('S1.2 shows its real content without JavaScript, S1.3 hydrates on #app without console messages, S1.4 is Danish, passes axe, and fits 360 pixels and more', async ({
      page,
      plainPage,
    }) => {
      test.setTimeout(300_000 + looks.length * A_LOOK_MS)
      for (const [index, look] of looks.entries()) {
        if (index > 0 && !(isGallery && look.within && !look.isLong) && !asksAll) continue
        await test.step(
          `look ${index + 1}`,
          async () => {
            const complaints = listenForComplaints(page)
            await open(page, name, look)
            if (index === 0) {
              await test.step('S1.3', async () => {
                expect.soft(await isRoot(page)).toBe(true)
                await isIdle(page)
                expect.soft(complaints).toEqual([])
              })
              await test.step('S1.2', () => isTheSameWithoutScript(page, plainPage, look))
            }
            await test.step('S1.4 Danish', () => isDanish(page))
            const passesAxe = () =>
              test.step('S1.4 axe', () =>
                asksAll || (isGallery && index === 0)
                  ? hasNoFaultOfAxe(page, look.within)
                  : hasNoFaultIn(page, look.within, SCHEMES[(place + index) % 2]!))
            if (look.within) {
              await expect(page.locator(look.within).first()).toBeVisible()
              await passesAxe()
              await test.step('S1.4 fits', () => fits(page, [360, 1280]))
            } else {
              await test.step('S1.4 fits', () => fits(page, asksAll ? WIDTHS : FEW_WIDTHS[(place >> 1) % 2]!))
              await passesAxe()
            }
            if (asksAll || isGallery)
              await test.step('S1.4 targets', () => hasTargetsForFingers(page, look.within))
            await test.step('is valid HTML', async () =>
              expect.soft(await findInvalidHtml(await page.content())).toEqual([]))
            await leave(page)
          },
          { timeout: A_LOOK_MS },
        )
      }
    })
  })
}
