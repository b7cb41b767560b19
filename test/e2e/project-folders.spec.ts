import type { Page } from '@playwright/test'
import { follow, enterAs, openHydrated } from './visitor.ts'
import { expect, test } from './shared-page.ts'

const folderNames = (page: Page) =>
  page.getByRole('list', { name: 'Mapper' }).locator('> li .font-medium:first-child').allInnerTexts()
const folderRow = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Mapper' }).locator('> li', { hasText: name })

/** Makes a number for one test, because tests run in parallel. */
const newNumber = () => String(Math.floor(100_000 + Math.random() * 900_000))

async function makeProject(page: Page, name: string): Promise<void> {
  await openHydrated(page, '/projects/new')
  await page.getByLabel('Nummer').fill(newNumber())
  await page.getByLabel('Navn', { exact: true }).fill(name)
  await page.getByRole('button', { name: 'Opret projekt' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mapper')
  await page.locator('html[data-hydrated]').waitFor()
}

const FIRST = ['Årsrapport', 'Kvartalsrapport', 'Budget', 'Generalforsamling']

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript @long', () => {
    test.use({ javaScriptEnabled })

    test('an administrator can make a project and its folders through the screens alone', async ({
      page,
    }) => {
      await enterAs(page, 'administrator')
      await page.goto('/')
      await page.getByRole('link', { name: 'Projekter', exact: true }).click()
      await page.getByRole('link', { name: 'Nyt projekt' }).click()
      const number = newNumber()
      const name = `K/S Åkanden #${number} 100%?`
      await page.getByLabel('Nummer').fill('1024')
      await page.getByLabel('Navn', { exact: true }).fill(name)
      await page.getByLabel('CVR-nr.').fill('DK 41 87 53 06')
      await page.getByRole('button', { name: 'Opret projekt' }).click()
      await expect(page.getByText('CVR-nummeret er ikke gyldigt. Kontroller de otte cifre.')).toBeVisible()
      await page.getByLabel('CVR-nr.').fill('DK 41 87 53 05')
      await expect(page.getByText('Der er allerede et projekt med det nummer.')).toBeVisible()
      await expect(page.getByLabel('Navn', { exact: true })).toHaveValue(name)
      await page.getByLabel('Nummer').fill(number)
      await page.getByLabel('Status').selectOption('Under afvikling')
      await page.getByLabel('Tilføj medlem').fill('2003')
      await page.getByRole('button', { name: 'Opret projekt' }).click()

      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mapper')
      expect((await folderNames(page)).slice(0, 4)).toEqual(FIRST)
      const form = page.locator('section', { has: page.getByRole('heading', { name: 'Ny mappe' }) })
      await form.getByLabel('Navn', { exact: true }).fill('Budget')
      await form.getByRole('button', { name: 'Tilføj mappe' }).click()
      await expect(form.getByText('Der er allerede en mappe, der hedder Budget.')).toBeVisible()
      await form.getByLabel('Navn', { exact: true }).fill('Salgsprospekt')
      await form.getByLabel('Undernavne').fill('Årsrapport KS')
      await form.getByRole('button', { name: 'Tilføj mappe' }).click()
      await expect(form.getByText('Mappen Årsrapport bruger allerede navnet Årsrapport KS.')).toBeVisible()
      const wrong = form.getByRole('button', { name: 'Fjern Årsrapport KS' })
      if (javaScriptEnabled) await form.getByLabel('Undernavne').fill('Prospekt')
      else await wrong.click() // sends the form without the wrong name
      if (javaScriptEnabled) await form.getByRole('button', { name: 'Tilføj mappe' }).click()
      await expect(folderRow(page, 'Salgsprospekt')).toBeVisible()

      await page.getByRole('button', { name: 'Flyt Salgsprospekt op' }).click()
      await expect.poll(async () => (await folderNames(page)).at(-2)).toBe('Salgsprospekt')
      await page.getByRole('link', { name: 'Rediger Salgsprospekt' }).click()
      const row = folderRow(page, 'Salgsprospekt')
      await row.getByLabel('Navn', { exact: true }).fill('Salgsmateriale')
      await row.getByLabel('Deles med investorer').check()
      await row.getByRole('button', { name: 'Gem mappe' }).click()
      await expect(folderRow(page, 'Salgsmateriale').getByText('Deles med investorer')).toBeVisible()
      await page.getByRole('button', { name: 'Slet Salgsmateriale' }).click()
      if (javaScriptEnabled) await page.getByRole('button', { name: 'Slet mappe' }).click()
      await expect(folderRow(page, 'Salgsmateriale')).toHaveCount(0)

      await page.getByRole('link', { name: 'Rediger projekt' }).click()
      await expect(page.getByLabel('CVR-nr.')).toHaveValue('41875305')
      await expect(page.getByRole('list', { name: 'Medlemmer' })).toHaveText(/Åse Nørregaard \(2003\)/)
      await page.getByRole('button', { name: 'Fjern Åse Nørregaard (2003)' }).click()
      if (javaScriptEnabled) await page.getByRole('button', { name: 'Gem' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Projekter')
    })
  })
}

test('with the keyboard alone: make a project, a member and a folder with sub names, move the folder and delete it @long', async ({
  page,
}) => {
  test.slow() // it presses many keys
  const { keyboard } = page
  const tabTo = async (
    name: string | RegExp,
    role: 'link' | 'button' | 'textbox' | 'checkbox' | 'combobox',
  ) => {
    const target = page.getByRole(role, { name }).first()
    for (let count = 0; count < 120; count++) {
      await keyboard.press('Tab')
      if (await target.evaluate((each) => each === document.activeElement)) return
    }
    throw new Error(`Tab never reached ${name}.`)
  }
  await enterAs(page, 'administrator')
  await openHydrated(page, '/projects')
  await tabTo('Nyt projekt', 'link')
  await keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nyt projekt')
  await page.locator('html[data-hydrated]').waitFor()
  await tabTo('Nummer', 'textbox')
  await keyboard.type(newNumber())
  await tabTo('Navn', 'textbox')
  await keyboard.type('K/S Tastatur')
  await tabTo('Status', 'combobox')
  await keyboard.press('ArrowDown')
  await expect(page.getByLabel('Status')).toHaveValue('closing')
  await tabTo('Tilføj medlem', 'combobox')
  await keyboard.type('aages') // an administrator, who sees every project in any case
  await expect(page.getByRole('listbox', { name: 'Fundne personer' })).toHaveText(
    /Hanne Aagesen.*ser alle projekter/,
  )
  await keyboard.press('ControlOrMeta+a')
  await keyboard.type('niels')
  await expect(page.getByRole('listbox', { name: 'Fundne personer' })).toHaveText(/^Niels Aabye/)
  await keyboard.press('Enter')
  await expect(page.getByRole('list', { name: 'Medlemmer' })).toHaveText('Niels Aabye (2010)')
  await expect(page.getByLabel('Tilføj medlem')).toBeFocused()
  await keyboard.press('Enter')

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mapper')
  await page.locator('html[data-hydrated]').waitFor()
  const form = page.locator('section', { has: page.getByRole('heading', { name: 'Ny mappe' }) })
  await tabTo('Navn', 'textbox')
  await keyboard.type('Dagsordener')
  await tabTo('Undernavne', 'textbox')
  await keyboard.type('Dagsorden')
  await keyboard.press('Enter')
  await keyboard.type('Indkaldelse')
  await keyboard.press('Enter')
  await expect(form.getByRole('list', { name: 'Undernavne' }).getByRole('listitem')).toHaveText([
    'Dagsorden',
    'Indkaldelse',
  ])
  await keyboard.press('Shift+Tab')
  await expect(form.getByRole('button', { name: 'Fjern Indkaldelse' })).toBeFocused()
  await keyboard.press('Enter')
  await expect(form.getByRole('button', { name: 'Fjern Dagsorden' })).toBeFocused()
  await tabTo('Deles med investorer', 'checkbox')
  await keyboard.press(' ')
  await tabTo('Tilføj mappe', 'button')
  await keyboard.press('Enter')
  await expect(page.getByText('Mappen Dagsordener er tilføjet.')).toBeVisible()
  await expect(form.getByLabel('Navn', { exact: true })).toBeFocused() // ready for the next
  await expect(form.getByLabel('Navn', { exact: true })).toHaveValue('')
  await expect(folderRow(page, 'Dagsordener')).toContainText('Deles med investorer')

  const up = page.getByRole('button', { name: 'Flyt Dagsordener op' })
  await up.focus()
  await keyboard.press('Enter')
  await expect.poll(async () => (await folderNames(page)).at(-2)).toBe('Dagsordener')
  await expect(up).toBeFocused()
  await expect(page.getByText('Dagsordener er flyttet til plads 13 af 14.')).toBeAttached()
  await keyboard.press('Enter')
  await expect.poll(async () => (await folderNames(page)).at(-3)).toBe('Dagsordener')

  await tabTo('Rediger Dagsordener', 'link')
  await keyboard.press('Enter')
  await expect(folderRow(page, 'Dagsordener').getByLabel('Navn', { exact: true })).toBeFocused()
  await keyboard.press('ControlOrMeta+a')
  await keyboard.type('Referater')
  await keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Rediger Referater' })).toBeFocused()

  await tabTo('Slet Referater', 'button')
  await keyboard.press('Enter')
  const modal = page.getByRole('dialog', { name: 'Slet mappen Referater?' })
  await expect(modal.getByRole('button', { name: 'Annuller' })).toBeFocused()
  await keyboard.press('Enter')
  await expect(modal).toBeHidden()
  await expect(page.getByRole('button', { name: 'Slet Referater' })).toBeFocused()
  await keyboard.press('Enter')
  await expect(modal.getByRole('button', { name: 'Annuller' })).toBeFocused()
  await keyboard.press('Tab')
  await expect(modal.getByRole('button', { name: 'Slet mappe' })).toBeFocused()
  await keyboard.press('Enter')
  await expect(folderRow(page, 'Referater')).toHaveCount(0)
  await expect(page.getByText('Mappen Referater er slettet.')).toBeVisible()
  await expect(page.locator(':focus')).toHaveCount(1) // the focus is not lost
})

test('a folder can be dragged, and moves only after the server has confirmed @long', async ({ page }) => {
  await enterAs(page, 'administrator')
  await makeProject(page, 'K/S Træk')
  const answered = Promise.withResolvers<void>()
  await page.route('**/move', async (route) => {
    await answered.promise
    await route.continue()
  })
  const drag = async (name: string, onto: string, y: number) => {
    await expect(folderRow(page, name)).toHaveAttribute('draggable', 'true') // after the drag library has loaded
    const handle = folderRow(page, name).locator('.cursor-grab')
    await handle.dragTo(folderRow(page, onto), { targetPosition: { x: 200, y } })
  }
  const { height } = (await folderRow(page, 'Budget').boundingBox())!
  await drag('Generalforsamling', 'Kvartalsrapport', 4)
  expect((await folderNames(page)).slice(0, 4)).toEqual(FIRST)
  answered.resolve()
  await expect
    .poll(async () => (await folderNames(page)).slice(0, 4))
    .toEqual(['Årsrapport', 'Generalforsamling', 'Kvartalsrapport', 'Budget'])
  await drag('Årsrapport', 'Budget', height - 4)
  await expect
    .poll(async () => (await folderNames(page)).slice(0, 4))
    .toEqual(['Generalforsamling', 'Kvartalsrapport', 'Budget', 'Årsrapport'])
  await page.reload()
  expect((await folderNames(page)).slice(0, 4)).toEqual([
    'Generalforsamling',
    'Kvartalsrapport',
    'Budget',
    'Årsrapport',
  ])
})

test('a move that the server refuses leaves the row where it is, and says why @long', async ({ page }) => {
  await enterAs(page, 'administrator')
  await makeProject(page, 'K/S Afvist')
  await page.route('**/move', (route) =>
    route.fulfill({ status: 409, json: { message: 'En anden har lige ændret rækkefølgen.' } }),
  )
  await page.getByRole('button', { name: 'Flyt Budget op' }).click()
  await expect(page.getByText('En anden har lige ændret rækkefølgen.')).toBeVisible()
  expect((await folderNames(page)).slice(0, 4)).toEqual(FIRST)
  await expect(page.getByRole('button', { name: 'Flyt Budget op' })).toBeFocused()
})

test('an investor finds only their own projects, and cannot change them', async ({ page }) => {
  await enterAs(page, 'investor')
  await page.goto('/')
  await expect(page.getByRole('region', { name: 'Mine projekter' }).getByRole('listitem')).toHaveCount(3)
  await page.goto('/projects')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Papirer')
  for (const address of ['/projects/new', '/settings/folders', '/users'])
    expect((await page.goto(address))!.status()).toBe(403)
})

test('a suggestion is picked by keyboard; Enter alone adds a person only if the text is unambiguous @long', async ({
  page,
}) => {
  await enterAs(page, 'administrator')
  await openHydrated(page, '/projects/new')
  const field = page.getByLabel('Tilføj medlem')
  const found = page.getByRole('listbox', { name: 'Fundne personer' })
  const members = page.getByRole('list', { name: 'Medlemmer' })
  await field.fill('anne')
  await expect(found).toContainText('Anne Marie Holm')
  const answered = Promise.withResolvers<void>()
  await page.route('**/api/users?q=200', async (route) => {
    await answered.promise
    await route.continue()
  })
  await field.fill('200')
  await field.press('Enter') // Anne is still shown
  await expect(page.getByText('Ingen medlemmer endnu.')).toBeVisible()
  answered.resolve()
  await expect(found).toContainText('Birgitte Skov')
  await field.press('Enter') // nine people match
  await expect(page.getByText('Ingen medlemmer endnu.')).toBeVisible()
  await expect(page.getByText('Viser de første 8. Skriv mere for at finde andre.')).toBeVisible()
  await expect(field).toHaveAttribute('aria-expanded', 'true')
  await expect(field).toHaveAttribute('aria-controls', (await found.getAttribute('id'))!)
  const option = (index: number) => found.getByRole('option').nth(index)
  const press = async (key: string, reached: number | null) => {
    await page.keyboard.press(key)
    if (reached === null) await expect(field).not.toHaveAttribute('aria-activedescendant')
    else {
      const id = (await option(reached).getAttribute('id'))!
      await expect(field).toHaveAttribute('aria-activedescendant', id)
      await expect(found.getByRole('option', { selected: true })).toHaveAttribute('id', id)
    }
    await expect(field).toBeFocused()
  }
  await press('Home', null) // in the text
  await press('ArrowDown', 0)
  await press('ArrowDown', 1)
  await press('End', 7)
  await press('ArrowDown', null)
  await press('ArrowUp', 7)
  await press('Home', 0)
  await press('ArrowUp', null)
  await press('ArrowDown', 0)
  const second = await option(1).innerText()
  await press('ArrowDown', 1)
  await page.keyboard.press('Enter')
  await expect(members).toContainText(second.split('\n')[0]!)
  await expect(field).toHaveAttribute('aria-expanded', 'false')
  await page.getByRole('button', { name: /^Fjern / }).click()
  await field.fill('qqqq')
  await expect(page.getByText('Ingen forslag')).toBeVisible()
  await expect(field).toHaveAttribute('aria-expanded', 'false')
  await field.press('Escape')
  await expect(field).toHaveValue('')
  await field.fill('2004')
  await expect(found).toHaveText(/^Poul Erik Ærtebjerg/)
  await field.press('Enter')
  await expect(members).toHaveText('Poul Erik Ærtebjerg (2004)')
  await expect(page.getByText('Poul Erik Ærtebjerg er tilføjet. Husk at gemme.')).toBeAttached()
  await page.getByRole('button', { name: 'Fjern Poul Erik Ærtebjerg (2004)' }).click()
  await expect(field).toBeFocused()
})

test('a success message is shown on the next page, once @long', async ({ page }) => {
  await enterAs(page, 'administrator')
  await makeProject(page, 'Prøve besked')
  await expect(page.getByText('Projektet er oprettet.')).toBeVisible()
  await follow(page.getByRole('link', { name: 'Rediger projekt' }))
  await page.getByRole('button', { name: 'Gem' }).click()
  await expect(page.getByText('Projektet er gemt.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Projektet er gemt.')).toBeHidden()
})

test('opening another folder keeps unsaved text, and after a deletion the focus is on the neighbour @long', async ({
  page,
}) => {
  await enterAs(page, 'administrator')
  await makeProject(page, 'Prøve flere')
  await page.getByRole('link', { name: 'Rediger Budget' }).click()
  const budget = folderRow(page, 'Budget')
  await budget.getByLabel('Navn', { exact: true }).fill('Budgetter')
  await page.getByRole('link', { name: 'Rediger Diverse' }).click()
  await expect(budget.getByLabel('Navn', { exact: true })).toHaveValue('Budgetter')
  await page.getByRole('link', { name: 'Rediger Budget' }).click()
  await expect(budget.getByLabel('Navn', { exact: true })).toBeFocused()
  await page.getByRole('button', { name: 'Slet Forsikring' }).click()
  await page.getByRole('button', { name: 'Slet mappe' }).click()
  await expect(folderRow(page, 'Forsikring')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Rediger Vedtægter' })).toBeFocused()
})
