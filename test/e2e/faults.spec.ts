import { readFileSync } from 'node:fs'
import { SERVER_LOG } from './facts.ts'
import { enterAs, openHydrated } from './visitor.ts'
import { expect, test } from './shared-page.ts'

const logged = () => readFileSync(SERVER_LOG, 'utf8')

test('a page that breaks says so within the menu, leads on, and is logged without personal data', async ({
  page,
}) => {
  await enterAs(page, 'administrator')
  await openHydrated(page, '/gallery?q=hemmelig')
  await page.getByRole('button', { name: 'Glem et løfte' }).click({ clickCount: 2 })
  await expect.poll(logged).toContain('Error: The gallery lost a promise.')
  await page.getByRole('button', { name: 'Ødelæg siden' }).click()

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Noget gik galt')
  await expect(page.getByRole('alert')).toContainText('Fejlen er vores')
  await expect(page.getByRole('navigation', { name: 'Menu' })).toBeVisible()
  await expect.poll(logged).toContain('Error: The gallery broke for …@…')
  const lines = logged()
    .split('\n')
    .filter((line) => line.includes('"page":"/gallery"'))
    .map((line) => JSON.parse(line) as { msg: string; level: number; fault: Record<string, string> })
  expect(lines).toHaveLength(2)
  for (const { level, msg, fault } of lines) {
    expect([level, msg]).toEqual([50, 'a page broke in the browser'])
    expect(fault.build).toMatch(/^index-[\w-]+\.js$/)
    expect(fault.stack).toMatch(/\(\/assets\/[\w-]+\.js:\d+:\d+\)/)
  }
  expect(logged()).not.toMatch(/prøve@|hemmelig/)

  await page.getByRole('button', { name: 'Prøv igen' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Galleri')
  await page.locator('html[data-hydrated]').waitFor()
  await page.getByRole('button', { name: 'Ødelæg siden' }).click()
  await page.getByRole('link', { name: 'Til forsiden' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Hej /)
})

test('a part that is gone after an upgrade is reported over the page, which keeps what was typed @long', async ({
  page,
}) => {
  await page.route('**/assets/calendar-*.js', (route) => route.fulfill({ status: 404 }))
  await openHydrated(page, '/gallery')
  await page.getByLabel('Bemærkning').fill('Ikke gemt endnu')
  await page.getByRole('button', { name: 'Vælg betalingsdag' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ringbind er blevet opdateret' })
  await expect(dialog).toContainText('Genindlæs siden.')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByLabel('Bemærkning')).toHaveValue('Ikke gemt endnu')
  await expect(page.getByLabel('Betalingsdag', { exact: true })).toHaveValue('15/11/2026')
  // Not with the pointer: the page may scroll back under it, which it does a moment after a modal has closed.
  await page.getByRole('button', { name: 'Vælg betalingsdag' }).press('Enter')
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Genindlæs siden' }).click()
  await expect(page.getByLabel('Bemærkning')).toHaveValue('')
})
