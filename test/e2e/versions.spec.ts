import type { Page } from '@playwright/test'
import { PASSWORD } from '../values.ts'
import { dropFiles } from './drop.ts'
import { makeInOffice } from './maker.ts'
import { enterAs, openHydrated, signIn } from './visitor.ts'
import { expect, test } from './shared-page.ts'

const group = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const chosen = (page: Page) => page.getByRole('button', { pressed: true })

async function replaceFromMenu(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole('button', { name: `Handlinger for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Erstat med ny version' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Erstat ${name}`)
  await page.locator('html[data-hydrated]').waitFor()
  await dropFiles(page, [{ name, text }])
  await expect(page.locator('[data-upload]').getByText('Klar', { exact: true })).toHaveCount(1)
  await page.getByRole('button', { name: 'Gem ny version' }).click()
  await expect(page.getByText(`Ny version af ${name} er gemt.`)).toBeVisible()
}

test('a file is replaced from its menu; an investor finds it marked as a new version, and its history lists both', async ({
  page,
  browser,
}) => {
  const email = `version-${Date.now()}@example.dk`
  const made = await makeInOffice({
    files: { Budget: ['Budget 2026.pdf'] },
    investor: { name: 'Vera Version', email },
  })
  const reader = await (await browser.newContext()).newPage()
  await signIn(reader, email, PASSWORD)
  await openHydrated(reader, `/projects/${made.id}/uploads`)
  // What is new stands above the folders as well.
  const inFolder = reader
    .getByRole('grid', { name: 'Budget' })
    .getByRole('link', { name: 'Budget 2026.pdf', exact: true })
  const opened = reader.context().waitForEvent('page')
  await inFolder.click()
  await (await opened).close()

  await enterAs(page, 'administrator')
  await openHydrated(page, `/projects/${made.id}/uploads`)
  await replaceFromMenu(page, 'Budget 2026.pdf', '%PDF-1.7 rettet')

  await openHydrated(reader, `/projects/${made.id}/uploads`)
  await expect(row(reader, 'Budget 2026.pdf')).toContainText('Ny version')
  const again = reader.context().waitForEvent('page')
  await inFolder.click()
  await (await again).close()
  await openHydrated(reader, `/projects/${made.id}/uploads`)
  await expect(row(reader, 'Budget 2026.pdf')).not.toContainText('Ny version')
  await reader.context().close()

  await page.getByRole('button', { name: 'Handlinger for Budget 2026.pdf' }).click()
  await page.getByRole('menuitem', { name: 'Historik' }).click()
  await page.locator('html[data-hydrated]').waitFor()
  const versions = group(page, 'Versioner').getByRole('listitem')
  await expect(versions).toHaveCount(2)
  await expect(versions.first()).toContainText('Version 2')
  await versions.last().getByRole('button', { name: 'Gør til den nyeste' }).click()
  await expect(versions.first()).toContainText('Version 3')
  await versions.last().getByRole('button', { name: 'Slet version 2 for altid' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Slet for altid' }).click()
  await expect(versions).toHaveCount(1)
})

test('a pile with existing names asks what to do with each, or with all @long', async ({ page }) => {
  const made = await makeInOffice({ files: { Budget: ['A.pdf', 'B.pdf', 'C.pdf', 'D.pdf'] } })
  await enterAs(page, 'medarbejder')
  await openHydrated(page, `/projects/${made.id}/uploads/folder/${made.folders.Budget}`)
  await dropFiles(page, [
    { name: 'A.pdf', text: '%PDF-1.7 ny A' },
    { name: 'B.pdf', text: '%PDF-1.7 ny B' },
    { name: 'C.pdf', text: '%PDF-1.7 ny C' },
    { name: 'D.pdf', text: '%PDF-1.7 D.pdf' },
  ])
  await expect(page.getByText('Vælg, hvad der skal ske.').first()).toBeVisible()
  await page.getByRole('button', { name: 'Gem 3 filer' }).click()
  await expect(page.getByText('Vælg først, hvad der skal ske med de 3 filer')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ny version, A.pdf' })).toBeFocused()

  await page.getByRole('button', { name: 'Ny version for alle' }).click()
  await expect(chosen(page)).toHaveText(['Ny version', 'Ny version', 'Ny version', 'Spring over'])
  await page.getByRole('button', { name: 'Behold begge, B.pdf' }).click()
  await page.getByRole('button', { name: 'Spring over, C.pdf' }).click()
  await page.getByRole('button', { name: 'Gem 2 filer' }).click()
  await expect(group(page, '2 filer blev ikke gemt').getByRole('listitem')).toHaveCount(2)

  await openHydrated(page, `/projects/${made.id}/uploads`)
  await expect(
    group(page, /^Budget$/)
      .getByRole('rowheader')
      .getByRole('link'),
  ).toHaveText(['B.pdf', 'A.pdf', 'B.pdf', 'C.pdf', 'D.pdf'])
})
