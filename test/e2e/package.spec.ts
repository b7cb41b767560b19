import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Download, Page } from '@playwright/test'
import { urls } from '../../src/urls.ts'
import { PASSWORD } from '../values.ts'
import { readZip } from '../formats/zip-reader.ts'
import { checkAxe } from './axe.ts'
import { makeInOffice } from './maker.ts'
import { expect, test } from './shared-page.ts'
import { openHydrated, signIn } from './visitor.ts'

const YEAR = new Date().getFullYear()
const FILES = {
  Årsrapport: [`Årsrapport ${YEAR} 50 % æøå.txt`],
  Budget: [`Budget ${YEAR}.txt`, 'Budget 2019.txt'],
  Diverse: [`Notat ${YEAR}.txt`],
}
const bytes = { [`Årsrapport ${YEAR} 50 % æøå.txt`]: Buffer.from('Regnskabet balancerer').toString('base64') }

const newEmail = () => `pakke${Math.floor(Math.random() * 1e9)}@ringbind.example`

/** Downloads a package, unpacks it and returns where. */
async function unpacked(page: Page, act: () => Promise<void>): Promise<{ name: string; at: string }> {
  const [download]: [Download, void] = await Promise.all([page.waitForEvent('download'), act()])
  const at = test.info().outputPath('pakke')
  for (const { name, bytes: content } of readZip(await readFile(await download.path()))) {
    await mkdir(dirname(join(at, name)), { recursive: true })
    await writeFile(join(at, name), content)
  }
  return { name: download.suggestedFilename(), at }
}

test('an investor downloads their year, and reads and prints its table of contents @long', async ({
  page,
}) => {
  const email = newEmail()
  const { number } = await makeInOffice({ files: FILES, bytes, investor: { name: 'Bo Holm', email } })
  await signIn(page, email, PASSWORD)
  await page.getByRole('link', { name: 'Alle papirer' }).click()
  await expect(page.getByRole('link', { name: /^Hent 2019 som ZIP/ })).toBeVisible()
  const { name, at } = await unpacked(page, () =>
    page.getByRole('link', { name: new RegExp(`^Hent ${YEAR} som ZIP · \\d+ Bytes$`) }).click(),
  )
  expect(name).toBe(`Årspakke ${YEAR} - Bo Holm.zip`)

  await page.goto(pathToFileURL(join(at, 'Indhold.html')).href)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Årspakke ${YEAR}`)
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(`${number} K/S Prøve`)
  await expect(page.getByText('Notat')).toHaveCount(0)
  await checkAxe(page)
  await page.setViewportSize({ width: 375, height: 700 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
  await page.emulateMedia({ colorScheme: 'dark' })
  await checkAxe(page)
  await page.emulateMedia({ media: 'print', colorScheme: 'light' })
  await expect(page.getByText('Pak ZIP-filen ud')).toBeHidden()
  await page.emulateMedia({ media: null, colorScheme: null })
  await page.getByRole('link', { name: `Årsrapport ${YEAR} 50 % æøå.txt` }).click()
  await expect(page.getByText('Regnskabet balancerer')).toBeVisible()
})

test('an auditor downloads a project’s year, without JavaScript too @long', async ({ page, plainPage }) => {
  const { id, number } = await makeInOffice({ files: FILES, hasAuditor: true })
  for (const each of [page, plainPage]) {
    await signIn(each, `${number}@revisor.example`, PASSWORD)
    if (each === page) await openHydrated(each, urls.files(id))
    else await each.goto(urls.files(id))
    await each.getByRole('button', { name: 'Hent som ZIP' }).click()
    const offer = each.getByRole('menuitem', { name: `Årspakke ${YEAR} · 3 filer` })
    const { name, at } = await unpacked(each, () => offer.click())
    expect(name).toBe(`Årspakke ${YEAR} - ${number} K-S Prøve.zip`)
    expect(await readFile(join(at, 'Indhold.html'), 'utf8')).toContain(`Notat ${YEAR}.txt</a>`)
    await readFile(join(at, 'Diverse', `Notat ${YEAR}.txt`))
  }
})
