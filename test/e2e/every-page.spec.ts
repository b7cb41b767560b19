import { AxeBuilder } from '@axe-core/playwright'
import { expect, test, type Page } from '@playwright/test'
import { pages } from '../../src/pages.ts'
import { LOOKS, type Look } from './every-page.ts'
import { readFacts } from './facts.ts'
import { enterAs, openHydrated } from './visitor.ts'

test('every page has an address to be looked at', () => {
  expect(Object.keys(LOOKS).sort()).toEqual(Object.keys(pages).sort())
})

/** Common words that Danish does not have. */
const ENGLISH =
  /\b(the|your|you|of|with|this|not|please|password|invalid|required|loading|search|close|open|sign)\b/i

/** What was asked for in English: S9.9. */
const GIVEN = /Showing \d+ of \d+ total items/g

const spokenNames = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('[aria-label], [title], [placeholder]')]
      .flatMap((each) => ['aria-label', 'title', 'placeholder'].map((name) => each.getAttribute(name) ?? ''))
      .join(' '),
  )

const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '')

const shownText = (page: Page) => page.locator('#app').innerText()

/** What the console complained of; a page's own status (404 …) is no complaint. */
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

for (const [name, looks] of Object.entries(LOOKS)) {
  test.describe(name, () => {
    const open = async (page: Page, baseURL: string | undefined, { address, as, after }: Look) => {
      if (as) await enterAs(page, as)
      await openHydrated(page, address(readFacts(Number(new URL(baseURL!).port))))
      expect(await envelopeName(page)).toBe(name)
      await after?.(page)
    }

    test('S1.2 shows its real content without JavaScript', async ({ browser, page, baseURL }) => {
      await open(page, baseURL, looks[0])
      const context = await browser.newContext({
        javaScriptEnabled: false,
        storageState: await page.context().storageState(),
      })
      const plain = await context.newPage()
      await plain.goto(page.url())
      // Besides, it may say what cannot be done without.
      const said = new Set((await plain.locator('noscript').allInnerTexts()).flatMap(linesOf))
      const lines = linesOf(await shownText(plain)).filter((line) => !said.has(line))
      expect(lines).toEqual(linesOf(await shownText(page)))
      await expect(plain.getByRole('heading', { level: 1 })).toBeVisible()
      await context.close()
    })

    test('S1.3 is hydrated on #app without a word in the console', async ({ page, baseURL }) => {
      const complaints = listenForComplaints(page)
      await open(page, baseURL, looks[0])
      await page.waitForLoadState('networkidle')
      expect(complaints).toEqual([])
      const isRoot = () =>
        Object.keys(document.getElementById('app')!).some((key) => key.startsWith('__reactContainer'))
      expect(await page.evaluate(isRoot)).toBe(true)
    })

    looks.forEach((look, index) => {
      test(`S1.4 is Danish, has no fault that axe finds, and fits from 360 pixels on (look ${index + 1})`, async ({
        page,
        baseURL,
      }) => {
        await open(page, baseURL, look)
        await expect(page.locator('html')).toHaveAttribute('lang', 'da')
        const words = `${await page.title()} ${await shownText(page)} ${await spokenNames(page)}`
        expect(words.replaceAll(GIVEN, '').match(ENGLISH)).toBeNull()
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          const axe = new AxeBuilder({ page })
          if (look.within) axe.include(look.within)
          if (colorScheme === 'dark') axe.withRules(['color-contrast']) // all else is the same as in the light
          expect((await axe.analyze()).violations).toEqual([])
        }
        for (const width of look.within ? [360, 1280] : [360, 375, 768, 1024, 1100, 1280]) {
          await page.setViewportSize({ width, height: 800 })
          expect([width, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([
            width,
            width,
          ])
        }
      })
    })
  })
}
