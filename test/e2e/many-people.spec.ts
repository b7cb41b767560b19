import type { Page } from '@playwright/test'
import { checkAxe } from './axe.ts'
import { address, PORTS } from './facts.ts'
import { PASSWORD } from '../values.ts'
import { signIn } from './visitor.ts'
import { expect, test } from './shared-page.ts'

test.use({ baseURL: address(PORTS.mailing) })
test.describe.configure({ mode: 'serial' })

const hydrated = (page: Page) => page.locator('html[data-hydrated]').waitFor()
const waiting = (page: Page) => page.getByRole('list', { name: 'Mails, som kontoret har bedt om' })

test('who has never come in is one press, and to invite them all is two @long', async ({ page }) => {
  await signIn(page, 'inge@ringbind.example', PASSWORD)
  await page.goto('/users')
  await hydrated(page)

  await page.getByRole('link', { name: 'Aldrig logget ind 31' }).click()
  await expect(page.getByText('Viser 25 af 31 resultater')).toBeVisible()
  await expect(page).toHaveURL('/users?filter=never')
  await checkAxe(page)
  // An administrator is invited from their own page.
  await page.getByRole('button', { name: 'Inviter 30 af 31' }).click()
  await expect(waiting(page)).toContainText(/Invitation til 30 personer sendes tidligst/)
  await expect(page).toHaveURL('/users?filter=never')
  await expect(page.getByRole('button', { name: /^Inviter/ })).toHaveCount(0)

  await hydrated(page)
  await page.getByRole('button', { name: 'Fortryd mailen' }).click()
  await expect(page.getByText('Mailen er fortrudt, og ingen får den.')).toBeVisible()
  await expect(waiting(page)).toHaveCount(0)
})

test('some are selected as files are, also beyond a page, and added to a project @long', async ({ page }) => {
  await signIn(page, 'inge@ringbind.example', PASSWORD)
  await page.goto('/users?filter=never&kind=investor')
  await hydrated(page)
  const bar = page.getByRole('region', { name: 'Valgte personer' })
  const box = (at: number) => page.getByRole('checkbox', { name: `Vælg Ny Investor ${at}`, exact: true })

  await box(12).click()
  await box(15).click({ modifiers: ['Shift'] })
  await expect(bar).toContainText('4 personer valgt')
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)

  await box(12).press('Space')
  await bar.getByRole('button', { name: 'Vælg alle 30' }).click()
  await box(13).click()
  await expect(bar).toContainText('29 personer valgt')
  await page.getByRole('link', { name: 'Næste side' }).click()
  await expect(box(39)).toBeChecked()
  await checkAxe(page)

  await bar.getByRole('button', { name: 'Inviter' }).click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText('Inviter 29 personer?')
  await question.getByRole('button', { name: 'Annuller' }).click()

  await bar.getByRole('button', { name: 'Til projekt' }).click()
  await expect(question).toContainText('Tilføj 29 personer til et projekt')
  await question.getByRole('button', { name: 'Tilføj', exact: true }).click()
  await expect(question).toContainText('Vælg et projekt.')
  await question.getByRole('combobox', { name: 'Projekt' }).fill('4712')
  await question.getByRole('option', { name: /K\/S Mange/ }).click()
  await question.getByRole('button', { name: 'Tilføj', exact: true }).click()
  await expect(page.getByText('29 personer er tilføjet til K/S Mange.')).toBeVisible()
})
