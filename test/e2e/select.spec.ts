import type { Locator, Page } from '@playwright/test'
import { checkAxe } from './axe.ts'
import { PASSWORD } from '../values.ts'
import { makeInOffice, type MadeProject, type ProjectRequest } from './maker.ts'
import { expect, test } from './shared-page.ts'
import { enterAs, openHydrated, signIn } from './visitor.ts'

// A high window, so that no drag comes near an edge, where the page would scroll.
test.use({ viewport: { width: 1280, height: 1100 } })

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `Bilag ${from + index}.pdf`)

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const row = (page: Page, name: string) => page.locator('tr[data-file]').filter({ hasText: name })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Vælg ${name}`, exact: true })
const bar = (page: Page) => page.getByRole('region', { name: 'Valgte filer' })
const names = (page: Page, folder: string) =>
  section(page, folder).locator('tr[data-file]').getByRole('rowheader').getByRole('link').allInnerTexts()
const inOrder = (page: Page, folder: string, expected: string[]) =>
  expect.poll(() => names(page, folder)).toEqual(expected)
const isSelected = async (page: Page, expected: string[]) => {
  await expect
    .poll(() =>
      page.locator('tr[aria-selected=true]').getByRole('rowheader').getByRole('link').allInnerTexts(),
    )
    .toEqual(expected)
}
async function chooseInBar(page: Page, item: string): Promise<void> {
  await bar(page).getByRole('button', { name: 'Flere handlinger' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
const undo = (page: Page) => page.getByRole('button', { name: /^Fortryd/ })

async function openProject(page: Page, wanted: ProjectRequest, as = 'medarbejder'): Promise<MadeProject> {
  const made = await makeInOffice(wanted)
  await enterAs(page, as)
  await openHydrated(page, `/projects/${made.id}/uploads`)
  return made
}

/** Drags a row by its handle onto the middle of an element, or some pixels below it. */
async function drag(page: Page, name: string, onto: Locator, below = 0): Promise<void> {
  await expect(row(page, name)).toHaveAttribute('draggable', 'true') // after the drag library has loaded
  await row(page, name).locator('.file-handle').hover()
  await page.mouse.down()
  const at = (await onto.boundingBox())!
  const y = at.y + at.height / 2 + below
  await page.mouse.move(at.x + 100, y - 10, { steps: 4 })
  await page.mouse.move(at.x + 100, y, { steps: 4 })
  await page.mouse.up()
}

test('check boxes, Shift and Ctrl select, also across folders; the bar says how many, and Escape clears', async ({
  page,
}) => {
  await openProject(page, { files: { Budget: numbered(1, 4), Forsikring: numbered(11, 13) } })
  await row(page, 'Bilag 3.pdf').hover()
  await expect(row(page, 'Bilag 3.pdf').getByRole('button', { name: 'Flyt Bilag 3.pdf op' })).toBeVisible()
  await box(page, 'Bilag 2.pdf').click()
  await expect(bar(page)).toContainText('1 fil valgt')
  await expect(page.locator('output', { hasText: '1 fil valgt' })).toBeAttached()
  // No row has icons of its own now.
  await expect(page.locator('tr[data-file] .icon-button').filter({ visible: true })).toHaveCount(0)
  await box(page, 'Bilag 4.pdf').click({ modifiers: ['Shift'] })
  await isSelected(page, numbered(2, 4))
  await link(page, 'Bilag 3.pdf').click({ modifiers: ['Control'] })
  await isSelected(page, ['Bilag 2.pdf', 'Bilag 4.pdf'])
  await link(page, 'Bilag 4.pdf').click({ modifiers: ['Control'] })
  await link(page, 'Bilag 4.pdf').click({ modifiers: ['Control'] })
  await row(page, 'Bilag 12.pdf')
    .locator('td')
    .first()
    .click({ modifiers: ['Shift'] })
  await isSelected(page, ['Bilag 2.pdf', 'Bilag 4.pdf', 'Bilag 11.pdf', 'Bilag 12.pdf'])
  await expect(bar(page)).toContainText('4 filer valgt')
  await checkAxe(page)
  await page.keyboard.press('Escape')
  await expect(bar(page)).toHaveCount(0)
  await isSelected(page, [])
  await expect(page.locator('output', { hasText: 'Ingen filer valgt' })).toBeAttached()
  // The bar's own button gives the focus back to the row.
  await box(page, 'Bilag 2.pdf').click()
  await bar(page).getByRole('button', { name: 'Ryd det valgte' }).click()
  await expect(link(page, 'Bilag 2.pdf')).toBeFocused()
})

test('with the keyboard alone: one tab stop per row, arrows walk, Shift selects, Ctrl+A, Delete and Ctrl+Z', async ({
  page,
}) => {
  await openProject(page, { files: { Budget: numbered(1, 8), Forsikring: numbered(11, 12) } })
  const { keyboard } = page
  await link(page, 'Bilag 1.pdf').focus()
  await expect(page.getByRole('button', { name: 'Slet Bilag 1.pdf' })).toBeAttached()
  await keyboard.press('Tab')
  await expect(link(page, 'Bilag 2.pdf')).toBeFocused()
  for (const control of ['Flyt Bilag 2.pdf op', 'Flyt Bilag 2.pdf ned']) {
    await keyboard.press('ArrowRight')
    await expect(page.getByRole('button', { name: control })).toBeFocused()
  }
  await keyboard.press('ArrowDown') // the same act of the next row
  await expect(page.getByRole('button', { name: 'Flyt Bilag 3.pdf ned' })).toBeFocused()
  await keyboard.press('ArrowLeft')
  await keyboard.press('ArrowLeft')
  await expect(link(page, 'Bilag 3.pdf')).toBeFocused()
  await keyboard.press('End')
  await expect(link(page, 'Bilag 5.pdf')).toBeFocused()
  await keyboard.press('ArrowDown') // into the next folder
  await expect(link(page, 'Bilag 11.pdf')).toBeFocused()
  await keyboard.press('Shift+ArrowUp')
  await isSelected(page, ['Bilag 5.pdf', 'Bilag 11.pdf'])
  await keyboard.press('Shift+ArrowDown')
  await isSelected(page, ['Bilag 11.pdf'])
  await keyboard.press('Shift+Space')
  await isSelected(page, [])
  await link(page, 'Bilag 2.pdf').focus()
  await keyboard.press('Control+a') // all eight, of which five are shown
  await expect(bar(page)).toContainText('8 filer valgt')
  await keyboard.press('Escape')
  await keyboard.press('Control+Space')
  await keyboard.press('Shift+ArrowDown')
  await isSelected(page, numbered(2, 3))
  await keyboard.press('Escape')
  await keyboard.press('ArrowRight')
  await expect(page.getByRole('button', { name: 'Flyt Bilag 3.pdf op' })).toBeFocused()
  await keyboard.press('Shift+ArrowUp') // the icons go, and the focus stays in the row
  await isSelected(page, numbered(2, 3))
  await expect(link(page, 'Bilag 2.pdf')).toBeFocused()
  await keyboard.press('Delete')
  const question = page.getByRole('dialog', { name: 'Slet 2 filer?' })
  await expect(question).toContainText('Bilag 2.pdf')
  await expect(question.getByRole('button', { name: 'Slet 2 filer' })).toBeFocused()
  await keyboard.press('Enter')
  await inOrder(page, 'Budget', ['Bilag 1.pdf', ...numbered(4, 7)])
  await expect(bar(page)).toHaveCount(0)
  await expect(row(page, 'Bilag 4.pdf').locator(':focus')).toBeAttached()
  await keyboard.press('Control+z')
  await inOrder(page, 'Budget', numbered(1, 5))
  await expect(page.getByText('Fortrudt: alt er, som det var.')).toBeVisible()
})

test('the menu of a selected row acts on the whole selection @long', async ({ page }) => {
  await openProject(page, { files: { Budget: numbered(1, 4), Kvartalsrapport: ['Police.pdf'] } })
  await box(page, 'Bilag 1.pdf').click()
  await box(page, 'Bilag 3.pdf').click()
  await link(page, 'Bilag 3.pdf').focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Flyt 2 filer til mappe' }).click()
  await page.getByRole('menuitem', { name: /^Kvartalsrapport/ }).click()
  await inOrder(page, 'Kvartalsrapport', ['Bilag 1.pdf', 'Bilag 3.pdf', 'Police.pdf'])
  await inOrder(page, 'Budget', ['Bilag 2.pdf', 'Bilag 4.pdf'])
})

test('moving many asks about sharing once, and Fortryd puts each back in its place @long', async ({
  page,
}) => {
  await openProject(page, {
    files: { Bestyrelsesmøder: numbered(1, 4), Budget: numbered(11, 12), Generalforsamling: ['Referat.pdf'] },
  })
  for (const name of ['Bilag 2.pdf', 'Bilag 4.pdf', 'Bilag 11.pdf']) await box(page, name).click()
  await bar(page).getByRole('button', { name: 'Flyt' }).click()
  await page.getByRole('menuitem', { name: /^Generalforsamling/ }).click()
  const question = page.getByRole('dialog', { name: 'Del 2 filer med investorerne?' })
  await expect(question).toContainText('2 af de 3 filer kan kun ses af kontoret nu.')
  await question.getByRole('button', { name: 'Flyt og del' }).click()
  // In the order in which the page shows them: Budget comes before Bestyrelsesmøder.
  await inOrder(page, 'Generalforsamling', ['Bilag 11.pdf', 'Bilag 2.pdf', 'Bilag 4.pdf', 'Referat.pdf'])
  await expect(page.getByText('3 filer er flyttet til Generalforsamling.')).toBeVisible()
  await undo(page).click()
  await inOrder(page, 'Bestyrelsesmøder', numbered(1, 4))
  await inOrder(page, 'Budget', numbered(11, 12))
  await inOrder(page, 'Generalforsamling', ['Referat.pdf'])
})

test('a search for a folder to move to that finds none leads to the project it names @long', async ({
  page,
}) => {
  const other = await makeInOffice({})
  await openProject(page, { files: { Budget: ['Bilag 1.pdf', 'Bilag 2.pdf'] } })
  for (const name of ['Bilag 1.pdf', 'Bilag 2.pdf']) await box(page, name).click()
  await bar(page).getByRole('button', { name: 'Flyt' }).click()
  await page.getByRole('textbox', { name: 'Mappe eller projekt' }).fill(other.number)
  await expect(
    page.getByRole('dialog', { name: 'Flyt til mappe' }).getByText('Intet fundet...'),
  ).toBeVisible()
  await page.keyboard.press('Enter')
  const question = page.getByRole('dialog', { name: 'Flyt 2 filer til et andet sted' })
  // The only project with the number and its folder with the same name are chosen by themselves.
  await expect(question.getByText(`${other.number} `)).toBeVisible()
  await expect(question.getByText('Mappen Budget er valgt.')).toBeAttached()
  await question.getByRole('button', { name: 'Flyt 2 filer' }).click()
  await expect(page.getByText('2 filer er flyttet til Budget i')).toBeVisible()
  await expect.poll(() => names(page, 'Budget')).toEqual([])
  await undo(page).click()
  await inOrder(page, 'Budget', ['Bilag 1.pdf', 'Bilag 2.pdf'])
})

test('a selected row that is dragged takes the others along @long', async ({ page }) => {
  await openProject(page, { files: { Budget: numbered(1, 4), Kvartalsrapport: ['Q1.pdf'] } })
  await box(page, 'Bilag 2.pdf').click()
  await box(page, 'Bilag 3.pdf').click()
  await drag(page, 'Bilag 3.pdf', section(page, 'Kvartalsrapport').getByRole('heading'))
  await inOrder(page, 'Kvartalsrapport', ['Bilag 2.pdf', 'Bilag 3.pdf', 'Q1.pdf'])
  await drag(page, 'Bilag 4.pdf', section(page, 'Kvartalsrapport').getByRole('heading')) // not selected: alone
  await inOrder(page, 'Budget', ['Bilag 1.pdf'])
  await page.keyboard.press('Control+z')
  await inOrder(page, 'Budget', ['Bilag 1.pdf', 'Bilag 4.pdf'])
  await page.keyboard.press('Control+z') // a short stack, newest first
  await inOrder(page, 'Budget', numbered(1, 4))
})

test('selected rows that are dragged within their folder land together @long', async ({ page }) => {
  await openProject(page, { files: { Budget: numbered(1, 5) } })
  await box(page, 'Bilag 1.pdf').click()
  await box(page, 'Bilag 3.pdf').click()
  await drag(page, 'Bilag 3.pdf', row(page, 'Bilag 5.pdf'), 12)
  await inOrder(page, 'Budget', ['Bilag 2.pdf', 'Bilag 4.pdf', 'Bilag 5.pdf', 'Bilag 1.pdf', 'Bilag 3.pdf'])
  await page.keyboard.press('Control+z')
  await inOrder(page, 'Budget', numbered(1, 5))
})

test('Til toppen, Til bunden and Sorter mappen rearrange, and can be taken back @long', async ({ page }) => {
  await openProject(page, { files: { Budget: ['B 2023.pdf', 'C 2025.pdf', 'A 2024.pdf', 'D 2022.pdf'] } })
  const before = ['B 2023.pdf', 'C 2025.pdf', 'A 2024.pdf', 'D 2022.pdf']
  await box(page, 'A 2024.pdf').click()
  await box(page, 'D 2022.pdf').click()
  await chooseInBar(page, 'Til toppen')
  await inOrder(page, 'Budget', ['A 2024.pdf', 'D 2022.pdf', 'B 2023.pdf', 'C 2025.pdf'])
  await undo(page).click()
  await inOrder(page, 'Budget', before)
  await page.keyboard.press('Escape')
  const sort = async (name: string) => {
    await page.getByRole('button', { name: 'Handlinger for mappen Budget' }).click()
    await page.getByRole('menuitem', { name: 'Sorter mappen …' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await sort('Navn, A–Å')
  await inOrder(page, 'Budget', ['A 2024.pdf', 'B 2023.pdf', 'C 2025.pdf', 'D 2022.pdf'])
  await sort('Årstal, nyeste først')
  await inOrder(page, 'Budget', ['C 2025.pdf', 'A 2024.pdf', 'B 2023.pdf', 'D 2022.pdf'])
  await page.keyboard.press('Control+z')
  await inOrder(page, 'Budget', ['A 2024.pdf', 'B 2023.pdf', 'C 2025.pdf', 'D 2022.pdf'])
  await page.keyboard.press('Control+z')
  await inOrder(page, 'Budget', before)
})

test('F2 renames without the extension, tells faults at the field, and offers the folder where the name belongs', async ({
  page,
}) => {
  const { number } = await openProject(page, {
    files: { Budget: numbered(1, 2), Forsikring: ['Police.pdf'] },
  })
  await link(page, 'Bilag 2.pdf').focus()
  await page.keyboard.press('F2')
  const modal = page.getByRole('dialog', { name: 'Omdøb Bilag 2.pdf' })
  const field = modal.getByLabel('Nyt navn')
  await expect(field).toBeFocused()
  const chosen = await field.evaluate((input: HTMLInputElement) =>
    input.value.slice(input.selectionStart!, input.selectionEnd!),
  )
  expect(chosen).toBe('Bilag 2')
  await field.fill('Bilag 2.exe')
  await page.keyboard.press('Enter')
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await field.fill(`Forsikring (${number}) 2026.pdf`)
  await page.keyboard.press('Enter')
  await inOrder(page, 'Budget', ['Bilag 1.pdf', `Forsikring (${number}) 2026.pdf`])
  await page.getByRole('button', { name: 'Flyt til Forsikring' }).click()
  await inOrder(page, 'Forsikring', [`Forsikring (${number}) 2026.pdf`, 'Police.pdf'])
  // The part that the folder and the project say is dimmed, and the name is still one text.
  await expect(section(page, 'Forsikring').locator('.file-said')).toHaveText(`Forsikring (${number})`)
  await page.keyboard.press('Control+z')
  await inOrder(page, 'Budget', ['Bilag 1.pdf', `Forsikring (${number}) 2026.pdf`])
  await page.keyboard.press('Control+z')
  await inOrder(page, 'Budget', numbered(1, 2))
})

test('Fortryd says what somebody else changed meanwhile, and what is gone leaves the selection @long', async ({
  page,
  otherPage: other,
}) => {
  const made = await openProject(page, { files: { Budget: numbered(1, 4), Forsikring: ['Police.pdf'] } })
  await enterAs(other, 'administrator')
  await openHydrated(other, `/projects/${made.id}/uploads`)
  await box(page, 'Bilag 1.pdf').click()
  await box(page, 'Bilag 2.pdf').click()
  await bar(page).getByRole('button', { name: 'Slet' }).click()
  await page.getByRole('button', { name: 'Slet 2 filer' }).click()
  await inOrder(page, 'Budget', numbered(3, 4))
  await openHydrated(other, `/projects/${made.id}/trash`)
  await other.getByRole('button', { name: 'Gendan Bilag 1.pdf' }).click()
  await expect(other.getByText('Bilag 1.pdf er gendannet i Budget.')).toBeVisible()
  await undo(page).click()
  await expect(page.getByText(/Bilag 1\.pdf” er siden gendannet af Kirsten Overgaard/)).toBeVisible()
  await inOrder(page, 'Budget', ['Bilag 1.pdf', ...numbered(3, 4)])
  await box(page, 'Bilag 3.pdf').click()
  await box(page, 'Bilag 4.pdf').click()
  await openHydrated(other, `/projects/${made.id}/uploads`)
  await other.getByRole('button', { name: 'Slet Bilag 3.pdf' }).click()
  await other.getByRole('button', { name: 'Slet fil' }).click()
  await inOrder(other, 'Budget', ['Bilag 1.pdf', 'Bilag 4.pdf'])
  await chooseInBar(page, 'Til toppen')
  await expect(page.getByText(/Nogle af filerne er der ikke længere/)).toBeVisible()
  await expect(bar(page)).toContainText('1 fil valgt')
  await inOrder(page, 'Budget', ['Bilag 1.pdf', 'Bilag 4.pdf'])
})

test('files in the trash are restored or removed together, and restoring can be undone @long', async ({
  page,
}) => {
  const made = await makeInOffice({ files: { Budget: numbered(1, 5) }, deleted: true })
  await enterAs(page, 'administrator')
  await openHydrated(page, `/projects/${made.id}/trash`)
  const items = page.getByRole('list', { name: 'Slettede filer' }).getByRole('listitem')
  await expect(items).toHaveCount(5)
  await page
    .getByRole('button', { name: /^Gendan/ })
    .first()
    .focus()
  await page.keyboard.press('Shift+ArrowDown')
  await expect(bar(page)).toContainText('2 filer valgt')
  await checkAxe(page)
  await bar(page).getByRole('button', { name: 'Gendan' }).click()
  await expect(items).toHaveCount(3)
  await expect(items.locator(':focus')).toHaveCount(1)
  await undo(page).click()
  await expect(items).toHaveCount(5)
  await page
    .getByRole('button', { name: /^Gendan/ })
    .first()
    .focus()
  await page.keyboard.press('Control+a')
  await expect(bar(page)).toContainText('5 filer valgt')
  await bar(page).getByRole('button', { name: 'Slet for altid' }).click()
  const question = page.getByRole('dialog', { name: 'Slet 5 filer for altid?' })
  await question.getByRole('button', { name: 'Slet for altid' }).click()
  await expect(page.getByText('Papirkurven er tom')).toBeVisible()
})

test('Ctrl+A selects a folder of 2,000 that is not open, and Shift selects rows that were never fetched @long', async ({
  page,
}) => {
  test.slow()
  await openProject(page, { files: { Budget: 2000 } })
  await link(page, 'Bilag 1.pdf').focus()
  await expect(page.getByRole('button', { name: 'Slet Bilag 1.pdf' })).toBeAttached()
  await page.keyboard.press('Control+a')
  await expect(bar(page)).toContainText('2.000 filer valgt')
  await page.keyboard.press('Escape')
  await section(page, 'Budget').getByRole('link', { name: 'Vis alle filer' }).click()
  await expect(row(page, 'Bilag 30.pdf')).toBeAttached()
  await box(page, 'Bilag 1.pdf').click()
  await link(page, 'Bilag 1.pdf').focus()
  await page.keyboard.press('End')
  await expect(link(page, 'Bilag 2000.pdf')).toBeFocused()
  await box(page, 'Bilag 2000.pdf').click({ modifiers: ['Shift'] })
  await expect(bar(page)).toContainText('2.000 filer valgt')
})

test('boxes pressed before the page is ready are all selected @long', async ({ page }) => {
  const { promise: mayCome, resolve: letCome } = Promise.withResolvers<void>()
  await page.route(/\/assets\/selecting-.*\.js$/, async (route) => {
    await mayCome
    await route.continue()
  })
  await openProject(page, { files: { Budget: numbered(1, 3) } })
  await box(page, 'Bilag 1.pdf').click()
  await box(page, 'Bilag 3.pdf').click()
  letCome()
  await expect(bar(page)).toContainText('2 filer valgt')
})

test('an investor selects to download, and nothing else @long', async ({ page }) => {
  const email = `ida${Math.floor(Math.random() * 1e9)}@investor.example`
  const made = await makeInOffice({
    files: { Budget: numbered(1, 3) },
    investor: { name: 'Ida Investor', email },
  })
  await signIn(page, email, PASSWORD)
  await openHydrated(page, `/projects/${made.id}/uploads`)
  await box(page, 'Bilag 1.pdf').click()
  await box(page, 'Bilag 3.pdf').click()
  const zip = bar(page).getByRole('link', { name: 'Hent som ZIP' })
  await expect(zip).toHaveAttribute('href', /^\/projects\/\d+\/zip\?files=\d+,\d+$/)
  await expect(bar(page).getByRole('button')).toHaveText(['']) // to clear
  await link(page, 'Bilag 1.pdf').last().focus() // the first is under *Nyt til dig*
  await page.keyboard.press('Delete')
  await page.keyboard.press('F2')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Handlinger for mappen Budget' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Vælg alle filer', 'Hent som ZIP'])
  await checkAxe(page)
})

test.describe('at 375 pixels, by touch', () => {
  test.use({ viewport: { width: 375, height: 700 }, hasTouch: true, isMobile: true })

  test('on a phone the selection bar fits, with the rest in its menu @long', async ({ page }) => {
    await openProject(page, { files: { Budget: numbered(1, 3) } })
    await box(page, 'Bilag 2.pdf').tap()
    await box(page, 'Bilag 3.pdf').tap()
    await expect(bar(page)).toContainText('2 filer valgt')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
    await bar(page).getByRole('button', { name: 'Flere handlinger' }).tap()
    await page.getByRole('menuitem', { name: 'Til toppen' }).tap()
    await inOrder(page, 'Budget', ['Bilag 2.pdf', 'Bilag 3.pdf', 'Bilag 1.pdf'])
    await bar(page).getByRole('button', { name: 'Slet' }).tap()
    await page.getByRole('button', { name: 'Slet 2 filer' }).tap()
    await inOrder(page, 'Budget', ['Bilag 1.pdf'])
    await undo(page).last().tap()
    await inOrder(page, 'Budget', ['Bilag 2.pdf', 'Bilag 3.pdf', 'Bilag 1.pdf'])
  })
})
