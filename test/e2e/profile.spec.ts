import type { Browser, Page } from '@playwright/test'
import sharp from 'sharp'
import { makePersonInOffice, type MadeUser } from './maker.ts'
import { follow, openHydrated, signIn } from './visitor.ts'
import { expect, test } from './shared-page.ts'
import { onDisk } from './drop.ts'

const NEW = 'en helt ny adgangskode'

let person: MadeUser
test.beforeEach(async ({ page }) => {
  person = await makePersonInOffice({ name: 'Vera Prøvesen' })
  await signIn(page, person.email, person.password)
  await openHydrated(page, '/profile')
})

const picture = async (background = '#a03020', format: 'png' | 'jpeg' = 'png') => ({
  name: `mig.${format}`,
  mimeType: `image/${format}`,
  buffer: await sharp({ create: { width: 600, height: 400, channels: 3, background } })
    .toFormat(format)
    .toBuffer(),
})

const chooser = (page: Page) => page.getByLabel('Vælg billede')
const menu = (page: Page) => page.getByRole('button', { name: 'Brugermenu for Vera Prøvesen' })
const section = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name }) })
const face = (page: Page) => section(page, 'Profilbillede').locator('img')

/** Signs the same person in with another browser. */
async function elsewhere(browser: Browser, password = person.password): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await signIn(page, person.email, password)
  return page
}

/** Returns whether an image loads. */
const isShown = (page: Page, source: string) =>
  page.evaluate(async (address) => {
    const image = new Image()
    image.src = address
    await image.decode()
    return image.naturalWidth
  }, source)

test('S2.9 a chosen image is shown at once, saved and shown in the menu, and can be removed', async ({
  page,
}) => {
  await expect(menu(page)).toContainText('VP')
  let goOn: () => void
  const held = new Promise<void>((resolve) => (goOn = resolve))
  await page.route('**/profile/image', async (route) => {
    await held
    await route.continue()
  })
  const sent = page.waitForRequest('**/profile/image')
  await chooser(page).setInputFiles(await picture())
  expect((await sent).postDataBuffer()?.toString('latin1')).toContain('name="_method"\r\n\r\nPOST') // S7.10
  await expect(face(page)).toHaveAttribute('src', /^blob:/)
  await expect(section(page, 'Profilbillede').locator('[aria-busy=true]').first()).toBeVisible()
  expect(
    await face(page).evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBe(600)
  goOn!()
  await expect(page.getByText('Dit profilbillede er gemt.')).toBeVisible()
  const address = `/users/${person.id}/image/`
  await expect(face(page)).toHaveAttribute('src', new RegExp(`^${address}\\w+\\?size=large$`))
  expect(await isShown(page, (await face(page).getAttribute('src'))!)).toBe(256)
  const small = menu(page).locator('img')
  await expect(small).toHaveAttribute('src', new RegExp(`^${address}\\w+$`))
  expect(await isShown(page, (await small.getAttribute('src'))!)).toBe(72)

  await openHydrated(page, '/')
  await expect(menu(page).locator('img')).toHaveAttribute('src', new RegExp(`^${address}`))
  await menu(page).click()
  await follow(page.getByRole('link', { name: 'Min profil' }))
  await page.getByRole('button', { name: 'Fjern billede' }).click()
  await expect(page.getByText('Dit profilbillede er fjernet.')).toBeVisible()
  await expect(face(page)).toHaveCount(0)
  await expect(menu(page)).toContainText('VP')
  await expect(page.getByRole('button', { name: 'Fjern billede' })).toHaveCount(0)
  await expect(chooser(page)).toBeFocused()
})

test('S2.9 a file that is not an image is refused at its field, and the old image stays @long', async ({
  page,
}) => {
  await chooser(page).setInputFiles(await picture())
  await expect(page.getByText('Dit profilbillede er gemt.')).toBeVisible()
  const before = await face(page).getAttribute('src')
  await chooser(page).setInputFiles({ name: 'mig.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') })
  await expect(page.getByRole('alert')).toHaveText(/Filen er ikke et billede/)
  await expect(chooser(page)).toHaveAttribute('aria-invalid', 'true')
  await expect(chooser(page)).toHaveAccessibleDescription(/Filen er ikke et billede/)
  await expect(face(page)).toHaveAttribute('src', before!)
  await chooser(page).setInputFiles(onDisk({ 'stor.png': Buffer.alloc(10 * 1024 * 1024 + 1) })('stor.png'))
  await expect(page.getByRole('alert')).toHaveText('Billedet er for stort. Det må højst fylde 10 MB.')
  await chooser(page).setInputFiles(await picture('#2040a0', 'jpeg'))
  await expect(page.getByRole('alert')).toHaveText('')
  await expect(face(page)).not.toHaveAttribute('src', before!)
})

test('S2.9 an image can be dropped on its field; a drop elsewhere does not leave the page @long', async ({
  page,
}) => {
  const { buffer } = await picture()
  const transfer = await page.evaluateHandle(
    (bytes) => {
      const made = new DataTransfer()
      made.items.add(new File([new Uint8Array(bytes)], 'mig.png', { type: 'image/png' }))
      return made
    },
    [...buffer],
  )
  const isPrevented = await page.getByRole('heading', { level: 1 }).evaluate((heading, dataTransfer) => {
    const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
    return !heading.dispatchEvent(event)
  }, transfer)
  expect(isPrevented).toBe(true)
  await expect(face(page)).toHaveCount(0)
  const field = section(page, 'Profilbillede').getByText('Du kan også trække')
  await field.dispatchEvent('dragenter', { dataTransfer: transfer })
  await field.dispatchEvent('drop', { dataTransfer: transfer })
  await expect(page.getByText('Dit profilbillede er gemt.')).toBeVisible()
  await expect(menu(page).locator('img')).toBeVisible()
})

test('S2.9 a changed name is shown in the menu at once @long', async ({ page }) => {
  await page.getByLabel('Navn').fill('')
  await page.getByRole('button', { name: 'Gem navn' }).click()
  await expect(page.getByText('Navnet skal udfyldes.')).toBeVisible()
  await expect(page.getByLabel('Navn')).toBeFocused()
  await page.getByLabel('Navn').fill('Vera Østergaard')
  await page.getByLabel('Navn').press('Enter')
  await expect(page.getByRole('button', { name: 'Brugermenu for Vera Østergaard' })).toContainText('VØ')
  await page.reload()
  await expect(page.getByLabel('Navn')).toHaveValue('Vera Østergaard')
})

test('an error about an image disappears when something else is saved @long', async ({ page }) => {
  const fault = page.getByText(/^Filen er ikke et billede/)
  const refuse = async () => {
    await chooser(page).setInputFiles({ name: 'mig.png', mimeType: 'image/png', buffer: Buffer.from('hej') })
    await expect(fault).toBeVisible()
  }
  await refuse()
  await page.getByLabel('Navn').fill('')
  await page.getByRole('button', { name: 'Gem navn' }).click()
  await expect(page.getByText('Navnet skal udfyldes.')).toBeVisible()
  await expect(fault).toBeVisible()
  await page.getByLabel('Navn').fill('Vera Prøvesen')
  await page.getByRole('button', { name: 'Gem navn' }).click()
  await expect(fault).toBeHidden()
  await refuse()
  await page.getByLabel('Nuværende adgangskode').fill(person.password)
  await page.getByLabel('Ny adgangskode').fill(NEW)
  await page.getByRole('button', { name: 'Skift adgangskode' }).click()
  await expect(page.getByText(/^Din adgangskode er ændret/)).toBeVisible()
  await expect(fault).toBeHidden()
})

test('the new password can be shown while typing, with the keyboard too, and is hidden when it is sent @long', async ({
  page,
}) => {
  const field = page.getByLabel('Ny adgangskode')
  const show = page.getByRole('button', { name: 'Vis adgangskode' })
  await field.fill('kort')
  await expect(field).toHaveAttribute('type', 'password')
  await expect(show).toHaveAttribute('aria-pressed', 'false')
  await field.press('Tab')
  await expect(show).toBeFocused()
  await page.keyboard.press('Space')
  await expect(show).toHaveAttribute('aria-pressed', 'true')
  await expect(field).toHaveAttribute('type', 'text')
  await expect(field).toHaveValue('kort')
  await show.click()
  await expect(field).toHaveAttribute('type', 'password')
  await show.click()
  await field.press('Enter')
  await expect(page.getByText('Den nuværende adgangskode skal udfyldes.')).toBeVisible()
  await expect(field).toHaveAttribute('type', 'password')
  await expect(show).toHaveAttribute('aria-pressed', 'false')
})

test('a changed password signs out other browsers, and the new password works', async ({ page, browser }) => {
  const other = await elsewhere(browser)
  await page.getByLabel('Nuværende adgangskode').fill('forkert')
  await page.getByLabel('Ny adgangskode').fill(NEW)
  await page.getByRole('button', { name: 'Skift adgangskode' }).click()
  await expect(page.getByText('Den nuværende adgangskode er forkert.')).toBeVisible()
  await expect(page.getByLabel('Nuværende adgangskode')).toBeFocused()
  await page.getByLabel('Nuværende adgangskode').fill(person.password)
  await page.getByRole('button', { name: 'Skift adgangskode' }).click()
  await expect(page.getByText(/^Din adgangskode er ændret/)).toBeVisible()
  await expect(page.getByLabel('Nuværende adgangskode')).toHaveValue('')
  await expect(page.getByRole('list', { name: 'Enheder' }).getByRole('listitem')).toHaveCount(1)
  await other.reload()
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Log ind')
  await other.context().close()
  const back = await elsewhere(browser, NEW)
  await expect(back.getByRole('heading', { level: 1 })).toHaveText(/^Hej Vera/)
  await back.context().close()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Min profil')
})

test('S2.9 another session can be ended, and that browser is signed out @long', async ({ page, browser }) => {
  const [first, second] = [await elsewhere(browser), await elsewhere(browser)]
  await page.reload()
  await page.locator('html[data-hydrated]').waitFor()
  const devices = page.getByRole('list', { name: 'Enheder' }).getByRole('listitem')
  await expect(devices).toHaveCount(3)
  await expect(devices.first()).toContainText('Denne enhed')
  await expect(devices.first().getByRole('button')).toHaveCount(0)
  // The most recently used session comes first.
  await devices
    .nth(1)
    .getByRole('button', { name: /^Log ud på Chrome på Linux/ })
    .click()
  await expect(page.getByText('Chrome på Linux er logget ud.')).toBeVisible()
  await expect(devices).toHaveCount(2)
  await expect(page.getByRole('list', { name: 'Enheder' })).toBeFocused()
  await second.reload()
  await expect(second.getByRole('heading', { level: 1 })).toHaveText('Log ind')
  await first.reload()
  await expect(first.getByRole('heading', { level: 1 })).toHaveText(/^Hej Vera/)
  await page.getByRole('button', { name: 'Log ud på alle andre enheder' }).click()
  await expect(devices).toHaveCount(1)
  await first.reload()
  await expect(first.getByRole('heading', { level: 1 })).toHaveText('Log ind')
  await Promise.all([first, second].map((each) => each.context().close()))
})

test('S2.9 the profile works without JavaScript @long', async ({ plainPage: page }) => {
  await signIn(page, person.email, person.password)
  await page.goto('/profile')
  await expect(page.getByText('Du kan også trække')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Vis adgangskode' })).toBeHidden()
  expect((await page.getByText('Vælg billede').boundingBox())!.width).toBe(1) // the browser's own file button is enough
  await chooser(page).setInputFiles({ name: 'mig.png', mimeType: 'image/png', buffer: Buffer.from('hej') })
  await page.getByRole('button', { name: 'Gem billede' }).click()
  await expect(page.getByText(/^Filen er ikke et billede/)).toBeVisible()
  await chooser(page).setInputFiles(await picture())
  await page.getByRole('button', { name: 'Gem billede' }).click()
  await expect(page.getByText('Dit profilbillede er ændret.')).toBeVisible()
  await expect(menu(page).locator('img')).toBeVisible()
  await page.getByRole('button', { name: 'Fjern billede' }).click()
  await expect(menu(page)).toContainText('VP')
  await page.getByLabel('Navn').fill('Vera Holm')
  await page.getByRole('button', { name: 'Gem navn' }).click()
  await expect(page.getByText('Dit navn er gemt.')).toBeVisible()
  await page.getByRole('button', { name: /^Log ud på Chrome/ }).click()
  await expect(page.getByText('Enheden er logget ud.')).toBeVisible()
})
