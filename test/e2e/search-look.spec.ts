import type { Page } from '@playwright/test'
import type { PageHit } from '../../src/search/answer/results.ts'
import type { SearchList } from '../../src/search/answer/search-answer.ts'
import { writePdf } from '../files/pdf.ts'
import { makeInOffice } from './maker.ts'
import { expect, test } from './shared-page.ts'
import { enterAs, openHydrated } from './visitor.ts'

const HITS: PageHit[] = [
  { page: 4, pieces: [piece('Regnskabet for '), piece('granitbruddet', true), piece(' er godkendt.')] },
  { page: 9, pieces: [piece('Om '), piece('granit', true), piece(' og marmor.')] },
]

function piece(text: string, isHit = false) {
  return { text, isHit }
}

/** Puts pages into answers, as if the text of the first file had been found. */
async function findOnPages(page: Page, name: string): Promise<void> {
  await page.route(/\/api\/search\?/, async (route) => {
    const response = await route.fetch()
    const list = (await response.json()) as SearchList
    const data = list.data.map((file) => (file.name === name ? { ...file, pages: HITS } : file))
    await route.fulfill({ response, json: { ...list, data } })
  })
}

test('a search opens files at the page, and shows them beside the list with the words', async ({ page }) => {
  const pdf = Buffer.from(writePdf()).toString('base64')
  const names = ['Marmor 1.pdf', 'Marmor 2.pdf']
  const made = await makeInOffice({
    files: { Budget: names },
    bytes: Object.fromEntries(names.map((name) => [name, pdf])),
  })
  await enterAs(page, 'medarbejder')
  await findOnPages(page, 'Marmor 1.pdf')
  await openHydrated(page, `/search?project=${made.id}`)
  await page.getByRole('searchbox', { name: 'Søg efter' }).fill('marmor')
  await page.keyboard.press('Enter')
  const file = page.locator('li[data-file]').filter({ hasText: 'Marmor 1.pdf' })
  await expect(file.locator('mark')).toHaveText(['Marmor', 'granitbruddet', 'granit'])
  await expect(file.getByRole('link', { name: 'Marmor 1.pdf', exact: true })).toHaveAttribute(
    'href',
    /#page=4&search=granitbruddet$/,
  )
  await expect(file.getByRole('link', { name: 'Side 9 i Marmor 1.pdf' })).toHaveAttribute(
    'href',
    /#page=9&search=granit$/,
  )

  await page.getByRole('button', { name: 'Vis Marmor 1.pdf' }).click()
  const panel = page.getByRole('dialog', { name: 'Marmor 1.pdf' })
  const strip = panel.getByRole('region', { name: 'Fundet i filen' })
  await expect(strip).toHaveText(/^Side 4: Regnskabet for granitbruddet er godkendt\./)
  await expect(panel.locator('iframe')).toHaveAttribute('src', /\?show#page=4&/)
  await strip.getByRole('button', { name: 'Næste fund' }).click()
  await expect(strip).toHaveText(/^Side 9:/)
  await expect(panel.locator('iframe')).toHaveAttribute('src', /\?show#page=9&/)
  await expect(strip.getByRole('button', { name: 'Næste fund' })).toBeFocused()
  await strip.getByRole('button', { name: 'Forrige fund' }).click()
  await expect(strip).toHaveText(/^Side 4:/)

  const place = (await panel.getByText(/Budget · \d af 2/).textContent())!.includes('1 af 2')
  await page.keyboard.press(place ? 'ArrowDown' : 'ArrowUp')
  const other = page.getByRole('dialog', { name: 'Marmor 2.pdf' })
  await expect(other.locator('iframe')).toHaveAttribute('src', /\?show#view=/)
  await expect(other.getByRole('region', { name: 'Fundet i filen' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Vis Marmor 2.pdf' })).toBeFocused()
})

test('a search finds words inside documents, and opens at their page @long', async ({ page }) => {
  const name = 'Referat 2025.pdf'
  // A text belongs to its bytes, which are this test's alone.
  const bytes = Buffer.concat([writePdf(), Buffer.from(`\n% ${Date.now()}`)]).toString('base64')
  await makeInOffice({
    files: { Budget: [name] },
    bytes: { [name]: bytes },
    texts: { [name]: ['Dagsorden.', 'Dirigenten konstaterede.', 'Kvarterets obsidianbrud er solgt.'] },
  })
  await enterAs(page, 'medarbejder')
  const file = page.locator('li[data-file]').filter({ hasText: name })
  // Words are indexed a moment after they were read.
  await expect(async () => {
    await openHydrated(page, '/search?q=obsidianbruddet')
    expect(await file.count()).toBe(1)
  }).toPass()
  await expect(file.locator('mark')).toHaveText('obsidianbrud')
  await expect(file.getByRole('link', { name, exact: true })).toHaveAttribute('href', /#page=3&search=/)
  await file.locator('[data-act=look]').click()
  await expect(page.getByRole('region', { name: 'Fundet i filen' })).toHaveText(/^Side 3: .*obsidianbrud/)
  await expect(page.getByRole('dialog').locator('iframe')).toHaveAttribute('src', /#page=3&/)
})
