import type { Page } from '@playwright/test'
import { makeInOffice } from './maker.ts'
import { expect, test } from './shared-page.ts'
import { enterAs, openHydrated } from './visitor.ts'

const row = (page: Page, name: string) => page.locator('tr[data-file]').filter({ hasText: name })
const said = (page: Page, text: string) => page.getByRole('region', { name: 'Beskeder' }).getByText(text)

test('the office corrects a file’s period, takes it back, and goes back to what the name says', async ({
  page,
}) => {
  const name = 'Budget 2024.pdf'
  const { id } = await makeInOffice({ files: { Budget: [name] } })
  await enterAs(page, 'medarbejder')
  await openHydrated(page, `/projects/${id}/uploads`)
  const openMenu = async () => {
    await row(page, name).hover()
    await page.getByRole('button', { name: `Handlinger for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Ret periode' }).click()
  }
  await openMenu()
  const dialog = page.getByRole('dialog', { name: `Ret periode for ${name}` })
  await expect(dialog.getByLabel('Periode')).toHaveValue('2024')
  await expect(dialog.getByRole('button', { name: 'Som i navnet' })).toHaveCount(0)
  await dialog.getByLabel('Periode').fill('snart')
  await dialog.getByRole('button', { name: 'Gem' }).click()
  await expect(dialog.getByText('Skriv en periode som 2025, 2024/25 eller Q3 2026.')).toBeVisible()
  await dialog.getByLabel('Periode').fill('Q3 2026')
  await page.keyboard.press('Enter')
  await expect(row(page, name).getByText('Periode: 3. kvartal 2026')).toBeVisible()
  await page.getByRole('button', { name: `Fortryd rettelse af perioden for ${name}` }).click()
  await expect(row(page, name).getByText('Periode:')).toHaveCount(0)

  // The panel says it too, and can correct it.
  await page.getByRole('button', { name: `Vis ${name}` }).click()
  const panel = page.locator('.look')
  await expect(async () => {
    // A panel that is rendered again at this moment loses the press.
    await panel.getByRole('button', { name: 'Ret periode' }).click()
    await expect(dialog).toBeVisible({ timeout: 2000 })
  }).toPass()
  await dialog.getByLabel('Periode').fill('')
  await dialog.getByRole('button', { name: 'Gem' }).click()
  await expect(panel.getByText('Ingen (rettet)')).toBeVisible()
  await panel.getByRole('button', { name: 'Ret periode' }).click()
  await dialog.getByRole('button', { name: 'Som i navnet' }).click()
  await expect(said(page, `${name} hører til 2024.`)).toBeVisible()
  await expect(panel.getByText('(rettet)')).toHaveCount(0)
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled })
    const open = (page: Page, address: string) =>
      javaScriptEnabled ? openHydrated(page, address) : page.goto(address)

    test('an administrator says what a folder expects, and when a project’s years end @long', async ({
      page,
    }) => {
      const { id, folders } = await makeInOffice({})
      await enterAs(page, 'administrator')
      await open(page, `/projects/${id}/folders?edit=${folders.Diverse}`)
      const folder = page.locator(`#folder-${folders.Diverse}`)
      await expect(folder.getByLabel('Fra og med')).toBeHidden()
      await folder.getByLabel('Forventes').selectOption('Hvert halvår')
      await folder.getByLabel('Fra og med').fill('1. halvår 2024')
      await folder.getByLabel('Senest, måneder efter periodens udløb').fill('99')
      await folder.getByRole('button', { name: 'Gem mappe' }).click()
      await expect(folder.getByText('Skriv et antal måneder fra 0 til 60.')).toBeVisible()
      await folder.getByLabel('Senest, måneder efter periodens udløb').fill('3')
      await folder.getByRole('button', { name: 'Gem mappe' }).click()
      await expect(folder.getByText('Forventes hvert halvår fra 1. halvår 2024')).toBeVisible()

      await open(page, `/projects/${id}/edit`)
      await page.getByLabel('Regnskabsår slutter').selectOption('juni')
      await page.getByRole('textbox', { name: 'Overtaget' }).fill('15/03/2022')
      await page.getByText('Omlagt regnskabsår').click()
      await page.getByRole('textbox', { name: 'Fra og med den' }).fill('01/07/2025')
      await page.getByLabel('Slutter i').selectOption('december')
      await page.getByRole('button', { name: 'Gem' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Projekter')
      await open(page, `/projects/${id}/edit`)
      await expect(page.getByLabel('Regnskabsår slutter')).toHaveValue('6')
      await expect(page.getByRole('textbox', { name: 'Overtaget' })).toHaveValue('15/03/2022')
      await expect(page.getByRole('textbox', { name: 'Fra og med den' }).first()).toHaveValue('01/07/2025')
      await expect(page.getByLabel('Slutter i').first()).toHaveValue('12')
    })
  })
}
