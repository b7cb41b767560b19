import type { Page } from '@playwright/test'
import { openHydrated } from './visitor.ts'
import { expect, test } from './shared-page.ts'

const tableNamed = (page: Page, name: string) => page.getByRole('table', { name, exact: true })
const firstColumn = (page: Page) =>
  tableNamed(page, 'Selskaber').locator('tbody td:first-child').allInnerTexts()

test.beforeEach(({ page }) => openHydrated(page, '/gallery'))

test('S3.7 every property of a column has its effect', async ({ page }) => {
  const table = tableNamed(page, 'Selskaber')
  const head = (name: string) => table.getByRole('columnheader', { name })
  const cell = (row: number, column: number) => table.locator('tbody tr').nth(row).locator('td').nth(column)

  await expect(table.locator('thead th')).toHaveText([
    'Selskab',
    'CVR-nr.',
    'Indskud',
    'Egenkapital',
    'Bilag',
    'Handlinger',
  ]) // text
  await expect(head('Bilag')).toHaveAttribute('colspan', '2') // colspan
  await expect(table.locator('tbody tr').first().locator('td')).toHaveCount(7)
  await expect(cell(0, 1)).toHaveCSS('text-align', 'center') // align
  await expect(cell(0, 3)).toHaveCSS('text-align', 'right') // the default for numbers
  await expect(cell(0, 1)).toHaveClass(/\btext-muted\b/) // class
  await expect(head('CVR-nr.')).toHaveClass(/\btext-muted\b/)
  await expect(cell(1, 1)).toHaveText('intet') // placeholder
  await expect(cell(0, 3)).toHaveText('21.300.000') // type
  await expect(cell(0, 4)).toHaveText('1.5 KB')
  await expect(cell(0, 5)).toHaveText('01/04/2019') // in the office's time zone, not the browser's
  await expect(cell(0, 6).getByRole('link', { name: 'Rediger K/S Logistik Taulov' })).toBeVisible() // value
  await expect(cell(0, 0).locator('.cursor-grab')).toBeVisible() // draggable
  await expect(cell(0, 1).locator('.cursor-grab')).toHaveCount(0)
})

test('S4.14 only sortable columns have a clickable head; action columns never do @long', async ({ page }) => {
  const table = tableNamed(page, 'Selskaber')
  const head = (name: string) => table.getByRole('columnheader', { name })
  for (const name of ['Bilag', 'Handlinger']) {
    await expect(head(name).getByRole('link')).toHaveCount(0)
    await expect(head(name)).not.toHaveAttribute('aria-sort')
  }
  await expect(head('Egenkapital')).toHaveAttribute('aria-sort', 'none')
  await head('Egenkapital').getByRole('link').click()
  await expect(head('Egenkapital')).toHaveAttribute('aria-sort', 'descending')
  expect((await firstColumn(page))[0]).toBe('K/S Logistik Taulov')
  await head('Egenkapital').getByRole('link').click()
  await expect(head('Egenkapital')).toHaveAttribute('aria-sort', 'ascending')
  expect((await firstColumn(page))[0]).toBe('K/S Østerbro Ejendomme')
  await head('Selskab').getByRole('link').click()
  await expect(head('Selskab')).toHaveAttribute('aria-sort', 'descending')
  await expect(head('Egenkapital')).toHaveAttribute('aria-sort', 'none')
})

test('S3.7 a row can be dragged by the handle in its draggable column', async ({ page }) => {
  const rows = tableNamed(page, 'Selskaber').locator('tbody tr')
  await rows.nth(2).scrollIntoViewIfNeeded()
  await rows
    .nth(2)
    .locator('.cursor-grab')
    .dragTo(rows.nth(0), { targetPosition: { x: 300, y: 4 } })
  await expect
    .poll(() => firstColumn(page))
    .toEqual(['K/S Vindpark Nørrekær', 'K/S Logistik Taulov', 'K/S Østerbro Ejendomme'])
})

test('S9.9 the footer says how many of the total are shown; S8.3 an empty table says so', async ({
  page,
}) => {
  await expect(page.getByText('Viser 3 af 12 resultater')).toBeVisible()
  await expect(tableNamed(page, 'Tom')).toContainText('Intet fundet...')
  await expect(page.getByText('Viser 0 af 0 resultater')).toBeVisible()
  await expect(tableNamed(page, 'Hentes')).toHaveAttribute('aria-busy', 'true')
})
