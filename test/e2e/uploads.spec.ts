import { expect, test, type Page } from '@playwright/test'
import { makeInOffice } from './maker.ts'
import { enterAs, openHydrated } from './visitor.ts'

const pdf = (name: string) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from(`%PDF-1.7 ${name}`) })

async function openForm(page: Page): Promise<number> {
  const made = await makeInOffice({ files: { Budget: ['Findes.pdf'] } })
  await enterAs(page, 'medarbejder')
  await openHydrated(page, `/projects/${made.id}/uploads`)
  await page
    .getByRole('region', { name: 'Budget', exact: true })
    .getByRole('link', { name: 'Upload' })
    .click()
  await page.locator('html[data-hydrated]').waitFor()
  return made.id
}

/** Drops files as the browser does it. */
async function drop(page: Page, names: string[]): Promise<void> {
  const transfer = await page.evaluateHandle((all) => {
    const made = new DataTransfer()
    for (const name of all) made.items.add(new File([`%PDF-1.7 ${name}`], name, { type: 'application/pdf' }))
    return made
  }, names)
  const zone = page.getByText(/Træk filer her\.|Slip Filer her/)
  await zone.dispatchEvent('dragenter', { dataTransfer: transfer })
  await expect(page.getByText('Slip Filer her')).toBeVisible()
  await zone.dispatchEvent('drop', { dataTransfer: transfer })
}

test('S2.1 the file list leads to the form for one folder, where what is dropped is sent, saved and shown', async ({
  page,
}) => {
  await openForm(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Upload til Budget')
  await drop(page, ['Brev 2024.pdf', '.DS_Store', 'Ærø #1 100%.pdf'])
  const list = page.getByRole('region', { name: 'Filer til upload' })
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await expect(list.getByLabel('Sendt')).toHaveCount(2)
  await page.getByRole('button', { name: 'Gem 2 filer' }).click()
  await expect(page.getByText('2 filer er gemt i Budget.')).toBeVisible()
  const budget = page.getByRole('region', { name: 'Budget', exact: true })
  expect(await budget.getByRole('rowheader').getByRole('link').allInnerTexts()).toEqual([
    'Findes.pdf',
    'Brev 2024.pdf',
    'Ærø #1 100%.pdf',
  ])
})

test('S4.8 a file is removed before it is saved, and one that cannot be sent says why', async ({ page }) => {
  await openForm(page)
  await page
    .locator('input[type=file]')
    .setInputFiles([pdf('a.pdf'), pdf('b.pdf'), { ...pdf('tom.pdf'), buffer: Buffer.from('') }])
  await expect(page.getByText('Filen er tom.')).toBeVisible()
  await page.getByRole('button', { name: 'Fjern a.pdf' }).click()
  await page.getByRole('button', { name: 'Fjern tom.pdf' }).click()
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await expect(page.getByText('1 fil er gemt i Budget.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'b.pdf', exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'a.pdf', exact: true })).toHaveCount(0)
})

test('a connection that breaks is tried again, and a press while files are on their way waits for them', async ({
  page,
}) => {
  await openForm(page)
  let calls = 0
  await page.route('**/api/temp/upload', (route) => (++calls === 1 ? route.abort() : route.continue()))
  await page.locator('input[type=file]').setInputFiles([pdf('a.pdf')])
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await expect(page.getByText('1 fil er gemt i Budget.')).toBeVisible()
  expect(calls).toBe(2)
})

test('a lost answer and one more file: both are saved, each once', async ({ page }) => {
  await openForm(page)
  await page.locator('input[type=file]').setInputFiles([pdf('a.pdf')])
  await expect(page.getByLabel('Sendt')).toHaveCount(1)
  let answers = 0
  await page.route(/\/uploads\/folder\/\d+$/, async (route) => {
    if (route.request().method() !== 'POST' || ++answers > 1) return route.continue()
    await route.fetch() // it gets there, and its answer does not come back
    return route.abort()
  })
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await expect(page.getByText(/forbindelsen blev afbrudt/)).toBeVisible()
  await page.locator('input[type=file]').setInputFiles([pdf('b.pdf')])
  await expect(page.getByLabel('Sendt')).toHaveCount(2)
  await page.getByRole('button', { name: 'Gem 2 filer' }).click()
  await expect(page.getByText('a.pdf er ikke længere på serveren. Send filen igen.').first()).toBeVisible()
  await page.getByRole('button', { name: 'Fjern a.pdf' }).click()
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await expect(page.getByText('1 fil er gemt i Budget.')).toBeVisible()
  const budget = page.getByRole('region', { name: 'Budget', exact: true })
  await expect(budget.getByRole('rowheader').getByRole('link')).toHaveText(['Findes.pdf', 'a.pdf', 'b.pdf'])
})

test('S4.9 S9.4 the zone says what to do, and for half a second after a drag has left', async ({ page }) => {
  await openForm(page)
  const zone = page.getByText('Træk filer her.')
  await expect(zone).toBeVisible()
  await page.clock.install()
  const transfer = await page.evaluateHandle(() => {
    const made = new DataTransfer()
    made.items.add(new File(['x'], 'x.pdf'))
    return made
  })
  await zone.dispatchEvent('dragenter', { dataTransfer: transfer })
  await expect(page.getByText('Slip Filer her')).toBeVisible()
  await page.getByText('Slip Filer her').dispatchEvent('dragleave', { dataTransfer: transfer })
  await page.clock.runFor(450)
  await expect(page.getByText('Slip Filer her')).toBeVisible()
  await page.clock.runFor(100)
  await expect(zone).toBeVisible()
})
