import type { Page } from '@playwright/test'
import { urls } from '../../src/urls.ts'
import { PASSWORD } from '../values.ts'
import { dropFiles } from './drop.ts'
import { makeInOffice, type MadeProject, type ProjectRequest } from './maker.ts'
import { follow, enterAs, openHydrated, signIn, whenTakenOver } from './visitor.ts'
import { expect, test } from './shared-page.ts'

test.use({ viewport: { width: 375, height: 760 } })

const part = (page: Page, heading: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: heading }) })
const rowOf = (page: Page, heading: string, name: string) =>
  part(page, heading).getByRole('listitem').filter({ hasText: name })
const isNew = { exact: true } as const

/** Makes an investor with these new files, signs them in and opens their start page. */
async function enterWithNews(
  page: Page,
  files: ProjectRequest['files'],
): Promise<MadeProject & { name: string }> {
  const number = Math.floor(Math.random() * 1e9)
  const name = `Bente Ny${number}`
  const email = `ny${number}@ringbind.example`
  const made = await makeInOffice({ ...(files && { files }), investor: { name, email } })
  await signIn(page, email, PASSWORD)
  await page.locator('html[data-hydrated]').waitFor()
  return { ...made, name }
}

/** Opens a file in another tab, and comes back. */
async function readAndComeBack(page: Page, name: string, within = part(page, 'Nyt til dig')): Promise<void> {
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    page.context().waitForEvent('response', (response) => response.url().includes('/uploads/')),
    within.getByRole('listitem').filter({ hasText: name }).getByRole('link').first().click(),
  ])
  await tab.close()
}

test('new files come first, and a file is no longer new after it was opened', async ({ page }) => {
  await enterWithNews(page, { Budget: ['Budget 2027.pdf', 'Budget 2028.pdf'], Diverse: ['Skjult.pdf'] })
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('Nyt til dig')
  await expect(part(page, 'Nyt til dig').getByRole('listitem')).toHaveCount(2)
  await expect(rowOf(page, 'Mine projekter', 'K/S Prøve')).toContainText('2 nye')

  await readAndComeBack(page, 'Budget 2027.pdf')
  await expect(rowOf(page, 'Nyt til dig', 'Budget 2027.pdf').getByText('Ny', isNew)).toHaveCount(0)
  await expect(rowOf(page, 'Nyt til dig', 'Budget 2028.pdf').getByText('Ny', isNew)).toBeVisible()
  await expect(rowOf(page, 'Mine projekter', 'K/S Prøve')).toContainText('1 ny')

  await page.reload()
  await expect(part(page, 'Nyt til dig').getByRole('listitem')).toHaveCount(1)
  await expect(rowOf(page, 'Mine projekter', 'K/S Prøve')).toContainText('1 ny')
})

test('a click anywhere in a row of the start page opens the file @long', async ({ page }) => {
  await enterWithNews(page, { Budget: ['Budget 2027.pdf'] })
  const row = rowOf(page, 'Nyt til dig', 'Budget 2027.pdf')
  const { width, height } = (await row.boundingBox())!
  expect(height).toBeGreaterThanOrEqual(44)
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    row.click({ position: { x: width - 6, y: height / 2 } }),
  ])
  await tab.close()
  await expect(row.getByText('Ny', isNew)).toHaveCount(0)
})

test('in a project, folders show how many files are new, and a downloaded file counts as read @long', async ({
  page,
}) => {
  const { id } = await enterWithNews(page, { Budget: ['A.pdf', 'B.pdf'], Forsikring: ['C.pdf'] })
  await follow(page.getByRole('link', { name: 'K/S Prøve' }))
  const budget = page.getByRole('region', { name: 'Budget' })
  await expect(budget.getByText('2 nye')).toBeVisible()
  await Promise.all([page.waitForEvent('download'), budget.getByRole('link', { name: 'Hent A.pdf' }).click()])
  await expect(budget.getByText('1 ny', isNew)).toBeVisible()
  await expect(budget.getByText('Ny', isNew)).toHaveCount(1)
  await page.getByRole('button', { name: 'Gå til mappe' }).click()
  await expect(page.getByRole('menuitem', { name: /Budget/ })).toContainText('1 ny')
  await page.keyboard.press('Escape')

  // A search fetches the list again, and it knows which files have been read.
  await openHydrated(page, `/projects/${id}/uploads?q=pdf`)
  await expect(page.getByText('Ny', isNew)).toHaveCount(2)
  await page.getByLabel('Søg i projektets filer og mapper').fill('')
  await expect(budget.getByText('1 ny', isNew)).toBeVisible()
})

test('all files can be marked as read, of one project and of all projects @long', async ({ page }) => {
  await enterWithNews(page, { Budget: ['A.pdf'], Forsikring: ['C.pdf'] })
  await follow(page.getByRole('link', { name: 'K/S Prøve' }))
  const button = page.getByRole('button', { name: 'Marker alle som læst' })
  await whenTakenOver(button) // before, it is a plain form, which leaves no message
  await button.click()
  await expect(page.getByText('Alt er markeret som læst.')).toBeVisible()
  await expect(page.getByText('Ny', isNew)).toHaveCount(0)
  await expect(button).toHaveCount(0)
  await openHydrated(page, '/')
  await expect(page.getByText('Der er ikke kommet noget nyt.')).toBeVisible()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('without JavaScript a plain form marks all files as read @long', async ({ page }) => {
    const number = Math.floor(Math.random() * 1e9)
    const email = `uden${number}@ringbind.example`
    await makeInOffice({ files: { Budget: ['A.pdf'] }, investor: { name: 'Uden Script', email } })
    await signIn(page, email, PASSWORD)
    await expect(part(page, 'Nyt til dig').getByRole('link', { name: 'A · Prøve' })).toBeVisible()
    await page.getByRole('button', { name: 'Marker alle som læst' }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByText('Der er ikke kommet noget nyt.')).toBeVisible()
  })
})

test('a PDF from an investor is in their own list and on the office’s start page, until one of the office takes it @long', async ({
  page,
  otherPage: office,
}) => {
  const { name } = await enterWithNews(page, {})
  await expect(page.getByText('Der er ikke kommet noget nyt.')).toBeVisible()
  await follow(page.getByRole('link', { name: 'Send filer til kontoret' }))
  await expect(page.getByRole('heading', { name: 'Send filer til kontoret' })).toBeInViewport()
  const file = `Fuldmagt ${name}.pdf`
  await dropFiles(page, [file])
  await expect(page.locator('[data-upload]').getByText('Klar', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: /^Send / }).click()
  const mine = page.getByRole('list', { name: 'Mine filer' }).getByRole('listitem').filter({ hasText: file })
  await expect(mine.getByText('Sendt af dig')).toBeVisible()
  await expect(mine.getByText('Ny', isNew)).toHaveCount(0)

  await enterAs(office, 'medarbejder')
  await openHydrated(office, '/')
  const row = rowOf(office, 'Modtaget fra investorer', file)
  await expect(row.getByText('Ny', isNew)).toBeVisible()
  await expect(row.getByRole('link', { name, exact: true })).toHaveAttribute('href', /^\/users\/\d+$/)
  await readAndComeBack(office, file, part(office, 'Modtaget fra investorer'))
  await office.reload()
  await expect(row.getByText('Ny', isNew)).toBeVisible()

  // Two people look at it at the same time, without the stream of changes.
  const colleague = page
  for (const each of [office, colleague])
    await each.route(
      (url) => url.pathname === urls.changes,
      (route) => route.abort(),
    )
  await colleague.context().clearCookies()
  await enterAs(colleague, 'administrator')
  const item = (of: Page) =>
    of.getByRole('list', { name: 'Modtaget' }).getByRole('listitem').filter({ hasText: name })
  const press = (of: Page, button: string) => item(of).getByRole('button', { name: button }).click()
  for (const each of [office, colleague]) await openHydrated(each, `/inbox/new?q=${encodeURIComponent(name)}`)
  await press(office, 'Tag den')
  await expect(item(office).getByText('Taget af dig')).toBeVisible()
  await expect(item(office).getByText('Taget af dig').locator('xpath=ancestor::div[1]')).toBeFocused()
  // The second half of a double click does nothing more.
  await item(office).getByRole('button', { name: 'Færdig' }).hover()
  await office.mouse.down({ clickCount: 2 })
  await office.mouse.up({ clickCount: 2 })
  await press(colleague, 'Tag den')
  await expect(item(colleague).getByRole('alert')).toHaveText(/^Mads Thorup har taget den kl\. \d\d\.\d\d\.$/)
  await expect(item(colleague).getByText('Taget af Mads Thorup')).toBeVisible()
  await press(colleague, 'Overtag')
  await expect(item(colleague).getByText('Taget af dig')).toBeVisible()
  await press(office, 'Færdig')
  await expect(item(office).getByRole('alert')).toHaveText(/^Kirsten Overgaard har taget den/)
  await press(colleague, 'Færdig')
  await expect(item(colleague).getByRole('button', { name: 'Åbn igen' })).toBeVisible()
  await openHydrated(office, '/')
  await expect(row.getByText('Færdig')).toBeVisible()
  await expect(row.getByText('Ny', isNew)).toHaveCount(0)
})
