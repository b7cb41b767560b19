import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { urls } from '../../src/urls.ts'
import { PASSWORD } from '../values.ts'
import { readZip } from '../formats/zip-reader.ts'
import { expectInOffice, makeInOffice } from './maker.ts'
import { expect, test } from './shared-page.ts'
import { enterAs, openHydrated, signIn } from './visitor.ts'

const YEAR = new Date().getFullYear()

const openOverview = (page: Page, number: string) =>
  openHydrated(page, `${urls.year}?year=${YEAR}&q=${number}`)

test('a year: a paper is awaited, due, uploaded and in its place; its filing is told by a person, and its investor downloads the year', async ({
  page,
  otherPage: investor,
}) => {
  const owner = { name: 'Åse Årshjul', email: `aar${Date.now()}@investor.example` }
  const made = await makeInOffice({ name: 'K/S Årshjul', investor: owner })
  await expectInOffice(made.id, ['Årsrapport'])
  const cell = page.locator(`#paper-${made.folders.Årsrapport}-${YEAR}`)

  await enterAs(page, 'medarbejder')
  await openOverview(page, made.number)
  await expect(cell).toHaveText(/Kommer/)
  await signIn(investor, owner.email, PASSWORD)
  const title = `Årsrapport ${YEAR} · Årshjul`
  const awaited = investor.getByRole('group').filter({ hasText: 'Ikke kommet (' })
  await openHydrated(investor, `${urls.papersPage}?year=${YEAR}`)
  await awaited.locator('summary').click()
  await expect(awaited).toContainText(title)

  // The law's own duty comes by itself, a moment after the project.
  const duty = page.getByRole('listitem').filter({ hasText: `Årsrapport indsendt ${YEAR}` })
  const open = `${urls.yearList}?q=${made.number}`
  await expect(async () => {
    await openHydrated(page, open)
    await expect(duty).toContainText(`30/06/${YEAR + 1}`, { timeout: 1000 })
  }).toPass({ timeout: 120_000 })

  await openOverview(page, made.number)
  await cell.getByRole('link', { name: 'Kommer' }).click()
  await expect(page.getByText(`Årsrapport (${made.number}) ${YEAR}`)).toBeVisible()
  await page.locator('html[data-hydrated]').waitFor()
  await page.locator('input[type=file]').setInputFiles([
    {
      name: `Årsrapport (${made.number}) ${YEAR}.pdf`,
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.7 aarsrapport'),
    },
  ])
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('K/S Årshjul')

  await openOverview(page, made.number)
  await expect(cell.getByRole('link', { name: 'På plads' })).toBeVisible()
  // A paper in a folder is no filing.
  await openHydrated(page, open)
  await duty.getByText(/^Handlinger/).click()
  await duty.getByRole('button', { name: 'Marker som udført' }).click()
  await expect(duty).toHaveCount(0)
  await openHydrated(page, `${open}&state=done`)
  await expect(duty).toContainText('Af Mads Thorup')

  await openHydrated(investor, urls.papersPage)
  await expect(investor.getByRole('link', { name: title })).toBeVisible()
  await expect(awaited.filter({ hasText: title })).toHaveCount(0)
  const [download] = await Promise.all([
    investor.waitForEvent('download'),
    investor.getByRole('link', { name: `Hent ${YEAR} som ZIP` }).click(),
  ])
  const names = readZip(await readFile(await download.path())).map(({ name }) => name)
  expect(names).toEqual([
    'Indhold.html',
    `${made.number} K-S Årshjul/Årsrapport/Årsrapport (${made.number}) ${YEAR}.pdf`,
  ])
})
