import type { Locator, Page, Request } from '@playwright/test'
import { formatCount } from '../../src/base/danish/counts.ts'
import { makeInOffice, type MadeProject, type ProjectRequest } from './maker.ts'
import { enterAs, openHydrated } from './visitor.ts'
import { expect, test } from './shared-page.ts'

// A high window, so that no drag comes near an edge, where the page would scroll.
test.use({ viewport: { width: 1280, height: 1100 } })

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `Bilag ${from + index}.pdf`)

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const rows = (page: Page, folder: string) => section(page, folder).locator('tr[data-file]')
const row = (page: Page, name: string) => page.locator('tr[data-file]').filter({ hasText: name })
const names = (page: Page, folder: string) =>
  rows(page, folder).getByRole('rowheader').getByRole('link').allInnerTexts()
/** The text of a toast. */
const said = (page: Page, text: string) => page.getByRole('region', { name: 'Beskeder' }).getByText(text)
const inOrder = (page: Page, folder: string, expected: string[]) =>
  expect.poll(() => names(page, folder)).toEqual(expected)

/** Keeps a page from receiving changes, also its own: live.spec.ts tests that. */
const keepStill = (page: Page) => page.route('**/api/changes?*', (route) => route.abort())

async function openProject(page: Page, wanted: ProjectRequest, as = 'medarbejder'): Promise<MadeProject> {
  const made = await makeInOffice(wanted)
  await enterAs(page, as)
  await openHydrated(page, `/projects/${made.id}/uploads`)
  return made
}

/** Drags a row by its handle onto an element. */
async function drag(
  page: Page,
  name: string,
  onto: Locator,
  side: 'above' | 'below' | 'middle',
): Promise<void> {
  await expect(row(page, name)).toHaveAttribute('draggable', 'true') // after the drag library has loaded
  const handle = row(page, name).locator('.file-handle')
  await handle.hover()
  await page.mouse.down()
  const box = (await onto.boundingBox())!
  const y = side === 'above' ? box.y + 4 : side === 'below' ? box.y + box.height - 4 : box.y + box.height / 2
  await page.mouse.move(box.x + 100, y - 10, { steps: 4 })
  await page.mouse.move(box.x + 100, y, { steps: 4 })
}

/** Delays some calls until `letGo` is called. */
async function hold(page: Page, pattern: RegExp): Promise<{ letGo: () => void; calls: string[] }> {
  const calls: string[] = []
  let letGo = () => undefined as void
  const gate = new Promise<void>((resolve) => (letGo = resolve))
  await page.route(pattern, async (route) => {
    calls.push(`${route.request().method()} ${new URL(route.request().url()).pathname}`)
    await gate
    await route.continue()
  })
  return { letGo, calls }
}

const scrollToEnd = (page: Page, folder: string) =>
  section(page, folder).evaluate((each) =>
    scrollTo(0, each.getBoundingClientRect().bottom + scrollY - innerHeight),
  )

/** Deletes a file through its question, and waits until the modal has restored the scroll position: S4.3. */
async function deleteFile(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Slet ${name}`, exact: true }).click()
  await page.getByRole('button', { name: 'Slet fil' }).click()
  await expect(row(page, name)).toHaveCount(0)
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300))) // after the modal's own timer, which started before
}

test('S2.6 a folder shows its columns, its number of files and who sees them', async ({ page }) => {
  await openProject(page, { files: { Budget: numbered(1, 7) } })
  const budget = section(page, 'Budget')
  expect(await budget.getByRole('columnheader').allInnerTexts()).toEqual([
    'Navn',
    'Dato',
    'Str',
    'Handlinger',
  ])
  await expect(budget.getByText('7 filer')).toBeVisible()
  await expect(budget.getByText('Deles med investorer')).toBeVisible()
  await expect(section(page, 'Diverse').getByText('Kun kontoret')).toBeVisible()
})

test('the buttons that the script adds move nothing, and a date shows its day under the pointer @long', async ({
  page,
}) => {
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      const { dataset } = document.documentElement
      dataset.shifts = String(Number(dataset.shifts ?? 0) + list.getEntries().length)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await openProject(page, { files: { Budget: numbered(1, 3) } })
  await expect(page.getByRole('button', { name: /^Slet / })).toHaveCount(3)
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
  expect(await page.locator('html').getAttribute('data-shifts')).toBeNull()
  await section(page, 'Budget').locator('td time').first().hover()
  await expect(page.locator('[popover="manual"]')).toHaveText(/^[a-zø]+dag, \d+ [a-z]+ 20\d\d$/)
})

test('rows far below get their buttons when they come near @long', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 500 })
  // An empty folder is one line, so these are not.
  const between = ['Ekstra 1', 'Ekstra 2', 'Ekstra 3'].map((name) => [name, numbered(1, 5)] as const)
  const files = { Budget: numbered(1, 2), ...Object.fromEntries(between), 'Ekstra 4': numbered(3, 4) }
  await openProject(page, { extraFolders: 4, files })
  const buttons = (folder: string) => section(page, folder).getByRole('button', { name: /^Slet / })
  await expect(buttons('Budget')).toHaveCount(2)
  await expect(buttons('Ekstra 4')).toHaveCount(0)
  await section(page, 'Ekstra 4').scrollIntoViewIfNeeded()
  await expect(buttons('Ekstra 4')).toHaveCount(2)
})

test('S4.11 S9.2 a folder shows its first five files, shows the rest on request, and hides them again', async ({
  page,
}) => {
  await openProject(page, { files: { Budget: numbered(1, 7), Forsikring: numbered(1, 5) } })
  const budget = section(page, 'Budget')
  expect(await names(page, 'Budget')).toEqual(numbered(1, 5))
  await expect(section(page, 'Forsikring').getByRole('link', { name: 'Vis alle filer' })).toHaveCount(0)
  await budget.getByRole('link', { name: 'Vis alle filer' }).click()
  await inOrder(page, 'Budget', numbered(1, 7))
  await budget.getByRole('link', { name: 'Skjul filer' }).click()
  await inOrder(page, 'Budget', numbered(1, 5))
})

test('S4.11 S8.3 an empty folder says so, and so does an empty trash', async ({ page }) => {
  const made = await openProject(page, {})
  await expect(section(page, 'Diverse').getByText('Ingen filer')).toBeVisible()
  await expect(section(page, 'Diverse').locator('table')).toHaveCount(0)
  await page.goto(`/projects/${made.id}/trash`)
  await expect(page.getByText('Papirkurven er tom')).toBeVisible()
})

test('S4.11 without JavaScript, a link shows all files, a hundred at a time @long', async ({
  plainPage: page,
}) => {
  const made = await makeInOffice({ files: { Budget: 130 } })
  await enterAs(page, 'medarbejder')
  await page.goto(`/projects/${made.id}/uploads`)
  await section(page, 'Budget').getByRole('link', { name: 'Vis alle filer' }).click()
  await inOrder(page, 'Budget', numbered(1, 100))
  await section(page, 'Budget').getByRole('link', { name: 'Næste' }).click()
  await inOrder(page, 'Budget', numbered(101, 130))
  await section(page, 'Budget').getByRole('link', { name: 'Skjul filer' }).click()
  await inOrder(page, 'Budget', numbered(1, 5))
})

test.describe('the address of a folder', () => {
  const top = (page: Page, folder: string) =>
    section(page, folder).evaluate((each) => Math.round(each.getBoundingClientRect().top))

  test('S2.5 a folder’s address scrolls to it, even if the content above grows during hydration', async ({
    page,
  }) => {
    const files = { Budget: 6, Forsikring: 6, Vedtægter: 6, Vurderinger: 6, Diverse: 6 }
    const made = await makeInOffice({ files })
    await enterAs(page, 'medarbejder')
    let letGo = () => undefined as void
    const gate = new Promise<void>((resolve) => (letGo = resolve))
    await page.route(/\/assets\/files-page.*\.js$/, async (route) => {
      await gate
      await route.continue()
    })
    await page.goto(`/projects/${made.id}/uploads#folder-${made.folders.Forsikring}`)
    expect(await top(page, 'Forsikring')).toBeLessThan(100)
    await page.evaluate(() => {
      document.documentElement.style.overflowAnchor = 'none'
      const block = document.createElement('div')
      block.style.height = '700px'
      document.body.prepend(block)
    })
    expect(await top(page, 'Forsikring')).toBeGreaterThan(600)
    letGo()
    await page.locator('html[data-hydrated]').waitFor()
    await expect.poll(() => top(page, 'Forsikring')).toBeLessThan(100)
  })

  test('S2.5 a folder’s address scrolls to it on a later page of the list too', async ({ page }) => {
    const made = await makeInOffice({ extraFolders: 20, files: { 'Ekstra 20': 2 } })
    await enterAs(page, 'medarbejder')
    await page.goto(`/projects/${made.id}/uploads#folder-${made.folders['Ekstra 20']}`)
    await expect(section(page, 'Ekstra 20')).toBeInViewport()
    await expect(page).toHaveURL(/page=2#folder-\d+$/)
    await expect(rows(page, 'Ekstra 20')).toHaveCount(2)
  })

  test('a folder’s address is in the folder list at the side, which stays in view @long', async ({
    page,
  }) => {
    await openProject(page, { files: { Budget: 6, Forsikring: 6, Diverse: 6 } })
    const nav = page.getByRole('navigation', { name: 'Mapper' })
    await nav.getByRole('link', { name: /^Skatteoplysninger/ }).click()
    await expect(section(page, 'Skatteoplysninger')).toBeInViewport()
    await expect(nav.getByRole('link', { name: /^Årsrapport/ })).toBeInViewport()
  })
})

test.describe('the order of files', () => {
  test('S4.10 S7.7 buttons change the order of files, after the server has confirmed; the focus stays and the new place is announced', async ({
    page,
  }) => {
    await openProject(page, { files: { Budget: numbered(1, 4) } })
    const { letGo, calls } = await hold(page, /\/move-(up|down)$/)
    const down = page.getByRole('button', { name: 'Flyt Bilag 1.pdf ned' })
    await down.click()
    await expect(down).toHaveAttribute('aria-busy', 'true')
    expect(await names(page, 'Budget')).toEqual(numbered(1, 4))
    letGo()
    await inOrder(page, 'Budget', ['Bilag 2.pdf', 'Bilag 1.pdf', 'Bilag 3.pdf', 'Bilag 4.pdf'])
    await expect(down).toBeFocused()
    await expect(said(page, 'Flyttet til plads 2 af 4')).toBeAttached()
    expect(calls[0]).toMatch(/^POST \/api\/projects\/\d+\/file\/\d+\/move-down$/)
    await page.reload()
    expect(await names(page, 'Budget')).toEqual(['Bilag 2.pdf', 'Bilag 1.pdf', 'Bilag 3.pdf', 'Bilag 4.pdf'])
  })

  test('S4.10 the order of files stays the same if the server refuses or does not answer', async ({
    page,
  }) => {
    await openProject(page, { files: { Budget: numbered(1, 3) } })
    for (const answer of ['refuse', 'abort'] as const) {
      await page.route(/move-down$|update-order$/, (route) =>
        answer === 'abort'
          ? route.abort()
          : route.fulfill({ status: 409, json: { success: false, message: 'Det gik ikke.' } }),
      )
      await page.getByRole('button', { name: 'Flyt Bilag 1.pdf ned' }).click()
      await expect(
        page.getByText(answer === 'abort' ? 'Filen kunne ikke flyttes. Prøv igen om lidt.' : 'Det gik ikke.'),
      ).toBeVisible()
      expect(await names(page, 'Budget')).toEqual(numbered(1, 3))
      await drag(page, 'Bilag 1.pdf', row(page, 'Bilag 3.pdf'), 'below')
      const isOrder = (request: Request) => request.url().endsWith('update-order')
      const answered =
        answer === 'abort'
          ? page.waitForEvent('requestfailed', isOrder)
          : page.waitForEvent('requestfinished', isOrder)
      await page.mouse.up()
      await answered
      await expect(section(page, 'Budget').locator('[aria-busy]')).toHaveCount(0)
      expect(await names(page, 'Budget')).toEqual(numbered(1, 3))
      await page.unrouteAll()
    }
  })

  test('S4.10 S7.8 dragging changes the order of files: a line shows where, and the row moves after the server has confirmed', async ({
    page,
  }) => {
    await openProject(page, { files: { Budget: numbered(1, 5) } })
    const { letGo, calls } = await hold(page, /update-order$/)
    await drag(page, 'Bilag 1.pdf', row(page, 'Bilag 3.pdf'), 'below')
    await expect(row(page, 'Bilag 3.pdf')).toHaveAttribute('data-line', 'below')
    await page.mouse.up()
    await expect.poll(() => calls.length).toBe(1)
    expect(await names(page, 'Budget')).toEqual(numbered(1, 5))
    letGo()
    const expected = ['Bilag 2.pdf', 'Bilag 3.pdf', 'Bilag 1.pdf', 'Bilag 4.pdf', 'Bilag 5.pdf']
    await inOrder(page, 'Budget', expected)
    await expect(said(page, 'Flyttet til plads 3 af 5')).toBeAttached()
    await drag(page, 'Bilag 5.pdf', row(page, 'Bilag 2.pdf'), 'above')
    await page.mouse.up()
    await inOrder(page, 'Budget', ['Bilag 5.pdf', 'Bilag 2.pdf', 'Bilag 3.pdf', 'Bilag 1.pdf', 'Bilag 4.pdf'])
    await page.reload()
    expect((await names(page, 'Budget'))[0]).toBe('Bilag 5.pdf')

    // Scrolling under a still pointer does not change where the row lands.
    await page.locator('html[data-hydrated]').waitFor()
    await drag(page, 'Bilag 4.pdf', row(page, 'Bilag 2.pdf'), 'above')
    await expect(row(page, 'Bilag 2.pdf')).toHaveAttribute('data-line', 'above')
    await page.evaluate(() => scrollBy({ top: 25, behavior: 'instant' }))
    await page.mouse.up()
    await inOrder(page, 'Budget', ['Bilag 5.pdf', 'Bilag 4.pdf', 'Bilag 2.pdf', 'Bilag 3.pdf', 'Bilag 1.pdf'])
  })

  test('a drag does not change the column widths @long', async ({ page }) => {
    await openProject(page, { files: { Budget: numbered(1, 5) } })
    const widths = () =>
      section(page, 'Budget')
        .getByRole('columnheader')
        .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().width)))
    const before = await widths()
    await drag(page, 'Bilag 1.pdf', row(page, 'Bilag 3.pdf'), 'below')
    await expect(row(page, 'Bilag 3.pdf')).toHaveAttribute('data-line', 'below')
    expect(await widths()).toEqual(before)
    await page.mouse.up()
  })

  test('a file dropped on the folder’s name comes first, and one dropped below the last row comes last @long', async ({
    page,
  }) => {
    await openProject(page, { files: { Budget: numbered(1, 7) } })
    await drag(page, 'Bilag 3.pdf', section(page, 'Budget').getByRole('heading'), 'middle')
    await page.mouse.up()
    await inOrder(page, 'Budget', ['Bilag 3.pdf', 'Bilag 1.pdf', 'Bilag 2.pdf', 'Bilag 4.pdf', 'Bilag 5.pdf'])
    await section(page, 'Budget').getByRole('link', { name: 'Vis alle filer' }).click()
    await expect(rows(page, 'Budget')).toHaveCount(7)
    await drag(
      page,
      'Bilag 3.pdf',
      section(page, 'Budget').getByRole('link', { name: 'Skjul filer' }),
      'middle',
    )
    await page.mouse.up()
    await expect.poll(async () => (await names(page, 'Budget')).at(-1)).toBe('Bilag 3.pdf')
  })

  test('a second click in the same place moves the file further: it stays under the pointer @long', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1280, height: 700 })
    await openProject(page, {
      files: { Budget: numbered(1, 4), Diverse: numbered(1, 5), Forsikring: numbered(1, 5) },
    })
    const box = (await page.getByRole('button', { name: 'Flyt Bilag 1.pdf ned' }).first().boundingBox())!
    for (const place of [2, 3, 4]) {
      await page.mouse.click(box.x + 10, box.y + 10)
      await expect(said(page, `Flyttet til plads ${place} af 4`)).toBeAttached()
      await expect(section(page, 'Budget').locator('[aria-busy]')).toHaveCount(0)
    }
    await inOrder(page, 'Budget', ['Bilag 2.pdf', 'Bilag 3.pdf', 'Bilag 4.pdf', 'Bilag 1.pdf'])
  })

  test('a late answer does not change the order if the list has been fetched since @long', async ({
    page,
  }) => {
    await openProject(page, { files: { Budget: 300 } })
    await section(page, 'Budget').getByRole('link', { name: 'Vis alle filer' }).click()
    await scrollToEnd(page, 'Budget')
    await expect(row(page, 'Bilag 290.pdf')).toBeVisible()
    const { letGo, calls } = await hold(page, /move-down$/)
    await page.getByRole('button', { name: 'Flyt Bilag 290.pdf ned' }).click()
    await expect.poll(() => calls.length).toBe(1)
    await page.evaluate(() => scrollTo(0, 0))
    await deleteFile(page, 'Bilag 1.pdf')
    await expect(section(page, 'Budget').getByText('299 filer').first()).toBeVisible()
    await scrollToEnd(page, 'Budget')
    const around = async () => {
      const all = await names(page, 'Budget')
      return all.slice(all.indexOf('Bilag 289.pdf'), all.indexOf('Bilag 292.pdf') + 1)
    }
    await expect.poll(around).toEqual(numbered(289, 292))
    letGo()
    await expect.poll(around).toEqual(['Bilag 289.pdf', 'Bilag 291.pdf', 'Bilag 290.pdf', 'Bilag 292.pdf'])
    await expect(section(page, 'Budget').locator('[aria-busy]')).toHaveCount(0)
    expect(await around()).toEqual(['Bilag 289.pdf', 'Bilag 291.pdf', 'Bilag 290.pdf', 'Bilag 292.pdf'])
  })

  test('a folder opens when a file moves beyond the first five, so that the file stays visible @long', async ({
    page,
  }) => {
    await openProject(page, { files: { Budget: numbered(1, 8) } })
    const down = page.getByRole('button', { name: 'Flyt Bilag 5.pdf ned' })
    await down.click()
    await expect
      .poll(async () => (await names(page, 'Budget')).slice(3))
      .toEqual(['Bilag 4.pdf', 'Bilag 6.pdf', 'Bilag 5.pdf', 'Bilag 7.pdf', 'Bilag 8.pdf'])
    await expect(down).toBeFocused()
  })

  test('the focus stays when a file moves from one part of a long list to the next @long', async ({
    page,
  }) => {
    await openProject(page, { files: { Budget: 60 } })
    await section(page, 'Budget').getByRole('link', { name: 'Vis alle filer' }).click()
    const down = page.getByRole('button', { name: 'Flyt Bilag 25.pdf ned' })
    await down.click()
    await expect
      .poll(async () => (await names(page, 'Budget')).slice(23, 27))
      .toEqual(['Bilag 24.pdf', 'Bilag 26.pdf', 'Bilag 25.pdf', 'Bilag 27.pdf'])
    await expect(down).toBeFocused()
  })

  test('the order of files cannot be changed during a search @long', async ({ page }) => {
    await openProject(page, { files: { Budget: numbered(1, 3) } })
    await page.getByLabel('Søg i projektets filer og mapper').fill('bilag 2')
    await inOrder(page, 'Budget', ['Bilag 2.pdf'])
    await expect(page.getByRole('button', { name: 'Flyt Bilag 2.pdf op' })).toHaveCount(0)
    await expect(page.getByText('Rækkefølgen kan ikke ændres, mens du søger.')).toBeVisible()
  })

  test('the list is fetched again, with a message, if somebody else has changed the order @long', async ({
    page,
    otherPage: other,
  }) => {
    await keepStill(page)
    const made = await openProject(page, { files: { Budget: numbered(1, 4) } })
    await enterAs(other, 'administrator')
    await openHydrated(other, `/projects/${made.id}/uploads`)
    await other.getByRole('button', { name: 'Flyt Bilag 2.pdf ned' }).click()
    await inOrder(other, 'Budget', ['Bilag 1.pdf', 'Bilag 3.pdf', 'Bilag 2.pdf', 'Bilag 4.pdf'])
    await drag(page, 'Bilag 1.pdf', row(page, 'Bilag 2.pdf'), 'below')
    await page.mouse.up()
    await expect(page.getByText('En anden har ændret rækkefølgen.')).toBeVisible()
    await inOrder(page, 'Budget', ['Bilag 1.pdf', 'Bilag 3.pdf', 'Bilag 2.pdf', 'Bilag 4.pdf'])
  })
})

test.describe('moving to another folder', () => {
  test('S7.9 a file moves with the menu and its search, and the list is fetched again @long', async ({
    page,
  }) => {
    await openProject(page, { files: { Budget: numbered(1, 6), Forsikring: ['Police.pdf'] } })
    await page.getByRole('button', { name: 'Flyt Bilag 2.pdf til en anden mappe' }).click()
    await expect(page.getByRole('menuitem', { name: /^Budget/ })).toHaveAttribute('aria-disabled', 'true')
    await page.getByLabel('Mappe eller projekt').fill('forsi')
    await page.keyboard.press('Enter')
    await inOrder(page, 'Forsikring', ['Bilag 2.pdf', 'Police.pdf'])
    await inOrder(page, 'Budget', ['Bilag 1.pdf', ...numbered(3, 6)])
    await expect(section(page, 'Forsikring').getByText('2 filer')).toBeVisible()
    await expect(page.getByText('Bilag 2.pdf er flyttet til Forsikring.')).toBeVisible()
    // The focus is on the same button of the row that took its place.
    await expect(page.getByRole('button', { name: 'Flyt Bilag 3.pdf til en anden mappe' })).toBeFocused()

    await page.getByLabel('Søg i projektets filer og mapper').fill('Police')
    await expect(section(page, 'Budget')).toHaveCount(0)
    await page.getByRole('button', { name: 'Flyt Police.pdf til en anden mappe' }).click()
    await page.getByLabel('Mappe eller projekt').fill('budget')
    await page.keyboard.press('Enter')
    await inOrder(page, 'Budget', ['Police.pdf'])
    await expect(page.getByLabel('Søg i projektets filer og mapper')).toBeFocused()
  })

  test('a file moves by dragging onto a folder’s name in the list at the side @long', async ({ page }) => {
    await openProject(page, { files: { Budget: numbered(1, 2) } })
    const link = page
      .getByRole('navigation', { name: 'Mapper' })
      .getByRole('link', { name: /^Skatteoplysninger/ })
    await drag(page, 'Bilag 1.pdf', link, 'middle')
    await page.mouse.up()
    await inOrder(page, 'Skatteoplysninger', ['Bilag 1.pdf'])
  })

  test('S7.9 a file moves by dragging onto a folder’s section, which is highlighted', async ({ page }) => {
    await openProject(page, { files: { Budget: numbered(1, 2), Kvartalsrapport: ['Q1.pdf'] } })
    await drag(page, 'Bilag 1.pdf', row(page, 'Q1.pdf'), 'middle')
    await expect(section(page, 'Kvartalsrapport')).toHaveClass(/bg-accent-soft/)
    await page.mouse.up()
    await inOrder(page, 'Kvartalsrapport', ['Bilag 1.pdf', 'Q1.pdf'])
    await inOrder(page, 'Budget', ['Bilag 2.pdf'])
  })

  test('moving from Kun kontoret to Deles med investorer asks first, with the menu and by dragging', async ({
    page,
  }) => {
    await openProject(page, {
      files: { Bestyrelsesmøder: numbered(1, 2), Generalforsamling: ['Referat.pdf'] },
    })
    await drag(page, 'Bilag 1.pdf', row(page, 'Referat.pdf'), 'middle')
    await page.mouse.up()
    const question = page.getByRole('dialog', { name: 'Del filen med investorerne?' })
    await expect(question).toContainText('Bilag 1.pdf')
    await question.getByRole('button', { name: 'Annuller' }).click()
    await expect(question).toBeHidden()
    expect(await names(page, 'Bestyrelsesmøder')).toEqual(numbered(1, 2))
    await page.getByRole('button', { name: 'Flyt Bilag 1.pdf til en anden mappe' }).click()
    await page.getByRole('menuitem', { name: /^Generalforsamling/ }).click()
    await question.getByRole('button', { name: 'Flyt og del' }).click()
    await inOrder(page, 'Generalforsamling', ['Bilag 1.pdf', 'Referat.pdf'])
  })

  test('moving also asks if the folder was shared after the page was opened', async ({
    page,
    otherPage: other,
  }) => {
    const made = await openProject(page, {
      files: { Bestyrelsesmøder: numbered(1, 2), Finansiering: ['Lån.pdf'] },
    })
    await enterAs(other, 'administrator')
    await openHydrated(other, `/projects/${made.id}/folders`)
    await other.getByRole('link', { name: 'Rediger Finansiering' }).click()
    const form = other.locator(`#folder-${made.folders.Finansiering}`)
    await form.getByLabel('Deles med investorer').check()
    await form.getByRole('button', { name: 'Gem mappe' }).click()
    await expect(other.getByText('Mappen Finansiering er gemt.')).toBeVisible()
    await page.evaluate(() => console.clear())
    await drag(page, 'Bilag 1.pdf', section(page, 'Finansiering').getByRole('heading'), 'middle')
    await page.mouse.up()
    await expect(section(page, 'Finansiering').getByText('Deles med investorer')).toBeVisible()
    expect(await names(page, 'Bestyrelsesmøder')).toEqual(numbered(1, 2))
  })

  test('S8.1 a failed move is logged only to the console, and the list stays the same', async ({ page }) => {
    await openProject(page, { files: { Budget: numbered(1, 2), Kvartalsrapport: ['Q1.pdf'] } })
    const errors: string[] = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    await page.route(/\/move-file$/, (route) => route.abort())
    await drag(page, 'Bilag 1.pdf', row(page, 'Q1.pdf'), 'middle')
    await page.mouse.up()
    await expect.poll(() => errors.some((error) => error.startsWith('Error moving the file:'))).toBe(true)
    expect(await names(page, 'Budget')).toEqual(numbered(1, 2))
    expect(await page.getByRole('region', { name: 'Beskeder' }).innerText()).toBe('')
  })
})

test.describe('deleting', () => {
  test('S4.15 deleting asks with the file’s name, and Fortryd puts the file back in its old place', async ({
    page,
  }) => {
    await openProject(page, { files: { Budget: numbered(1, 3) } })
    await page.getByRole('button', { name: 'Slet Bilag 2.pdf' }).click()
    const question = page.getByRole('dialog', { name: 'Slet Bilag 2.pdf?' })
    await question.getByRole('button', { name: 'Annuller' }).click()
    expect(await names(page, 'Budget')).toEqual(numbered(1, 3))
    await page.getByRole('button', { name: 'Slet Bilag 2.pdf' }).click()
    const call = page.waitForRequest((request) => request.method() === 'DELETE')
    await question.getByRole('button', { name: 'Slet fil' }).click()
    expect(new URL((await call).url()).pathname).toMatch(/^\/api\/projects\/\d+\/file\/\d+$/)
    await inOrder(page, 'Budget', ['Bilag 1.pdf', 'Bilag 3.pdf'])
    await expect(page.getByRole('button', { name: 'Slet Bilag 3.pdf' })).toBeFocused()
    await page.getByRole('button', { name: 'Fortryd' }).click()
    await inOrder(page, 'Budget', numbered(1, 3))
    await expect(said(page, 'Fortrudt: alt er, som det var.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Bilag 2.pdf', exact: true })).toBeFocused()
  })

  test('Ctrl+Z also undoes a deletion, but not in a text field @long', async ({ page }) => {
    await openProject(page, { files: { Budget: numbered(1, 3) } })
    await page.getByRole('button', { name: 'Slet Bilag 2.pdf' }).click()
    await page.getByRole('button', { name: 'Slet fil' }).click()
    await inOrder(page, 'Budget', ['Bilag 1.pdf', 'Bilag 3.pdf'])
    await page.getByLabel('Søg i projektets filer og mapper').focus()
    await page.keyboard.press('Control+z')
    await expect(page.getByRole('button', { name: 'Fortryd sletning af Bilag 2.pdf' })).toBeVisible()
    await page.locator('main').focus()
    await page.keyboard.press('Control+z')
    await inOrder(page, 'Budget', numbered(1, 3))
  })

  test('deleting twice brings nothing back if the first list arrives late @long', async ({ page }) => {
    await keepStill(page)
    await openProject(page, { files: { Budget: numbered(1, 8) } })
    await section(page, 'Budget').getByRole('link', { name: 'Vis alle filer' }).click()
    await expect(rows(page, 'Budget')).toHaveCount(8)
    let letGo = () => undefined as void
    const gate = new Promise<void>((resolve) => (letGo = resolve))
    const [asked, answered]: [number[], number[]] = [[], []]
    await page.route(/\/files(\?|$)/, async (route) => {
      const response = await route.fetch()
      const { total } = ((await response.json()) as { meta: { total: number } }).meta
      asked.push(total)
      if (total === 7) await gate
      await route.fulfill({ response })
      answered.push(total)
    })
    for (const name of ['Bilag 2.pdf', 'Bilag 4.pdf']) {
      await page.getByRole('button', { name: `Slet ${name}` }).click()
      await page.getByRole('button', { name: 'Slet fil' }).click()
      await expect(row(page, name)).toHaveCount(0)
      await expect.poll(() => asked).toContain(name === 'Bilag 2.pdf' ? 7 : 6)
    }
    await expect.poll(() => answered).toEqual([6])
    letGo()
    await expect.poll(() => answered).toEqual([6, 7])
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
    expect(await names(page, 'Budget')).toEqual(['Bilag 1.pdf', 'Bilag 3.pdf', ...numbered(5, 8)])
  })

  test('a double click deletes once; a file that is already deleted gives a message @long', async ({
    page,
    otherPage: other,
  }) => {
    const made = await openProject(page, { files: { Budget: numbered(1, 3) } })
    await enterAs(other, 'administrator')
    await keepStill(other)
    await openHydrated(other, `/projects/${made.id}/uploads`)
    await page.getByRole('button', { name: 'Slet Bilag 2.pdf' }).click()
    await page.getByRole('button', { name: 'Slet fil' }).dblclick()
    await inOrder(page, 'Budget', ['Bilag 1.pdf', 'Bilag 3.pdf'])
    await other.getByRole('button', { name: 'Slet Bilag 2.pdf' }).click()
    await other.getByRole('button', { name: 'Slet fil' }).click()
    await expect(other.getByText('Bilag 2.pdf er allerede slettet.')).toBeVisible()
    await inOrder(other, 'Budget', ['Bilag 1.pdf', 'Bilag 3.pdf'])
  })

  test('the question about deleting stays open and says why if the server refuses; Enter deletes, but not while it is held down @long', async ({
    page,
  }) => {
    await openProject(page, { files: { Budget: numbered(1, 3) } })
    await page.getByRole('button', { name: 'Slet Bilag 2.pdf' }).click()
    const question = page.getByRole('dialog', { name: 'Slet Bilag 2.pdf?' })
    const yes = question.getByRole('button', { name: 'Slet fil' })
    await expect(yes).toBeFocused()
    /** While an answer is awaited, Enter does nothing. */
    const isAtRest = () => expect(yes).not.toHaveAttribute('aria-busy')
    for (const status of [403, 409, 422]) {
      const json = { message: `Kontoret har låst mappen (${status}).` }
      await page.route(/\/file\/\d+$/, (route) => route.fulfill({ status, json }))
      await isAtRest()
      await page.keyboard.press('Enter')
      await expect(question.getByRole('alert')).toHaveText(
        `Filen blev ikke slettet. Kontoret har låst mappen (${status}).`,
      )
    }
    await page.route(/\/file\/\d+$/, (route) => route.abort())
    await isAtRest()
    await page.keyboard.press('Enter')
    await expect(question.getByRole('alert')).toContainText('Der er ingen forbindelse til Ringbind.')
    await page.unrouteAll()
    await isAtRest()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Slet Bilag 2.pdf' })).toBeFocused()
    await page.keyboard.down('Enter')
    await expect(yes).toBeFocused()
    await page.keyboard.down('Enter') // the same press, repeated
    await page.keyboard.up('Enter')
    await expect(yes).toBeFocused()
    await page.keyboard.press('Enter')
    await inOrder(page, 'Budget', ['Bilag 1.pdf', 'Bilag 3.pdf'])
  })

  test('deleted files are in the trash, where they can be restored, or removed for good by an administrator', async ({
    page,
  }) => {
    const made = await openProject(page, { files: { Budget: numbered(1, 3) } }, 'administrator')
    for (const name of ['Bilag 1.pdf', 'Bilag 2.pdf']) {
      await page.getByRole('button', { name: `Slet ${name}` }).click()
      await page.getByRole('button', { name: 'Slet fil' }).click()
      await expect(row(page, name)).toHaveCount(0)
    }
    await openHydrated(page, `/projects/${made.id}/trash`)
    const list = page.getByRole('list', { name: 'Slettede filer' })
    await expect(list.getByRole('listitem')).toHaveCount(2)
    await expect(list.getByRole('listitem').first()).toContainText(
      /Bilag 2\.pdf.*Slettet \d\d\/\d\d\/\d{4} af Kirsten Overgaard/s,
    )
    await expect(page.getByText('Showing 2 of 2 total items')).toBeVisible()
    await page.getByLabel('Søg i papirkurven').fill('bilag 1')
    await expect(list.getByRole('listitem')).toHaveCount(1)
    await page.getByLabel('Søg i papirkurven').press('Escape')
    await expect(list.getByRole('listitem')).toHaveCount(2)
    await page.getByRole('button', { name: 'Gendan Bilag 2.pdf' }).click()
    await expect(list.getByRole('listitem')).toHaveCount(1)
    await expect(page.getByRole('button', { name: 'Gendan Bilag 1.pdf' })).toBeFocused()
    await page.getByRole('button', { name: 'Slet Bilag 1.pdf for altid' }).click()
    await page.getByRole('button', { name: 'Slet for altid', exact: true }).click()
    await expect(page.getByText('Papirkurven er tom')).toBeVisible()
    await page.getByRole('navigation', { name: 'Brødkrummesti' }).getByRole('link').last().click()
    expect(await names(page, 'Budget')).toEqual(['Bilag 2.pdf', 'Bilag 3.pdf'])
  })
})

test.describe('the menus and dialogs of rows, which come after the page', () => {
  const menus = /\/assets\/file-menus-.*\.js$/

  test('menus and dialogs of rows that are pressed early open when they have loaded', async ({ page }) => {
    const { letGo, calls } = await hold(page, menus)
    await openProject(page, { files: { Budget: 2 } })
    await expect.poll(() => calls).toHaveLength(1)
    await page.getByRole('button', { name: 'Flyt Bilag 1.pdf til en anden mappe' }).click()
    await page.getByRole('button', { name: 'Slet Bilag 2.pdf' }).click()
    letGo()
    const question = page.getByRole('dialog', { name: 'Slet Bilag 2.pdf?' })
    await expect(question.getByRole('button', { name: 'Slet fil' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Slet Bilag 2.pdf' })).toBeFocused()
  })

  test('menus that cannot load say so only if they are pressed, and another press tries again @long', async ({
    page,
  }) => {
    let failures = 0
    await page.route(menus, (route) => {
      failures++
      return route.abort()
    })
    await openProject(page, { files: { Budget: 2 } })
    await expect.poll(() => failures).toBe(1)
    const press = page.getByRole('button', { name: 'Slet Bilag 2.pdf' })
    const updated = page.getByRole('dialog', { name: 'Ringbind er blevet opdateret' })
    await press.click()
    await expect(updated).toBeVisible() // the server answers, so the part was removed with an old version
    expect(failures).toBe(2)
    await updated.getByRole('button', { name: 'Luk' }).last().click()
    await page.unroute(menus)
    await press.click()
    await expect(page.getByRole('dialog', { name: 'Slet Bilag 2.pdf?' })).toBeVisible()
  })
})

test('S2.2 S2.3 a file opens in a new tab and can be downloaded, whatever its name', async ({ page }) => {
  const name = 'Ærø #1 100%? + "æøå" & så.pdf'
  await openProject(page, { files: { Budget: [name] } })
  const link = page.getByRole('rowheader').getByRole('link')
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', 'noopener')
  const opened = await page.request.get((await link.getAttribute('href'))!)
  expect([opened.status(), await opened.text()]).toEqual([200, `%PDF-1.7 ${name}`])
  const href = await page.getByRole('link', { name: `Hent ${name}` }).getAttribute('href')
  const downloaded = await page.request.get(href!)
  expect([downloaded.status(), await downloaded.text()]).toEqual([200, `%PDF-1.7 ${name}`])
  expect(downloaded.headers()['content-disposition']).toMatch(/^attachment/)
})

test('S1.1 an investor sees the shared folders, can open and download, and can change nothing', async ({
  page,
}) => {
  await enterAs(page, 'investor')
  await page.goto('/')
  await page.getByRole('link', { name: 'K/S Nordhavn Kontorhus' }).click()
  await expect(section(page, 'Årsrapport')).toBeVisible()
  await expect(section(page, 'Bestyrelsesmøder')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^(Flyt|Slet) / })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Upload' })).toHaveCount(0)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Hent Årsrapport (1024) 2024.pdf' }).click()
  expect((await download).suggestedFilename()).toBe('Årsrapport (1024) 2024.pdf')
})

test('S8.3 a search finds files and folders, says when it finds nothing, and is in the address', async ({
  page,
}) => {
  await openProject(page, { files: { Budget: numbered(1, 12), Diverse: ['Brev fra banken.pdf'] } })
  const field = page.getByLabel('Søg i projektets filer og mapper')
  await field.fill('banken')
  await expect(page.getByRole('region', { name: 'Budget', exact: true })).toHaveCount(0)
  await inOrder(page, 'Diverse', ['Brev fra banken.pdf'])
  await expect(page).toHaveURL(/\?q=banken$/)
  await field.fill('budg')
  await inOrder(page, 'Budget', numbered(1, 5))
  await section(page, 'Budget').getByRole('link', { name: 'Vis alle filer' }).click()
  await expect(rows(page, 'Budget')).toHaveCount(12)
  await field.fill('findes ikke')
  await expect(page.locator('p', { hasText: 'Intet fundet...' })).toBeVisible()
  await page.getByRole('link', { name: 'Ryd søgning' }).click()
  await expect(section(page, 'Vedtægter')).toBeVisible()
  await expect(field).toBeFocused()
})

// The long tests have the most files that one folder is meant for.
const LAST = 10_000

test(`a folder of ${LAST} files opens without having all of them in the document, and each can be reached @long`, async ({
  page,
}) => {
  test.slow()
  await openProject(page, { files: { Budget: LAST } })
  const budget = section(page, 'Budget')
  const gate = await hold(page, /\/files\?page=/)
  await budget.getByRole('link', { name: 'Vis alle filer' }).click()
  await expect(budget.getByText('Henter...').first()).toBeAttached()
  gate.letGo()
  await expect.poll(() => rows(page, 'Budget').count()).toBeGreaterThan(25)
  await expect(budget.getByRole('grid')).toHaveAttribute('aria-rowcount', String(LAST + 1))
  expect(await rows(page, 'Budget').count()).toBeLessThan(200)
  // To the end, as with the scroll bar.
  await scrollToEnd(page, 'Budget')
  await expect(row(page, `Bilag ${LAST}.pdf`)).toBeVisible()
  await expect(row(page, `Bilag ${LAST}.pdf`)).toHaveAttribute('aria-rowindex', String(LAST + 1))
  expect(await rows(page, 'Budget').count()).toBeLessThan(200)
  await page.getByRole('button', { name: `Flyt Bilag ${LAST}.pdf op` }).click()
  await expect(
    said(page, `Flyttet til plads ${formatCount(LAST - 1)} af ${formatCount(LAST)}`),
  ).toBeAttached()
  // With the keyboard: Tab moves on into rows that were not in the document before.
  await expect(row(page, `Bilag ${LAST - 50}.pdf`)).toHaveCount(0)
  await page.getByRole('link', { name: `Bilag ${LAST - 48}.pdf`, exact: true }).focus()
  await expect(row(page, `Bilag ${LAST - 50}.pdf`)).toBeAttached()
  for (let presses = 0; presses < 30; presses++) await page.keyboard.press('Shift+Tab')
  const focused = page.locator(':focus')
  await expect(focused).toBeVisible()
  expect(await focused.evaluate((each) => Number(each.closest('tr')?.ariaRowIndex))).toBeLessThan(LAST - 50)
  await budget.getByRole('link', { name: 'Skjul filer' }).click()
  await inOrder(page, 'Budget', numbered(1, 5))
  await expect(budget.getByRole('heading')).toBeInViewport()
})

test.describe('a folder that is open', () => {
  test('an open folder is open again after a reload and after a search @long', async ({ page }) => {
    await openProject(page, { files: { Budget: numbered(1, 7) } })
    await section(page, 'Budget').getByRole('link', { name: 'Vis alle filer' }).click()
    await inOrder(page, 'Budget', numbered(1, 7))
    await page.reload()
    await inOrder(page, 'Budget', numbered(1, 7))
    await page.locator('html[data-hydrated]').waitFor()
    const field = page.getByLabel('Søg i projektets filer og mapper')
    await field.fill('bilag 7')
    await inOrder(page, 'Budget', ['Bilag 7.pdf'])
    await page.keyboard.press('Escape')
    await inOrder(page, 'Budget', numbered(1, 7))
  })

  test('an open folder keeps rows that came into view while it was fetched again @long', async ({ page }) => {
    await keepStill(page)
    await openProject(page, { files: { Budget: 300 } })
    await section(page, 'Budget').getByRole('link', { name: 'Vis alle filer' }).click()
    await expect(row(page, 'Bilag 30.pdf')).toBeAttached()
    const [top, again] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const asked: string[] = []
    await page.route(/\/files(\?|$)/, async (route) => {
      const { search } = new URL(route.request().url())
      const isAgain = asked.includes(search)
      asked.push(search)
      if (isAgain) await again.promise
      else if (!/=1[12]$/.test(search)) await top.promise
      await route.continue()
    })
    await deleteFile(page, 'Bilag 1.pdf')
    await expect.poll(() => asked).toContain('?page=2')
    await scrollToEnd(page, 'Budget')
    await expect(row(page, 'Bilag 300.pdf')).toBeVisible()
    top.resolve()
    await expect.poll(() => asked.filter((search) => search === '?page=12').length).toBe(2)
    expect(await row(page, 'Bilag 300.pdf').isVisible()).toBe(true)
    again.resolve()
    await page.evaluate(() => scrollTo(0, 0))
    await expect(row(page, 'Bilag 2.pdf')).toHaveAttribute('aria-rowindex', '2')
  })

  test('an open folder reserves space for rows that are not loaded yet, without console errors @long', async ({
    page,
  }) => {
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    const made = await makeInOffice({ files: { Budget: 2000 } })
    await enterAs(page, 'medarbejder')
    await openHydrated(page, `/projects/${made.id}/uploads?open=${made.folders.Budget}`)
    const height = () => section(page, 'Budget').evaluate((each) => each.getBoundingClientRect().height)
    await expect.poll(height).toBeGreaterThan(2000 * 40)
    expect(complaints).toEqual([])
  })
})

test('the last page of the trash disappears with its only file @long', async ({ page }) => {
  const made = await makeInOffice({ files: { Budget: 26 }, deleted: true })
  await enterAs(page, 'medarbejder')
  await openHydrated(page, `/projects/${made.id}/trash?page=2`)
  await page.getByRole('button', { name: /^Gendan/ }).click()
  await expect(page.getByText('Showing 25 of 25 total items')).toBeVisible()
})

test.describe('at 375 pixels, by touch', () => {
  test.use({ viewport: { width: 375, height: 700 }, hasTouch: true, isMobile: true })

  test('every action works on a phone: up, down, move, delete, undo, download', async ({ page }) => {
    await openProject(page, { files: { Budget: numbered(1, 3), Forsikring: ['Police.pdf'] } })
    // The page begins with its papers, and the search is one press away.
    const field = page.getByLabel('Søg i projektets filer og mapper')
    await expect(field).toBeHidden()
    await page.getByRole('button', { name: 'Vis søgefeltet' }).tap()
    await expect(field).toBeFocused()
    await page.getByRole('button', { name: 'Vis søgefeltet' }).tap()
    await expect(field).toBeHidden()
    expect((await section(page, 'Årsrapport').boundingBox())!.height).toBeLessThan(60) // one line: it is empty
    const top = (await page.getByRole('main').boundingBox())!.y
    expect((await section(page, 'Årsrapport').boundingBox())!.y - top).toBeLessThan(175)
    await page.getByRole('button', { name: 'Flyt Bilag 1.pdf ned' }).tap()
    await inOrder(page, 'Budget', ['Bilag 2.pdf', 'Bilag 1.pdf', 'Bilag 3.pdf'])
    await page.getByRole('button', { name: 'Handlinger for Bilag 1.pdf' }).tap()
    await page.getByRole('menuitem', { name: 'Flyt til mappe' }).tap()
    await page.getByRole('menuitem', { name: /^Forsikring/ }).tap()
    await inOrder(page, 'Forsikring', ['Bilag 1.pdf', 'Police.pdf'])
    await page.getByRole('button', { name: 'Handlinger for Bilag 3.pdf' }).tap()
    const menu = page.getByRole('menu', { name: 'Handlinger' }).locator('xpath=..')
    await expect(page.getByRole('menuitem', { name: 'Slet' })).toBeInViewport({ ratio: 1 })
    expect(await menu.evaluate((each) => each.scrollHeight - each.clientHeight)).toBe(0)
    await page.getByRole('menuitem', { name: 'Slet' }).tap()
    await page.getByRole('button', { name: 'Slet fil' }).tap()
    await inOrder(page, 'Budget', ['Bilag 2.pdf'])
    await page.getByRole('button', { name: 'Fortryd sletning af Bilag 3.pdf' }).tap()
    await inOrder(page, 'Budget', ['Bilag 2.pdf', 'Bilag 3.pdf'])
    await page.getByRole('button', { name: 'Handlinger for Bilag 2.pdf' }).tap()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Hent' }).tap()
    expect((await download).suggestedFilename()).toBe('Bilag 2.pdf')
    await page.getByRole('button', { name: 'Gå til mappe' }).tap()
    await page.getByRole('menuitem', { name: /^Diverse/ }).tap()
    await expect(section(page, 'Diverse')).toBeInViewport()
  })
})

test('with the keyboard alone: open the folder, move, sort, delete, undo @long', async ({ page }) => {
  test.slow() // it presses many keys
  await openProject(page, { files: { Årsrapport: numbered(1, 6), Forsikring: ['Police.pdf'] } })
  const { keyboard } = page
  const tabTo = async (target: Locator) => {
    for (let count = 0; count < 200; count++) {
      await keyboard.press('Tab')
      if (await target.evaluateAll((all) => all.includes(document.activeElement as HTMLElement))) return
    }
    throw new Error(`Tab never reached ${String(target)}.`)
  }
  /** Walks to a control inside the focused row. */
  const walkTo = async (target: Locator) => {
    for (let count = 0; count < 10; count++) {
      await keyboard.press('ArrowRight')
      if (await target.evaluate((each) => each === document.activeElement)) return
    }
    throw new Error(`The arrow never reached ${String(target)}.`)
  }
  const nameOf = (name: string) => page.getByRole('link', { name, exact: true })
  await tabTo(section(page, 'Årsrapport').getByRole('link', { name: 'Vis alle filer' }))
  await keyboard.press('Enter')
  await inOrder(page, 'Årsrapport', numbered(1, 6))
  await page.locator('main').focus()
  await tabTo(nameOf('Bilag 1.pdf'))
  await walkTo(page.getByRole('button', { name: 'Flyt Bilag 1.pdf ned' }))
  await keyboard.press('Enter')
  await inOrder(page, 'Årsrapport', ['Bilag 2.pdf', 'Bilag 1.pdf', ...numbered(3, 6)])
  await walkTo(page.getByRole('button', { name: 'Flyt Bilag 1.pdf til en anden mappe' }))
  await keyboard.press('Enter')
  await page.getByRole('menuitem', { name: /^Forsikring/ }).waitFor()
  await keyboard.type('forsi')
  await keyboard.press('Enter')
  await inOrder(page, 'Forsikring', ['Bilag 1.pdf', 'Police.pdf'])
  await page.locator('main').focus()
  await tabTo(nameOf('Bilag 3.pdf'))
  await walkTo(page.getByRole('button', { name: 'Slet Bilag 3.pdf' }))
  await keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Slet fil' })).toBeFocused()
  await keyboard.press('Enter')
  await inOrder(page, 'Årsrapport', ['Bilag 2.pdf', ...numbered(4, 6)])
  const undo = page.getByRole('button', { name: 'Fortryd sletning af Bilag 3.pdf' })
  await undo.hover() // the message stays, however slow the keys are
  await tabTo(undo)
  await keyboard.press('Enter')
  await inOrder(page, 'Årsrapport', ['Bilag 2.pdf', ...numbered(3, 6)])
})
