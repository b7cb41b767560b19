import type { Page } from '@playwright/test'
import { dropFiles } from './drop.ts'
import { makeInOffice, makePersonInOffice } from './maker.ts'
import { enterAs, openHydrated, signIn } from './visitor.ts'
import { expect, test } from './shared-page.ts'

const group = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const rowsOf = (page: Page, name: string | RegExp) => group(page, name).getByRole('listitem')
/** The rows of files that somebody should look at. */
const toLookAt = (page: Page) => group(page, 'Se på').locator('[data-upload]')
const numberOf = () => `N${Math.floor(Math.random() * 1e9)}`

test('one pile takes files for projects and people; a number that is both is asked about once', async ({
  page,
}) => {
  const { number } = await makeInOffice({})
  const hers = numberOf()
  const her = await makePersonInOffice({ name: 'Karla Konto', numbers: [hers] })
  await makePersonInOffice({ name: 'Dobbelt Nummer', numbers: [number] })
  await enterAs(page, 'medarbejder')
  await openHydrated(page, '/upload')
  await dropFiles(page, [
    `Kapitalkonto (${hers}) 2025.pdf`,
    `(${hers}).pdf`,
    `Budget (${number}) 2025.pdf`,
    `Årsopgørelse (${number}) 2025.pdf`,
  ])
  await expect(rowsOf(page, 'Karla Konto')).toHaveCount(2)
  await expect(group(page, 'Karla Konto')).toContainText('Ses af Karla Konto og kontoret')
  const question = page.getByRole('group', { name: `Hvad er ${number}?` })
  await expect(question).toContainText(`${number} er både et projekt og en person. Hvor hører 2 filer til?`)
  await expect(group(page, 'Ignorerede filer')).toHaveCount(0)

  // The others could be saved meanwhile.
  await expect(page.getByRole('button', { name: 'Gem 2 klare' })).toBeVisible()
  await question.getByRole('button').first().press('Enter')
  await expect(rowsOf(page, new RegExp(`^Budget · ${number}`))).toHaveCount(1)
  await expect(group(page, 'Ignorerede filer')).toContainText('Mappen ”Årsopgørelse” findes ikke')
  await question.getByRole('button', { name: 'Dobbelt Nummer' }).click()
  await expect(rowsOf(page, 'Dobbelt Nummer')).toHaveCount(2)
  await expect(group(page, 'Ignorerede filer')).toHaveCount(0)
  await page.getByRole('button', { name: 'Gem 4 filer' }).click()
  await expect(page.getByText('4 filer er gemt hos 2 personer.')).toBeVisible()
  await openHydrated(page, `/users/${her.id}`)
  await expect(page.getByRole('link', { name: `Kapitalkonto (${hers}) 2025.pdf`, exact: true })).toBeVisible()
})

test('files of a number that is both are sent and kept while the others are saved @long', async ({
  page,
}) => {
  const { number } = await makeInOffice({})
  const other = await makeInOffice({})
  await makePersonInOffice({ name: 'Dobbelt Nummer', numbers: [number] })
  const { email, password } = await makePersonInOffice({ role: 'employee' })
  await signIn(page, email, password)
  await openHydrated(page, '/upload')
  await dropFiles(page, [`Budget (${number}) 2025.pdf`, `Budget (${number}) 2026.pdf`])
  const question = page.getByRole('group', { name: `Hvad er ${number}?` })
  await expect(question).toBeVisible()
  await expect(page.getByText('Ingen filer at gemme.')).toBeVisible()
  await dropFiles(page, [`Budget (${other.number}) 2025.pdf`])
  await page.getByRole('button', { name: 'Gem 1 klar' }).click()
  await expect(page.getByText('1 fil er gemt.')).toBeVisible()
  await expect(group(page, '2 filer blev ikke gemt').getByRole('listitem')).toHaveCount(2)
  await page.getByRole('link', { name: 'Gå videre med 2 filer' }).click()
  await question.getByRole('button', { name: 'Dobbelt Nummer' }).click()
  await page.getByRole('button', { name: 'Gem 2 filer' }).click()
  await expect(page.getByText('2 filer er gemt')).toBeVisible()
})

test('names that nearly follow the rule are offered, accepted one by one or all at once, and undone @long', async ({
  page,
}) => {
  const { number } = await makeInOffice({})
  const hers = numberOf()
  await makePersonInOffice({ name: 'Karla Konto', numbers: [hers] })
  await enterAs(page, 'medarbejder')
  await openHydrated(page, '/upload')
  await dropFiles(page, [
    `Årsrapport ${number} 2025.pdf`,
    `${number} årsrapport.pdf`,
    `Årsrapport 2024 (${number}).pdf`,
    `Kapitalkonto_${hers}_2025.pdf`,
    'Scan 0001.pdf',
  ])
  await expect(toLookAt(page)).toHaveCount(4) // nothing is placed on a guess
  await expect(rowsOf(page, 'Ignorerede filer')).toHaveCount(1)
  await expect(page.getByRole('button', { name: /^Mente du/ })).toHaveCount(4)
  await page.getByRole('button', { name: `Mente du ”Årsrapport (${number}) 2025.pdf”?` }).click()
  await expect(page.locator('output:focus')).toContainText(`hedder nu ”Årsrapport (${number}) 2025.pdf”.`)
  await page.getByRole('button', { name: 'Gør det samme for de andre 3' }).click()
  const reports = rowsOf(page, new RegExp(`^Årsrapport · ${number}`))
  await expect(reports).toHaveCount(3)
  for (const rest of ['', ' 2024', ' 2025'])
    await expect(reports.getByText(`Årsrapport (${number})${rest}.pdf`, { exact: true })).toBeVisible()
  await expect(rowsOf(page, 'Karla Konto')).toContainText(`Kapitalkonto (${hers}) 2025.pdf`)
  await expect(rowsOf(page, 'Ignorerede filer')).toHaveCount(1)
  await page.getByRole('button', { name: 'Fortryd' }).click()
  await expect(toLookAt(page)).toHaveCount(4)
  await page
    .getByRole('button', { name: /^Mente du/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Gør det samme for de andre 3' }).click()

  // A file that has its place can be put elsewhere: with a person, and back.
  const dialog = page.getByRole('dialog', { name: 'Hvor hører filen til?' })
  await page.getByRole('button', { name: `Læg Årsrapport (${number}).pdf et andet sted` }).click()
  await expect(dialog).toContainText(`Filen kommer i Årsrapport i projekt ${number}.`)
  await dialog.getByRole('button', { name: 'Til en person' }).click()
  await dialog.getByLabel('Person', { exact: true }).fill(hers)
  await dialog.getByRole('option', { name: /Karla Konto/ }).click()
  await dialog.getByRole('button', { name: 'Ret navnet' }).click()
  await expect(rowsOf(page, 'Karla Konto')).toHaveCount(2)
  await page.getByRole('button', { name: `Læg Årsrapport (${number}) 2024.pdf et andet sted` }).click()
  await dialog.getByLabel('Mappe').selectOption('Diverse')
  await expect(dialog).toContainText(`Nyt navn: ”Diverse (${number}) Årsrapport 2024.pdf”.`)
  await dialog.getByRole('button', { name: 'Ret navnet' }).click()
  await expect(rowsOf(page, new RegExp(`^Diverse · ${number}`))).toHaveCount(1)
  await page.getByRole('button', { name: 'Gem 4 filer' }).click()
  await expect(page.getByText('4 filer er gemt i 2 mapper og hos 1 person.')).toBeVisible()
})

test('an administrator lets Ringbind remember what a folder is also called @long', async ({ page }) => {
  const { number } = await makeInOffice({})
  await enterAs(page, 'administrator')
  await openHydrated(page, '/upload')
  await dropFiles(page, [`Lejeaftale (${number}) 2025.pdf`, `Lejeaftale (${number}) 2026.pdf`])
  await page.getByRole('button', { name: `Vælg plads til Lejeaftale (${number}) 2025.pdf` }).click()
  await page.getByRole('dialog').getByLabel('Mappe').selectOption('Lejekontrakter')
  await page.getByRole('button', { name: 'Ret navnet' }).click()
  await expect(page.getByText('Husk ”Lejeaftale” som undernavn til Lejekontrakter:')).toBeVisible()
  await page.getByRole('button', { name: `I projekt ${number}` }).click()
  // The other file is placed at once, under its own name.
  await expect(rowsOf(page, new RegExp(`^Lejekontrakter · ${number}`))).toHaveCount(2)
  await expect(group(page, 'Ignorerede filer')).toHaveCount(0)
  await expect(page.getByText('Husk ”Lejeaftale”')).toHaveCount(0)
  await page.getByRole('button', { name: 'Gem 2 filer' }).click()
  await expect(page.getByRole('link', { name: `Lejeaftale (${number}) 2026.pdf` })).toBeVisible()

  // The next pile knows the name, whoever uploads it; a person who may not edit folders is not asked to remember
  // anything.
  await page.context().clearCookies()
  await enterAs(page, 'medarbejder')
  await openHydrated(page, '/upload')
  await dropFiles(page, [`Lejeaftale (${number}) 2027.pdf`, `Aftale (${number}).pdf`])
  await expect(rowsOf(page, new RegExp(`^Lejekontrakter · ${number}`))).toHaveCount(1)
  await page.getByRole('button', { name: `Vælg plads til Aftale (${number}).pdf` }).click()
  await page.getByRole('dialog').getByLabel('Mappe').selectOption('Lejekontrakter')
  await page.getByRole('button', { name: 'Ret navnet' }).click()
  await expect(rowsOf(page, new RegExp(`^Lejekontrakter · ${number}`))).toHaveCount(2)
  await expect(page.getByText(/^Husk/)).toHaveCount(0)
})

test('a large pile has closed lines with counts, who sees it, and what needs attention @long', async ({
  page,
}) => {
  const made = await makeInOffice({ files: { Budget: ['Findes.pdf'] } })
  const { number } = made
  const other = await makeInOffice({ files: { Budget: [`Budget (x).pdf`] } })
  const hers = numberOf()
  await makePersonInOffice({ name: 'Karla Konto', numbers: [hers] })
  const folders = ['Årsrapport', 'Kvartalsrapport', 'Budget', 'Vedtægter', 'Diverse']
  await enterAs(page, 'medarbejder')
  await openHydrated(page, '/upload')
  const twice = { name: `Budget (${other.number}) 1.pdf`, text: '%PDF-1.7 en anden' }
  await dropFiles(page, [
    ...[number, other.number].flatMap((each) => folders.map((folder) => `${folder} (${each}) 1.pdf`)),
    twice,
    `Kapitalkonto (${hers}).pdf`,
    ...[2, 3, 4, 5].map((n) => `Arsrapport (${number}) ${n}.pdf`),
    ...[1, 2, 3, 4].map((n) => `Budget ${number} 2027 ${n}.pdf`),
    ...[1, 2, 3].map((n) => `Budget (findes-ikke) ${n}.pdf`),
  ])
  const pile = group(page, 'Filer til upload')
  const line = (name: RegExp) => pile.getByRole('button', { name })
  await expect(line(new RegExp(`^${number} `))).toContainText('Budget 1, Diverse 1')
  await expect(line(new RegExp(`^${number} `))).toContainText('5 filer')
  await expect(line(/^Karla Konto/)).toContainText(`Kapitalkonto (${hers}).pdf`)
  await expect(
    page.getByText('11 filer gemmes. 8 deles med investorer, 2 kun kontoret, 1 til personer.'),
  ).toBeVisible()
  await expect(pile.locator('[data-upload]')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Gem 12 filer' })).toBeVisible()
  expect((await page.locator('.upload-bar').boundingBox())!.height).toBeLessThanOrEqual(80)

  // Those to look at are grouped by reason; one press puts all of a kind right.
  const look = group(page, 'Se på')
  await expect(look.getByRole('heading', { level: 3 })).toHaveCount(3)
  await expect(toLookAt(page)).toHaveCount(0)
  await look.getByRole('button', { name: 'Ret til Årsrapport (alle 4)' }).click()
  await expect(page.locator('output:focus')).toContainText('4 filer har fået et nyt navn.')
  await expect(line(new RegExp(`^${number} `))).toContainText('9 filer')
  await expect(toLookAt(page)).toHaveCount(5) // few enough to be shown
  await page.getByRole('button', { name: 'Fortryd' }).click()
  await look.getByRole('button', { name: 'Ret som foreslået (alle 4)' }).click()
  await expect(line(new RegExp(`^${number} `))).toContainText('9 filer')
  await expect(rowsOf(page, 'Ignorerede filer')).toHaveCount(3)

  // A line opens by keyboard.
  await line(new RegExp(`^${number} `)).focus()
  await page.keyboard.press('Enter')
  await expect(line(new RegExp(`^${number} `))).toHaveAttribute('aria-expanded', 'true')
  await expect(pile.locator('[data-upload]')).toHaveCount(9)
  await expect(group(page, 'Diverse')).toContainText('Kun kontoret')
  await page.keyboard.press('Enter')
  await expect(pile.locator('[data-upload]')).toHaveCount(0)

  // A file with the name of another is ready when somebody has chosen.
  const twin = toLookAt(page).filter({ hasText: `Budget (${other.number}) 1.pdf` })
  await expect(twin).toContainText('En anden af filerne har samme navn.')
  await twin.getByRole('button', { name: /^Behold begge/ }).click()
  await expect(twin).toHaveCount(0)
  await expect(line(new RegExp(`^${other.number} `))).toContainText('6 filer')
  await page.getByRole('button', { name: 'Gem 16 filer' }).click()
  await expect(page.getByText('16 filer er gemt i 10 mapper og hos 1 person.')).toBeVisible()
})
