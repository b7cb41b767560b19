import type { Page } from '@playwright/test'
import { PORTS, readFacts } from './facts.ts'
import { mailedLink, openHydrated, signIn } from './visitor.ts'
import { expect, test } from './shared-page.ts'

const PASSWORD = 'korrekt hest batteri'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Brugermenu/ }).click()
  await page.getByRole('button', { name: 'Log ud' }).click()
  await expect(heading(page)).toHaveText('Log ind')
}

for (const [name, javaScriptEnabled, emptyPort] of [
  ['with', true, PORTS.emptyWithScript],
  ['without', false, PORTS.emptyWithoutScript],
] as const) {
  test.describe(`${name} JavaScript`, () => {
    test.use({ javaScriptEnabled })
    const onlyLong = javaScriptEnabled ? '' : ' @long'

    test('the link from the terminal makes the first administrator @long', async ({ page }) => {
      const { setupLink } = readFacts(emptyPort)
      await page.goto(setupLink!)
      await page.getByLabel('Navn').fill('Kirsten Overgaard')
      await page.getByLabel('E-mail').fill('kirsten')
      await page.getByLabel('Adgangskode').fill('kort')
      await page.getByRole('button', { name: 'Opret administrator' }).click()
      await expect(page.getByText('Skriv en gyldig e-mailadresse.')).toBeVisible()
      await expect(page.getByLabel('Navn')).toHaveValue('Kirsten Overgaard')
      await page.getByLabel('E-mail').fill('kirsten@example.dk')
      await page.getByLabel('Adgangskode').fill(PASSWORD)
      await page.getByRole('button', { name: 'Opret administrator' }).click()
      await expect(heading(page)).toHaveText('Hej Kirsten')
      expect((await page.goto(setupLink!))!.status()).toBe(404)
    })

    test('signing in leads to the requested page, and signing out works', async ({ page }) => {
      await page.goto('/?fra=mail')
      await expect(heading(page)).toHaveText('Log ind')
      await page.getByLabel('E-mail').fill('investor@ringbind.example')
      await page.getByLabel('Adgangskode').fill('forkert')
      await page.getByRole('button', { name: 'Log ind' }).click()
      await expect(page.getByText('E-mail eller adgangskode er forkert.')).toBeVisible()
      await expect(page.getByLabel('E-mail')).toHaveValue('investor@ringbind.example')
      await page.getByLabel('Adgangskode').fill('ringbind-demo')
      await page.getByRole('button', { name: 'Log ind' }).click()
      await expect(page).toHaveURL('/?fra=mail')
      await expect(heading(page)).toHaveText('Hej Søren')
      await signOut(page)
      await page.goBack()
      await page.reload()
      await expect(heading(page)).toHaveText('Log ind')
    })

    test(`a mail lets a person replace a forgotten password${onlyLong}`, async ({ page }) => {
      const email = javaScriptEnabled ? 'ulla.brix@ringbind.example' : 'ole.zacho@ringbind.example'
      await page.goto('/login')
      await page.getByRole('link', { name: 'Glemt adgangskode?' }).click()
      await page.getByLabel('E-mail').fill(email)
      await page.getByRole('button', { name: 'Send link' }).click()
      await expect(page.getByText(/har vi sendt et link/)).toBeVisible()
      const link = await mailedLink(PORTS.office, email)
      await page.goto(link)
      await page.getByLabel('Ny adgangskode').fill('kort')
      await page.getByRole('button', { name: 'Gem adgangskode' }).click()
      await expect(page.getByText('Adgangskoden skal være på mindst 10 tegn.')).toBeVisible()
      await page.getByLabel('Ny adgangskode').fill(PASSWORD)
      await page.getByRole('button', { name: 'Gem adgangskode' }).click()
      await expect(heading(page)).toHaveText(/^Hej /)
      await signOut(page)
      await signIn(page, email, PASSWORD)
      expect((await page.goto(link))!.status()).toBe(410)
      await expect(heading(page)).toHaveText('Linket virker ikke længere')
    })

    test('an invitation lets a new person in', async ({ page }) => {
      const email = `inviteret.${javaScriptEnabled ? 'med' : 'uden'}@ringbind.example`
      await page.goto(await mailedLink(PORTS.office, email))
      await expect(heading(page)).toHaveText('Velkommen til Ringbind')
      await page.getByLabel('Ny adgangskode').fill(PASSWORD)
      await page.getByRole('button', { name: 'Gem adgangskode' }).click()
      await expect(heading(page)).toHaveText('Hej Inger')
    })

    test('light, dark and automatic can be chosen and are remembered', async ({ page }) => {
      await page.goto('/login')
      await page.getByRole('button', { name: 'Mørkt' }).click()
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
      await expect
        .poll(() => page.context().cookies())
        .toContainEqual(expect.objectContaining({ name: 'theme', value: 'dark' }))
      await page.reload()
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
      await expect(page.getByRole('button', { name: 'Mørkt' })).toHaveAttribute('aria-pressed', 'true')
    })

    test(`S2.10 the sidebar’s toggle opens the menu on a phone${onlyLong}`, async ({ page }) => {
      await signIn(page, 'medarbejder')
      await page.setViewportSize({ width: 375, height: 700 })
      const menu = page.getByRole('navigation', { name: 'Hovedmenu' })
      await expect(menu).toBeHidden()
      await page.getByLabel('Vis eller skjul menu').filter({ visible: true }).click()
      await expect(menu.getByRole('link', { name: 'Forside' })).toBeVisible()
      await page.getByRole('link', { name: 'Luk menu' }).click()
      await expect(menu).toBeHidden()
    })

    test('choosing a theme returns to the same address', async ({ page }) => {
      await page.goto('/login?next=%2Fprojekter')
      await page.getByRole('button', { name: 'Lyst' }).click()
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
      await expect(page).toHaveURL('/login?next=%2Fprojekter')
    })
  })
}

test('S2.10 the toggle narrows the sidebar on a wide screen, and it stays narrow', async ({ page }) => {
  await signIn(page, 'administrator')
  await page.locator('html[data-hydrated]').waitFor()
  const sidebar = page.getByRole('complementary', { name: 'Menu' })
  const width = async () => (await sidebar.boundingBox())!.width
  expect(await width()).toBe(240)
  await page.getByRole('button', { name: 'Vis eller skjul menu' }).click()
  await expect.poll(width).toBe(64)
  await page.reload()
  expect(await width()).toBe(64)
  await expect(page.getByRole('link', { name: 'Forside' })).toBeVisible()
})

test('S2.10 the drawer closes on Escape and returns the focus', async ({ page }) => {
  await signIn(page, 'administrator')
  await page.locator('html[data-hydrated]').waitFor()
  await page.setViewportSize({ width: 375, height: 700 })
  const toggle = page.getByRole('button', { name: 'Vis eller skjul menu' })
  await toggle.press('Enter')
  const close = page.getByRole('link', { name: 'Luk menu' })
  await expect(close).toBeFocused()
  await expect(page.locator('[inert] main')).toHaveCount(1) // nothing behind the drawer is reachable
  await close.click()
  await expect(toggle).toBeFocused()
  await expect(toggle).toHaveAttribute('aria-expanded', 'false')
  await toggle.press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('navigation', { name: 'Hovedmenu' })).toBeHidden()
  await expect(toggle).toBeFocused()
})

test('S7.1 every call has the marker and repeats the cookie; S7.2 a failure is passed on unchanged', async ({
  page,
}) => {
  await openHydrated(page, '/login')
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'XSRF-TOKEN')!
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.method() === 'POST'),
    page.getByRole('button', { name: 'Log ind' }).click(),
  ])
  expect(await request.headerValue('x-requested-with')).toBe('XMLHttpRequest')
  expect(await request.headerValue('x-xsrf-token')).toBe(decodeURIComponent(cookie.value))
  expect((await request.response())!.status()).toBe(422)
  await expect(page.getByText('E-mail skal udfyldes.')).toBeVisible()
})

test('each of some requests that are too large gets the answer 413 @long', async ({ page }) => {
  await openHydrated(page, '/login')
  const answers = await page.evaluate(async () => {
    const body = `email=${'x'.repeat(8_000_000)}`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const statuses: (number | string)[] = []
    for (let time = 0; time < 3; time++)
      statuses.push(
        await fetch('/login', { method: 'POST', headers, body }).then(
          ({ status }) => status,
          (error: unknown) => String(error),
        ),
      )
    return statuses
  })
  expect(answers).toEqual(Array(3).fill(413))
})

test('S4.12 the button is busy while its form is sent, and ignores a second click', async ({ page }) => {
  await openHydrated(page, '/login')
  let posts = 0
  const answered = Promise.withResolvers<void>()
  await page.route('**/login', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    posts++
    await answered.promise
    return route.continue()
  })
  const button = page.getByRole('button', { name: /Log ind|Logger ind/ })
  const before = (await button.boundingBox())!.width
  await button.click()
  await expect(button).toHaveAttribute('aria-busy', 'true')
  await expect(button).toHaveText(/Logger ind…/)
  expect((await button.boundingBox())!.width).toBe(before)
  await expect(button).toBeFocused()
  await button.click()
  await page.keyboard.press('Enter')
  answered.resolve()
  await expect(page.getByText('E-mail skal udfyldes.')).toBeVisible()
  await expect(button).not.toHaveAttribute('aria-busy')
  expect(posts).toBe(1)
})

test('S5.6 and S8.2 an error is shown at its field, which gets the focus, and disappears on typing', async ({
  page,
}) => {
  await openHydrated(page, '/login')
  await page.getByRole('button', { name: 'Log ind' }).click()
  const email = page.getByLabel('E-mail')
  await expect(email).toBeFocused()
  await expect(email).toHaveAttribute('aria-invalid', 'true')
  await expect(email).toHaveAccessibleDescription('E-mail skal udfyldes.')
  await expect(page.getByRole('button', { name: 'Log ind' })).not.toHaveAttribute('aria-busy')
  await email.pressSequentially('a')
  await expect(page.getByText('E-mail skal udfyldes.')).toBeHidden()
  await expect(page.getByText('Adgangskoden skal udfyldes.')).toBeVisible()
})

test('S8.2 the form says that there is no connection, and keeps its text', async ({ page }) => {
  await openHydrated(page, '/login')
  await page.route('**/login', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await page.getByLabel('E-mail').fill('a@example.dk')
  await page.getByRole('button', { name: 'Log ind' }).click()
  await expect(page.getByRole('alert')).toHaveText(/ingen forbindelse/)
  await expect(page.getByLabel('E-mail')).toHaveValue('a@example.dk')
})

test('with the keyboard alone: sign in, skip the menu, open the user menu, sign out', async ({ page }) => {
  const { keyboard } = page
  await openHydrated(page, '/login')
  await keyboard.press('Tab')
  await expect(page.getByLabel('E-mail')).toBeFocused()
  await keyboard.type('revisor@ringbind.example')
  await keyboard.press('Tab')
  await keyboard.type('ringbind-demo')
  await keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Hej Lone')
  await page.locator('html[data-hydrated]').waitFor()

  await keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Spring til indhold' })).toBeFocused()
  await keyboard.press('Enter')
  await expect(page.locator('main')).toBeFocused()

  const menu = page.getByRole('button', { name: /^Brugermenu/ })
  await menu.focus()
  await keyboard.press('Enter')
  await expect(page.getByText('revisor@ringbind.example')).toBeVisible()
  await keyboard.press('Escape')
  await expect(page.getByText('revisor@ringbind.example')).toBeHidden()
  await expect(menu).toBeFocused()
  await keyboard.press('Enter')
  for (const [role, name] of [
    ['button', 'Lyst'],
    ['button', 'Mørkt'],
    ['button', 'Automatisk'],
    ['link', 'Min profil'],
    ['button', 'Log ud'],
  ] as const) {
    await keyboard.press('Tab')
    await expect(page.getByRole(role, { name })).toBeFocused()
  }
  await keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Log ind')
})
