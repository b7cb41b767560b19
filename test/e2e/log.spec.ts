import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { PORTS, readFacts } from './facts.ts'
import { makeInOffice } from './maker.ts'
import { enterAs, openHydrated, reloadAndGoBackAtOnce } from './visitor.ts'
import { expect, test } from './shared-page.ts'

const table = (page: Page) => page.getByRole('table', { name: 'Log' })
const rows = (page: Page) => table(page).locator('tbody tr[data-row]')
const footer = (page: Page) => page.getByText(/^Viser \d+ af .+ resultater$/)

test.beforeEach(({ page }) => enterAs(page, 'administrator'))

test('the log can be filtered by person and period with the keyboard alone @long', async ({ page }) => {
  await openHydrated(page, '/log')
  await page.getByLabel('Person').focus()
  await page.keyboard.type('kjærgaard')
  await expect(page.getByText('1 forslag')).toBeVisible()
  const person = page.getByRole('combobox', { name: 'Person' })
  await expect(person).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('listbox')).toBeHidden()
  await expect(person).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const cross = page.getByRole('link', { name: 'Fjern filteret person: Søren Kjærgaard' })
  await expect(cross).toBeFocused()
  await expect(page).toHaveURL(/\/log\?person=\d+$/)
  await expect(rows(page).first()).toContainText('Søren Kjærgaard')
  for (const text of await rows(page).allInnerTexts()) expect(text).toContain('Søren Kjærgaard')

  await page.getByLabel('Periode').focus()
  await page.keyboard.type('Denne m')
  await expect(page).toHaveURL(/person=\d+&period=month$/)
  await expect(page.getByLabel('Periode')).toBeFocused()

  // A reload shows the same. Back removes the period, and the cross removes the person.
  await page.reload()
  await expect(page.getByLabel('Periode')).toHaveValue('month')
  await expect(cross).toBeVisible()
  await reloadAndGoBackAtOnce(page)
  await expect(page.getByLabel('Periode')).toHaveValue('')
  await expect(page).toHaveURL(/\/log\?person=\d+$/)
  await expect(table(page)).not.toHaveAttribute('aria-busy', 'true') // the filters are drawn again with the rows
  await cross.press('Enter')
  await expect(page.getByLabel('Person')).toBeFocused()
  await expect(page).toHaveURL('/log')
  await expect(rows(page).filter({ hasNotText: 'Søren Kjærgaard' }).first()).toBeVisible()
})

test('custom dates count as whole days, and an end before the start gives an error @long', async ({
  page,
}) => {
  await openHydrated(page, '/log')
  await page.getByLabel('Til og med').fill('2001-01-01')
  await expect(page).toHaveURL('/log?to=2001-01-01')
  await expect(page.getByLabel('Periode')).toHaveValue('dates')
  await expect(table(page)).toContainText('Intet fundet...')
  await page.getByLabel('Fra').fill('2001-01-02')
  await expect(page.getByLabel('Til og med')).toHaveAccessibleDescription(
    'Slutdatoen ligger før startdatoen.',
  )
  await page.getByLabel('Periode').selectOption('Alle datoer')
  await expect(page).toHaveURL('/log')
  await expect(rows(page)).toHaveCount(25)
})

test('S9.7 a day can be typed or chosen from a calendar with the keyboard alone', async ({ page }) => {
  await openHydrated(page, '/log')
  const from = page.getByLabel('Fra')
  await from.focus()
  await page.keyboard.type('31/02/2026')
  await expect(from).toHaveAccessibleDescription('31/02/2026 findes ikke.')
  await expect(page).toHaveURL('/log')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('15/11/2026')
  await expect(page).toHaveURL('/log?from=2026-11-15')
  await page.keyboard.press('Tab')
  const open = page.getByRole('button', { name: 'Vælg startdato' })
  await expect(open).toBeFocused()
  await page.keyboard.press('Enter')
  const calendar = page.getByRole('dialog', { name: 'Vælg startdato' })
  const day = (name: string) => calendar.getByRole('button', { name })
  await expect(day('søndag, 15 november 2026')).toBeFocused()
  await expect(calendar.getByRole('grid', { name: 'november 2026' })).toBeVisible()
  await expect(calendar.getByRole('columnheader').first()).toHaveAccessibleName('mandag')
  await page.keyboard.press('Home')
  await expect(day('mandag, 9 november 2026')).toBeFocused()
  await page.keyboard.press('PageUp')
  await expect(day('fredag, 9 oktober 2026')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  await expect(calendar).toHaveCount(0)
  await expect(open).toBeFocused()
  await expect(from).toHaveValue('15/11/2026')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(calendar.getByRole('button', { name: 'Forrige måned' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Shift+Tab')
  await expect(day('torsdag, 15 oktober 2026')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(calendar).toHaveCount(0)
  await expect(open).toBeFocused()
  await expect(from).toHaveValue('15/10/2026')
  await expect(page).toHaveURL('/log?from=2026-10-15')
  // A tooltip shows the full date while the row has the focus or the pointer.
  const tooltip = page.locator('span[popover="manual"]')
  const full = /^(man|tirs|ons|tors|fre|lør|søn)dag, \d+ \p{L}+ \d{4}$/u
  await rows(page).first().getByRole('link').first().focus()
  await expect(tooltip).toHaveText(full)
  await page.keyboard.press('Escape')
  await expect(tooltip).toBeHidden()
  await rows(page).nth(1).locator('time').first().hover()
  await expect(tooltip).toHaveText(full)
  await open.click()
  await expect(calendar).toBeVisible()
  await open.click()
  await expect(calendar).toHaveCount(0)
})

test('custom dates start from the chosen period, and one button clears all filters @long', async ({
  page,
}) => {
  await openHydrated(page, '/log?act=file-opened')
  await page.getByLabel('Periode').selectOption('I år')
  await expect(page).toHaveURL('/log?act=file-opened&period=year')
  await page.getByLabel('Periode').selectOption('Egne datoer')
  const from = page.getByLabel('Fra')
  await expect(from).toBeFocused()
  await expect(from).toHaveValue(/^01\/01\/\d{4}$/)
  const asked = `?act=file-opened&from=${(await from.inputValue()).split('/').toReversed().join('-')}`
  await expect(page).toHaveURL(`/log${asked}`)
  await expect(page.getByLabel('Periode')).toHaveValue('dates')
  await expect(page.getByRole('link', { name: 'Hent som CSV' })).toHaveAttribute('href', `/log.csv${asked}`)

  await page.getByRole('link', { name: 'Ryd filtre' }).click()
  await expect(page).toHaveURL('/log')
  await expect(page.getByRole('link', { name: 'Ryd filtre' })).toHaveCount(0)
  await expect(page.getByLabel('Periode')).toHaveValue('')
})

test('an entry links to its file and to its folder @long', async ({ page }) => {
  const name = `Budget ${Date.now()}.pdf`
  const { id, folders } = await makeInOffice({ files: { Budget: [name] } })
  await openHydrated(page, `/log?project=${id}&act=file-added`)
  await expect(rows(page)).toHaveCount(1)
  const link = rows(page).getByRole('link', { name })
  const answer = await page.request.get((await link.getAttribute('href'))!)
  expect(answer.status()).toBe(200)
  await rows(page).getByRole('link', { name: 'Budget', exact: true }).click()
  await expect(page).toHaveURL(`/projects/${id}/uploads#folder-${folders['Budget']}`)
})

test('without JavaScript the filters are a form @long', async ({ plainPage: plain }) => {
  await enterAs(plain, 'administrator')
  await plain.goto('/log')
  await plain.getByLabel('Projekt').fill('1024')
  await plain.getByLabel('Handling').selectOption('Fil uploadet')
  await plain.getByRole('button', { name: 'Vis' }).click()
  const { projects } = readFacts(PORTS.office)
  await expect(plain).toHaveURL(`/log?project=${projects['1024']}&act=file-added`)
  await expect(rows(plain).first()).toContainText('K/S Nordhavn Kontorhus')
  await plain.getByRole('link', { name: 'Fjern filteret projekt: K/S Nordhavn Kontorhus' }).click()
  await expect(plain).toHaveURL('/log?act=file-added')
  await plain.getByLabel('Periode').selectOption('Egne datoer')
  await plain.getByLabel('Fra').fill('31/02/2026')
  await plain.getByLabel('Til og med').fill('1/3/2026')
  await plain.getByRole('button', { name: 'Vis' }).click()
  await expect(plain.getByLabel('Fra')).toHaveValue('31/02/2026')
  await expect(plain.getByLabel('Fra')).toHaveAccessibleDescription('31/02/2026 findes ikke.')
  await expect(plain.getByLabel('Til og med')).toHaveValue('01/03/2026')
})

test('all entries of the current filter are saved as CSV @long', async ({ page }) => {
  const { projects } = readFacts(PORTS.office)
  await openHydrated(page, `/log?project=${projects['1042']}&act=file-added`)
  const total = Number(/af (\d+)/.exec((await footer(page).textContent())!)![1])
  expect(total).toBeGreaterThan(25)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Hent som CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^ringbind-log-\d{4}-\d\d-\d\d\.csv$/)
  const text = readFileSync(await download.path(), 'utf8')
  const [head, ...lines] = text.split('\r\n').slice(0, -1)
  expect(head).toBe(
    '\ufeffNr.;Tidspunkt;Hvem;Hvem-id;Hvem-e-mail;Handling;Hvad;Person;Person-id;Person-e-mail;Projektnummer;Projekt;Mappe;Fil;Adresse',
  )
  expect(lines).toHaveLength(total)
  for (const line of lines) {
    const cells = line.split(';')
    expect(cells).toHaveLength(15)
    expect(cells[1]).toMatch(/^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/)
    expect(cells.slice(10, 12)).toEqual(['1042', 'K/S Østerbro Ejendomme'])
  }
  await openHydrated(page, `/log?project=${projects['1042']}&act=log-exported`)
  await expect(rows(page).first()).toContainText('hentede loggen om K/S Østerbro Ejendomme som CSV')
})
