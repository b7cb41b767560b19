import type { Page } from '@playwright/test'
import axe from 'axe-core'
import type { SearchList } from '../../src/search/answer/search-answer.ts'
import { makeInOffice, makePersonInOffice } from './maker.ts'
import { expect, test } from './shared-page.ts'
import { enterAs, openHydrated, signIn, whenTakenOver } from './visitor.ts'

const field = (page: Page) => page.locator('header input[name=q]')
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })
const active = (page: Page) => page.getByRole('option', { selected: true })

/** Opens a page, and waits until the box listens to keys. */
async function openPage(page: Page, address: string): Promise<void> {
  await openHydrated(page, address)
  await whenTakenOver(page.locator('header input[name=q]'))
}

test.describe('the box at the top', () => {
  test('the search box is reached, walked and left by keyboard alone', async ({ page }) => {
    const { number } = await makeInOffice({ files: { Budget: ['Granit (1) 2025.pdf', 'Granit (2).pdf'] } })
    await enterAs(page, 'administrator')
    await openPage(page, '/projects')
    const link = page.getByRole('link', { name: 'Nyt projekt' })
    await link.focus()
    await page.keyboard.press('Control+k')
    await expect(field(page)).toBeFocused()
    await page.keyboard.type(number)
    await expect(option(page, `Upload til ${number} K/S Prøve`)).toBeVisible()
    await expect(page.getByRole('combobox', { name: 'Søg i Ringbind' })).toHaveAttribute(
      'aria-expanded',
      'true',
    )
    await expect(page.getByText(/^\d+ resultater$/)).toBeAttached()
    await expect(active(page)).toHaveCount(0)
    await page.keyboard.press('ArrowDown')
    await expect(active(page)).toHaveText(/^Upload til/)
    await expect(field(page)).toHaveAttribute(
      'aria-activedescendant',
      (await active(page).getAttribute('id'))!,
    )
    await page.keyboard.press('ArrowUp')
    await expect(active(page)).toHaveCount(0)
    await page.keyboard.press('ArrowUp')
    await expect(active(page)).toHaveText('Vis alle resultater')

    await page.keyboard.press('Escape')
    await expect(page.getByRole('listbox')).toHaveCount(0)
    await expect(link).toBeFocused()

    await page.keyboard.press('/')
    await expect(field(page)).toBeFocused()
    await expect(field(page)).toHaveValue(number) // selected: the next letter replaces it
    await page.keyboard.type('granit')
    const files = page.getByRole('group', { name: 'Filer' }).getByRole('option')
    await expect(files).toHaveCount(2)
    await expect(files.first().locator('mark')).toHaveText('Granit')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('listbox')).toHaveCount(0)
    await expect(field(page)).not.toBeFocused()
  })

  test('the search box opens what is chosen: here, in a new tab, or everything that is found @long', async ({
    page,
    context,
  }) => {
    const { id, number } = await makeInOffice({})
    await enterAs(page, 'medarbejder')
    await openPage(page, '/')
    await page.keyboard.press('Control+k')
    await page.keyboard.type(number)
    await option(page, /^Upload til/).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(active(page)).toHaveText(new RegExp(`^${number}`))
    const opened = context.waitForEvent('page')
    await page.keyboard.press('Control+Enter')
    await (await opened).waitForURL(`**/projects/${id}/uploads`)
    await expect(page.getByRole('listbox')).toBeVisible()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/projects/${id}/uploads`)

    await whenTakenOver(field(page))
    await page.keyboard.press('Control+k')
    await page.keyboard.type('granit marmor')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/search?q=granit+marmor')
    await expect(page.getByRole('searchbox', { name: 'Søg efter' })).toHaveValue('granit marmor')
  })

  test('the search box leaves / to text fields @long', async ({ page }) => {
    await enterAs(page, 'administrator')
    await openPage(page, '/projects')
    const list = page.getByRole('textbox', { name: /^Søg efter nummer/ })
    await list.fill('k')
    await list.press('/')
    await expect(list).toHaveValue('k/')
    await expect(list).toBeFocused()
    await list.press('Control+k')
    await expect(field(page)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(list).toBeFocused()
  })

  test('the search box keeps the old list until the new one is there, and shows the last answer @long', async ({
    page,
  }) => {
    await enterAs(page, 'medarbejder')
    await openPage(page, '/')
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route(/suggest\?q=nord$/, async (route) => {
      await held
      await route.continue().catch(() => undefined) // it was aborted
    })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('skagen')
    await expect(option(page, /Hotel Skagen/).first()).toBeVisible()
    const asked = page.waitForRequest(/suggest\?q=nord$/)
    await field(page).fill('nord')
    await asked
    await expect(option(page, /Hotel Skagen/).first()).toBeVisible()
    await field(page).fill('østerbro')
    await expect(option(page, /Østerbro/).first()).toBeVisible()
    release()
    await expect(option(page, /Hotel Skagen/)).toHaveCount(0)
    await expect(option(page, /Nordhavn/)).toHaveCount(0)
  })

  test('the search box says when suggestions cannot be fetched, and still searches @long', async ({
    page,
  }) => {
    await enterAs(page, 'medarbejder')
    await openPage(page, '/')
    await page.route(/suggest\?q=nord$/, (route) => route.abort())
    await page.keyboard.press('Control+k')
    await page.keyboard.type('nord')
    await expect(page.getByRole('listbox').getByText('Forslagene kunne ikke hentes.')).toBeVisible()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/search?q=nord')
  })

  test('the search box opens over the page where the header is out of view, without scrolling the page @long', async ({
    page,
  }) => {
    await enterAs(page, 'medarbejder')
    await openPage(page, '/projects')
    await page.setViewportSize({ width: 1280, height: 400 })
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    const top = await page.evaluate(() => scrollY)
    expect(top).toBeGreaterThan(100)
    await page.keyboard.press('/')
    await expect(field(page)).toBeFocused()
    await expect(field(page)).toBeInViewport()
    await page.keyboard.type('skagen')
    await expect(option(page, /Hotel Skagen/).first()).toBeInViewport()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('listbox')).toHaveCount(0)
    expect(await page.evaluate(() => scrollY)).toBe(top)
  })

  test('the search box does not open while a modal is open @long', async ({ page }) => {
    await enterAs(page, 'administrator')
    await openPage(page, '/settings/folders')
    await page.getByRole('button', { name: 'Slet Diverse', exact: true }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Control+k')
    await expect(field(page)).not.toBeFocused()
  })

  test('the search box offers acts and people only to those who may @long', async ({ page }) => {
    await enterAs(page, 'administrator')
    await openPage(page, '/')
    const acts = page.getByRole('group', { name: 'Handlinger' }).getByRole('option')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('ny')
    await expect(acts).toHaveText([/^Ny person/, /^Nyt projekt/, /^Ny pligt/, /^Ny webhook/, /^Forside/])
    await field(page).fill('log')
    await expect(acts.first()).toHaveText(/^Log/)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/log')
  })
})

test('an investor finds only their own, in the box and on the page', async ({ page }) => {
  const { id, password } = await makePersonInOffice({ name: 'Ida Investor' })
  const email = `granit${id}@ringbind.example`
  const own = await makeInOffice({
    investor: { name: 'Kaj Granbo', email },
    files: { Budget: ['Kvartsit budget.pdf'], Diverse: ['Kvartsit skjult.pdf'] },
  })
  const other = await makeInOffice({ files: { Budget: ['Kvartsit fremmed.pdf'] } })
  await page.context().clearCookies()
  await signIn(page, email, password)
  await openPage(page, '/')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('kvartsit')
  await expect(page.getByRole('group', { name: 'Filer' }).getByRole('option')).toHaveText([
    /^Kvartsit budget\.pdf/,
  ])
  await field(page).fill(other.number)
  await expect(page.getByText(`Ingen forslag til ”${other.number}”`)).toBeVisible()
  await field(page).fill(own.number)
  await expect(option(page, new RegExp(`^${own.number} K/S Prøve`))).toBeVisible()
  await expect(page.getByRole('group', { name: 'Handlinger' })).toHaveCount(0) // no upload to it
  await openHydrated(page, '/search?q=kvartsit')
  await expect(page.getByRole('list', { name: 'Fundne filer' }).getByRole('listitem')).toHaveCount(1)
  await expect(page.getByText('1 fil fundet')).toBeVisible()
  await expect(page.getByLabel('Uploadet af')).toHaveCount(0)
  await expect(page.getByText('Gem søgning')).toHaveCount(0)
})

test('on a phone an icon opens the search box over the whole width @long', async ({ browser, baseURL }) => {
  const context = await browser.newContext({
    baseURL: baseURL!,
    viewport: { width: 375, height: 700 },
    hasTouch: true,
    isMobile: true,
  })
  const page = await context.newPage()
  await enterAs(page, 'medarbejder')
  await openPage(page, '/')
  await expect(field(page)).toBeHidden()
  const icon = page.getByRole('link', { name: 'Søg', exact: true })
  await icon.tap()
  await expect(field(page)).toBeFocused()
  await field(page).fill('skagen')
  await option(page, /Hotel Skagen/)
    .first()
    .waitFor()
  const box = (await page.getByRole('listbox').boundingBox())!
  expect([box.x, box.width]).toEqual([0, 375])
  for (const each of await page.getByRole('option').all())
    expect((await each.boundingBox())!.height).toBeGreaterThanOrEqual(44)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
  await page.evaluate(axe.source)
  const faults = await page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run('header')
    return violations.map(({ id }) => id)
  })
  expect(faults).toEqual([])
  await page.getByRole('button', { name: 'Luk søgning' }).tap()
  await expect(field(page)).toBeHidden()
  await expect(icon).toBeFocused()
  await icon.tap()
  await option(page, /Hotel Skagen/)
    .first()
    .tap()
  await page.waitForURL(/\/projects\/\d+\/upload/)
  await context.close()
})

test('without JavaScript the search box and the filters are forms @long', async ({ plainPage: page }) => {
  const { id } = await makeInOffice({
    files: { Budget: ['Basalt 2024.pdf', 'Basalt 2025.pdf'], Diverse: ['Basalt.pdf'] },
  })
  await page.context().clearCookies()
  await signIn(page, 'medarbejder')
  await field(page).fill('basalt')
  await field(page).press('Enter')
  const found = page.getByRole('list', { name: 'Fundne filer' }).getByRole('listitem')
  await expect(found).toHaveCount(3)
  await page.getByLabel('År').selectOption('2025')
  await page.getByLabel('Projekt').selectOption(String(id))
  await page.getByRole('button', { name: 'Søg', exact: true }).click()
  await expect(found).toHaveCount(1)
  await expect(page.getByLabel('År')).toHaveValue('2025')
  await page.getByText('Gem søgning').click()
  await page.getByLabel('Navn på søgningen').fill(`Basalt ${id}`)
  await page.getByRole('button', { name: 'Gem', exact: true }).click()
  await expect(page.getByText(`Gemt som ”Basalt ${id}”`)).toBeVisible()
  await page.getByRole('link', { name: 'Ryd filtre' }).click()
  await expect(found).toHaveCount(3)
  await page.goto('/search')
  await page.getByRole('link', { name: `Basalt ${id}` }).click()
  await expect(found).toHaveCount(1)
  await page.goto('/search')
  await page.getByRole('button', { name: `Slet den gemte søgning Basalt ${id}` }).click()
  await expect(page.getByText(`Basalt ${id}`)).toHaveCount(0)
})

test.describe('the page of a search', () => {
  test('filters narrow a search, and are saved in the address', async ({ page }) => {
    const { id } = await makeInOffice({
      files: { Budget: ['Gnejs 2024.pdf', 'Gnejs 2025.pdf'], Diverse: ['Gnejs 2025.txt'] },
    })
    await enterAs(page, 'medarbejder')
    await openHydrated(page, '/search?q=gnejs')
    const found = page.getByRole('list', { name: 'Fundne filer' }).getByRole('listitem')
    await expect(found).toHaveCount(3)
    await page.getByLabel('År').selectOption('2025')
    await expect(found).toHaveCount(2)
    await page.getByLabel('Mappe').selectOption('Budget')
    await expect(found).toHaveCount(1)
    await expect(page).toHaveURL('/search?q=gnejs&folder=Budget&year=2025')
    await page.goBack()
    await expect(found).toHaveCount(2)
    await page.getByRole('link', { name: 'Ryd filtre' }).click()
    await expect(found).toHaveCount(3)
    await page.getByLabel('Type').selectOption('excel')
    await expect(page.getByText('Intet fundet...')).toBeVisible()
    await page.getByLabel('Type').selectOption('')
    await page.getByLabel('Projekt').selectOption(String(id))
    await expect(page).toHaveURL(`/search?q=gnejs&project=${id}`)
    await expect(found).toHaveCount(3)
    await expect(async () => {
      await page.keyboard.press('Control+k') // its script comes after the page
      await expect(page.getByRole('searchbox', { name: 'Søg efter' })).toBeFocused({ timeout: 1000 })
    }).toPass()
    await page.keyboard.type('gnejs 2024')
    await page.keyboard.press('Enter')
    await expect(found).toHaveCount(1)
    await expect(page).toHaveURL(`/search?q=gnejs%202024&project=${id}`)
  })

  test('a search has pages of ten @long', async ({ page }) => {
    const names = Array.from({ length: 12 }, (_, index) => `Skifer ${index + 1}.pdf`)
    await makeInOffice({ files: { Budget: names } })
    await enterAs(page, 'medarbejder')
    await openHydrated(page, '/search?q=skifer')
    await expect(page.getByText('Viser 1–10 af 12 filer')).toBeVisible()
    await page.getByRole('link', { name: 'Side 2', exact: true }).click()
    await expect(page.getByText('Viser 11–12 af 12 filer')).toBeVisible()
    await expect(page).toHaveURL('/search?q=skifer&page=2')
  })

  test('a search says which words were corrected, what is not read yet, and that there is more @long', async ({
    page,
  }) => {
    await makeInOffice({ files: { Budget: ['Kalksten.pdf'] } })
    await enterAs(page, 'medarbejder')
    await page.route(/\/api\/search\?/, async (route) => {
      const response = await route.fetch({ url: route.request().url().replace('kalksen', 'kalksten') })
      const list = (await response.json()) as SearchList
      const about = { ...list.about, corrected: 'kalksten', unread: 12, isMore: true }
      await route.fulfill({ response, json: { ...list, about, meta: { ...list.meta, total: 1000 } } })
    })
    await openHydrated(page, '/search')
    await page.getByRole('searchbox', { name: 'Søg efter' }).fill('kalksen')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Rettet til: kalksten')).toBeVisible()
    await expect(page.getByText('Teksten i 12 filer kan ikke søges endnu.')).toBeVisible()
    await expect(page.getByText(/af mere end 1\.000 filer/)).toBeVisible()
  })

  test('a search is saved under a name, offered in the box and removed again @long', async ({ page }) => {
    const { number } = await makeInOffice({})
    const name = `Søgning ${number}`
    await enterAs(page, 'medarbejder')
    await openHydrated(page, `/search?q=${number}`)
    await page.getByText('Gem søgning').click()
    await page.getByLabel('Navn på søgningen').fill('')
    await page.getByRole('button', { name: 'Gem', exact: true }).click()
    await expect(page.getByText('Navnet skal udfyldes.')).toBeVisible()
    await page.getByLabel('Navn på søgningen').fill(name)
    await page.getByRole('button', { name: 'Gem', exact: true }).click()
    await expect(page.getByText(`Gemt som ”${name}”`)).toBeVisible()
    await openPage(page, '/')
    await page.keyboard.press('Control+k')
    await option(page, name).click()
    await page.waitForURL(`**/search?q=${number}`)
    await openHydrated(page, '/search')
    await page.getByRole('button', { name: `Slet den gemte søgning ${name}` }).click()
    await expect(page.getByRole('link', { name })).toHaveCount(0)
  })
})

test('an administrator who views as somebody else finds what that person finds @long', async ({ page }) => {
  const viewed = await makePersonInOffice({ name: 'Vera Vist' })
  const { number } = await makeInOffice({ files: { Budget: ['Porfyr.pdf'] } })
  const administrator = await makePersonInOffice({ name: 'Adam Admin', role: 'administrator' })
  await page.context().clearCookies()
  await signIn(page, administrator.email, administrator.password)
  await openHydrated(page, `/users/${viewed.id}`)
  await page.getByRole('button', { name: 'Vis som' }).click()
  await page.getByText('Du ser Ringbind som').waitFor()
  await openPage(page, '/')
  await page.keyboard.press('Control+k')
  await page.keyboard.type(number)
  await expect(page.getByText(`Ingen forslag til ”${number}”`)).toBeVisible()
})
