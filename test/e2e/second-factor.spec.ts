import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { PASSWORD } from '../values.ts'
import { PORTS } from './facts.ts'
import { ageProofOf } from './maker.ts'
import { expect, test } from './shared-page.ts'
import { follow, mailsTo, openHydrated, signIn } from './visitor.ts'

test.use({ baseURL: `http://localhost:${PORTS.passkeys}` })

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Gives the page a device that can make passkeys, and whose owner always confirms. */
async function addDevice(page: Page): Promise<{ remove: () => Promise<void> }> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async remove() {
      await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
      await devtools.send('WebAuthn.disable')
      await devtools.detach()
    },
  }
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Brugermenu/ }).click()
  await page.getByRole('button', { name: 'Log ud' }).click()
  await expect(heading(page)).toHaveText('Log ind')
}

async function takeFirstStep(page: Page, email: string): Promise<void> {
  await openHydrated(page, '/login')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Adgangskode').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log ind', exact: true }).click()
  await expect(heading(page)).toHaveText('Log ind i to trin')
  await page.locator('html[data-hydrated]').waitFor()
}

const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret.replaceAll(/\s/g, '')) }).generate({
    timestamp: Date.now() + steps * 30_000,
  })

/** Adds an app on the page. Returns its secret. */
async function addApp(page: Page, isScripted = true): Promise<string> {
  const secret = await page.locator('code').innerText()
  const typed = secret.replaceAll(/\s/g, '')
  // For an app on the same phone, which cannot scan its own screen.
  await expect(page.getByRole('link', { name: 'Åbn appen' })).toHaveAttribute(
    'href',
    new RegExp(`^otpauth://totp/.*secret=${typed}`),
  )
  if (isScripted) {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Kopier nøglen' }).click()
    await expect(page.getByRole('button', { name: 'Kopieret' })).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(typed)
  }
  // The code before this one, so that this one is unused; it is taken for as long as this one lasts.
  await expect.poll(() => 30_000 - (Date.now() % 30_000), { timeout: 60_000 }).toBeGreaterThan(10_000)
  await page.getByLabel('Koden fra appen').fill(codeOf(secret, -1))
  await page.getByRole('button', { name: 'Tilføj appen' }).click()
  await expect(page.getByRole('heading', { name: 'Gem dine nødkoder' })).toBeVisible()
  return secret
}

test('a passkey is added, signs in without a password, and is removed', async ({ page }) => {
  const device = await addDevice(page)
  await signIn(page, 'nora', PASSWORD)
  await openHydrated(page, '/profile')
  await page.getByRole('link', { name: 'Slå totrinslogin til' }).click()
  await page.locator('html[data-hydrated]').waitFor()
  await page.getByLabel('Navn').fill('Noras bærbare')
  await page.getByRole('button', { name: 'Tilføj adgangsnøgle' }).click()
  await expect(page.getByRole('list', { name: 'Nødkoder' }).getByRole('listitem')).toHaveCount(10)
  await expect(page.getByText('Noras bærbare')).toBeVisible()
  await expect.poll(() => mailsTo(PORTS.passkeys, 'nora@ringbind.example').length).toBe(1)
  await signOut(page)
  await page.getByRole('button', { name: 'Log ind med fingeraftryk eller kode' }).click()
  await expect(heading(page)).toHaveText('Hej Nora')
  await signOut(page)
  // Used as the second step.
  await takeFirstStep(page, 'nora@ringbind.example')
  await page.getByRole('button', { name: 'Log ind med fingeraftryk eller kode' }).click()
  await expect(heading(page)).toHaveText('Hej Nora')
  await openHydrated(page, '/profile/second-factor')
  await expect(page.getByText(/sidst brugt/)).toBeVisible()
  // The device has one already.
  await page.getByRole('button', { name: 'Tilføj adgangsnøgle' }).click()
  await expect(page.getByText('Denne enhed har allerede en adgangsnøgle til dit login.')).toBeVisible()
  // After a while the device confirms that it is still her.
  await ageProofOf('nora@ringbind.example', PORTS.passkeys)
  await page.getByRole('button', { name: 'Fjern' }).click()
  await page
    .getByRole('dialog', { name: 'Bekræft, at det er dig' })
    .getByRole('button', { name: 'Bekræft med fingeraftryk eller kode' })
    .click()
  await expect(page.getByText('Adgangsnøglen Noras bærbare er fjernet.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Adgangsnøgler' })).toBeHidden()
  await signOut(page)
  await page.getByRole('button', { name: 'Log ind med fingeraftryk eller kode' }).click()
  await expect(page.getByText('Adgangsnøglen passer ikke til et login her.')).toBeVisible()
  await device.remove()
})

test('without a passkey device the button says so, and the password works @long', async ({ page }) => {
  const device = await addDevice(page)
  await openHydrated(page, '/login')
  await page.getByRole('button', { name: 'Log ind med fingeraftryk eller kode' }).click()
  await expect(page.getByText('Adgangsnøglen blev ikke brugt.')).toBeVisible()
  await device.remove()
  await signIn(page, 'ulla', PASSWORD)
})

test('an app gives codes, and a recovery code replaces a lost phone @long', async ({ page }) => {
  await signIn(page, 'anders', PASSWORD)
  await openHydrated(page, '/profile/second-factor')
  await page.getByLabel('Koden fra appen').fill('123')
  await page.getByRole('button', { name: 'Tilføj appen' }).click()
  await expect(page.getByText(/Koden passer ikke/)).toBeVisible()
  await expect(page.getByLabel('Koden fra appen')).toBeFocused()
  const secret = await addApp(page)
  const [, saved] = await page.getByRole('list', { name: 'Nødkoder' }).getByRole('listitem').allInnerTexts()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Gem dine nødkoder' })).toBeHidden()
  await expect(page.getByText('Du har 10 nødkoder tilbage.')).toBeVisible()
  await signOut(page)
  await takeFirstStep(page, 'anders@ringbind.example')
  await page.getByLabel('Kode').fill('000000')
  await page.getByRole('button', { name: 'Log ind', exact: true }).click()
  await expect(page.getByText('Koden er forkert, eller den er brugt. Prøv igen.')).toBeVisible()
  await page.getByLabel('Kode').fill(codeOf(secret))
  await page.getByRole('button', { name: 'Log ind', exact: true }).click()
  await expect(heading(page)).toHaveText('Hej Anders')
  await signOut(page)
  await takeFirstStep(page, 'anders@ringbind.example')
  await page.getByLabel('Kode').fill(saved!)
  await page.getByRole('button', { name: 'Log ind', exact: true }).click()
  await expect(heading(page)).toHaveText('Hej Anders')
  await openHydrated(page, '/profile/second-factor')
  await expect(page.getByText('Du har 9 nødkoder tilbage.')).toBeVisible()
})

test('a second factor works without JavaScript @long', async ({ plainPage: page }) => {
  const base = `http://localhost:${PORTS.passkeys}`
  await page.goto(`${base}/login`)
  await page.getByLabel('E-mail').fill('mia@ringbind.example')
  await page.getByLabel('Adgangskode').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log ind', exact: true }).click()
  await page.goto(`${base}/profile/second-factor`)
  const secret = await addApp(page, false)
  await page.context().clearCookies()
  await page.goto(`${base}/projects`)
  await page.getByLabel('E-mail').fill('mia@ringbind.example')
  await page.getByLabel('Adgangskode').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log ind', exact: true }).click()
  await page.getByLabel('Kode').fill('000000')
  await page.getByRole('button', { name: 'Log ind', exact: true }).click()
  await expect(page.getByText('Koden er forkert, eller den er brugt. Prøv igen.')).toBeVisible()
  await page.getByLabel('Kode').fill(codeOf(secret))
  await page.getByRole('button', { name: 'Log ind', exact: true }).click()
  await expect(heading(page)).toHaveText('Papirer')
})

test('a role that must have a second factor is counted down, then led to the page that adds it; a lost one is reset @long', async ({
  page,
  otherPage,
}) => {
  await signIn(otherPage, 'adam', PASSWORD)
  await openHydrated(otherPage, '/settings/sign-in')
  await otherPage.getByLabel('Revisor').check()
  await otherPage.getByLabel('Frist i dage').fill('5')
  await otherPage.getByRole('button', { name: 'Gem kravet' }).click()
  await expect(otherPage.getByText('Det er gemt.')).toBeVisible()
  await expect(otherPage.getByText(/^Kræves fra /)).toBeVisible()
  await signIn(page, 'rie', PASSWORD)
  await expect(page.getByText('Om 5 dage skal du logge ind i to trin.')).toBeVisible()
  // The administrator wants it at once.
  for (const days of [null, '0']) {
    if (days === null) await otherPage.getByLabel('Revisor').uncheck()
    else {
      await otherPage.getByLabel('Revisor').check()
      await otherPage.getByLabel('Frist i dage').fill(days)
    }
    await otherPage.getByRole('button', { name: 'Gem kravet' }).click()
    await expect(otherPage.getByText(/^Kræves fra /)).toHaveCount(days === null ? 0 : 1)
  }
  await openHydrated(page, '/projects')
  await expect(heading(page)).toHaveText('Totrinslogin')
  await expect(page.getByText(/Kontoret kræver totrinslogin for din rolle/)).toBeVisible()
  await addApp(page)
  await openHydrated(page, '/projects')
  await expect(heading(page)).toHaveText('Projekter')
  // The phone is lost, and so are the codes.
  await openHydrated(otherPage, '/users')
  await follow(otherPage.getByRole('link', { name: 'Rie Revisor' }))
  await otherPage.getByRole('button', { name: 'Nulstil totrinslogin' }).click()
  await expect(otherPage.getByText(/Totrinslogin er nulstillet for Rie Revisor/)).toBeVisible()
  await openHydrated(page, '/login')
  await page.getByLabel('E-mail').fill('rie@ringbind.example')
  await page.getByLabel('Adgangskode').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log ind', exact: true }).click()
  await expect(heading(page)).toHaveText('Totrinslogin')
})
