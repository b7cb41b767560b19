import type { Page } from '@playwright/test'
import { makeInOffice, type MadeProject } from './maker.ts'
import { follow, enterAs, openHydrated, signIn } from './visitor.ts'
import { expect, test } from './shared-page.ts'

const COMPANIES = [
  {
    name: 'K/S Alfa',
    cvr: '30246179',
    share: 10,
    year: 2025,
    equity: 1_000_000,
    debt: 500_000,
    result: 20_000,
  },
  { name: 'K/S Beta', share: 12.5, year: 2024, equity: -200_000, debt: 0, result: -1000 },
  { name: 'K/S Gamma', contribution: 300_000 },
]

/** Makes an investor with a report, for one test. */
const makeReport = async (companies: object[] = COMPANIES): Promise<NonNullable<MadeProject['investor']>> =>
  (await makeInOffice({ companies: companies as [] })).investor!

const address = ({ id }: { id: number }) => `/users/${id}/report`

async function openAsOffice(page: Page, companies?: object[]) {
  const investor = await makeReport(companies)
  await enterAs(page, 'medarbejder')
  await openHydrated(page, address(investor))
  return investor
}

const cell = (page: Page, column: string, row: number) =>
  page.getByLabel(`${column}, række ${row}`, { exact: true })
const rows = (page: Page) => page.locator('#rapport tbody tr[data-row]')
const names = (page: Page) =>
  page
    .locator('#rapport input[data-column=name]')
    .evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value))
const save = (page: Page) => page.getByRole('button', { name: /^Gem/ })
const isSaved = (page: Page) => expect(page.getByText('Alt er gemt')).toBeVisible()
const focusedLabel = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))

/** Pastes as Ctrl+V does, with text from a spreadsheet. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', copied)
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement!.dispatchEvent(event)
  }, text)
}

test('S2.8 a company can be added, filled in and saved', async ({ page }) => {
  await openAsOffice(page, [])
  await expect(page.getByText('Der er ingen selskaber endnu.')).toBeVisible()
  await page.getByRole('button', { name: 'Tilføj Eksternt K/S Selskab' }).click()
  await expect(cell(page, 'Selskab', 1)).toBeFocused()
  await expect(page.getByText('Ikke gemt', { exact: true })).toBeVisible()
  for (const text of ['K/S Nyt', '30 24 61 79', '12,5', '2025', '100000', '0', '-1234567', '5,50', '7']) {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await expect(cell(page, 'Ejerandel %', 1)).toHaveValue('12,5')
  await expect(cell(page, 'Egenkapital', 1)).toHaveValue('-1.234.567')
  await page.keyboard.press('Control+s')
  await isSaved(page)
  await expect(page.getByRole('button', { name: 'Gemt' })).toBeVisible()
  await page.reload()
  await expect(cell(page, 'CVR-nr.', 1)).toHaveValue('30246179')
  await expect(cell(page, 'Regnskabsår', 1)).toHaveValue('2025')
  await expect(cell(page, 'Gæld', 1)).toHaveValue('6')
})

test('S2.8 the keyboard moves between cells as in a spreadsheet @long', async ({ page }) => {
  await openAsOffice(page)
  await cell(page, 'Egenkapital', 1).click()
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('1000000')
  await page.keyboard.press('Enter')
  await expect(cell(page, 'Egenkapital', 2)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(cell(page, 'Egenkapital', 3)).toBeFocused()
  await page.keyboard.press('Shift+Enter')
  await expect(cell(page, 'Egenkapital', 2)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Tab')
  await expect(cell(page, 'Gæld', 1)).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(cell(page, 'Egenkapital', 1)).toBeFocused()
  // Inside the text the arrows move the cursor; at its ends they leave the cell.
  await page.keyboard.press('F2')
  await page.keyboard.press('ArrowLeft')
  await expect(cell(page, 'Egenkapital', 1)).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(cell(page, 'Gæld', 1)).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(cell(page, 'Egenkapital', 1)).toBeFocused()
  // Tab moves from a row's last cell to the next row, or to the row's own buttons.
  await cell(page, 'Årets resultat', 1).focus()
  await page.keyboard.press('Tab')
  await expect(cell(page, 'Selskab', 2)).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('ArrowRight')
  expect(await focusedLabel(page)).toBe('Flyt K/S Alfa op')
  await page.keyboard.press('ArrowDown')
  expect(await focusedLabel(page)).toBe('Flyt K/S Beta op')
  await page.keyboard.press('ArrowLeft')
  await expect(cell(page, 'Årets resultat', 2)).toBeFocused()
  // Escape undoes the typing.
  await page.keyboard.type('99')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await expect(cell(page, 'Årets resultat', 2)).toHaveValue('-1.000')
  await expect(page.getByText('Alt er gemt')).toBeVisible()
  // A second Escape leaves the table, and so does the link before it.
  const add = page.getByRole('button', { name: 'Tilføj Eksternt K/S Selskab' })
  await page.keyboard.press('Escape')
  await expect(add).toBeFocused()
  await page.getByRole('button', { name: 'Udskriv' }).focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Spring over tabellen' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(add).toBeFocused()
})

test('the last row of a report of eighty rows can be edited and saved @long', async ({ page }) => {
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (said) => said.type() === 'error' && faults.push(said.text()))
  await openAsOffice(
    page,
    Array.from({ length: 80 }, (_, index) => ({ name: `K/S Nummer ${index + 1}`, equity: 1000 })),
  )
  await expect(rows(page)).toHaveCount(80)
  await cell(page, 'Egenkapital', 80).fill('7654321')
  await cell(page, 'Selskab', 80).fill('K/S Sidst')
  await save(page).click()
  await isSaved(page)
  await page.reload()
  await expect(cell(page, 'Egenkapital', 80)).toHaveValue('7.654.321')
  await expect(cell(page, 'Selskab', 80)).toHaveValue('K/S Sidst')
  await expect(cell(page, 'Selskab', 79)).toHaveValue('K/S Nummer 79')
  expect(faults).toEqual([])
})

test('no name and no number is cut off on an ordinary screen @long', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  const name = 'K/S Ejendomsinvest Store Strandstræde'
  const most = 999_999_999_999
  await openAsOffice(page, [
    { name, share: 33.3333, year: 2025, equity: 176_890_000 },
    { name: 'K/S Kort', share: 99.9999, year: 2025, contribution: 1 },
  ])
  const cutOff = () =>
    page
      .locator('#rapport input:not([data-column=name])')
      .evaluateAll((all) =>
        all
          .filter((each) => each.scrollWidth > each.clientWidth)
          .map((each) => (each as HTMLInputElement).value),
      )
  expect(await cutOff()).toEqual([])
  const whole = page.locator('.sheet-whole').first()
  const lines = () => whole.evaluate((each) => Math.round((each.clientHeight - 8) / 20))
  expect(await lines()).toBeGreaterThan(1)
  expect(await whole.evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true)
  await cell(page, 'Selskab', 1).fill('K/S Kort')
  await cell(page, 'Egenkapital', 1).fill(`${most}`)
  await cell(page, 'Egenkapital', 2).fill(`-${most}`)
  await cell(page, 'Egenkapital', 2).blur()
  await expect.poll(cutOff).toEqual([])
  expect(await lines()).toBe(1)
  const edges = await page
    .locator('h1, .sheet-box')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x))
  await page.goto('/users')
  edges.push(await page.locator('h1').evaluate((each) => each.getBoundingClientRect().x))
  expect(new Set(edges).size).toBe(1)
})

test('S3.7 S5.9 a cell accepts only text that can become its number, and applies its minimum and maximum @long', async ({
  page,
}) => {
  await openAsOffice(page)
  await cell(page, 'Gæld', 1).focus()
  await page.keyboard.type('1a2b3,5')
  await expect(cell(page, 'Gæld', 1)).toHaveValue('123,5')
  await page.keyboard.press('Enter')
  await expect(cell(page, 'Gæld', 1)).toHaveValue('124')
  await page.keyboard.type('-5\n')
  await expect(cell(page, 'Gæld', 2)).toHaveValue('0')
  await expect(page.getByText('Beløbet skal være mindst 0.').first()).toBeVisible()
  await cell(page, 'Indskud', 1).focus()
  await page.keyboard.type('99999999999999999999\n')
  await expect(cell(page, 'Indskud', 1)).toHaveValue('999.999.999.999')
  await expect(cell(page, 'Indskud', 1)).toHaveAccessibleDescription('Beløbet må højst være 999.999.999.999.')
  await expect(page.locator('#rapport tfoot')).toContainText('1.000.000.299.999')
  await page.keyboard.type('12.34.5\n')
  await expect(cell(page, 'Indskud', 2)).toHaveValue('12.34.5')
  await expect(cell(page, 'Indskud', 2)).toHaveAccessibleDescription('Beløbet skal være et tal.')
  await expect(cell(page, 'Indskud', 2)).toHaveAttribute('aria-invalid', 'true')
  await cell(page, 'Regnskabsår', 1).fill('2026')
  await cell(page, 'Ejerandel %', 1).fill('33,3333')
  await cell(page, 'Selskab', 1).focus()
  await expect(cell(page, 'Regnskabsår', 1)).toHaveValue('2026')
  await expect(cell(page, 'Ejerandel %', 1)).toHaveValue('33,3333')
})

test('S2.8 a block from a spreadsheet fills the cells from the focused one on, and can be undone', async ({
  page,
}) => {
  await openAsOffice(page)
  await cell(page, 'Selskab', 3).focus()
  await paste(
    page,
    '"K/S ""Nord"""\t38 29 10 44\t12,5 %\t2025\tkr. 500\t(1.000)\t1.234.567,50\t\u00a01\u00a0000\t-1.000\r\nK/S Syd\t\t\t\t#REF!\r\n',
  )
  await expect(page.getByText('14 celler i 2 rækker er sat ind, heraf 1 ny række.')).toBeVisible()
  const values = async (row: number) =>
    Promise.all(
      [
        'Selskab',
        'CVR-nr.',
        'Ejerandel %',
        'Regnskabsår',
        'Indskud',
        'Resthæftelse',
        'Egenkapital',
        'Gæld',
        'Årets resultat',
      ].map((column) => cell(page, column, row).inputValue()),
    )
  expect(await values(3)).toEqual([
    'K/S "Nord"',
    '38 29 10 44',
    '12,5',
    '2025',
    '500',
    '-1.000',
    '1.234.568',
    '1.000',
    '-1.000',
  ])
  expect((await values(4)).slice(0, 5)).toEqual(['K/S Syd', '', '', '', '#REF!'])
  await page.getByRole('button', { name: 'Fortryd indsættelsen' }).click()
  await expect(rows(page)).toHaveCount(3)
  await expect(cell(page, 'Selskab', 3)).toHaveValue('K/S Gamma')
  await expect(cell(page, 'Selskab', 3)).toBeFocused()
  await expect(page.getByText('Alt er gemt')).toBeVisible()
})

test('S5.8 errors are shown at their cells, the summary links to each, and typing clears only that one', async ({
  page,
}) => {
  await openAsOffice(page)
  await cell(page, 'CVR-nr.', 2).fill('12345678')
  await cell(page, 'Selskab', 3).fill('')
  await cell(page, 'Indskud', 1).focus()
  await paste(page, 'måske\t1')
  await save(page).click()
  const summary = page.getByRole('alert')
  await expect(summary).toContainText('3 felter skal rettes')
  await expect(summary).toBeFocused()
  const faulty = page.locator('td[data-fault]')
  await expect(faulty).toHaveCount(3)
  await expect(cell(page, 'Indskud', 1)).toHaveValue('måske')
  await expect(cell(page, 'Indskud', 1)).toHaveAccessibleDescription('Beløbet skal være et tal.')
  await summary.getByRole('link', { name: 'Række 2, CVR-nr.' }).click()
  await expect(cell(page, 'CVR-nr.', 2)).toBeFocused()
  await expect(cell(page, 'CVR-nr.', 2)).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText('CVR-nummeret er ikke gyldigt. Kontroller de otte cifre.').last()).toBeVisible()
  await page.keyboard.type('35171622')
  await expect(faulty).toHaveCount(2)
  await expect(summary).toContainText('2 felter skal rettes')
  // An error moves with its row.
  await page.getByRole('button', { name: 'Flyt række 3 op' }).click()
  await expect(page.locator('tr[data-row]').nth(1).locator('td[data-fault]')).toHaveCount(1)
  await cell(page, 'Selskab', 2).fill('K/S Gamma')
  await cell(page, 'Indskud', 1).fill('5')
  await expect(summary).toHaveCount(0)
  await save(page).click()
  await isSaved(page)
})

test('rows can be moved with buttons, with the keyboard and by dragging, and the order is saved @long', async ({
  page,
}) => {
  await openAsOffice(page)
  await page.getByRole('button', { name: 'Flyt K/S Gamma op' }).click()
  expect(await names(page)).toEqual(['K/S Alfa', 'K/S Gamma', 'K/S Beta'])
  await expect(page.getByRole('button', { name: 'Flyt K/S Gamma op' })).toBeFocused()
  await expect(page.getByText('K/S Gamma er flyttet til plads 2 af 3.')).toBeAttached()
  await cell(page, 'Gæld', 3).focus()
  await page.keyboard.press('Alt+ArrowUp')
  expect(await names(page)).toEqual(['K/S Alfa', 'K/S Beta', 'K/S Gamma'])
  await expect(cell(page, 'Gæld', 2)).toBeFocused()
  await rows(page)
    .nth(2)
    .locator('.sheet-handle')
    .dragTo(rows(page).nth(0), { targetPosition: { x: 300, y: 4 } })
  await expect.poll(() => names(page)).toEqual(['K/S Gamma', 'K/S Alfa', 'K/S Beta'])
  await page.keyboard.press('Control+s')
  await isSaved(page)
  await page.reload()
  expect(await names(page)).toEqual(['K/S Gamma', 'K/S Alfa', 'K/S Beta'])
})

test('a deleted row can be restored with its text @long', async ({ page }) => {
  await openAsOffice(page)
  await cell(page, 'Gæld', 2).fill('77')
  await page.getByRole('button', { name: 'Slet K/S Beta' }).click()
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByRole('button', { name: 'Slet K/S Gamma' })).toBeFocused()
  await page.getByRole('button', { name: 'Fortryd sletning af K/S Beta' }).click()
  await expect(cell(page, 'Selskab', 2)).toBeFocused()
  await expect(cell(page, 'Selskab', 2)).toHaveValue('K/S Beta')
  await expect(cell(page, 'Gæld', 2)).toHaveValue('77')
  await page.getByRole('button', { name: 'Slet K/S Alfa' }).click()
  await save(page).click()
  await isSaved(page)
  // A row that is restored after saving becomes a new row.
  await page.getByRole('button', { name: 'Fortryd sletning af K/S Alfa' }).click()
  await save(page).click()
  await isSaved(page)
  await page.reload()
  expect(await names(page)).toEqual(['K/S Alfa', 'K/S Beta', 'K/S Gamma'])
})

test('S3.5 a row that the office has locked is mostly read-only for the investor, and cannot be deleted @long', async ({
  page,
  otherPage: own,
}) => {
  const investor = await openAsOffice(page)
  const lock = page.getByRole('button', { name: 'Lås K/S Alfa', exact: true })
  await expect(lock).toHaveAttribute('aria-pressed', 'false')
  await lock.click()
  await expect(page.getByText('Låst for investoren')).toBeVisible()
  await save(page).click()
  await isSaved(page)

  await signIn(own, investor.email, investor.password)
  await follow(own.getByRole('link', { name: 'Rapport' }).first())
  await expect(own).toHaveURL(new RegExp(`${address(investor)}$`))
  await expect(own.getByText('Låst af kontoret')).toBeVisible()
  await expect(own.getByRole('button', { name: /^Lås / })).toHaveCount(0)
  await expect(cell(own, 'Selskab', 1)).toHaveCount(0)
  await expect(rows(own).first()).toContainText('K/S Alfa')
  await expect(
    own.getByRole('button', { name: 'K/S Alfa er låst af kontoret og kan ikke slettes' }),
  ).toHaveAttribute('aria-disabled', 'true')
  // The keyboard skips read-only cells.
  await cell(own, 'Selskab', 2).focus()
  await own.keyboard.press('Shift+Tab')
  await expect(cell(own, 'Årets resultat', 1)).toBeFocused()
  await cell(own, 'Indskud', 2).focus()
  await own.keyboard.press('ArrowUp')
  await expect(cell(own, 'Indskud', 2)).toBeFocused()
  await cell(own, 'Resthæftelse', 1).fill('123')
  await own.keyboard.press('Control+s')
  await isSaved(own)
})

test('pasting over locked cells does not change them, and says so @long', async ({ page }) => {
  const investor = await makeReport([COMPANIES[1]!, { ...COMPANIES[0], locked: true }])
  await signIn(page, investor.email, investor.password)
  await openHydrated(page, address(investor))
  await cell(page, 'Selskab', 1).focus()
  await paste(page, 'K/S Et\t\t5\nK/S To\t\t6\nK/S Tre\t\t7')
  await expect(page.getByText('3 låste celler er sprunget over.')).toBeVisible()
  await expect(rows(page).nth(1)).toContainText('K/S Alfa')
  await expect(cell(page, 'Selskab', 3)).toHaveValue('K/S Tre')
})

test('totals and the investor’s share follow the typing @long', async ({ page }) => {
  await openAsOffice(page)
  const foot = page.locator('#rapport tfoot')
  await expect(foot).toContainText('800.000')
  await expect(foot).toContainText('75.000')
  await cell(page, 'Egenkapital', 3).fill('1000')
  await expect(foot).toContainText('801.000')
  await cell(page, 'Ejerandel %', 3).fill('50')
  await expect(rows(page).nth(2)).toContainText('500')
  await expect(foot).toContainText('75.500')
})

async function openTwo(page: Page, other: Page) {
  const investor = await openAsOffice(page)
  await signIn(other, investor.email, investor.password)
  await openHydrated(other, address(investor))
  await cell(other, 'Egenkapital', 1).fill('2000000')
  await cell(other, 'Gæld', 1).fill('600000')
  await save(other).click()
  await isSaved(other)
  await cell(page, 'Egenkapital', 1).fill('3000000')
  await page.getByRole('button', { name: 'Slet K/S Gamma' }).click()
  await save(page).click()
  const panel = page.getByRole('region', { name: 'En anden har gemt rapporten, mens du skrev' })
  await expect(panel.getByRole('heading')).toBeFocused()
  await expect(panel.getByRole('row', { name: 'Egenkapital 3.000.000 2.000.000 Jer begge' })).toBeVisible()
  await expect(panel.getByRole('row', { name: 'Gæld 500.000 600.000 En anden' })).toBeVisible()
  await expect(panel.getByRole('row', { name: /^Slettet række Ikke i rapporten/ })).toBeVisible()
  return panel
}

test('if somebody else has saved, my changes can be kept on top of theirs @long', async ({
  page,
  otherPage,
}) => {
  const panel = await openTwo(page, otherPage)
  await panel.getByRole('button', { name: 'Behold mine ændringer' }).click()
  await expect(panel).toHaveCount(0)
  await expect(save(page)).toBeFocused()
  await expect(cell(page, 'Egenkapital', 1)).toHaveValue('3.000.000')
  await expect(cell(page, 'Gæld', 1)).toHaveValue('600.000')
  await expect(page.getByText('Ikke gemt', { exact: true })).toBeVisible()
  await save(page).click()
  await isSaved(page)
  await page.reload()
  expect(await names(page)).toEqual(['K/S Alfa', 'K/S Beta'])
  await expect(cell(page, 'Egenkapital', 1)).toHaveValue('3.000.000')
})

test('if somebody else has saved, their version can be used @long', async ({ page, otherPage }) => {
  const panel = await openTwo(page, otherPage)
  await panel.getByRole('button', { name: 'Brug den nyeste' }).click()
  await expect(panel).toHaveCount(0)
  await isSaved(page)
  expect(await names(page)).toEqual(['K/S Alfa', 'K/S Beta', 'K/S Gamma'])
  await expect(cell(page, 'Egenkapital', 1)).toHaveValue('2.000.000')
})

test('without a connection nothing is lost, and a save whose answer was lost is not repeated', async ({
  page,
}) => {
  await openAsOffice(page)
  await page.getByRole('button', { name: 'Tilføj Eksternt K/S Selskab' }).click()
  await page.keyboard.type('K/S Delta')
  await page.route('**/report', (route) => route.abort())
  await save(page).click()
  await expect(page.getByRole('alert')).toContainText('Der er ingen forbindelse til Ringbind.')
  await expect(cell(page, 'Selskab', 4)).toHaveValue('K/S Delta')
  await page.unrouteAll()
  await page.route('**/report', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await save(page).click()
  await expect(page.getByRole('alert')).toContainText('Der er ingen forbindelse til Ringbind.')
  await page.unrouteAll()
  await save(page).click()
  await isSaved(page)
  await page.reload()
  expect(await names(page)).toEqual(['K/S Alfa', 'K/S Beta', 'K/S Gamma', 'K/S Delta'])
})

test('a person who has been signed out keeps their text, and can sign in from another tab @long', async ({
  page,
}) => {
  const investor = await makeReport()
  await signIn(page, investor.email, investor.password)
  await openHydrated(page, address(investor))
  await cell(page, 'Gæld', 1).fill('9')
  await page.context().clearCookies()
  await save(page).click()
  const dialog = page.getByRole('dialog', { name: 'Du er blevet logget ud' })
  await expect(dialog).toContainText(
    'Log ind i en ny fane, og tryk Gem igen. Det, du har skrevet, er her stadig.',
  )
  const opened = page.context().waitForEvent('page')
  await dialog.getByRole('link', { name: 'Log ind i en ny fane' }).click()
  const beside = await opened
  await beside.getByLabel('E-mail').fill(investor.email)
  await beside.getByLabel('Adgangskode', { exact: true }).fill(investor.password)
  await beside.getByRole('button', { name: 'Log ind' }).click()
  await expect(beside.getByRole('heading', { level: 1 })).toHaveText(/^Hej /)
  await page.bringToFront()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('alert')).toContainText('Du er blevet logget ud.')
  await expect(cell(page, 'Gæld', 1)).toHaveValue('9')
  await save(page).click()
  await isSaved(page)
})

test('leaving the page asks only if there are unsaved changes @long', async ({ page }) => {
  const investor = await openAsOffice(page)
  let asked = 0
  page.on('dialog', (dialog) => {
    asked++
    return dialog.dismiss()
  })
  await cell(page, 'Gæld', 1).click()
  await page.keyboard.type('9')
  await page.getByRole('link', { name: 'Projekter' }).click()
  await expect.poll(() => asked).toBe(1)
  await expect(page).toHaveURL(new RegExp(`${address(investor)}$`))
  await save(page).click()
  await isSaved(page)
  await page.getByRole('link', { name: 'Projekter' }).click()
  await expect(page).toHaveURL(/\/projects$/)
  expect(asked).toBe(1)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true })

  test('S2.8 on a phone each company is a card, and Enter moves through its fields', async ({ page }) => {
    await openAsOffice(page)
    await expect(rows(page).first()).toHaveCSS('display', 'grid')
    await page.getByRole('button', { name: 'Tilføj Eksternt K/S Selskab' }).tap()
    await page.keyboard.type('K/S Delta\n')
    await expect(cell(page, 'CVR-nr.', 4)).toBeFocused()
    const box = (await cell(page, 'CVR-nr.', 4).boundingBox())!
    expect(box.x + box.width).toBeLessThanOrEqual(360)
    await save(page).tap()
    await isSaved(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  })
})

test('without JavaScript the report can be read, and says why it cannot be edited @long', async ({
  plainPage: plain,
}) => {
  const investor = await makeReport()
  await enterAs(plain, 'medarbejder')
  await plain.goto(address(investor))
  expect(await plain.locator('noscript').allInnerTexts()).toContain(
    'Slå JavaScript til for at rette i rapporten.',
  )
  await expect(cell(plain, 'Egenkapital', 1)).toHaveValue('1.000.000')
  await expect(cell(plain, 'Egenkapital', 1)).toHaveAttribute('readonly')
  await expect(plain.locator('#rapport tfoot')).toContainText('800.000')
})

test('the printed page has only the table, with complete long names @long', async ({ page }) => {
  const long = `K/S ${'Ejendomsinvesteringsselskabet Store Strandstræde '.repeat(3)}`.trim()
  await openAsOffice(page, [{ name: long, share: 10, equity: 1000 }])
  await page.emulateMedia({ media: 'print' })
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await expect(save(page)).toBeHidden()
  await expect(page.getByRole('navigation', { name: 'Hovedmenu' })).toBeHidden()
  await expect(page.getByRole('button', { name: /^Flyt/ }).first()).toBeHidden()
  const shown = await page
    .locator('td.sheet-name .sheet-whole')
    .evaluate((name) => getComputedStyle(name, '::after').content)
  expect(shown).toContain(long)
})
