import type { Page } from '@playwright/test'
import { ageProofOf, makeInOffice, makePersonInOffice } from './maker.ts'
import { expect, test } from './shared-page.ts'
import { openHydrated, signIn } from './visitor.ts'

/** Signs in as a new administrator, and lets more than a quarter of an hour pass. */
async function enterStale(page: Page) {
  const boss = await makePersonInOffice({ name: 'Anne Admin', role: 'administrator' })
  await signIn(page, boss.email, boss.password)
  return boss
}

const question = (page: Page) => page.getByRole('dialog', { name: 'Bekræft, at det er dig' })

test('the question comes in the middle of a form, and nothing that was typed is lost', async ({ page }) => {
  const boss = await enterStale(page)
  const bo = await makePersonInOffice({ name: 'Bo Holm', role: 'auditor' })
  await openHydrated(page, `/users/${bo.id}/edit`)
  await ageProofOf(boss.email)
  await page.getByLabel('Navn', { exact: true }).fill('Bo Holm Hansen')
  await page.getByLabel('E-mail').fill(`ny-${bo.email}`)
  await page.getByRole('button', { name: 'Gem', exact: true }).click()

  // Cancelling keeps the form.
  await question(page).getByRole('button', { name: 'Annuller' }).click()
  await expect(question(page)).toBeHidden()
  await expect(page.getByText('Bekræft, at det er dig, for at fortsætte.')).toBeVisible()
  await expect(page.getByLabel('Navn', { exact: true })).toHaveValue('Bo Holm Hansen')

  await page.getByRole('button', { name: 'Gem', exact: true }).click()
  await question(page).getByLabel('Din adgangskode').fill('forkert')
  await question(page).getByRole('button', { name: 'Bekræft' }).click()
  await expect(question(page).getByText('Adgangskoden er forkert.')).toBeVisible()
  await question(page).getByLabel('Din adgangskode').fill(boss.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bo Holm Hansen')
  await expect(page.getByText(`ny-${bo.email}`).first()).toBeVisible()
})

test('the question comes over another dialog, and the file is then deleted for good @long', async ({
  page,
}) => {
  const boss = await enterStale(page)
  const { id } = await makeInOffice({ files: { Budget: ['Gammelt budget.pdf'] }, deleted: true })
  await openHydrated(page, `/projects/${id}/trash`)
  await ageProofOf(boss.email)
  await page
    .getByRole('button', { name: /^Slet .* for altid/ })
    .first()
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Slet for altid' }).dblclick()
  await question(page).getByLabel('Din adgangskode').fill(boss.password)
  await question(page).getByRole('button', { name: 'Bekræft' }).click()
  await expect(page.getByText('Gammelt budget.pdf')).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a person whose session has ended meanwhile is told so, and continues in a new one @long', async ({
  page,
}) => {
  const boss = await enterStale(page)
  const bo = await makePersonInOffice({ name: 'Bo Holm', role: 'auditor' })
  await openHydrated(page, `/users/${bo.id}/edit`)
  await ageProofOf(boss.email)
  await page.getByLabel('E-mail').fill(`ny-${bo.email}`)
  await page.getByRole('button', { name: 'Gem', exact: true }).click()
  await question(page).getByLabel('Din adgangskode').fill(boss.password)
  await page.context().clearCookies({ name: 'session' })
  await question(page).getByRole('button', { name: 'Bekræft' }).click()
  const signedOut = page.getByRole('dialog', { name: 'Du er blevet logget ud' })
  const opened = page.waitForEvent('popup')
  await signedOut.getByRole('link', { name: 'Log ind i en ny fane' }).click()
  const tab = await opened
  await signIn(tab, boss.email, boss.password)
  await tab.close()
  await question(page).getByRole('button', { name: 'Bekræft' }).click()
  await expect(page.getByText(`ny-${bo.email}`).first()).toBeVisible()
})

test('the log downloads as CSV after the question @long', async ({ page }) => {
  const boss = await enterStale(page)
  await openHydrated(page, '/log')
  await ageProofOf(boss.email)
  await page.getByRole('link', { name: 'Hent som CSV' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bekræft, at det er dig')
  await page.getByLabel('Din adgangskode').fill(boss.password)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Bekræft' }).click()
  expect((await download).suggestedFilename()).toMatch(/^ringbind-log-.*\.csv$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tak')
})

test('without JavaScript a page asks and sends the form on @long', async ({ plainPage: page }) => {
  const boss = await enterStale(page)
  const bo = await makePersonInOffice({ name: 'Bo Holm', role: 'auditor' })
  await page.goto(`/users/${bo.id}/edit`)
  await ageProofOf(boss.email)
  await page.getByLabel('Navn', { exact: true }).fill('Bo Ærø Holm')
  await page.getByLabel('E-mail').fill(`ny-${bo.email}`)
  await page.getByRole('button', { name: 'Gem', exact: true }).click()
  await page.getByLabel('Din adgangskode').fill('forkert')
  await page.getByRole('button', { name: 'Bekræft' }).click()
  await expect(page.getByText('Adgangskoden er forkert.')).toBeVisible()
  await page.getByLabel('Din adgangskode').fill(boss.password)
  await page.getByRole('button', { name: 'Bekræft' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bo Ærø Holm')
  await expect(page.getByText(`ny-${bo.email}`).first()).toBeVisible()
})
