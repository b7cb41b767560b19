import { sync } from 'node-ical'
import { expect, test } from './shared-page.ts'
import { receiptText } from '../files/receipts.ts'
import { newCvr } from '../values.ts'
import { makeInOffice, readInOffice } from './maker.ts'
import { enterAs, openHydrated, signIn } from './visitor.ts'

const THIS_YEAR = new Date().getFullYear()

test('an obligation of the office gives a duty, which a colleague does and reopens, and a paper ends', async ({
  page,
  otherPage: colleague,
}) => {
  const project = await makeInOffice({ name: 'K/S Fristprøve' })
  const title = `Brandsyn ${project.number}`

  await enterAs(page, 'administrator')
  await openHydrated(page, '/year/list')
  await expect(page.getByText('ikke juridisk rådgivning')).toBeVisible()
  await page.getByRole('link', { name: 'Regler' }).click()
  await expect(page.getByText('Årsregnskabsloven § 138, stk. 1').first()).toBeVisible()
  await page.getByRole('link', { name: 'Ny pligt' }).click()
  await page.locator('html[data-hydrated]').waitFor()
  await page.getByRole('button', { name: 'Tilføj pligt' }).click()
  await expect(page.getByText('Titlen skal udfyldes.')).toBeVisible()
  await page.getByLabel('Titel').fill(title)
  await page.getByLabel('Senest').selectOption('Et antal måneder efter periodens slutning')
  await page.getByLabel('Måneder').fill('3')
  await page.getByLabel('Gælder for').selectOption('Kun projekter, der er valgt')
  await expect(page.getByLabel('Undtagen projekter med en anden pligt')).toBeHidden()
  await page.getByLabel('Vælg et projekt').fill(project.number)
  await page.getByRole('option', { name: project.number }).click()
  await page.getByLabel('Mappe, hvis papir opfylder pligten').fill('Budget')
  await page.getByLabel('Ansvarlig').selectOption('Mads Thorup')
  await page.getByRole('button', { name: 'Tilføj pligt' }).click()
  await expect(page.getByRole('link', { name: title })).toBeVisible()

  await enterAs(colleague, 'medarbejder')
  const found = `/year/list?q=${project.number}`
  await openHydrated(colleague, found)
  const row = colleague.getByRole('listitem').filter({ hasText: `${title} ${THIS_YEAR}` })
  // The folder expects the same paper by a sooner day.
  await expect(row).toContainText(`31/12/${THIS_YEAR}`)
  await expect(row).toContainText('Mads Thorup')
  const acts = row.getByText(/^Handlinger/)
  await acts.focus()
  await colleague.keyboard.press('Enter')
  await row.getByLabel('Bemærkning').fill('Gennemgået med beredskabet')
  await row.getByRole('button', { name: 'Marker som udført' }).click()
  await expect(colleague.getByText('er markeret som udført')).toBeVisible()
  await expect(row).toHaveCount(0)

  await colleague.getByRole('link', { name: /^Udført/ }).click()
  await colleague.locator('html[data-hydrated]').waitFor()
  await expect(row).toContainText('Gennemgået med beredskabet')
  await row.getByText(/^Detaljer/).click()
  await row.getByRole('button', { name: 'Fortryd: ikke udført' }).click()
  await expect(row).toHaveCount(0)

  await openHydrated(colleague, `/projects/${project.id}/upload`)
  await colleague.locator('input[type=file]').setInputFiles([
    {
      name: `Budget (${project.number}) ${THIS_YEAR}.pdf`,
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.7 budget'),
    },
  ])
  await colleague.getByRole('button', { name: 'Gem 1 fil' }).click()
  await expect(colleague.getByRole('heading', { level: 1 })).toHaveText('Filen er gemt')
  await openHydrated(colleague, `/year/list?state=done&q=${project.number}`)
  await expect(row).toContainText('Papiret ligger i Budget')
})

test('a receipt that is dropped is proposed at its deadline, closes it with its paper, and opens with it again @long', async ({
  page,
}) => {
  const cvr = newCvr()
  const project = await makeInOffice({ name: 'K/S Kvittering', cvr })
  const name = `Årsrapport (${project.number}) ${THIS_YEAR}.pdf`
  const buffer = Buffer.from(`%PDF-1.7 kvittering ${Math.random()}`)
  const number = `${THIS_YEAR}-${project.number}`
  await readInOffice(buffer, [
    receiptText('lines', { cvr, number, day: `02.01.${THIS_YEAR}`, year: THIS_YEAR }),
  ])
  await enterAs(page, 'medarbejder')
  await openHydrated(page, `/projects/${project.id}/upload`)
  await page.locator('input[type=file]').setInputFiles([{ name, mimeType: 'application/pdf', buffer }])
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Filen er gemt')

  const row = page
    .getByRole('listitem')
    .filter({ hasText: `Årsrapport indsendt ${THIS_YEAR}` })
    .first()
  await expect(async () => {
    await openHydrated(page, `/year/list?q=${project.number}&rule=/receipt`)
    await expect(row).toContainText(`Kvittering fundet: ${number} · 02/01/${THIS_YEAR}`)
  }).toPass()
  await expect(row).toContainText('Sendt af Mads Thorup (medarbejder)')
  await row.getByRole('button', { name: 'Luk fristen' }).click()
  await expect(page.getByText('Fristen er lukket med kvitteringen.')).toBeVisible()
  await expect(row).toHaveCount(0)

  await openHydrated(page, `/year/list?q=${project.number}&state=done`)
  await expect(row).toContainText('Af Mads Thorup')
  await expect(row).toContainText(`Kvittering ${number}`)
  const opened = page.waitForEvent('popup')
  await row.getByRole('link', { name }).click()
  await (await opened).close()
  await row.getByText(/^Detaljer/).click()
  await row.getByRole('button', { name: 'Fortryd: ikke udført' }).click()
  await expect(row).toHaveCount(0)
  await openHydrated(page, `/year/list?q=${project.number}`)
  await expect(row).toContainText('Kvittering fundet')
})

test('a filter applies at once, and keeps the focus for the arrow keys @long', async ({ page }) => {
  await signIn(page, 'medarbejder')
  await openHydrated(page, '/year/list')
  await expect(page.getByRole('button', { name: 'Vis', exact: true })).toHaveCount(0)
  const who = page.getByLabel('Ansvarlig', { exact: true }).first()
  await who.focus()
  await who.selectOption({ label: 'Mig (Mads Thorup)' })
  await expect(page).toHaveURL(/person=\d+$/)
  await page.getByLabel('Projekt', { exact: true }).fill('1024')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/q=1024&person=\d+$/)
  await expect(page.getByLabel('Projekt', { exact: true })).toBeFocused()
  await who.selectOption('')
  await expect(page).toHaveURL(/\?q=1024$/)
  await page.goBack()
  await expect(page).toHaveURL(/q=1024&person=\d+$/)
  await expect(who.locator('option:checked')).toHaveText('Mig (Mads Thorup)')
})

test('the filters fold on a phone, and say how many are chosen @long', async ({ page }) => {
  await signIn(page, 'medarbejder')
  await page.setViewportSize({ width: 375, height: 800 })
  await openHydrated(page, '/year/list?q=1024')
  const project = page.getByLabel('Projekt', { exact: true })
  await expect(project).toBeHidden()
  await page.getByText('Filtre (1)', { exact: true }).click()
  await expect(project).toHaveValue('1024')
  await page.setViewportSize({ width: 1280, height: 800 })
  await openHydrated(page, '/year/list?q=1024')
  await expect(project).toBeVisible()
})

test('the duties can be found and done without JavaScript @long', async ({ plainPage: page }) => {
  await signIn(page, 'medarbejder')
  await page.goto('/year/list')
  await page.getByLabel('Ansvarlig', { exact: true }).first().selectOption({ label: 'Mig (Mads Thorup)' })
  await page.getByRole('button', { name: 'Vis', exact: true }).click()
  await expect(page).toHaveURL(/person=\d+/)
  await page.getByRole('link', { name: /^Forsinket/ }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Momsregnskab' }).first()
  await row.getByText(/^Handlinger/).click()
  await row.getByRole('button', { name: 'Marker som udført' }).click()
  await expect(page).toHaveURL(/state=late/)
  await page.getByRole('link', { name: /^Udført/ }).click()
  const done = page.getByRole('listitem').filter({ hasText: 'Momsregnskab' }).first()
  await done.getByText(/^Detaljer/).click()
  await done.getByRole('button', { name: 'Fortryd: ikke udført' }).click()
  await expect(page).toHaveURL(/state=done/)
})

test('a calendar fetches the duties by a secret address, until it is ended @long', async ({
  page,
  request,
}) => {
  await signIn(page, 'medarbejder')
  await openHydrated(page, '/profile')
  await page.getByRole('link', { name: 'Hemmelig adresse til kalenderen' }).click()
  await page.locator('html[data-hydrated]').waitFor()
  await page.getByRole('button', { name: /^Lav en( ny)? adresse$/ }).click()
  const address = await page.getByLabel(/^Adressen vises kun nu/).inputValue()
  const answer = await request.get(address)
  expect(answer.status()).toBe(200)
  const events = Object.values(sync.parseICS(await answer.text())).filter((part) => part?.type === 'VEVENT')
  expect(events.length).toBeGreaterThan(0)
  await page.reload()
  await expect(page.getByLabel(/^Adressen vises kun nu/)).toHaveCount(0)
  await page.locator('html[data-hydrated]').waitFor()
  await page.getByRole('button', { name: 'Fjern adressen' }).click()
  await expect(page.getByRole('button', { name: 'Lav en adresse' })).toBeVisible()
  expect((await request.get(address)).status()).toBe(404)
})
