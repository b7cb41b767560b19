import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type BrowserContext, type Locator, type Page } from '@playwright/test'
import { DEMO_PASSWORD } from '../../demo/demo-password.ts'
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
  await page.getByRole('button', { name: 'Log ind', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Hej /)
}

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

const signedIn = new Map<string, { cookies: Cookies; at: number }>()

/** After a quarter of an hour, some acts ask for the password again. */
const FRESH_MS = 8 * 60_000

/** Uses a session that tests share; not for tests that sign out or test signing in. */
export async function enterAs(page: Page, login: string): Promise<void> {
  const before = signedIn.get(login)
  if (before && performance.now() - before.at < FRESH_MS) return page.context().addCookies(before.cookies)
  await signIn(page, login)
  signedIn.set(login, { cookies: await page.context().cookies(), at: performance.now() })
  return undefined
}

/** Returns the mails to a person, in no order. */
export function mailsTo(port: number, email: string): string[] {
  const directory = join(readFacts(port).dataDir, 'mail')
  if (!existsSync(directory)) return [] // no mail has been sent yet
  return readdirSync(directory)
    .filter((name) => name.endsWith('.eml'))
    .map((name) => readFileSync(join(directory, name), 'utf8'))
    .filter((text) => text.includes(`To: ${email}`))
    .map((text) => text.replaceAll('=\n', '').replaceAll('=3D', '='))
}

/** Waits for a mail to a person, about a paper if it is named, and returns the path of the link in it. */
export async function mailedLink(port: number, email: string, about = ''): Promise<string> {
  const find = () => {
    const mail = mailsTo(port, email).find((text) => text.includes(about)) ?? ''
    const body = mail.slice(mail.indexOf('\n\n')) // a header has the address that ends such mails
    return /http:\/\/127\.0\.0\.1:\d+(\/\S+)/.exec(body)?.[1] ?? null
  }
  await expect.poll(find).not.toBeNull()
  return find()!
}
