import type { Page } from '@playwright/test'
import axe from 'axe-core'
import type { FoundPile } from '../../src/uploads/unsaved/unsaved-pile.ts'
import { urls } from '../../src/urls.ts'
import { address, PORTS } from './facts.ts'
import { makeInOffice, makePersonInOffice, readInOffice } from './maker.ts'
import { expect, test } from './shared-page.ts'
import { newCvr, PASSWORD } from '../values.ts'
import { enterAs, openHydrated, signIn } from './visitor.ts'

const group = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const row = (page: Page, name: string) => page.locator('[data-upload]').filter({ hasText: name })

/** A word that no other project has in its name. */
const newWord = () =>
  Array.from(
    { length: 8 },
    () => 'bdfgklmnprstv'[Math.floor(Math.random() * 13)]! + 'aeiou'[Math.floor(Math.random() * 5)]!,
  )
    .join('')
    .replace(/^./, (letter) => letter.toUpperCase())

/** Two projects, of which the second has a CVR number. */
async function makeTwo() {
  const [first, second, cvr] = [newWord(), newWord(), newCvr()]
  const one = await makeInOffice({ name: `K/S ${first}` })
  return { first, second, one, cvr, two: await makeInOffice({ name: `K/S ${second}`, cvr }) }
}

let count = 0

/** A PDF that says this; the bytes themselves are nothing. */
async function paper(name: string, ...pages: string[]) {
  const buffer = Buffer.from(`%PDF-1.7 ${name} ${Date.now()} ${++count} ${Math.random()}`)
  await readInOffice(buffer, pages)
  return { name, mimeType: 'application/pdf', buffer }
}

const drop = (page: Page, files: Awaited<ReturnType<typeof paper>>[]) =>
  page.locator('input[type=file]').first().setInputFiles(files)

test('papers without a useful name propose their places: sure ones are accepted at once, the rest one by one', async ({
  page,
}) => {
  const { first, second, one, two, cvr } = await makeTwo()
  await enterAs(page, 'medarbejder')
  await openHydrated(page, '/upload')
  await drop(page, [
    await paper(
      'Scan 0001.pdf',
      `Årsrapport 2025\nK/S ${first}\nProjekt ${one.number}\nÅrsregnskab for 2025`,
    ),
    await paper(
      'Scan 0002.pdf',
      `Budget 2026\nK/S ${second}\nCVR-nr. ${cvr}\nProjekt ${two.number}\nBudget for 2026`,
    ),
    await paper('Scan 0003.pdf', 'Kære alle\nTak for i går.'),
    await paper(
      'Scan 0004.pdf',
      'Investornr. 990001\nÅrsopgørelse 2025',
      'Investornr. 990002\nÅrsopgørelse 2025',
    ),
  ])
  const certain = group(page, 'Sikre')
  await certain.getByRole('button', { name: /^2 papirer siger selv, hvor de hører til/ }).click()
  await expect(certain.getByText('Sikker', { exact: true })).toHaveCount(2)
  await expect(group(page, 'Ignorerede filer')).toContainText('Scan 0003.pdf')
  const several = group(page, 'Se på').locator('[data-upload]').filter({ hasText: 'Scan 0004.pdf' })
  await expect(several).toContainText('Papiret har sider til flere: nummer 990001 og nummer 990002.')
  await expect(several.getByRole('button', { name: /^Gem som/ })).toHaveCount(0)
  await expect(several.getByRole('link', { name: 'Del og fordel Scan 0004.pdf' })).toHaveAttribute(
    'href',
    /\/upload\/split\?file=[0-9a-f]{32}$/,
  )
  const sure = row(page, 'Scan 0001.pdf')
  await sure.locator('summary').click()
  await expect(sure).toContainText(`Årsrapport i ${one.number} K/S ${first}`)
  await expect(sure.locator('details li').first()).toBeVisible()
  const { violations } = await page
    .evaluate(axe.source)
    .then(() => page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run('main')))
  expect(violations.map(({ id }) => id)).toEqual([])

  await sure.getByRole('button', { name: /^Gem som/ }).focus()
  await page.keyboard.press('Enter')
  await expect(certain.getByRole('button', { name: 'Læg det på plads' })).toBeVisible()
  await page.getByRole('button', { name: 'Fortryd' }).click()
  await certain.getByRole('button', { name: 'Læg 2 sikre på plads' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('output:focus')).toContainText('2 filer har fået et nyt navn.')
  await expect(certain).toHaveCount(0)
  await expect(group(page, new RegExp(`^Årsrapport.*${one.number}`))).toContainText(
    `Årsrapport (${one.number}) 2025`,
  )
  await expect(group(page, new RegExp(`^Budget.*${two.number}`))).toContainText(`Budget (${two.number}) 2026`)
  await page.getByRole('button', { name: 'Gem 2 filer' }).click()
  await expect(page.getByText('Scan 0003.pdf')).toBeVisible() // on the page of the result, as left out
})

test.describe('where the office chose that sure papers are put in their places at once', () => {
  test.use({ baseURL: address(PORTS.fourEyes) })

  test('sure papers get their place without a press, and keep their old name once that is undone @long', async ({
    page,
  }) => {
    await signIn(page, 'karl', PASSWORD)
    await openHydrated(page, '/upload')
    const scan = (name: string) => ({
      name,
      mimeType: 'application/pdf',
      buffer: Buffer.from(`%PDF-1.7 ${name} ${Math.random()}`),
    })
    const [sure, unsure] = [scan('Scan 0011.pdf'), scan('Scan 0012.pdf')]
    const text = 'Årsrapport 2025\nK/S Fire Øjne\nProjekt 4711\nÅrsregnskab for 2025'
    await readInOffice(sure.buffer, [text], PORTS.fourEyes)
    await readInOffice(unsure.buffer, ['Kære alle\nTak for i går.'], PORTS.fourEyes)
    await page.locator('input[type=file]').first().setInputFiles([sure, unsure])
    await expect(group(page, /^Årsrapport.*4711/)).toContainText('Årsrapport (4711) 2025')
    await expect(page.getByText('1 papir er lagt på plads.')).toBeVisible()
    await expect(group(page, 'Ignorerede filer')).toContainText('Scan 0012.pdf')
    await expect(group(page, 'Sikre')).toHaveCount(0)

    await page.getByRole('button', { name: 'Fortryd' }).click()
    await expect(group(page, 'Sikre').getByRole('button', { name: 'Læg det på plads' })).toBeVisible()
    await page.getByRole('button', { name: /^Fjern alle/ }).click()
  })
})

test('a paper that mentions another project, year or person must be acknowledged before it is saved', async ({
  page,
}) => {
  const { second, one, two, cvr } = await makeTwo()
  // Nobody else leaves a pile in this person's form.
  const { email, password } = await makePersonInOffice({ role: 'employee' })
  await signIn(page, email, password)
  await openHydrated(page, '/upload')
  const wrong = (name: string) =>
    paper(name, `Årsrapport 2025\nK/S ${second}\nCVR-nr. ${cvr}\nProjekt ${two.number}\nÅrsregnskab for 2025`)
  await drop(page, [
    await wrong(`Årsrapport (${one.number}) 2025.pdf`),
    await wrong(`Budget (${one.number}) 2025.pdf`),
  ])
  await expect(page.getByText(`som hører til ${two.number}`)).toHaveCount(2)
  // The name of a doubtful paper opens it.
  const name = group(page, 'Se på').getByRole('link', { name: `Budget (${one.number}) 2025.pdf` })
  await expect(name).toHaveAttribute('target', '_blank')
  const opened = await page.request.get((await name.getAttribute('href'))!)
  expect((await opened.text()).startsWith(`%PDF-1.7 Budget (${one.number}) 2025.pdf`)).toBe(true)
  // On a phone what is said has the width of its row.
  const usual = page.viewportSize()!
  await page.setViewportSize({ width: 375, height: 800 })
  const said = page.getByText(`som hører til ${two.number}`).first()
  await expect.poll(async () => (await said.boundingBox())!.width).toBeGreaterThan(240)
  await page.setViewportSize(usual)
  await page.getByRole('button', { name: 'Gem 2 filer' }).click()
  await expect(page.getByText('Se først på de 2 filer, der modsiger navn eller plads.')).toBeVisible()
  // The first in the order of folders.
  const seen = row(page, `Budget (${one.number}) 2025.pdf`).getByRole('button', {
    name: /^Det er i orden/,
  })
  await expect(
    row(page, `Budget (${one.number}) 2025.pdf`).getByRole('button', { name: /^Læg i/ }),
  ).toBeFocused()
  await seen.focus()
  await page.keyboard.press('Enter')
  // It is ready, and the focus goes on to the next one. The answer can be taken back.
  await expect(
    row(page, `Årsrapport (${one.number}) 2025.pdf`).getByRole('button', { name: /^Læg i/ }),
  ).toBeFocused()
  await expect(seen).toHaveAttribute('aria-pressed', 'true')
  await expect(group(page, 'Se på')).not.toContainText('Budget')
  await expect(page.getByRole('button', { name: 'Gem 1 klar' })).toBeVisible()
  await seen.click()
  await expect(group(page, 'Se på')).toContainText('Budget')
  await page.getByRole('button', { name: /^Alle 2 er i orden/ }).press('Enter')
  await expect(page.getByRole('button', { name: 'Gem 2 filer' })).toBeFocused()
  await expect(page.getByText('Se først på')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Det er i orden/, pressed: false })).toHaveCount(0)
  await expect.poll(() => countSeen(page)).toBe(2)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.getByRole('button', { name: 'Fortsæt' }).click()
  await expect(page.getByRole('button', { name: /^Det er i orden/, pressed: true })).toHaveCount(2)
  await page.getByRole('button', { name: 'Gem 2 filer' }).click()
  await expect(page.getByText('2 filer er gemt')).toBeVisible()
})

test('sure papers are saved while another waits for an answer; that one is gone on with, after Back and a reload too @long', async ({
  page,
}) => {
  const { second, one, two, cvr } = await makeTwo()
  const { email, password } = await makePersonInOffice({ role: 'employee' })
  await signIn(page, email, password)
  await openHydrated(page, '/upload')
  const wrong = `Årsrapport (${one.number}) 2025.pdf`
  const said = [`K/S ${second}`, `CVR-nr. ${cvr}`, `Projekt ${two.number}`].join('\n')
  await drop(page, [
    await paper(wrong, `Årsrapport 2025\n${said}\nÅrsregnskab for 2025`),
    await paper(`Budget (${two.number}) 2026.pdf`, `Budget 2026\n${said}\nBudget for 2026`),
    await paper(`Diverse (${two.number}) 2025.pdf`, `Referat 2025\n${said}\nAfholdt den 12. maj 2025`),
  ])
  await expect(group(page, 'Se på')).toContainText('1 venter på svar')
  await page.getByRole('button', { name: 'Gem 2 klare' }).dblclick()
  await expect(page.getByText('2 filer er gemt i 2 mapper.')).toBeVisible()
  const left = group(page, '1 fil blev ikke gemt')
  await expect(left).toContainText(wrong)
  await expect(left).toContainText(`som hører til ${two.number}`)

  const offer = page.getByText(/^1 fil fra .* er ikke gemt\.$/)
  await page.goBack()
  await expect(offer).toBeVisible()
  await page.goForward()
  await page.getByRole('link', { name: 'Gå videre med 1 fil' }).click()
  const answer = row(page, wrong).getByRole('button', { name: /^Det er i orden/ })
  await expect(answer).toBeVisible()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.getByRole('button', { name: 'Fortsæt' }).click()
  await answer.click()
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await expect(page.getByText('1 fil er gemt')).toBeVisible()
  await openHydrated(page, '/upload')
  await expect(page.getByText(/er ikke gemt/)).toHaveCount(0)
  await openHydrated(page, `/projects/${two.id}/uploads`)
  await expect(page.getByRole('rowheader').getByRole('link')).toHaveCount(2)
})

test('papers are put where they belong instead, all at once by keyboard, and back again @long', async ({
  page,
}) => {
  const { second, one, two, cvr } = await makeTwo()
  await enterAs(page, 'medarbejder')
  await openHydrated(page, '/upload')
  const wrong = (name: string) =>
    paper(name, `Årsrapport 2025\nK/S ${second}\nCVR-nr. ${cvr}\nProjekt ${two.number}\nÅrsregnskab for 2025`)
  await drop(page, [
    await wrong(`Årsrapport (${one.number}) 2025.pdf`),
    await wrong(`Budget (${one.number}) 2025.pdf`),
  ])
  await expect(page.getByRole('button', { name: `Læg i ${two.number} i stedet` })).toHaveCount(2)
  const { violations } = await page
    .evaluate(axe.source)
    .then(() => page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run('main')))
  expect(violations.map(({ id }) => id)).toEqual([])
  await page.getByRole('button', { name: 'Læg 2, hvor de hører til' }).press('Enter')
  await expect(group(page, new RegExp(`^Årsrapport.*${two.number}`))).toContainText(
    `Årsrapport (${two.number})`,
  )
  await expect(group(page, new RegExp(`^Budget.*${two.number}`))).toContainText(`Budget (${two.number})`)
  const strip = page.getByRole('status').filter({ hasText: '2 filer er lagt, hvor de hører til.' })
  await expect(strip).toBeFocused()
  await expect(page.getByText('som hører til')).toHaveCount(0)
  await strip.getByRole('button', { name: 'Fortryd' }).click()
  await row(page, `Budget (${one.number})`)
    .getByRole('button', { name: /^Læg i/ })
    .click()
  await expect(group(page, new RegExp(`^Budget.*${two.number}`))).toContainText(`Budget (${two.number})`)
  await expect(page.getByText('som hører til')).toHaveCount(1)
})

test('contradictions found while saving are shown when the server refuses the form @long', async ({
  page,
}) => {
  const { second, one, two, cvr } = await makeTwo()
  await enterAs(page, 'medarbejder')
  await openHydrated(page, '/upload')
  // The answer comes too late for the page, but the server knows.
  await page.route('**/api/temp/read', async (route) => {
    const response = await route.fetch()
    const { judgements } = (await response.json()) as { judgements: object[] }
    const waiting = judgements.map((each) => ({ ...each, state: 'waiting', best: null, contradictions: [] }))
    await route.fulfill({ response, json: { judgements: waiting } })
  })
  const read = page.waitForResponse('**/api/temp/read')
  await drop(page, [
    await paper(
      `Årsrapport (${one.number}) 2025.pdf`,
      `Årsrapport 2025\nK/S ${second}\nCVR-nr. ${cvr}\nProjekt ${two.number}\nÅrsregnskab for 2025`,
    ),
  ])
  await read
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await expect(page.getByText(`som hører til ${two.number}`)).toBeVisible()
  await page.getByRole('button', { name: /^Det er i orden/ }).click()
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await expect(page.getByText('1 fil er gemt')).toBeVisible()
})

/** How many files of the pile left in the form the server knows to be seen. */
async function countSeen(page: Page): Promise<number> {
  const form = encodeURIComponent(urls.upload)
  const response = await page.request.get(`${urls.unsavedPile}?form=${form}`)
  const { files } = (await response.json()) as FoundPile
  return files.filter(({ acknowledged }) => acknowledged.length > 0).length
}
