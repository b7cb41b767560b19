import type { Page } from '@playwright/test'
import { receiptText } from '../files/receipts.ts'
import { newCvr } from '../values.ts'
import { handInInOffice, makePersonInOffice } from './maker.ts'
import { expect, test } from './shared-page.ts'
import { openHydrated, signIn } from './visitor.ts'

const YEAR = new Date().getFullYear()
const LAST = YEAR - 1
const stamp = String(Date.now()).slice(-7)
const PROJECTS = 60
const numbers = Array.from({ length: PROJECTS }, (_, at) => `Å${stamp}${at + 100}`)

const STATES = {
  late: 'Forsinket',
  missing: 'Mangler',
  coming: 'Kommer',
  excused: 'Undtaget',
  done: 'Udført',
}
type State = keyof typeof STATES
const OPEN: State[] = ['late', 'missing', 'coming']

/** Reads how much of a state the bar of a view says there is. A state that nothing has may be left out. */
async function toldOf(page: Page, state: State): Promise<number> {
  const link = page.getByRole('navigation', { name: 'Vis' }).getByRole('link', { name: STATES[state] })
  return (await link.count()) === 0 ? 0 : Number(/\((\d+)\)/.exec((await link.textContent())!)![1])
}

const sum = (all: number[]) => all.reduce((total, each) => total + each, 0)
const openOf = (told: Record<State, number>) => sum(OPEN.map((state) => told[state]))

/** Reads what the views say of last year's duties of the office's projects, and expects all of them to say the same. */
async function agreed(page: Page, q = `Å${stamp}`): Promise<Record<State, number>> {
  const asked = `year=${LAST}&q=${encodeURIComponent(q)}`
  await openHydrated(page, `/year?${asked}&all=true`)
  const told = {} as Record<State, number>
  for (const state of Object.keys(STATES) as State[]) {
    told[state] = await toldOf(page, state)
    // Papers that nobody expects are in their places too; here are none.
    await expect(page.locator(`td[data-state=${state}]`)).toHaveCount(told[state])
  }
  await openHydrated(page, `/year/rules?${asked}`)
  for (const state of OPEN) {
    const links = page.getByRole('main').getByRole('listitem').getByRole('link', { name: STATES[state] })
    const counts = (await links.allTextContents()).map((text) => Number(/\((\d+)\)$/.exec(text)![1]))
    expect([state, await toldOf(page, state), sum(counts)]).toEqual([state, told[state], told[state]])
  }
  for (const state of Object.keys(STATES) as State[]) {
    await openHydrated(page, `/year/list?${asked}&state=${state}`)
    expect([state, await toldOf(page, state)]).toEqual([state, told[state]])
    const section = page.getByRole('region', { name: STATES[state], exact: true })
    await expect(section.locator('> ul > li')).toHaveCount(Math.min(told[state], 25))
  }
  // The start page is about the whole office, in which others work meanwhile.
  await expect(async () => {
    await page.goto('/')
    const late = page.getByRole('region', { name: /^Forsinket/ })
    const shown = Number(/\((\d+)\)/.exec(await late.getByRole('heading').innerText())![1])
    await late.getByRole('link', { name: 'Alle forsinkede' }).click()
    await page.waitForURL('**/year/list?state=late')
    expect(await toldOf(page, 'late')).toBe(shown)
    await page.getByRole('navigation', { name: 'Hovedmenu' }).getByRole('link', { name: 'Året' }).click()
    await page.waitForURL('**/year/list')
    expect(await toldOf(page, 'late')).toBe(shown)
  }).toPass({ timeout: 120_000 })
  return told
}

/** Opens a project's form, changes it and saves. */
async function editProject(
  page: Page,
  number: string,
  change: (page: Page) => Promise<unknown>,
): Promise<void> {
  await page.goto(`/projects?q=${encodeURIComponent(number)}`)
  const edit = page.getByRole('link', { name: `Rediger: K/S År ${number}` })
  await openHydrated(page, (await edit.getAttribute('href'))!)
  await change(page)
  await page.getByRole('button', { name: 'Gem' }).click()
  await expect(page.getByText('Projektet er gemt.')).toBeVisible()
}

test('a year of an office: moved in and calm, a quarter missed, excused and filed, a receipt found, a project sold in June, and every number agrees @long', async ({
  page,
}) => {
  test.setTimeout(600_000)
  const cvr = newCvr()
  const { email, password } = await makePersonInOffice({ role: 'administrator' })
  await signIn(page, email, password)
  await openHydrated(page, '/settings/import')
  const sheet = [
    'Projektnr.;Navn;Overtaget;CVR-nr.',
    ...numbers.map((number, at) => `${number};K/S År ${number};01/01/${LAST};${at === 0 ? cvr : ''}`),
  ].join('\n')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'Projekter.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) })
  await page.getByRole('button', { name: 'Flyt ind' }).click()
  await expect(
    page
      .getByRole('listitem')
      .filter({ hasText: `${PROJECTS} nye projekter` })
      .first(),
  ).toBeVisible()

  // Calm on the first day, as soon as the duties are there.
  await expect(async () => {
    await openHydrated(page, `/year?year=${LAST}&q=${encodeURIComponent(`Å${stamp}`)}`)
    await expect(page.locator('td[data-state=unfollowed]').first()).toBeVisible({ timeout: 1000 })
  }).toPass({ timeout: 120_000 })
  expect((await agreed(page)).late).toBe(0)

  // One is followed from the beginning of last year: its quarters of last year are missed.
  await editProject(page, numbers[0]!, () =>
    page.getByLabel('Følges fra', { exact: true }).fill(`01/01/${LAST}`),
  )
  const missed = await agreed(page)
  expect(missed.late).toBeGreaterThanOrEqual(4)
  expect(await agreed(page, numbers[0])).toEqual(missed)

  // One quarter will not come.
  await openHydrated(
    page,
    `/year/list?year=${LAST}&q=${encodeURIComponent(numbers[0]!)}&rule=Kvartalsrapport`,
  )
  const quarter = page.getByRole('listitem').filter({ hasText: 'Kvartalsrapport 1. kvartal' })
  await quarter.getByText(/^Handlinger/).click()
  await quarter.getByLabel('Hvorfor bliver det ikke gjort?').fill('Ingen drift endnu')
  await quarter.getByRole('button', { name: 'Undtag' }).click()
  await expect(quarter).toHaveCount(0)
  const excused = await agreed(page)
  expect(excused).toEqual({ ...missed, late: missed.late - 1, excused: missed.excused + 1 })

  // The next one comes after all.
  await openHydrated(page, `/year?year=${LAST}&q=${encodeURIComponent(numbers[0]!)}&rule=Kvartalsrapport`)
  await page.locator('td[data-state=late]').first().getByRole('link', { name: 'Forsinket' }).click()
  await page.locator('html[data-hydrated]').waitFor()
  await page.locator('input[type=file]').setInputFiles({
    name: `Kvartalsrapport (${numbers[0]}) 2. kvartal ${LAST}.pdf`,
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7 kvartal'),
  })
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`K/S År ${numbers[0]}`)
  const filed = await agreed(page)
  expect(filed).toEqual({ ...excused, late: excused.late - 1, done: excused.done + 1 })

  // A receipt comes by mail: it is proposed at its deadline, which is as open as before until somebody presses.
  const receipt = `Kvittering ${numbers[0]}.pdf`
  const text = receiptText('lines', { cvr, number: `V-${stamp}`, day: `02.01.${YEAR}`, year: LAST })
  await handInInOffice({
    source: 'mailbox',
    sender: 'noreply@virk.example',
    files: [receipt],
    says: { [receipt]: [text] },
  })
  const due = page.getByRole('listitem').filter({ hasText: `Årsrapport indsendt ${LAST}` })
  await expect(async () => {
    await openHydrated(page, `/year/list?year=${LAST}&q=${encodeURIComponent(numbers[0]!)}&rule=/receipt`)
    await expect(due).toContainText(`Kvittering fundet: V-${stamp}`, { timeout: 1000 })
  }).toPass({ timeout: 120_000 })
  await expect(due).toContainText('angivet afsender: noreply@virk.example')
  expect(await agreed(page)).toEqual(filed)
  await openHydrated(page, `/year/list?year=${LAST}&q=${encodeURIComponent(numbers[0]!)}&rule=/receipt`)
  await due.getByRole('button', { name: 'Luk fristen' }).click()
  await expect(page.getByText('Fristen er lukket med kvitteringen.')).toBeVisible()
  await expect(due).toHaveCount(0)
  const received = await agreed(page)
  expect(received.done).toBe(filed.done + 1)
  expect(openOf(received)).toBe(openOf(filed) - 1)
  await openHydrated(page, `/year/list?year=${LAST}&q=${encodeURIComponent(numbers[0]!)}&state=done`)
  await expect(due).toContainText(`Kvittering V-${stamp}`)

  // Sold in June: what began after that is not expected any more, and the rest is still owed.
  await editProject(page, numbers[0]!, async () => {
    await page.getByLabel('Status').selectOption('Solgt')
    await page.getByLabel('Solgt den', { exact: true }).fill(`30/06/${LAST}`)
  })
  await expect(async () => {
    await openHydrated(page, `/year?year=${LAST}&q=${encodeURIComponent(numbers[0]!)}&rule=Kvartalsrapport`)
    await expect(page.locator('td[data-state=late]')).toHaveCount(0, { timeout: 1000 })
  }).toPass({ timeout: 120_000 })
  const sold = await agreed(page)
  expect([sold.excused, sold.done]).toEqual([received.excused, received.done])
  expect(sold.late).toBeLessThan(received.late)
})
