import { urls } from '../../src/urls.ts'
import { PASSWORD } from '../values.ts'
import { dropFiles } from './drop.ts'
import { makeInOffice } from './maker.ts'
import { expect, test } from './shared-page.ts'
import { enterAs, openHydrated, signIn } from './visitor.ts'

const OFFLINE = 'Der er ingen forbindelse til Ringbind.'

test('a pile that goes offline continues by itself when it is back, and is saved once', async ({
  page,
  context,
}) => {
  const { number, id } = await makeInOffice({})
  await enterAs(page, 'administrator')
  await openHydrated(page, '/upload')
  await context.setOffline(true)
  const names = [`Budget (${number}) 2024.pdf`, `Budget (${number}) 2025.pdf`]
  await dropFiles(page, names)
  await expect(page.getByText('Ringbind fandt ikke ud af, hvor filerne hører til.')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('2 filer er klar til at blive gemt.')).toBeAttached()

  await context.setOffline(true)
  await dropFiles(page, [`Budget (${number}) 2026.pdf`])
  await expect(page.getByText('Venter på nettet').last()).toBeVisible()
  await page.getByRole('button', { name: 'Gem 3 filer' }).click()
  await context.setOffline(false)
  await page.waitForURL((url) => url.pathname !== '/upload')
  await page.goto(`/projects/${id}/uploads`)
  for (const name of [...names, `Budget (${number}) 2026.pdf`])
    await expect(page.getByRole('link', { name, exact: true })).toHaveCount(1)
})

test('marking all as read while offline says so at its place, and works when online @long', async ({
  page,
  context,
}) => {
  const investor = { name: 'Bente Net', email: `net${Date.now()}@ringbind.example` }
  await makeInOffice({ files: { Budget: ['Budget 2024.pdf'] }, investor })
  await signIn(page, investor.email, PASSWORD)
  await page.locator('html[data-hydrated]').waitFor()
  await context.setOffline(true)
  const button = page.getByRole('button', { name: 'Marker alle som læst' })
  await button.click()
  await expect(page.getByText(OFFLINE).filter({ visible: true })).toBeVisible()
  // A form that the browser sends itself: *Log ud* in the menu is one.
  await page.evaluate((action) => {
    const form = document.createElement('form')
    form.method = 'post'
    form.action = action
    document.body.append(form)
    form.requestSubmit()
  }, urls.logout)
  await expect(page.getByText(OFFLINE).filter({ visible: true })).toHaveCount(2)
  await context.setOffline(false)
  await button.click()
  await expect(page.getByText('Alt er markeret som læst.')).toBeVisible()
})
