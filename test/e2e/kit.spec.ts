import { expect, test, type Page } from '@playwright/test'
import { openHydrated } from './visitor.ts'

/** Time goes on only when the test says so, however slow the computer is. */
async function openWithStoppedClock(page: Page): Promise<void> {
  await page.clock.install({ time: new Date('2026-01-01T12:00:00Z') })
  await openHydrated(page, '/gallery')
  await page.clock.pauseAt(new Date('2026-01-01T13:00:00Z'))
}

test('S4.12 and S7.5 a button says for a while that its form was saved', async ({ page }) => {
  await openWithStoppedClock(page)
  const form = page.locator('form', { has: page.getByLabel('Navn') })
  await form.getByLabel('Navn').fill('Østergade 12')
  const button = form.getByRole('button')
  const width = (await button.boundingBox())!.width
  await button.click()
  await expect(button).toHaveText(/Gemt$/)
  await expect(button).toHaveAccessibleName(/Gemt/)
  expect((await button.boundingBox())!.width).toBe(width)
  await page.clock.runFor(1900)
  await expect(button).toHaveText(/Gemt$/)
  await page.clock.runFor(200)
  await expect(button).not.toHaveText(/Gemt$/)
  await expect(form.getByLabel('Navn')).toHaveValue('Østergade 12')
})

test('S7.5 and S8.2 a refused form records its faults and ends its loading', async ({ page }) => {
  await openHydrated(page, '/gallery')
  const form = page.locator('form', { has: page.getByLabel('Navn') })
  await form.getByRole('button').click()
  await expect(form.getByText('Navn skal udfyldes.')).toBeVisible()
  await expect(form.getByRole('button')).not.toHaveAttribute('aria-busy')
  await expect(form.getByRole('button')).not.toHaveText(/Gemt$/)
  await form.getByLabel('Bemærkning').pressSequentially('x')
  await expect(form.getByText('Navn skal udfyldes.')).toBeVisible()
  await form.getByLabel('Navn').pressSequentially('x')
  await expect(form.getByText('Navn skal udfyldes.')).toBeHidden()
})

test('S4.12 a refusal right after a success does not say that it was saved', async ({ page }) => {
  await openWithStoppedClock(page)
  const form = page.locator('form', { has: page.getByLabel('Navn') })
  await form.getByLabel('Navn').fill('x')
  await form.getByRole('button').click()
  await expect(form.getByRole('status')).toHaveText('Gemt')
  await form.getByLabel('Navn').fill('')
  await form.getByRole('button').click()
  await expect(form.getByText('Navn skal udfyldes.')).toBeVisible()
  await expect(form.getByRole('button')).not.toHaveText(/Gemt$/)
  await expect(form.getByRole('status')).toHaveText('')
})

test('S8.2 a fault that no field can show is said above them, and so is an answer that is none of ours', async ({
  page,
}) => {
  await openHydrated(page, '/gallery')
  const form = page.locator('form', { has: page.getByLabel('Navn') })
  const answer = (status: number, body: string) =>
    page.route('**/gallery', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status, body }) : route.continue(),
    )
  await answer(
    422,
    JSON.stringify({ message: 'Projektet er låst.', errors: { project: ['Projektet er låst.'] } }),
  )
  await form.getByRole('button').click()
  await expect(form.getByRole('alert')).toHaveText('Projektet er låst.')
  await page.unrouteAll()
  await answer(200, '<html>En mellemmand svarede</html>')
  await form.getByRole('button').click()
  await expect(form.getByRole('alert')).toHaveText('Noget gik galt. Prøv igen om lidt.')
})

test('S9.4 a toast lasts 5 seconds, and waits while somebody is at it', async ({ page }) => {
  await openWithStoppedClock(page)
  const toast = page.getByText('Filen er flyttet.')
  await page.getByRole('button', { name: 'Vis besked' }).click()
  await page.clock.runFor(4900)
  await expect(toast).toBeVisible()
  await page.clock.runFor(200)
  await expect(toast).toBeHidden()

  await page.getByRole('button', { name: 'Vis besked' }).click()
  await page.clock.runFor(3000)
  await toast.hover()
  await page.clock.runFor(20_000)
  await expect(toast).toBeVisible()
  await page.mouse.move(0, 0)
  await page.clock.runFor(1900)
  await expect(toast).toBeVisible()
  await page.clock.runFor(200)
  await expect(toast).toBeHidden()
})

test('at most three toasts are shown, are read aloud, and can be closed or acted on', async ({ page }) => {
  await openWithStoppedClock(page)
  const region = page.getByRole('region', { name: 'Beskeder' })
  await expect(region).toHaveAttribute('aria-live', 'polite')
  for (const name of ['Vis fejl', 'Vis besked', 'Vis besked', 'Vis med fortryd']) {
    await page.getByRole('button', { name }).click()
  }
  await expect(region.getByRole('button', { name: 'Luk besked' })).toHaveCount(3)
  await expect(region.getByText('Filen kunne ikke hentes.')).toBeHidden()
  await region.getByRole('button', { name: 'Fortryd' }).click()
  await expect(region.getByText('Filen er tilbage.')).toBeVisible()
  await region.getByRole('button', { name: 'Luk besked' }).first().click()
  await expect(region.getByRole('button', { name: 'Luk besked' })).toHaveCount(2)
})

test('breadcrumbs lead back, and name the page itself', async ({ page }) => {
  await page.goto('/gallery')
  const crumbs = page.getByRole('navigation', { name: 'Brødkrummesti' })
  await expect(crumbs.getByRole('listitem')).toHaveText(['Forside', 'Projekter', 'K/S Nordhavn Kontorhus'])
  await expect(crumbs.getByRole('link', { name: 'Forside' })).toHaveAttribute('href', '/')
  await expect(crumbs.locator('[aria-current="page"]')).toHaveText('K/S Nordhavn Kontorhus')
})
