import type { APIRequestContext, Page } from '@playwright/test'
import { PORTS } from './facts.ts'
import { ageProofOf, makePersonInOffice } from './maker.ts'
import { expect, test } from './shared-page.ts'
import { enterAs, follow, mailsTo, openHydrated, signIn } from './visitor.ts'

const secretField = (page: Page) => page.getByLabel(/^Den vises kun nu/)
const item = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

/** Calls as a program does. */
const statusWith = async (request: APIRequestContext, secret: string, url = '/api/projects') =>
  (await request.get(url, { headers: { authorization: `Bearer ${secret}` } })).status()

test('a person makes a key, copies it, uses it, and revokes it', async ({ page, request }) => {
  const { email, password } = await makePersonInOffice({ name: 'Bo Holm', role: 'auditor' })
  await signIn(page, email, password)
  await openHydrated(page, '/profile')
  await follow(page.getByRole('link', { name: 'Se og lav API-nøgler' }))
  await expect(page.getByText('Du har ingen API-nøgler.')).toBeVisible()

  // All faults at once.
  await page.getByLabel('Læse').uncheck()
  await page.getByRole('button', { name: 'Lav nøglen' }).click()
  await expect(page.getByText('Navnet skal udfyldes.')).toBeVisible()
  await expect(page.getByText('Vælg mindst én ting, nøglen kan bruges til.')).toBeVisible()
  await expect(page.getByLabel('Navn')).toBeFocused()

  await page.getByLabel('Navn').fill('Regnskabsprogram')
  await page.getByLabel('Læse').check()
  await page.getByLabel('Virker i').selectOption('30 dage')
  // The question whether it is them comes over the form.
  await ageProofOf(email)
  await page.getByRole('button', { name: 'Lav nøglen' }).click()
  const question = page.getByRole('dialog', { name: 'Bekræft, at det er dig' })
  await question.getByLabel('Din adgangskode').fill(password)
  await question.getByRole('button', { name: 'Bekræft' }).click()
  const secret = await secretField(page).inputValue()
  expect(secret).toMatch(/^rb_[\w-]{43}$/)
  await page.locator('html[data-hydrated]').waitFor()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Kopier nøglen' }).click()
  await expect(page.getByRole('button', { name: 'Kopieret' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
  await page.context().clearPermissions()
  await expect.poll(() => mailsTo(PORTS.office, email).length).toBeGreaterThan(0)

  expect(await statusWith(request, secret)).toBe(200)
  expect(await statusWith(request, secret, '/profile')).toBe(403)
  await openHydrated(page, '/profile/tokens')
  await expect(secretField(page)).toHaveCount(0)
  await expect(item(page, 'Regnskabsprogram')).toContainText('Sidst brugt')
  await item(page, 'Regnskabsprogram').getByRole('button', { name: 'Spær' }).click()
  await expect(item(page, 'Regnskabsprogram')).toContainText('Spærret')
  await expect(item(page, 'Regnskabsprogram').getByRole('button')).toHaveCount(0)
  expect(await statusWith(request, secret)).toBe(401)
})

test('an administrator finds a person’s key and revokes it, without JavaScript as well @long', async ({
  page,
  plainPage,
  request,
}) => {
  const { email, password } = await makePersonInOffice({ name: 'Ida Revisor', role: 'auditor' })
  await signIn(plainPage, email, password)
  await plainPage.goto('/profile/tokens')
  await plainPage.getByLabel('Navn').fill('Idas skript')
  await plainPage.getByRole('button', { name: 'Lav nøglen' }).click()
  const secret = await secretField(plainPage).inputValue()
  await expect(plainPage.getByRole('button', { name: 'Kopier nøglen' })).toBeHidden()
  expect(await statusWith(request, secret)).toBe(200)

  await enterAs(page, 'administrator')
  await openHydrated(page, '/settings/office')
  await follow(page.getByRole('link', { name: 'Programmer' }))
  const key = item(page, 'Idas skript').filter({ hasText: 'Ida Revisor' })
  await key.getByRole('button', { name: 'Spær' }).click()
  await expect(key).toContainText('Spærret')
  expect(await statusWith(request, secret)).toBe(401)
})
