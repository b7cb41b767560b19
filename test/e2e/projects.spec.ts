import type { Page } from '@playwright/test'
import { UNATTENDED } from '../../src/base/own-headers.ts'
import { enterAs, openHydrated, reloadAndGoBackAtOnce } from './visitor.ts'
import { expect, test } from './shared-page.ts'

const rowNames = (page: Page) => page.locator('tbody tr td:nth-child(2)').allInnerTexts()
const footer = (page: Page) => page.getByText(/^Viser \d+ af \d+ resultater$/)
const searchBox = (page: Page) => page.getByRole('textbox', { name: /^Søg/ })

/** Records the query of every list that the page fetches, but not when others have changed something. */
function listenForLists(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    const isOwnAct = request.headers()[UNATTENDED] === undefined
    if (isOwnAct && /^\/api\/(projects|users)$/.test(pathname)) asked.push(decodeURIComponent(search))
  })
  return asked
}

test.describe('the list of projects', () => {
  test.beforeEach(async ({ page }) => {
    await enterAs(page, 'medarbejder')
    await openHydrated(page, '/projects')
  })

  test('S9.9 and S3.7 the list of projects has its columns, and says how many projects it shows', async ({
    page,
  }) => {
    await expect(page.getByRole('columnheader')).toHaveText([
      'Nummer',
      'Navn',
      'Status',
      'Filer',
      'Senest ændret',
    ])
    const shown = await page.locator('tbody tr').count()
    await expect(footer(page)).toHaveText(new RegExp(`^Viser ${shown} af \\d+ resultater$`))
  })

  test('S4.14 the first click on a column sorts descending, further clicks toggle, and each click fetches', async ({
    page,
  }) => {
    await openHydrated(page, '/projects?q=vind')
    const asked = listenForLists(page)
    const head = page.getByRole('columnheader', { name: 'Navn' })
    await expect(page.getByRole('columnheader', { name: 'Nummer' })).toHaveAttribute('aria-sort', 'ascending')
    await head.getByRole('link').click()
    await expect(head).toHaveAttribute('aria-sort', 'descending')
    await expect.poll(async () => (await rowNames(page))[0]).toBe('K/S Vindpark Nørrekær')
    await head.getByRole('link').press('Enter')
    await expect(head).toHaveAttribute('aria-sort', 'ascending')
    await expect.poll(async () => (await rowNames(page))[0]).toBe('K/S Vindmøller Samsø 2014')
    await head.getByRole('link').press(' ')
    await expect(head).toHaveAttribute('aria-sort', 'descending')
    expect(asked).toEqual([
      '?q=vind&sort[column]=name&sort[direction]=desc',
      '?q=vind&sort[column]=name&sort[direction]=asc',
      '?q=vind&sort[column]=name&sort[direction]=desc',
    ])
    await expect(head.getByRole('link')).toBeFocused()
  })

  test('S7.3 a search is sent when typing pauses, and is kept in the address', async ({ page }) => {
    const asked = listenForLists(page)
    await searchBox(page).pressSequentially('aarhus', { delay: 20 })
    await expect(footer(page)).toHaveText('Viser 1 af 1 resultater')
    await expect.poll(() => asked.at(-1)).toBe('?q=aarhus')
    expect(asked.length).toBeLessThan(6)
    await expect(page).toHaveURL('/projects?q=aarhus')
    await page.reload()
    await expect(searchBox(page)).toHaveValue('aarhus')
    await expect(footer(page)).toHaveText('Viser 1 af 1 resultater')
  })

  test('S8.3 a search without hits says so, and Escape or the link shows everything again @long', async ({
    page,
  }) => {
    const all = await footer(page).innerText()
    await searchBox(page).fill('findes ikke')
    await expect(page.getByText('Intet fundet...')).toBeVisible()
    await expect(footer(page)).toHaveText('Viser 0 af 0 resultater')
    await searchBox(page).press('Escape')
    await expect(footer(page)).toHaveText(all)
    await expect(searchBox(page)).toHaveValue('')
    await searchBox(page).fill('findes ikke')
    await page.getByRole('link', { name: 'Ryd søgning' }).click()
    await expect(footer(page)).toHaveText(all)
    await expect(searchBox(page)).toBeFocused()
  })

  test('the Back button shows the previous list, and a typed search counts as one step @long', async ({
    page,
  }) => {
    await page.getByRole('link', { name: 'Status' }).click()
    await expect(page).toHaveURL(/sort\[column\]=status/)
    await searchBox(page).pressSequentially('vind', { delay: 150 })
    await expect(page).toHaveURL(/q=vind/)
    const two = 'Viser 2 af 2 resultater'
    await expect(footer(page)).toHaveText(two)
    await page.goBack()
    await expect(page).toHaveURL('/projects?sort[column]=status&sort[direction]=desc')
    await expect(searchBox(page)).toHaveValue('')
    await expect(footer(page)).not.toHaveText(two)
    await page.goBack()
    await expect(page).toHaveURL('/projects')
    await expect(page.getByRole('columnheader', { name: 'Nummer' })).toHaveAttribute('aria-sort', 'ascending')
    await page.goForward()
    await page.goForward()
    await expect(footer(page)).toHaveText(two)
    await expect(searchBox(page)).toHaveValue('vind')
  })

  test('an old answer never overwrites a newer one @long', async ({ page }) => {
    const slow = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    await page.route(/\/api\/projects\?q=nordhavn$/, async (route) => {
      const response = await route.fetch()
      await slow.promise
      await route.fulfill({ response }).catch(() => undefined) // the page has cancelled the request
      answered.resolve()
    })
    await searchBox(page).fill('nordhavn')
    await searchBox(page).press('Enter')
    await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'true')
    await searchBox(page).fill('samsø')
    await searchBox(page).press('Enter')
    await expect.poll(() => rowNames(page)).toEqual(['K/S Vindmøller Samsø 2014'])
    slow.resolve()
    await answered.promise
    expect(await rowNames(page)).toEqual(['K/S Vindmøller Samsø 2014'])
    await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false')
  })

  test('sorting includes a search that is still being typed @long', async ({ page }) => {
    await page.clock.install()
    await openHydrated(page, '/projects')
    await page.clock.pauseAt(Date.now() + 60_000)
    await searchBox(page).fill('vind')
    await page.getByRole('columnheader', { name: 'Navn' }).getByRole('link').click()
    await expect(page).toHaveURL('/projects?q=vind&sort[column]=name&sort[direction]=desc')
    await expect(footer(page)).toHaveText('Viser 2 af 2 resultater')
    await expect(page.getByText('Sorteret efter navn, faldende')).toBeAttached()
  })

  test('text that was typed before hydration is searched for @long', async ({ page }) => {
    const ready = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async (route) => {
      await ready.promise
      await route.continue()
    })
    await page.goto('/projects', { waitUntil: 'commit' })
    await searchBox(page).fill('samsø')
    ready.resolve()
    await expect(footer(page)).toHaveText('Viser 1 af 1 resultater')
    await expect(searchBox(page)).toHaveValue('samsø')
  })

  test('a list that cannot be fetched says so, keeps its rows, and can be tried again @long', async ({
    page,
  }) => {
    const before = await rowNames(page)
    await page.route('**/api/projects?*', (route) => route.abort())
    await searchBox(page).fill('nordhavn')
    await expect(page.getByRole('alert')).toHaveText(/Listen kunne ikke hentes/)
    expect(await rowNames(page)).toEqual(before)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Prøv igen' }).click()
    await expect.poll(() => rowNames(page)).toEqual(['K/S Nordhavn Kontorhus'])
    await expect(page.getByRole('alert')).toBeHidden()
  })
})

test('S9.1 and S3.2 the pager shows two pages on either side, and the address keeps the page', async ({
  page,
}) => {
  await enterAs(page, 'medarbejder')
  const total = 312
  const meta = (current: number) => ({
    current_page: current,
    prev_page: current > 1 ? current - 1 : null,
    next_page: current < 13 ? current + 1 : null,
    first_page: 1,
    last_page: 13,
    from: current * 25 - 24,
    to: Math.min(current * 25, total),
    per_page: 25,
    total,
  })
  const more = { counts: { never: 0, bounced: 0, 'one-step': 0, deactivated: 0 }, invitable: 0 }
  await page.route('**/api/people?*', (route) => {
    const current = Number(new URL(route.request().url()).searchParams.get('page') ?? 1)
    const data = [{ id: current, name: `Side ${current}`, email: 'a@b.dk', role: 'investor', numbers: [] }]
    // Page 7 has its page info at the top level, as another server might send it.
    return route.fulfill({ json: { data, ...more, ...(current === 7 ? meta(7) : { meta: meta(current) }) } })
  })
  await openHydrated(page, '/users')
  const pager = page.getByRole('navigation', { name: 'Sider' })
  await pager.getByRole('link', { name: 'Side 2' }).click()
  await expect(page).toHaveURL('/users?page=2')
  const offered = () => pager.locator('li').allInnerTexts()
  await expect.poll(offered).toEqual(['', '1', '2', '3', '4', '…', '13', ''])
  await pager.getByRole('link', { name: 'Side 4' }).click()
  await pager.getByRole('link', { name: 'Side 6' }).click()
  await pager.getByRole('link', { name: 'Næste side' }).click()
  await expect(page).toHaveURL('/users?page=7')
  await expect.poll(offered).toEqual(['', '1', '…', '5', '6', '7', '8', '9', '…', '13', ''])
  await expect(pager.getByRole('link', { name: 'Side 7' })).toHaveAttribute('aria-current', 'page')
  await expect(footer(page)).toHaveText('Viser 1 af 312 resultater')
  await expect(pager.getByRole('link', { name: 'Næste side' })).toBeFocused()
  await pager.getByRole('link', { name: 'Side 13' }).click()
  const next = pager.getByRole('link', { name: 'Næste side' })
  await expect(next).toHaveAttribute('aria-disabled', 'true')
  await page.goBack()
  await expect(pager.getByRole('link', { name: 'Side 7' })).toHaveAttribute('aria-current', 'page')
  await reloadAndGoBackAtOnce(page)
  await expect(pager.getByRole('link', { name: 'Side 6' })).toHaveAttribute('aria-current', 'page')
})

test('the table head stays in view, and a new page starts at the top @long', async ({ page }) => {
  await enterAs(page, 'medarbejder')
  await openHydrated(page, '/users')
  const top = () =>
    page
      .locator('th')
      .first()
      .evaluate((head) => head.getBoundingClientRect().top)
  expect(await top()).toBeGreaterThan(100)
  await page.getByRole('link', { name: 'Side 2' }).scrollIntoViewIfNeeded()
  expect(await top()).toBe(0)
  await page.getByRole('link', { name: 'Side 2' }).click()
  await expect(page).toHaveURL('/users?page=2')
  await expect(searchBox(page)).toBeInViewport()
})

test('the list works without JavaScript @long', async ({ plainPage: plain }) => {
  await enterAs(plain, 'medarbejder')
  await plain.goto('/users')
  await plain.getByRole('link', { name: 'Side 2' }).click()
  await expect(plain).toHaveURL('/users?page=2')
  await plain.getByRole('link', { name: 'Rolle' }).click()
  await expect(plain).toHaveURL('/users?sort[column]=role&sort[direction]=desc')
  await searchBox(plain).fill('aage')
  await searchBox(plain).press('Enter')
  await expect(plain.locator('tbody tr')).toHaveCount(1)
  expect(decodeURIComponent(plain.url())).toContain('sort[column]=role')
})

test('on a phone every column can be sorted, and a row’s actions are in its menu @long', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 700 })
  await enterAs(page, 'administrator')
  await openHydrated(page, '/projects')
  await page.getByLabel('Sorter efter').selectOption('Sorter: status, faldende')
  await expect(page).toHaveURL('/projects?sort[column]=status&sort[direction]=desc')
  await page.getByRole('button', { name: 'Handlinger for K/S Tankskib Ærø' }).click()
  await page.getByRole('menuitem', { name: 'Rediger' }).click()
  await expect(page.getByLabel('Navn', { exact: true })).toHaveValue('K/S Tankskib Ærø')
})

test('a form asks before unsaved changes are lost, and does not ask after saving', async ({ page }) => {
  await enterAs(page, 'administrator')
  await openHydrated(page, '/projects/new')
  let asked = 0
  page.on('dialog', (dialog) => {
    asked++
    return dialog.dismiss()
  })
  await page.getByLabel('Navn').fill('K/S Ikke gemt endnu')
  await page.getByRole('link', { name: 'Personer' }).click()
  await expect.poll(() => asked).toBe(1)
  await expect(page.getByLabel('Navn')).toHaveValue('K/S Ikke gemt endnu')
  await page.getByLabel('Nummer').fill(`77${Date.now()}`)
  await page.getByRole('button', { name: 'Opret projekt' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mapper')
  expect(asked).toBe(1)
  await openHydrated(page, '/projects/new')
  await page.getByRole('link', { name: 'Personer' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Personer')
  expect(asked).toBe(1)
})

test('the person who saves second is shown both values, chooses, and loses nothing else @long', async ({
  page,
  otherPage: other,
}) => {
  for (const each of [page, other]) await enterAs(each, 'administrator')
  await openHydrated(page, '/projects/new')
  await page.getByLabel('Nummer', { exact: true }).fill('7731')
  await page.getByLabel('Navn', { exact: true }).fill('K/S Samtidig')
  await page.getByRole('button', { name: 'Opret projekt' }).click()
  await page.waitForURL(/\/folders$/)
  const address = page.url().replace(/folders$/, 'edit')
  for (const each of [page, other]) await openHydrated(each, address)
  await page.getByLabel('Navn', { exact: true }).fill('K/S Samtidig Nord')
  await page.getByLabel('CVR-nr.').fill('41875305')
  await page.getByRole('button', { name: 'Gem', exact: true }).click()
  await page.waitForURL(/\/projects$/)
  await other.getByLabel('Navn', { exact: true }).fill('K/S Samtidig Syd')
  await other.getByLabel('Status').selectOption('closing')
  await other.getByRole('button', { name: 'Gem', exact: true }).click()
  const question = other.getByRole('alert')
  await expect(question).toContainText('En anden har ændret det samme')
  await expect(question).toBeFocused()
  const names = question.getByRole('group', { name: 'Navn' })
  await expect(names.getByRole('radio', { name: 'Mit: K/S Samtidig Syd' })).not.toBeChecked()
  await names.getByRole('radio', { name: 'Det nye: K/S Samtidig Nord' }).check()
  await other.getByRole('button', { name: 'Gem', exact: true }).click()
  await other.waitForURL(/\/projects$/)
  await openHydrated(other, address)
  await expect(other.getByLabel('Navn', { exact: true })).toHaveValue('K/S Samtidig Nord')
  await expect(other.getByLabel('CVR-nr.')).toHaveValue('41875305')
  await expect(other.getByLabel('Status')).toHaveValue('closing')
})
