import type { Locator, Page } from '@playwright/test'
import { openHydrated } from './visitor.ts'
import { expect, test } from './shared-page.ts'

/** Opens the gallery with a clock that only the test moves, so that a slow computer makes no difference. */
async function openWithStoppedClock(page: Page): Promise<void> {
  await page.clock.install({ time: new Date('2026-01-01T12:00:00Z') })
  await openHydrated(page, '/gallery')
  await page.clock.pauseAt(new Date('2026-01-01T13:00:00Z'))
}

test('S4.12 and S7.5 a button says for a moment that its form was saved', async ({ page }) => {
  await openWithStoppedClock(page)
  const form = page.locator('form', { has: page.getByLabel('Navn') })
  await form.getByLabel('Navn').fill('Østergade 12')
  const button = form.getByRole('button')
  const width = (await button.boundingBox())!.width
  await button.click()
  await expect(button).toHaveText(/Gemt$/)
  await expect(button).toHaveAccessibleName(/Gemt/)
  expect((await button.boundingBox())!.width).toBe(width)
  await page.clock.runFor(1900)
  await expect(button).toHaveText(/Gemt$/)
  await page.clock.runFor(200)
  await expect(button).not.toHaveText(/Gemt$/)
  await expect(form.getByLabel('Navn')).toHaveValue('Østergade 12')
})

test('S7.5 and S8.2 a refused form records its errors and stops loading', async ({ page }) => {
  await openHydrated(page, '/gallery')
  const form = page.locator('form', { has: page.getByLabel('Navn') })
  await form.getByRole('button').click()
  await expect(form.getByText('Navn skal udfyldes.')).toBeVisible()
  await expect(form.getByRole('button')).not.toHaveAttribute('aria-busy')
  await expect(form.getByRole('button')).not.toHaveText(/Gemt$/)
  await form.getByLabel('Bemærkning').pressSequentially('x')
  await expect(form.getByText('Navn skal udfyldes.')).toBeVisible()
  await form.getByLabel('Navn').pressSequentially('x')
  await expect(form.getByText('Navn skal udfyldes.')).toBeHidden()
})

test('S4.12 a refused form does not say that it was saved, even right after a success @long', async ({
  page,
}) => {
  await openWithStoppedClock(page)
  const form = page.locator('form', { has: page.getByLabel('Navn') })
  await form.getByLabel('Navn').fill('x')
  await form.getByRole('button').click()
  await expect(form.getByRole('status')).toHaveText('Gemt')
  await form.getByLabel('Navn').fill('')
  await form.getByRole('button').click()
  await expect(form.getByText('Navn skal udfyldes.')).toBeVisible()
  await expect(form.getByRole('button')).not.toHaveText(/Gemt$/)
  await expect(form.getByRole('status')).toHaveText('')
})

test('S8.2 an error without a field is shown above the fields, and so is an answer that is not from Ringbind', async ({
  page,
}) => {
  await openHydrated(page, '/gallery')
  const form = page.locator('form', { has: page.getByLabel('Navn') })
  const answer = (status: number, body: string) =>
    page.route('**/gallery', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status, body }) : route.continue(),
    )
  await answer(
    422,
    JSON.stringify({ message: 'Projektet er låst.', errors: { project: ['Projektet er låst.'] } }),
  )
  await form.getByRole('button').click()
  await expect(form.getByRole('alert')).toHaveText('Projektet er låst.')
  await page.unrouteAll()
  await answer(200, '<html>En mellemmand svarede</html>')
  await form.getByRole('button').click()
  await expect(form.getByRole('alert')).toHaveText('Noget gik galt. Prøv igen om lidt.')
})

test('S9.4 a toast lasts 5 seconds, and stays while the pointer is on it', async ({ page }) => {
  await openWithStoppedClock(page)
  const toast = page.getByText('Filen er flyttet.')
  await page.getByRole('button', { name: 'Vis besked' }).click()
  await page.clock.runFor(4900)
  await expect(toast).toBeVisible()
  await page.clock.runFor(200)
  await expect(toast).toBeHidden()

  await page.getByRole('button', { name: 'Vis besked' }).click()
  await page.clock.runFor(3000)
  await toast.hover()
  await page.clock.runFor(20_000)
  await expect(toast).toBeVisible()
  await page.mouse.move(0, 0)
  await page.clock.runFor(1900)
  await expect(toast).toBeVisible()
  await page.clock.runFor(200)
  await expect(toast).toBeHidden()
})

test('at most three toasts are shown; they are read aloud and can be closed or acted on @long', async ({
  page,
}) => {
  await openWithStoppedClock(page)
  const region = page.getByRole('region', { name: 'Beskeder' })
  await expect(region).toHaveAttribute('aria-live', 'polite')
  for (const name of ['Vis fejl', 'Vis besked', 'Vis besked', 'Vis med fortryd']) {
    await page.getByRole('button', { name }).click()
  }
  await expect(region.getByRole('button', { name: 'Luk besked' })).toHaveCount(3)
  await expect(region.getByText('Filen kunne ikke hentes.')).toBeHidden()
  await region.getByRole('button', { name: 'Fortryd' }).click()
  await expect(region.getByText('Filen er tilbage.')).toBeVisible()
  await region.getByRole('button', { name: 'Luk besked' }).first().click()
  await expect(region.getByRole('button', { name: 'Luk besked' })).toHaveCount(2)
})

const dialog = (page: Page) => page.getByRole('dialog')
const opener = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const scrollY = (page: Page) => page.evaluate(() => window.scrollY)

/** Waits until the window has not scrolled for ten frames. */
const stillScrollY = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let [last, frames] = [window.scrollY, 0]
        const look = () => {
          frames = window.scrollY === last ? frames + 1 : 0
          last = window.scrollY
          if (frames < 10) requestAnimationFrame(look)
          else resolve(last)
        }
        look()
      }),
  )

/** Answers the posts of the gallery's form, and counts them. */
async function countPosts(page: Page): Promise<() => number> {
  let posts = 0
  await page.route('**/gallery', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    posts++
    return route.fulfill({ status: 422, json: { message: 'Nej.', errors: { name: ['Nej.'] } } })
  })
  return () => posts
}

test.describe('a modal', () => {
  test('S4.1 a modal opens with its subject, and is not in the document while it is closed', async ({
    page,
  }) => {
    await openHydrated(page, '/gallery')
    await expect(page.locator('dialog')).toHaveCount(0)
    for (const file of ['Årsrapport (1042) 2024.pdf', 'Budget (1042) 2025.pdf']) {
      await opener(page, `Slet ${file}`).click()
      await expect(dialog(page)).toHaveAccessibleName(`Slet ${file}?`)
      await dialog(page).getByRole('button', { name: 'Annuller' }).click()
      await expect(page.locator('dialog')).toHaveCount(0)
    }
  })

  test('S4.2 a modal closes on Escape, on the backdrop and on its button, but not on a click inside', async ({
    page,
  }) => {
    await openHydrated(page, '/gallery')
    const open = async () => {
      await opener(page, 'Åbn formular').click()
      await expect(dialog(page)).toBeVisible()
    }
    await open()
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toBeHidden()

    await open()
    const { x, y, width, height } = (await dialog(page).boundingBox())!
    await page.mouse.click(x + 4, y + height - 4)
    await dialog(page).getByText('Beskrivelse').click()
    await expect(dialog(page)).toBeVisible()
    await page.mouse.click(x + width + 20, y + 20)
    await expect(dialog(page)).toBeHidden()

    await open()
    await dialog(page).getByRole('button', { name: 'Luk' }).click()
    await expect(dialog(page)).toBeHidden()
  })

  test('S4.2 a modal stays open when a drag leaves or enters it @long', async ({ page }) => {
    await openHydrated(page, '/gallery')
    await opener(page, 'Åbn formular').click()
    const { x, y } = (await dialog(page).boundingBox())!
    const [inside, outside] = [
      [x + 60, y + 60],
      [x - 40, y + 60],
    ] as const
    for (const [from, to] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      await page.mouse.move(...from)
      await page.mouse.down()
      await page.mouse.move(...to)
      await page.mouse.up()
      await expect(dialog(page)).toBeVisible()
    }
  })

  test('S4.2 Enter submits a modal, in a field and with the focus elsewhere in it', async ({ page }) => {
    await openHydrated(page, '/gallery')
    const posts = await countPosts(page)
    await opener(page, 'Åbn formular').click()
    await dialog(page).getByLabel('Navn').press('Enter')
    await expect(dialog(page).getByText('Nej.')).toBeVisible()
    expect(posts()).toBe(1)
    await dialog(page).getByRole('heading').focus()
    await page.keyboard.press('Enter')
    await expect.poll(posts).toBe(2)
    await expect(dialog(page).getByText('Nej.')).toBeVisible()
    await dialog(page).getByRole('checkbox').focus()
    await page.keyboard.press('Enter')
    await expect.poll(posts).toBe(3)
  })

  test('S4.2 an Enter that means something else does not submit a modal', async ({ page }) => {
    await openHydrated(page, '/gallery')
    const posts = await countPosts(page)
    await opener(page, 'Åbn formular').press('Enter')
    const text = dialog(page).getByLabel('Beskrivelse')
    await text.press('Enter')
    await expect(text).toHaveValue('\n')
    const composes = (field: Locator) =>
      field.evaluate((each) =>
        each.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }),
        ),
      )
    expect(await composes(dialog(page).getByLabel('Navn'))).toBe(true) // the composition gets the key
    await dialog(page).getByLabel('Status').press('Enter')
    await page.keyboard.press('Escape') // closes the list, if Enter opened it
    if (await dialog(page).isHidden()) await opener(page, 'Åbn formular').click()
    await dialog(page).getByRole('link', { name: 'Hvad er et projekt?' }).press('Enter')
    await expect(page).toHaveURL(/#hjaelp$/)
    await dialog(page).getByRole('button', { name: 'Annuller' }).press('Enter')
    await expect(dialog(page)).toBeHidden()
    expect(posts()).toBe(0)
  })

  test('S4.2 a modal keeps the focus inside, forwards and backwards', async ({ page }) => {
    await openHydrated(page, '/gallery')
    await opener(page, 'Åbn formular').press('Enter')
    await expect(dialog(page).getByLabel('Navn')).toBeFocused()
    await dialog(page).getByRole('button', { name: 'Opret' }).focus()
    await page.keyboard.press('Tab')
    await expect(dialog(page).getByRole('button', { name: 'Luk' })).toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await expect(dialog(page).getByRole('button', { name: 'Opret' })).toBeFocused()
    const isInside = () => page.evaluate(() => document.activeElement!.closest('dialog') !== null)
    for (const key of ['Tab', 'Shift+Tab'])
      for (let press = 0; press < 12; press++) {
        await page.keyboard.press(key)
        expect([key, press, await isInside()]).toEqual([key, press, true])
      }
  })

  test('S4.2 a modal returns the focus to its opener, or to the page if that is gone', async ({ page }) => {
    await openHydrated(page, '/gallery')
    const button = opener(page, 'Slet Budget (1042) 2025.pdf')
    await button.press('Enter')
    await expect(dialog(page).getByRole('button', { name: 'Annuller' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(button).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect(dialog(page).getByRole('button', { name: 'Slet fil' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(button).toBeHidden()
    await expect(page.getByRole('main')).toBeFocused()
  })

  test('S4.3 and S9.4 the page is back at its scroll position 300 ms after a modal has closed', async ({
    page,
  }) => {
    await openWithStoppedClock(page)
    const open = (name: string) => opener(page, name).click()
    await open('Åbn formular')
    const before = await scrollY(page)
    expect(before).toBeGreaterThan(0)
    await page.evaluate(() => scrollTo(0, 10))
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toBeHidden()
    await page.clock.runFor(299)
    expect(await scrollY(page)).toBe(10)
    await page.clock.runFor(1)
    expect(await scrollY(page)).toBe(before)
  })

  test('S4.2 the page behind a modal does not scroll @long', async ({ page }) => {
    await openHydrated(page, '/gallery')
    const button = opener(page, 'Åbn lang tekst')
    await button.scrollIntoViewIfNeeded()
    const before = (await button.boundingBox())!
    await button.click()
    await page.mouse.move(5, 300)
    await page.mouse.wheel(0, 400)
    await page.mouse.move(640, 300)
    await page.mouse.wheel(0, 400)
    await expect.poll(() => dialog(page).evaluate((each) => each.scrollTop)).toBeGreaterThan(0)
    expect(await button.boundingBox()).toEqual(before)
  })

  test('S4.3 the page is not scrolled if a modal is open again by then @long', async ({ page }) => {
    await openWithStoppedClock(page)
    await opener(page, 'Åbn formular').click()
    await page.keyboard.press('Escape')
    await page.clock.runFor(200)
    await opener(page, 'Åbn lang tekst').click()
    await page.evaluate(() => scrollTo(0, 10))
    await page.clock.runFor(1000)
    expect(await scrollY(page)).toBe(10)
  })

  test('S8.2 a modal shows the server’s errors, and closes on success', async ({ page }) => {
    await openHydrated(page, '/gallery')
    await opener(page, 'Åbn formular').click()
    await page.keyboard.press('Enter')
    await expect(dialog(page).getByText('Navn skal udfyldes.')).toBeVisible()
    await expect(dialog(page).getByLabel('Navn')).toBeFocused()
    await page.keyboard.type('Nordhavn')
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toBeHidden()
    await expect(page.getByText('Projektet er oprettet.')).toBeVisible()
    await expect(opener(page, 'Åbn formular')).toBeFocused()
  })

  test('a modal fits a small phone, and scrolls long content inside itself @long', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 560 })
    await openHydrated(page, '/gallery')
    await opener(page, 'Åbn lang tekst').click()
    expect(await dialog(page).boundingBox()).toEqual({ x: 16, y: 16, width: 328, height: 528 })
    await dialog(page).getByText('§ 24.').scrollIntoViewIfNeeded()
    await expect(dialog(page).getByRole('button', { name: 'Luk' })).toBeInViewport()
  })
})

test.describe('a dropdown', () => {
  const popover = (page: Page) => page.locator('[popover="auto"]:popover-open')
  const items = (page: Page) => page.getByRole('menuitem')
  const calls = '**/api/gallery/menus/*'

  test('S4.13 a dropdown closes when another one opens, on Escape and on a click outside', async ({
    page,
  }) => {
    await openHydrated(page, '/gallery')
    await opener(page, 'Opret').click()
    await expect(page.getByRole('menu', { name: 'Opret' })).toBeVisible()
    await expect(opener(page, 'Opret')).toHaveAttribute('aria-expanded', 'true')
    await opener(page, 'Handlinger').click()
    await expect(page.getByRole('menu', { name: 'Handlinger' })).toBeVisible()
    await expect(page.getByRole('menu')).toHaveCount(1)
    await expect(opener(page, 'Opret')).toHaveAttribute('aria-expanded', 'false')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
    await expect(opener(page, 'Handlinger')).toBeFocused()
    await opener(page, 'Opret').click()
    await expect(page.getByRole('menu')).toHaveCount(1)
    await page.getByRole('heading', { name: 'Ikonknapper' }).click()
    await expect(page.getByRole('menu')).toHaveCount(0)
    await expect(opener(page, 'Opret')).toHaveAttribute('aria-expanded', 'false')
  })

  test('works with the keyboard alone', async ({ page }) => {
    await openHydrated(page, '/gallery')
    const trigger = opener(page, 'Handlinger')
    const focused = (name: string) => expect(page.getByRole('menuitem', { name })).toBeFocused()
    await expect(trigger).toHaveAttribute('aria-haspopup', 'menu')
    await trigger.press('Enter')
    await focused('Hent')
    await page.keyboard.press('ArrowUp')
    await focused('Slet')
    await page.keyboard.press('ArrowDown')
    await focused('Hent')
    await page.keyboard.press('End')
    await focused('Slet')
    await page.keyboard.press('a')
    await focused('Arkiver')
    await page.keyboard.press('Space')
    await expect(page.getByText('Valgt: Arkiver')).toBeVisible()
    await expect(trigger).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await focused('Slet')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Valgt: Omdøb')).toBeVisible()
    await expect(page.getByRole('menu')).toHaveCount(0)
    await page.keyboard.press('ArrowDown')
    await focused('Hent')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('menu')).toHaveCount(0)
    await expect(opener(page, 'Flyt til mappe')).toBeFocused()
  })

  test('S4.2 a modal that a menu opened returns the focus to the menu’s button @long', async ({ page }) => {
    await openHydrated(page, '/gallery')
    await opener(page, 'Opret').press('ArrowUp')
    await expect(page.getByRole('menuitem', { name: 'Formular i vindue' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog(page).getByLabel('Navn')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(opener(page, 'Opret')).toBeFocused()
  })

  test('S7.4 and S8.3 a dropdown fetches its rows without a query each time it opens', async ({ page }) => {
    await openHydrated(page, '/gallery')
    const answers = [Promise.withResolvers<object>(), Promise.withResolvers<object>()]
    const asked: string[] = []
    await page.route(calls, async (route) => {
      asked.push(
        `${route.request().method()} ${new URL(route.request().url()).pathname}${new URL(route.request().url()).search}`,
      )
      return route.fulfill({ json: await answers[asked.length - 1]!.promise })
    })
    await opener(page, 'Hent mapper').click()
    await expect(popover(page)).toHaveText('Henter...')
    await expect(items(page)).toHaveCount(0)
    answers[0]!.resolve({ data: [{ id: 1, name: 'Budget' }], meta: { total: 12 } })
    await expect(items(page)).toHaveText(['Budget'])
    await expect(items(page)).toBeFocused()
    await expect(popover(page)).toContainText('Viser 1 af 12')
    expect(asked).toEqual(['GET /api/gallery/menus/folders'])

    await page.keyboard.press('Escape')
    await opener(page, 'Hent mapper').click()
    await expect(page.getByRole('menu')).toHaveAttribute('aria-busy', 'true') // the old rows, dimmed
    await expect(items(page)).toHaveText(['Budget'])
    answers[1]!.resolve({ data: [{ id: 2, name: 'Skat' }], meta: { total: 1 } })
    await expect(items(page)).toHaveText(['Skat'])
    await expect(page.getByRole('menu')).not.toHaveAttribute('aria-busy')
  })

  test('S7.4 a dropdown ignores an answer that comes after closing, or after a newer one @long', async ({
    page,
  }) => {
    await openHydrated(page, '/gallery')
    const answers = [Promise.withResolvers<object>(), Promise.withResolvers<object>()]
    let asked = 0
    await page.route(calls, async (route) => {
      const json = await answers[asked++]!.promise
      return route.fulfill({ json }).catch(() => undefined) // the page has cancelled the request
    })
    await opener(page, 'Hent mapper').click()
    await expect.poll(() => asked).toBe(1)
    await page.keyboard.press('Escape')
    await opener(page, 'Hent mapper').click()
    await expect.poll(() => asked).toBe(2)
    answers[1]!.resolve({ data: [{ id: 2, name: 'Den nye' }], meta: {} })
    await expect(items(page)).toHaveText(['Den nye'])
    answers[0]!.resolve({ data: [{ id: 1, name: 'Den gamle' }], meta: {} })
    await page.evaluate(() => new Promise((done) => requestIdleCallback(done)))
    await expect(items(page)).toHaveText(['Den nye'])
  })

  test('S8.3 a dropdown says that nothing was found, or that the list could not be fetched, and tries again @long', async ({
    page,
  }) => {
    await openHydrated(page, '/gallery')
    await opener(page, 'Hent ingenting').click()
    await expect(popover(page)).toHaveText('Intet fundet...')
    await page.keyboard.press('Escape')
    await opener(page, 'Hent med fejl').press('Enter')
    await expect(popover(page).getByRole('alert')).toContainText('Listen kunne ikke hentes.')
    await expect(popover(page).getByRole('button', { name: 'Prøv igen' })).toBeFocused()
    await page.route(calls, (route) =>
      route.fulfill({ json: { data: [{ id: 1, name: 'Budget' }], meta: {} } }),
    )
    await popover(page).getByRole('button', { name: 'Prøv igen' }).press('Enter')
    await expect(items(page)).toHaveText(['Budget'])
    await expect(items(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Valgt: Budget')).toBeVisible()
  })

  test('a dropdown’s long list is filtered by its field @long', async ({ page }) => {
    await openHydrated(page, '/gallery')
    await opener(page, 'Flyt til mappe').press('Enter')
    const field = page.getByRole('textbox', { name: 'Find mappe' })
    await expect(field).toBeFocused()
    await expect(items(page)).toHaveCount(40)
    await page.keyboard.type('årsrapport 202')
    await expect(items(page)).toHaveCount(5)
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitem', { name: 'Årsrapport 2020' })).toBeFocused()
    await page.keyboard.type('3')
    await expect(field).toHaveValue('årsrapport 2023')
    await expect(field).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await expect(field).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Valgt: Årsrapport 2023')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(items(page)).toHaveCount(40)
    await expect(field).toBeFocused()
    await page.keyboard.type('xyz')
    await expect(popover(page)).toHaveText('Intet fundet...')
  })

  test('a dropdown stays inside the window, wherever its button is @long', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 480 })
    await openHydrated(page, '/gallery')
    for (const name of ['Opret', 'Handlinger', 'Flyt til mappe', 'Hent mapper']) {
      for (const block of ['start', 'end'] as const) {
        await opener(page, name).evaluate((each, at) => each.scrollIntoView({ block: at }), block)
        await opener(page, name).press('Enter')
        await expect(items(page).first()).toBeVisible()
        const { x, y, width, height } = (await popover(page).boundingBox())!
        const isInside = x >= 0 && y >= 0 && x + width <= 360 && y + height <= 480
        expect([name, block, isInside]).toEqual([name, block, true])
        await page.keyboard.press('Escape')
        await expect(items(page)).toHaveCount(0)
      }
    }
  })
})

test.describe('a menu that rows share', () => {
  const popover = (page: Page) => page.locator('[popover="auto"]:popover-open')
  const items = (page: Page) => page.getByRole('menuitem')
  const button = (page: Page, file: string) => opener(page, `Flyt ${file} til mappe`)

  /** Expects the menu to be right-aligned with its button, just below or above it. */
  async function expectAt(page: Page, file: string): Promise<void> {
    await expect(popover(page)).toHaveAccessibleName(`Flyt ${file} til mappe`)
    await expect(items(page)).toHaveCount(40)
    const [menu, at] = [(await popover(page).boundingBox())!, (await button(page, file).boundingBox())!]
    expect(Math.abs(menu.x + menu.width - at.x - at.width)).toBeLessThan(2)
    const gap = Math.max(menu.y - at.y - at.height, at.y - menu.y - menu.height)
    expect(Math.abs(gap - 4)).toBeLessThan(2)
  }

  test('S4.13 a shared menu opens at the pressed button, for the file in its row', async ({ page }) => {
    await openHydrated(page, '/gallery')
    await button(page, 'Budget.xlsx').click()
    await expectAt(page, 'Budget.xlsx')
    await expect(page.getByRole('textbox', { name: 'Søg mappe' })).toBeFocused()
    await button(page, 'Referat.docx').evaluate((each: HTMLElement) => each.click()) // not a press outside, which would close it
    await expectAt(page, 'Referat.docx')
    await expect(page.getByRole('textbox', { name: 'Søg mappe' })).toBeFocused()
    await page.keyboard.type('skat 2024')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Flyttet: Referat.docx til Skat 2024')).toBeVisible()
    await expect(popover(page)).toHaveCount(0)
    await expect(button(page, 'Referat.docx')).toBeFocused()
  })

  test('S4.13 a press on its button closes a shared menu, and a press on another button moves it there @long', async ({
    page,
  }) => {
    await openHydrated(page, '/gallery')
    // Makes the menu open above the buttons, so that it does not cover them.
    await page.setViewportSize({ width: 1000, height: 600 })
    await button(page, 'Referat.docx').evaluate((each) => each.scrollIntoView({ block: 'end' }))
    await button(page, 'Årsrapport.pdf').click()
    await expectAt(page, 'Årsrapport.pdf')
    await button(page, 'Referat.docx').click()
    await expectAt(page, 'Referat.docx')
    await page.keyboard.press('Escape')
    await expect(button(page, 'Referat.docx')).toBeFocused()
    for (const isOpen of [true, false, true, false]) {
      await button(page, 'Årsrapport.pdf').click()
      await expect(popover(page)).toHaveCount(isOpen ? 1 : 0)
    }
    await expect(button(page, 'Årsrapport.pdf')).toBeFocused()
  })

  test('works with the keyboard alone @long', async ({ page }) => {
    await openHydrated(page, '/gallery')
    await button(page, 'Budget.xlsx').press('ArrowDown')
    await expectAt(page, 'Budget.xlsx')
    await page.keyboard.press('Tab')
    await expect(popover(page)).toHaveCount(0)
    await expect(button(page, 'Referat.docx')).toBeFocused()
    await page.keyboard.press('Enter')
    await expectAt(page, 'Referat.docx')
    await page.keyboard.press('Escape')
    await expect(button(page, 'Referat.docx')).toBeFocused()
  })

  test('a menu item that cannot be chosen says so, and why @long', async ({ page }) => {
    await openHydrated(page, '/gallery')
    await button(page, 'Årsrapport.pdf').press('Enter')
    const first = items(page).first()
    await expect(first).toHaveAccessibleName('Årsrapport 2020 Ligger her')
    await expect(first).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('ArrowDown')
    await expect(first).toBeFocused()
    await page.keyboard.press('Enter')
    await first.click({ force: true })
    await expect(popover(page)).toBeVisible()
    await expect(page.getByText('Flyttet: intet')).toBeVisible()
    await page.keyboard.type('årsrapport') // Enter then chooses the first item that can be chosen
    await page.keyboard.press('Enter')
    await expect(page.getByText('Flyttet: Årsrapport.pdf til Årsrapport 2021')).toBeVisible()
  })

  test('a shared menu closes when its button is removed @long', async ({ page }) => {
    await openHydrated(page, '/gallery')
    await button(page, 'Budget.xlsx').press('Enter')
    await expectAt(page, 'Budget.xlsx')
    await button(page, 'Budget.xlsx').evaluate((each) => each.remove())
    await page.keyboard.type('x') // makes the menu check its button
    await expect(popover(page)).toHaveCount(0)
    await expect(page.getByRole('main')).toBeFocused()
  })
})

test('without JavaScript a menu opens, and its links work', async ({ plainPage: page }) => {
  await page.goto('/gallery')
  await opener(page, 'Opret').click()
  await page.getByRole('menuitem', { name: 'Projekt' }).click()
  await expect(page).toHaveURL(/#projekt$/)
})

test('an icon shows its name after a moment under the pointer, and at once on keyboard focus @long', async ({
  page,
}) => {
  await openWithStoppedClock(page)
  const tooltip = page.locator('[popover="manual"]')
  const star = opener(page, 'Favorit')
  await star.hover()
  await page.clock.runFor(300)
  await expect(tooltip).toBeHidden()
  await page.clock.runFor(200)
  await expect(tooltip).toHaveText('Favorit')
  await page.keyboard.press('Escape')
  await expect(tooltip).toBeHidden()
  await page.mouse.move(0, 0)
  await page.clock.runFor(500)
  await star.focus()
  await page.keyboard.press('Tab')
  await page.clock.runFor(1)
  await expect(tooltip).toHaveText('Hent fil')
  await page.keyboard.press('Tab')
  await page.clock.runFor(1)
  await expect(tooltip).toHaveText('Slet række')
  await expect(tooltip).toBeInViewport({ ratio: 1 })
})

test('the name of an icon stays under the pointer, and disappears with its icon @long', async ({ page }) => {
  await openWithStoppedClock(page)
  const tooltip = page.locator('[popover="manual"]')
  const star = opener(page, 'Favorit')
  const hover = async (each: Locator) => {
    await each.hover()
    await page.clock.runFor(400)
  }
  await hover(star)
  await expect(tooltip).toHaveText('Favorit')
  await page.clock.runFor(50)
  await hover(tooltip)
  await expect(tooltip).toBeVisible()
  await page.mouse.move(0, 0)
  await page.clock.runFor(90)
  await expect(tooltip).toBeVisible()
  await page.clock.runFor(20)
  await expect(tooltip).toBeHidden()

  await hover(star)
  await hover(opener(page, 'Slet række'))
  await expect(tooltip).toHaveText('Slet række')
  const [at, beside] = [(await opener(page, 'Slet række').boundingBox())!, (await tooltip.boundingBox())!]
  expect(Math.abs(at.x + at.width / 2 - beside.x - beside.width / 2)).toBeLessThan(2)
  await page.mouse.down()
  await expect(tooltip).toBeHidden()
  await page.mouse.up()

  await hover(star)
  await star.evaluate((each) => (each.dataset.tooltip = 'Ikke favorit'))
  await expect(tooltip).toHaveText('Ikke favorit')
  await star.evaluate((each) => each.remove())
  await expect(tooltip).toBeHidden()
})

test('the name of an icon is not shown on touch @long', async ({ page }) => {
  await openWithStoppedClock(page)
  const star = opener(page, 'Favorit')
  await star.dispatchEvent('pointerover', { pointerType: 'touch' })
  await page.clock.runFor(1000)
  await expect(page.locator('[popover="manual"]')).toBeHidden()
  await star.dispatchEvent('pointerover', { pointerType: 'mouse' })
  await page.clock.runFor(1000)
  await expect(page.locator('[popover="manual"]')).toBeVisible()
})

test('a busy or disabled icon keeps the focus and does nothing @long', async ({ page }) => {
  await openHydrated(page, '/gallery')
  for (const [name, attribute] of [
    ['Omdøber', 'aria-busy'],
    ['Kan ikke arkiveres', 'aria-disabled'],
  ] as const) {
    await expect(opener(page, name)).toHaveAttribute(attribute, 'true')
    await opener(page, name).focus()
    await page.keyboard.press('Enter')
    await expect(opener(page, name)).toBeFocused()
    await expect(page.getByText('Valgt: intet')).toBeVisible()
  }
  await opener(page, 'Favorit').click()
  await expect(page.getByText('Valgt: Favorit')).toBeVisible()
})

test.describe('a dragged row', () => {
  const shelf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  const rows = (page: Page, name: string) => shelf(page, name).getByRole('row')
  const row = (page: Page, file: string) => page.getByRole('row', { name: file, exact: true })

  async function open(page: Page): Promise<void> {
    await openHydrated(page, '/gallery')
    await page.getByRole('heading', { name: 'Træk mellem mapper' }).evaluate((each) => {
      scrollBy(0, each.getBoundingClientRect().top - 200)
    })
    await expect(row(page, 'Budget 2025')).toHaveAttribute('draggable', 'true') // the drag library has loaded
  }

  async function lift(page: Page, file: string): Promise<void> {
    await row(page, file).locator('.cursor-grab').hover()
    await page.mouse.down()
  }

  /** Moves in several steps, as a hand does, one per frame: the drag library reads the position once per frame. */
  async function moveTo(page: Page, x: number, y: number): Promise<void> {
    for (const left of [8, 4, 0]) {
      await page.mouse.move(x, y - left)
      await page.evaluate(() => new Promise(requestAnimationFrame))
    }
  }

  async function carry(page: Page, to: Locator, down = 0.5): Promise<void> {
    const { x, y, width, height } = (await to.boundingBox())!
    await moveTo(page, x + width / 2, y + height * down)
  }

  test('S3.7 a dragged row shows where it lands among the rows of its group, in any part of the table', async ({
    page,
  }) => {
    await open(page)
    await lift(page, 'Budget 2025')
    await carry(page, row(page, 'Årsrapport 2023'), 0.2)
    await expect(row(page, 'Årsrapport 2023')).toHaveAttribute('data-line', 'above')
    await expect(row(page, 'Budget 2025')).toHaveCSS('opacity', '0.5')
    await expect(page.locator('[data-over]')).toHaveCount(0)
    await page.mouse.up()
    await expect(rows(page, 'Regnskab')).toHaveText(['Budget 2025', 'Årsrapport 2023', 'Årsrapport 2024'])
    await expect(page.locator('[data-line]')).toHaveCount(0)
    await expect(rows(page, 'Regnskab').first()).toHaveCSS('opacity', '1')
  })

  test('S3.7 for a row dragged over another group the whole section is the target @long', async ({
    page,
  }) => {
    await open(page)
    await lift(page, 'Årsrapport 2024')
    const isOver = async () => {
      await carry(page, row(page, 'Opgørelse 2024'))
      await expect(shelf(page, 'Skat')).toHaveAttribute('data-over', 'true')
      await expect(page.locator('[data-line]')).toHaveCount(0)
    }
    await isOver()
    await carry(page, shelf(page, 'Regnskab').getByRole('heading'))
    await expect(page.locator('[data-over]')).toHaveCount(0) // the row is already in that section
    await isOver()
    await page.mouse.up()
    await expect(rows(page, 'Skat')).toHaveText(['Opgørelse 2024', 'Udbytte 2024', 'Årsrapport 2024'])
    await expect(rows(page, 'Regnskab')).toHaveText(['Årsrapport 2023', 'Budget 2025'])
    await expect(page.locator('[data-over]')).toHaveCount(0)

    await lift(page, 'Årsrapport 2024') // it now moves among its new neighbours
    await carry(page, row(page, 'Udbytte 2024'), 0.2)
    await page.mouse.up()
    await expect(rows(page, 'Skat')).toHaveText(['Opgørelse 2024', 'Årsrapport 2024', 'Udbytte 2024'])
  })

  test('rows may be added and removed during a drag, even the dragged one @long', async ({ page }) => {
    await open(page)
    const press = (name: string) => opener(page, name).evaluate((each: HTMLElement) => each.click())
    await lift(page, 'Budget 2025')
    await carry(page, row(page, 'Årsrapport 2024'))
    await press('Læg ny fil øverst')
    await carry(page, row(page, 'Ny fil'), 0.2)
    await expect(row(page, 'Ny fil')).toHaveAttribute('data-line', 'above')
    await page.mouse.up()
    const rest = ['Ny fil', 'Årsrapport 2023', 'Årsrapport 2024']
    await expect(rows(page, 'Regnskab')).toHaveText(['Budget 2025', ...rest])

    await lift(page, 'Budget 2025')
    await carry(page, row(page, 'Ny fil'))
    await press('Fjern øverste fil')
    await expect(rows(page, 'Regnskab')).toHaveText(rest)
    await carry(page, row(page, 'Udbytte 2024'))
    await page.mouse.up()
    await expect(rows(page, 'Skat')).toHaveText(['Opgørelse 2024', 'Udbytte 2024', 'Budget 2025'])
  })

  test('a drag scrolls the window near its edges @long', async ({ page }) => {
    await open(page)
    const before = await scrollY(page)
    const { width, height } = page.viewportSize()!
    await lift(page, 'Årsrapport 2023')
    // The hand is never quite still: a busy browser may miss one of its moves.
    const scrollYAfterMove = async (y: number) => {
      await moveTo(page, width / 2, y)
      return scrollY(page)
    }
    await expect.poll(() => scrollYAfterMove(height - 8)).toBeGreaterThan(before + 100)
    await expect.poll(() => scrollYAfterMove(16)).toBeLessThan(before)
    await moveTo(page, width / 2, height / 2)
    const after = await stillScrollY(page)
    await page.mouse.up()
    expect(await scrollY(page)).toBe(after)
  })
})

test('the focus moves to the next item when one is removed @long', async ({ page }) => {
  await openHydrated(page, '/gallery')
  const remove = (text: string) => opener(page, `Fjern ${text}`)
  await remove('Årsrapport KS').press('Enter')
  await expect(remove('Regnskab')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(remove('Årsrapport 2020')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(opener(page, 'Sæt alle tilbage')).toBeFocused()
})

test('breadcrumbs link back, S9.9 a list says how many of the total it shows, S8.3 or that it is empty or loading, and progress is shown in numbers', async ({
  page,
}) => {
  await page.goto('/gallery')
  await test.step('breadcrumbs link back, and name the current page', async () => {
    const crumbs = page.getByRole('navigation', { name: 'Brødkrummesti' })
    await expect(crumbs.getByRole('listitem')).toHaveText(['Forside', 'Projekter', 'K/S Nordhavn Kontorhus'])
    await expect(crumbs.getByRole('link', { name: 'Forside' })).toHaveAttribute('href', '/')
    await expect(crumbs.locator('[aria-current="page"]')).toHaveText('K/S Nordhavn Kontorhus')
    await page.setViewportSize({ width: 375, height: 800 })
    await expect(crumbs.getByRole('link')).toHaveText(['Projekter'])
    await page.setViewportSize({ width: 1280, height: 720 })
  })
  await test.step('S9.9 a list says how many of the total it shows', async () => {
    await expect(page.getByRole('list', { name: 'Mapper', exact: true }).getByRole('listitem')).toHaveCount(3)
    await expect(page.getByText('Showing 3 of 12 total items')).toBeVisible()
  })
  await test.step('S8.3 a list says that it is empty, or that it is loading', async () => {
    const lists = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Lister' }) })
    await expect(lists.getByText('Intet fundet...')).toBeVisible()
    await expect(lists.getByText('Henter...')).toBeVisible()
  })
  await test.step('progress is shown in numbers, and announced to screen readers', async () => {
    const bars = page.getByRole('progressbar')
    await expect(bars.first()).toHaveAccessibleName('Årsrapport (1042) 2024.pdf')
    await expect(bars.first()).toHaveJSProperty('value', 0.427)
    await expect(page.getByText('42 %')).toBeVisible()
    await expect(bars.last()).toHaveJSProperty('position', -1)
  })
})
