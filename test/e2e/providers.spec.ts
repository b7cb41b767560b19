import type { Page } from '@playwright/test'
import { makePersonInOffice } from './maker.ts'
import { address, PORTS } from './facts.ts'
import { mailedLink, openHydrated, signIn } from './visitor.ts'
import { expect, test } from './shared-page.ts'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

let count = 0
const newLogin = () => `person-${process.pid}-${Date.now()}-${++count}x`

/** Signs in on the provider's own page. */
async function signInThere(page: Page, login: string): Promise<void> {
  await page.waitForURL(`${address(PORTS.provider)}/interaction/**`, { waitUntil: 'commit' })
  await page.getByPlaceholder('Enter any login').fill(login)
  await page.getByPlaceholder('and password').fill('x')
  await page.getByRole('button', { name: 'Sign-in' }).click()
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Brugermenu/ }).click()
  await page.getByRole('button', { name: 'Log ud' }).click()
  await expect(heading(page)).toHaveText('Log ind')
}

const logins = (page: Page) => page.getByRole('list', { name: 'Tilknyttede login' }).getByRole('listitem')

for (const [name, javaScriptEnabled] of [
  ['with', true],
  ['@long without', false],
] as const) {
  test.describe(`${name} JavaScript`, () => {
    test.use({ javaScriptEnabled })
    // The provider's page asks for a font on the internet.
    test.beforeEach(({ page }) => page.route('https://**', (route) => route.abort()))

    test('a person links a login, signs in with it, and removes it', async ({ page }) => {
      const person = await makePersonInOffice({ name: 'Mia Dybdahl' })
      const login = newLogin()
      await signIn(page, person.email, person.password)
      await page.goto('/profile')
      await page.getByRole('button', { name: 'Tilknyt MitID' }).click()
      await signInThere(page, login)
      await expect(page.getByText('Dit login er tilknyttet.')).toBeVisible()
      await expect(logins(page)).toHaveText([/MitID.*Tilknyttet.*Ikke brugt endnu/])
      await signOut(page)
      await page.goto('/login?next=%2Fprofile')
      // The provider knows the browser by now and sends it straight back.
      await page.getByRole('button', { name: 'Brug MitID' }).click()
      await expect(heading(page)).toHaveText('Min profil')
      await expect(logins(page)).toHaveText([/Sidst brugt/])
      await page.getByRole('button', { name: 'Fjern MitID' }).click()
      await expect(page.getByText('Dit tilknyttede login er fjernet.')).toBeVisible()
      await signOut(page)
      await page.getByRole('button', { name: 'Brug MitID' }).click()
      await expect(page.getByRole('alert')).toHaveText(/er ikke tilknyttet her/)
    })

    test('a person who changes their mind comes back to a calm message @long', async ({ page }) => {
      await page.goto('/login')
      await page.getByRole('button', { name: 'Brug MitID' }).click()
      await page.waitForURL(`${address(PORTS.provider)}/interaction/**`, { waitUntil: 'commit' })
      await page.getByRole('link', { name: 'Cancel' }).click()
      await expect(page.getByRole('alert')).toHaveText(/Du afbrød hos MitID/)
    })
  })
}

test.describe('at the provider', () => {
  test.beforeEach(({ page }) => page.route('https://**', (route) => route.abort()))

  test('the provider’s button works again after going back @long', async ({ page }) => {
    await openHydrated(page, '/login')
    for (let time = 0; time < 2; time++) {
      await page.getByRole('button', { name: 'Brug MitID' }).click()
      await page.waitForURL(`${address(PORTS.provider)}/**`, { waitUntil: 'commit' })
      await page.getByPlaceholder('Enter any login').waitFor()
      await page.goBack()
      await page.locator('html[data-hydrated]').waitFor()
    }
  })

  test('an invitation is accepted without a password @long', async ({ page }) => {
    await page.goto(await mailedLink(PORTS.office, 'inviteret.mitid@ringbind.example'))
    await page.getByRole('button', { name: 'Brug MitID' }).click()
    await signInThere(page, newLogin())
    await expect(heading(page)).toHaveText('Hej Inger')
    await openHydrated(page, '/profile')
    await expect(page.getByText('Du logger ind uden adgangskode.')).toBeVisible()
    await page.getByRole('button', { name: 'Fjern MitID' }).click()
    await expect(page.getByText(/Vælg en adgangskode først/)).toBeVisible()
    await expect(logins(page)).toHaveCount(1)
  })
})
