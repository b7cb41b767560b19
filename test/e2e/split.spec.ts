import type { Page } from '@playwright/test'
import { pdfOfMany } from '../../demo/papers/writing/pdf.ts'
import { HOSTILE_PDFS } from '../files/hostile-pdfs.ts'
import { checkAxe } from './axe.ts'
import { makePersonInOffice } from './maker.ts'
import { enterAs, openHydrated } from './visitor.ts'
import { expect, test } from './shared-page.ts'

const letter = (...lines: string[]) => ({ title: 'Årsopgørelse', from: 'Revisor', reference: '', lines })
const pdf = (buffer: Buffer, name = 'Årsopgørelser 2025.pdf') => ({
  name,
  mimeType: 'application/pdf',
  buffer,
})

const group = (page: Page, name: string | RegExp) => page.getByRole('article', { name })
const tile = (page: Page, number: number) => page.locator(`[data-page="${number}"]`)
const boxOf = (page: Page, number: number) => tile(page, number).getByRole('checkbox')
const saying = (page: Page) => page.locator('form output')
const save = (page: Page) => page.getByRole('button', { name: /^Gem \d+ fil/ })

/** Sends a PDF to the upload page, and opens the page that divides it. */
async function divide(page: Page, bytes: Buffer, name?: string): Promise<void> {
  await openHydrated(page, '/upload')
  page.once('dialog', (dialog) => void dialog.accept())
  const sent = page.waitForResponse('**/api/temp/upload')
  await page.locator('input[type=file]').setInputFiles(pdf(bytes, name))
  const [{ hash_name: hash }] = (await (await sent).json()) as [{ hash_name: string }]
  await openHydrated(page, `/upload/split?file=${hash}`)
}

/** Four pages: two for Anna, the second without her name; one for both; one for nobody. */
async function openSplit(page: Page) {
  const mark = Math.random().toString(36).slice(2, 8).replaceAll(/\d/g, 'x')
  const [anna, bent] = [
    await makePersonInOffice({ name: `Anna Delt${mark}` }),
    await makePersonInOffice({ name: `Bent Delt${mark}` }),
  ]
  const bytes = pdfOfMany('Alle', [
    { ...letter(), lines: [`Til ${anna.name}`, { newPage: true }, 'Noter'] },
    letter(anna.name, '', bent.name),
    letter('Bemærkninger'),
  ])
  await enterAs(page, 'medarbejder')
  await divide(page, bytes)
  await expect(group(page, anna.name)).toContainText('Side 1–2')
  await page.getByLabel('Filnavn').fill('Opgørelse {navn}.pdf')
  return { anna, bent }
}

test('a PDF is divided by keyboard, and cannot be saved before every page has its place', async ({
  page,
}) => {
  const { anna, bent } = await openSplit(page)
  await expect(group(page, anna.name)).toContainText(`Opgørelse ${anna.name}.pdf`)
  await expect(save(page)).toHaveAttribute('aria-disabled', 'true')
  await expect(save(page)).toHaveAccessibleDescription('Giv 2 sider til nogen, eller udelad dem: side 3–4.')
  await checkAxe(page)

  // A press that cannot save leads to the first page that is missing.
  await save(page).press('Enter')
  await expect(boxOf(page, 3)).toBeFocused()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Giv side 3 til' })
  await dialog.getByRole('combobox', { name: 'Investor' }).fill(bent.name)
  await dialog.getByRole('option', { name: bent.name }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(saying(page)).toHaveText(`Side 3 er givet til ${bent.name}. 1 side mangler.`)
  await expect(group(page, bent.name)).toContainText('Side 3')

  await expect(boxOf(page, 4)).toBeFocused()
  await page.keyboard.press('Delete')
  await expect(saying(page)).toHaveText('Side 4 er udeladt. Alle sider er fordelt.')
  await expect(save(page)).not.toHaveAttribute('aria-disabled')

  // The arrows and Shift select two pages, which are given away and taken back.
  await boxOf(page, 1).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowRight')
  await expect(page.getByRole('toolbar', { name: 'Valgte sider' })).toContainText('2 sider valgt')
  await page.getByRole('toolbar').getByRole('button', { name: 'Udelad' }).press('Enter')
  await expect(group(page, anna.name)).toHaveCount(0)
  await page.getByRole('button', { name: 'Fortryd rettelse' }).press('Enter')
  await expect(group(page, anna.name)).toContainText('Side 1–2')

  await page.getByLabel('Filnavn').fill('../{navn}.pdf')
  await expect(page.getByLabel('Filnavn')).toHaveAccessibleDescription(/skråstreger/)
  await page.getByLabel('Filnavn').fill('Opgørelse {navn}.pdf')
  await save(page).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Filerne er gemt')
  await expect(page.getByText('2 filer er gemt hos 2 personer.')).toBeVisible()
  await expect(page.getByRole('link', { name: `Opgørelse ${bent.name}.pdf` })).toBeVisible()
  await page.getByRole('button', { name: 'Fortryd hele uploaden' }).click()
  await expect(page.getByText('2 papirer ligger i papirkurven')).toBeVisible()
  await openHydrated(page, `/users/${anna.id}`)
  await expect(page.getByText(`Opgørelse ${anna.name}.pdf`)).toHaveCount(0)
})

test('pages are dragged to their people, at 375 px too @long', async ({ page }) => {
  const { anna, bent } = await openSplit(page)
  await page.getByRole('button', { name: `Giv side 3 til ${bent.name}` }).click()
  await drag(page, 2, bent.name)
  await expect(saying(page)).toHaveText(`Side 2 er givet til ${bent.name}. 1 side mangler.`)
  await expect(group(page, bent.name)).toContainText('Side 2–3')
  // The selected pages move along.
  await boxOf(page, 2).check()
  await boxOf(page, 3).check()
  await drag(page, 3, anna.name)
  await expect(group(page, anna.name)).toContainText('Side 1–3')
  await page.setViewportSize({ width: 375, height: 800 })
  await drag(page, 4, 'Udeladt')
  await expect(saying(page)).toHaveText('Side 4 er udeladt. Alle sider er fordelt.')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  await checkAxe(page)
})

test('a PDF that cannot be divided ends in a message @long', async ({ page }) => {
  await enterAs(page, 'medarbejder')
  await openHydrated(page, '/upload/split')
  await expect(page).toHaveURL('/upload') // there is nothing to divide
  await divide(page, HOSTILE_PDFS.find(([what]) => what === 'a password')![1](), 'Låst.pdf')
  await expect(page.getByRole('alert')).toContainText('låst eller beskyttet')
  await divide(page, Buffer.from('%PDF-1.7 og ikke mere'), 'Tom.pdf')
  await expect(page.getByRole('alert')).toContainText('beskadiget')
})

/** Drags a page onto the words of a group. */
async function drag(page: Page, number: number, onto: string): Promise<void> {
  const words = group(page, onto).locator('p').first()
  await expect(tile(page, number)).toHaveAttribute('draggable', 'true') // after the drag library has loaded
  await words.scrollIntoViewIfNeeded()
  await tile(page, number).locator('label > span').first().dragTo(words)
}
