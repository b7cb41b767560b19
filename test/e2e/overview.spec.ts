import type { Page } from '@playwright/test'
import { makeInOffice, expectInOffice, type MadeProject } from './maker.ts'
import { expect, test } from './shared-page.ts'
import { enterAs, openHydrated } from './visitor.ts'

const YEAR = new Date().getFullYear() - 1

const row = (page: Page, { number }: MadeProject) => page.locator('tbody tr').filter({ hasText: number })
const paper = (page: Page, { folders }: MadeProject, folder: string, period: number | string = YEAR) =>
  page.locator(`#paper-${folders[folder]}-${period}`)

/** Makes a project that expects papers each year, one of which is there. */
async function makeExpecting(more: Parameters<typeof makeInOffice>[0] = {}): Promise<MadeProject> {
  const made = await makeInOffice({
    name: 'K/S Overblik',
    files: { Årsrapport: [`Årsrapport (1) ${YEAR}.pdf`] },
    ...more,
  })
  await expectInOffice(made.id, ['Årsrapport', 'Budget', 'Skatteoplysninger'])
  return made
}

/** Opens the grid with one project: other tests make projects too. */
const addressOf = ({ number }: MadeProject) => `/year?year=${YEAR}&q=${number}`
const openOverview = (page: Page, made: MadeProject) => openHydrated(page, addressOf(made))

test('the overview leads from a missing paper to its upload, and excuses one that will not come', async ({
  page,
}) => {
  const made = await makeExpecting()
  await enterAs(page, 'medarbejder')
  await openOverview(page, made)
  await expect(row(page, made)).toContainText('1 af 3')
  const there = paper(page, made, 'Årsrapport').getByRole('link', { name: 'På plads' })
  await expect(there).toHaveAttribute('href', /\/uploads\/.+\.pdf$/)

  await paper(page, made, 'Budget')
    .getByRole('link', { name: /^(Forsinket|Mangler)/ })
    .click()
  await expect(page.getByRole('heading', { name: 'Upload til Budget' })).toBeVisible()
  await expect(page.getByText(`Budget (${made.number}) ${YEAR}`)).toBeVisible()
  await page.goBack()

  const taxes = paper(page, made, 'Skatteoplysninger')
  await taxes.hover()
  await taxes.getByRole('link', { name: /^Undtag Skatteoplysninger/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Undtag' }).click()
  await expect(dialog.getByText('Begrundelsen skal udfyldes.')).toBeVisible()
  await dialog.getByLabel('Hvorfor bliver det ikke gjort?').fill('Ingen skattepligt i året.')
  await dialog.getByRole('button', { name: 'Undtag' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(taxes).toHaveText(/Undtaget/)
  await expect(row(page, made)).toContainText('1 af 2')
  await page.getByRole('button', { name: 'Fortryd' }).click()
  await expect(taxes).not.toHaveText(/Undtaget/)
})

test('arrow keys go from cell to cell of the overview, and the table is one tab stop @long', async ({
  page,
}) => {
  const made = await makeExpecting()
  await enterAs(page, 'administrator')
  await openOverview(page, made)
  const name = row(page, made).getByRole('link', { name: 'K/S Overblik' })
  await name.focus()
  await page.keyboard.press('ArrowRight')
  await expect(paper(page, made, 'Årsrapport').getByRole('link', { name: 'På plads' })).toBeFocused()
  // The dots of the same cell come next, and then what follows the table.
  await page.keyboard.press('Tab')
  await expect(paper(page, made, 'Årsrapport').getByRole('link', { name: /^Mere om/ })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.locator('table :focus')).toHaveCount(0)
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Home')
  await expect(name).toBeFocused()
  await page.keyboard.press('End')
  await expect(row(page, made).locator('.year-sum')).toBeFocused()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('without JavaScript a paper is excused on its own page, and expected again @long', async ({
    page,
  }) => {
    const made = await makeExpecting()
    await enterAs(page, 'medarbejder')
    await page.goto(addressOf(made))
    await paper(page, made, 'Budget')
      .getByRole('link', { name: /^Undtag Budget/ })
      .click()
    await page.getByLabel('Hvorfor bliver det ikke gjort?').fill('Lukket')
    await page.getByRole('button', { name: 'Undtag' }).click()
    await expect(page.getByText('Lukket')).toBeVisible()
    await page.goto(addressOf(made))
    await expect(paper(page, made, 'Budget')).toContainText('Undtaget')
    await paper(page, made, 'Budget').getByRole('link', { name: 'Undtaget' }).click()
    await page.getByRole('button', { name: 'Forvent igen' }).click()
    await page.goto(addressOf(made))
    await expect(paper(page, made, 'Budget')).not.toContainText('Undtaget')
  })
})

test('on a phone each project of the overview is a list @long', async ({ page }) => {
  const made = await makeExpecting()
  await page.setViewportSize({ width: 375, height: 800 })
  await enterAs(page, 'medarbejder')
  await openOverview(page, made)
  const budget = paper(page, made, 'Budget')
  await expect(budget).toHaveCSS('display', 'flex')
  // Its label is before it, where the column's head is out of view.
  expect(await budget.evaluate((cell) => getComputedStyle(cell, '::before').content)).toBe('"Budget, året"')
  await expect(budget).toContainText(/^(Forsinket|Mangler)/)
  const { width } = (await row(page, made).boundingBox())!
  expect(width).toBeLessThan(375)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
})
