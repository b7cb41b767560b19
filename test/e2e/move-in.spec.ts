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
