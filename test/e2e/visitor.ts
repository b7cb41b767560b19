import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type BrowserContext, type Locator, type Page } from '@playwright/test'
import { DEMO_PASSWORD } from '../../demo/office.ts'
import { readFacts } from './facts.ts'

/** Opens a page and waits until it is hydrated. */
export async function openHydrated(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.locator('html[data-hydrated]').waitFor()
}

/** Follows a link, and waits until the page that it leads to is hydrated. */
export async function follow(link: Locator): Promise<void> {
  const page = link.page()
  const before = page.url()
  await link.click()
  await page.waitForURL(({ href }) => href !== before)
  await page.locator('html[data-hydrated]').waitFor()
}

/** Waits until React has taken over a part that comes after the page. */
export const whenTakenOver = (part: Locator) =>
  expect
    .poll(() =>
      part.evaluate((element) => Object.keys(element).some((key) => key.startsWith('__reactProps'))),
    )
    .toBe(true)

/** Reloads, and goes back before the page is hydrated. */
export async function reloadAndGoBackAtOnce(page: Page): Promise<void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const scripts = '**/assets/*.js'
  await page.route(scripts, async (route) => {
    await released
    await route.continue()
  })
  await page.reload({ waitUntil: 'commit' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.evaluate(() => history.back())
  await page.waitForFunction((before) => location.href !== before, page.url())
  release()
  await page.locator('html[data-hydrated]').waitFor()
  await page.unrouteAll({ behavior: 'wait' })
}

/** Signs in through the form, with JavaScript or without: 'administrator', 'medarbejder', 'revisor' or 'investor'. */
export async function signIn(page: Page, login: string, password = DEMO_PASSWORD): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('E-mail').fill(login.includes('@') ? login : `${login}@ringbind.example`)
  await page.getByLabel('Adgangskode').fill(password)
  await page.getByRole('button', { name: 'Log ind' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Hej /)
}

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

const signedIn = new Map<string, Cookies>()

/** Uses a session that tests share; not for tests that sign out or test signing in. */
export async function enterAs(page: Page, login: string): Promise<void> {
  const cookies = signedIn.get(login)
  if (cookies) return page.context().addCookies(cookies)
  await signIn(page, login)
  signedIn.set(login, await page.context().cookies())
}

/** Waits for a mail to a person, and returns the path of the link in the newest one. */
export async function mailedLink(port: number, email: string): Promise<string> {
  const directory = join(readFacts(port).dataDir, 'mail')
  const find = () => {
    if (!existsSync(directory)) return null // no mail has been sent yet
    const texts = readdirSync(directory)
      .filter((name) => name.endsWith('.eml'))
      .map((name) => readFileSync(join(directory, name), 'utf8'))
    const mail = texts
      .find((text) => text.includes(`To: ${email}`))
      ?.replaceAll('=\n', '')
      .replaceAll('=3D', '=')
    return /http:\/\/127\.0\.0\.1:\d+(\/\S+)/.exec(mail ?? '')?.[1] ?? null
  }
  await expect.poll(find).not.toBeNull()
  return find()!
}
