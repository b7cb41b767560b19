import type { Page } from '@playwright/test'
import { dropFiles } from './drop.ts'
import { makeInOffice, makePersonInOffice } from './maker.ts'
import { openHydrated, signIn } from './visitor.ts'
import { expect, test } from './shared-page.ts'

const group = (page: Page, name: RegExp) => page.getByRole('region', { name })
const sent = (page: Page) => page.locator('[data-upload]').getByText('Klar', { exact: true })
const offer = (page: Page) => page.getByText(/^\d+ fil(er)? fra .* er ikke gemt/)
const goOn = (page: Page) => page.getByRole('button', { name: 'Fortsæt', exact: true })

/** Reads what the server keeps of a person's pile. */
const readUnsaved = async (page: Page) => (await page.request.get('/api/temp/pile?form=%2Fupload')).text()

const whenStored = (page: Page, text: string) => expect.poll(() => readUnsaved(page)).toContain(text)

test('a pile is there again after a reload, in another browser and after signing in again, and is saved once', async ({
  page,
  otherPage,
}) => {
  const { number } = await makeInOffice({})
  const { email, password } = await makePersonInOffice({ role: 'employee' })
  page.on('dialog', (dialog) => void dialog.accept())
  otherPage.on('dialog', (dialog) => void dialog.accept())
  await signIn(page, email, password)
  await openHydrated(page, '/upload')
  await expect(offer(page)).toHaveCount(0)

  // Two files are sent, one of them with a better name and as a draft; the third one gets nowhere.
  await dropFiles(page, [`Diverse (${number}) a.pdf`, `Budgt (${number}) 2024.pdf`])
  await page.getByRole('button', { name: /^Mente du Budget\?/ }).click()
  await expect(sent(page)).toHaveCount(2)
  await page.getByLabel('Udgivelse').selectOption('Gem som kladde')
  await whenStored(page, '"way":"draft"')
  await page.route('**/api/temp/upload', () => undefined)
  await dropFiles(page, [`Diverse (${number}) b.pdf`])
  await whenStored(page, `Diverse (${number}) b.pdf`)

  // A reload, and another computer.
  await page.reload()
  await page.locator('html[data-hydrated]').waitFor()
  await expect(offer(page)).toHaveText(
    /^2 filer fra i dag kl\. \d\d\.\d\d er ikke gemt\. 1 fil mere blev ikke sendt\.$/,
  )
  await signIn(otherPage, email, password)
  await openHydrated(otherPage, '/upload')
  await goOn(otherPage).press('Enter')
  await expect(offer(otherPage)).toHaveCount(0)
  const missing = otherPage.getByText('1 fil blev ikke sendt. Vælg den igen, så kommer den på plads.')
  await expect(missing).toBeVisible()
  await expect(group(otherPage, new RegExp(`^Budget · ${number}`))).toContainText(
    `Budget (${number}) 2024.pdf`,
  )
  await expect(group(otherPage, new RegExp(`^Diverse · ${number}`)).getByRole('listitem')).toHaveCount(1)
  await expect(group(otherPage, /^Se på/)).toContainText(`Diverse (${number}) b.pdf`)
  await expect(sent(otherPage)).toHaveCount(2)
  await expect(otherPage.getByRole('button', { name: 'Gem 2 filer som kladde' })).toBeVisible()
  await expect(otherPage.locator('[data-act=choose]')).toBeFocused()

  // The session is over: the pile waits until its person is back.
  await otherPage.context().clearCookies({ name: 'session' })
  await otherPage.goto('/upload')
  await signIn(otherPage, email, password)
  await openHydrated(otherPage, '/upload')
  await goOn(otherPage).click()
  await expect(missing).toBeVisible()
  await dropFiles(otherPage, [`Diverse (${number}) b.pdf`])
  await expect(missing).toHaveCount(0)
  await expect(sent(otherPage)).toHaveCount(3)
  await expect.poll(() => readUnsaved(otherPage)).not.toContain('"hash_name":null')

  // The first page continues as well. The last to save is told that the files are gone.
  await goOn(page).click()
  await expect(sent(page)).toHaveCount(3)
  await otherPage.getByRole('button', { name: 'Gem 3 filer som kladde' }).click()
  await otherPage.waitForURL(/\/upload\/result\//)
  await expect(otherPage.getByText('3 filer er gemt')).toBeVisible()
  await openHydrated(otherPage, '/upload')
  await expect(offer(otherPage)).toHaveCount(0)
  await page.getByRole('button', { name: 'Gem 3 filer som kladde' }).click()
  await expect(page.getByText(/^Filen er ikke længere på serveren/)).toHaveCount(3)
})

test('one goes on with what was left out of a saved pile @long', async ({ page }) => {
  const { number } = await makeInOffice({})
  const { email, password } = await makePersonInOffice({ role: 'employee' })
  await signIn(page, email, password)
  await openHydrated(page, '/upload')
  await dropFiles(page, [`Diverse (${number}) a.pdf`, 'Scan 0001.pdf'])
  await whenStored(page, 'Scan 0001.pdf')
  await expect.poll(() => readUnsaved(page)).not.toContain('"hash_name":null')
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await page.getByRole('link', { name: 'Gå videre med 1 fil' }).click()
  await expect(page).toHaveURL('/upload')
  await expect(group(page, /^Ignorerede filer/).getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Vælg plads til Scan 0001.pdf' })).toBeVisible()
  await expect(offer(page)).toHaveCount(0)
})

test('an unwanted pile is discarded after a second question @long', async ({ page }) => {
  const { number } = await makeInOffice({})
  const { email, password } = await makePersonInOffice({ role: 'employee' })
  page.on('dialog', (dialog) => void dialog.accept())
  await signIn(page, email, password)
  await openHydrated(page, '/upload')
  await dropFiles(page, [`Diverse (${number}) a.pdf`])
  await whenStored(page, '"hash_name":"')
  await page.reload()
  await page.locator('html[data-hydrated]').waitFor()
  await page.getByRole('button', { name: 'Kasser…' }).press('Enter')
  const stay = page.getByRole('button', { name: 'Behold bunken' })
  await expect(stay).toBeFocused()
  await stay.press('Enter')
  await expect(goOn(page)).toBeFocused()
  await page.getByRole('button', { name: 'Kasser…' }).click()
  await page.getByRole('button', { name: 'Kasser 1 fil' }).click()
  await expect(stay).toHaveCount(0)
  await expect(offer(page)).toHaveCount(0)
  await openHydrated(page, '/upload')
  await expect(offer(page)).toHaveCount(0)
})
