import { readFile } from 'node:fs/promises'
import type { Download, Page } from '@playwright/test'
import { urls } from '../../src/urls.ts'
import { PASSWORD } from '../values.ts'
import { readZip } from '../formats/zip-reader.ts'
import { makeInOffice } from './maker.ts'
import { expect, test } from './shared-page.ts'
import { enterAs, openHydrated, signIn, whenTakenOver } from './visitor.ts'

const FILES = { Budget: ['Budget 2024.pdf', 'Budget 2023.pdf'], Diverse: ['Brev æøå: svar?.pdf'] }

/** Starts a download, and returns the archive's name and the names in it. */
async function archiveOf(page: Page, act: () => Promise<void>): Promise<{ name: string; files: string[] }> {
  const [download]: [Download, void] = await Promise.all([page.waitForEvent('download'), act()])
  const bytes = await readFile(await download.path())
  return { name: download.suggestedFilename(), files: readZip(bytes).map(({ name }) => name) }
}

const chooseOf = async (page: Page, menu: string, item: string) => {
  await page.getByRole('button', { name: menu }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('a project, a year of it and a folder of it download as one ZIP file', async ({ page }) => {
  await enterAs(page, 'medarbejder')
  const { id, number } = await makeInOffice({ files: FILES })
  await openHydrated(page, urls.files(id))
  await whenTakenOver(page.getByRole('button', { name: 'Flere handlinger' })) // it closes itself from now on
  expect(await archiveOf(page, () => chooseOf(page, 'Flere handlinger', 'Hent alle filer som ZIP'))).toEqual({
    name: `K_S Prøve ${number}.zip`,
    files: ['Budget/Budget 2024.pdf', 'Budget/Budget 2023.pdf', 'Diverse/Brev æøå_ svar_.pdf'],
  })
  expect(await archiveOf(page, () => chooseOf(page, 'Flere handlinger', 'Årspakke 2023'))).toEqual({
    name: `Årspakke 2023 - ${number} K-S Prøve.zip`,
    files: ['Indhold.html', 'Budget/Budget 2023.pdf'],
  })
  expect(await archiveOf(page, () => chooseOf(page, 'Handlinger for mappen Budget', 'Hent som ZIP'))).toEqual(
    {
      name: `K_S Prøve ${number} Budget.zip`,
      files: ['Budget 2024.pdf', 'Budget 2023.pdf'],
    },
  )
  await page.getByRole('button', { name: 'Handlinger for mappen Årsrapport' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Hvem kan se den?']) // it has no files
})

test('an investor downloads what is shared with them, which is then no longer new @long', async ({
  page,
}) => {
  const email = `zip${Math.floor(Math.random() * 1e9)}@ringbind.example`
  const { id, number } = await makeInOffice({ files: FILES, investor: { name: 'Bente Zip', email } })
  await signIn(page, email, PASSWORD)
  await openHydrated(page, urls.files(id))
  await expect(page.getByRole('button', { name: 'Marker alle som læst' })).toBeVisible()
  expect(await archiveOf(page, () => chooseOf(page, 'Hent som ZIP', 'Alle filer'))).toEqual({
    name: `K_S Prøve ${number}.zip`,
    files: ['Budget/Budget 2024.pdf', 'Budget/Budget 2023.pdf'],
  })
  await page.reload()
  await expect(page.getByRole('region', { name: 'Budget', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Marker alle som læst' })).toHaveCount(0)
})

test('without JavaScript the ZIP menu works too @long', async ({ plainPage }) => {
  await enterAs(plainPage, 'medarbejder')
  const { id } = await makeInOffice({ files: { Budget: ['Budget 2024.pdf'] } })
  await plainPage.goto(urls.files(id))
  const { files } = await archiveOf(plainPage, () => chooseOf(plainPage, 'Flere handlinger', 'Årspakke 2024'))
  expect(files).toEqual(['Indhold.html', 'Budget/Budget 2024.pdf'])
})
