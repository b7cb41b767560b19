import { makePersonInOffice } from './maker.ts'
import { expect, test } from './shared-page.ts'
import { openHydrated, signIn } from './visitor.ts'

const csv = (text: string) => ({ name: 'Personer.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })

test('an administrator moves people in from a sheet, corrects it, and takes it back', async ({ page }) => {
  // A separate person: each administrator has one sheet that waits, and every-page.spec.ts looks at that of the first.
  const { email, password } = await makePersonInOffice({ role: 'administrator' })
  await signIn(page, email, password)
  await openHydrated(page, '/settings/office')
  await page.getByRole('link', { name: 'Flyt ind' }).click()
  await page.locator('html[data-hydrated]').waitFor()

  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Hent arket' }).click()
  expect((await download).suggestedFilename()).toBe('Flyt ind i Ringbind.xlsx')

  const head = 'Navn;E-mail;Investornr.;Projekter;Telefon'
  await page.locator('input[type=file]').setInputFiles(csv(`${head}\nIda Indflytter;ida;77001;1024;1`))
  await expect(page.getByRole('heading', { name: '1 række er forkert. Intet er gemt.' })).toBeVisible()
  await expect(page.getByText('Personer, B2:').filter({ visible: true })).toBeVisible()
  await expect(page.getByText('Ringbind bruger ikke kolonnen Telefon')).toBeVisible()
  await page.getByRole('button', { name: 'Upload et andet ark' }).click()

  await page.locator('html[data-hydrated]').waitFor()
  const right = 'Ida Indflytter;ida.indflytter@ringbind.example;77001;1024;1'
  await page.locator('input[type=file]').setInputFiles(csv(`${head}\n${right}\n${right}\nBo;bo;77002;1024;`))
  await expect(page.getByText('Arket giver 1 ny person.')).toBeVisible()
  const rest = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Hent rækken' }).click()
  expect((await rest).suggestedFilename()).toBe('Personer, ikke flyttet ind.xlsx')
  const rows = page.getByRole('row').filter({ hasText: 'Ida Indflytter' })
  await expect(rows.first()).toContainText('Ny')
  await expect(rows.nth(1)).toContainText('Hører sammen med række 2.')
  await page.getByRole('button', { name: 'Flyt 1 række ind' }).click()

  const done = page.getByRole('listitem').filter({ hasText: 'Personer.csv' }).first()
  await expect(done).toContainText('1 ny person')
  await expect(done).toContainText('1 række kom ikke med.')
  await page.goto('/users?q=ida.indflytter')
  await expect(page.getByRole('link', { name: 'Ida Indflytter' })).toBeVisible()

  await openHydrated(page, '/settings/import')
  await done.getByRole('button', { name: 'Fortryd importen' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Fortryd importen' }).click()
  await expect(done).toContainText('Fortrudt')
  await page.goto('/users?q=ida.indflytter')
  await expect(page.getByText('Intet fundet')).toBeVisible()
})

test('the first day is calm: old years of projects that move in are not followed, until somebody follows one of them @long', async ({
  page,
}) => {
  const { email, password } = await makePersonInOffice({ role: 'administrator' })
  await signIn(page, email, password)
  const stamp = String(Date.now()).slice(-7)
  const numbers = ['a', 'b'].map((each) => `R${stamp}${each}`)
  const year = new Date().getFullYear()
  await openHydrated(page, '/settings/import')
  const sheet = [
    'Projektnr.;Navn;Overtaget',
    ...numbers.map((number) => `${number};K/S Rolig ${number};01/01/${year - 4}`),
  ].join('\n')
  await page.locator('input[type=file]').setInputFiles(csv(sheet))
  await expect(page.getByText('Arket giver 2 nye projekter.')).toBeVisible()
  const question = page.getByLabel('Fra hvilket år skal Ringbind følge med?')
  await expect(question.locator('option:checked')).toHaveText(`${year}, fra i dag`)
  await page.getByRole('button', { name: 'Flyt ind' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: '2 nye projekter' }).first()).toBeVisible()

  const late = page.getByRole('navigation', { name: 'Vis' }).getByRole('link', { name: 'Forsinket' })
  const cells = (number: string, state: string) =>
    page.getByRole('row').filter({ hasText: number }).locator(`td[data-state=${state}]`)
  /** What Forside and Året say is late of these projects. */
  const lateNow = async () => {
    await openHydrated(page, `/year/list?q=R${stamp}`)
    const text = (await late.textContent())!
    await openHydrated(page, '/')
    const named = await page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: `R${stamp}` })
      .filter({ hasText: 'Forsinket' })
      .count()
    return { text, named }
  }
  expect(await lateNow()).toEqual({ text: 'Forsinket (0)', named: 0 })
  const overview = (number: string) =>
    openHydrated(page, `/year?year=${year - 2}&rule=${encodeURIComponent('Årsrapport')}&q=${number}`)
  for (const number of numbers) {
    await overview(number)
    await expect(cells(number, 'unfollowed')).toHaveText(/Ikke fulgt/)
    await expect(cells(number, 'late')).toHaveCount(0)
  }

  // One of them is followed from two years ago: its rows come, and no others.
  await page.goto(`/projects?q=${numbers[0]}`)
  const edit = page.getByRole('link', { name: `Rediger: K/S Rolig ${numbers[0]}` })
  await openHydrated(page, (await edit.getAttribute('href'))!)
  await page.getByLabel('Følges fra', { exact: true }).fill(`01/01/${year - 1}`)
  await page.getByRole('button', { name: 'Gem' }).click()
  await expect(page.getByText('Projektet er gemt.')).toBeVisible()
  await overview(numbers[0]!)
  await expect(cells(numbers[0]!, 'late')).toHaveText(/Forsinket/)
  await overview(numbers[1]!)
  await expect(cells(numbers[1]!, 'unfollowed')).toHaveText(/Ikke fulgt/)
  await openHydrated(page, `/year/list?q=R${stamp}&state=late`)
  const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: 'K/S Rolig' })
  await expect(rows.first()).toBeVisible()
  await expect(rows.filter({ hasText: numbers[0]! })).toHaveCount(await rows.count())
  await expect(rows.filter({ hasText: `Årsrapport ${year - 2}` })).toHaveCount(1)
  await expect(rows.filter({ hasText: `Årsrapport ${year - 3}` })).toHaveCount(0)
})
