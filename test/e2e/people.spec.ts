import type { Page } from '@playwright/test'
import { dropFiles } from './drop.ts'
import { address, PORTS, readFacts } from './facts.ts'
import { makeInOffice } from './maker.ts'
import { enterAs, mailedLink, openHydrated } from './visitor.ts'
import { expect, test } from './shared-page.ts'

const PASSWORD = 'korrekt hest batteri'
const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const hydrated = (page: Page) => page.locator('html[data-hydrated]').waitFor()
/** Makes a number for one test, because tests run in parallel. */
const unique = () => String(Math.floor(100_000 + Math.random() * 900_000))

async function makeUser(page: Page, name: string): Promise<{ id: string; number: string }> {
  const number = unique()
  await openHydrated(page, '/users/new')
  await page.getByLabel('Navn', { exact: true }).fill(name)
  await page.getByLabel('E-mail').fill(`${number}@example.dk`)
  await page.getByRole('textbox', { name: 'Numre' }).fill(number)
  await page.getByLabel('Send en invitation nu').uncheck()
  await page.getByRole('button', { name: 'Opret person' }).click()
  await expect(heading(page)).toHaveText(name)
  await hydrated(page)
  return { id: new URL(page.url()).pathname.split('/').at(-1)!, number }
}

test.describe('from an empty database', () => {
  test.use({ baseURL: address(PORTS.fresh) })

  test('an office begins its daily work on an empty database through the screens alone', async ({
    page,
    browser,
  }) => {
    await page.goto(readFacts(PORTS.fresh).setupLink!)
    await page.getByLabel('Navn').fill('Kirsten Overgaard')
    await page.getByLabel('E-mail').fill('kirsten@example.dk')
    await page.getByLabel('Adgangskode').fill(PASSWORD)
    await page.getByRole('button', { name: 'Opret administrator' }).click()
    await expect(heading(page)).toHaveText('Hej Kirsten')

    // The first project, from the template.
    await page.getByRole('link', { name: 'Projekter', exact: true }).click()
    await page.getByRole('link', { name: 'Nyt projekt' }).click()
    await hydrated(page)
    await page.getByLabel('Nummer').fill('1024')
    await page.getByLabel('Navn', { exact: true }).fill('K/S Nordhavn Kontorhus')
    await page.getByRole('button', { name: 'Opret projekt' }).click()
    await expect(page.getByRole('list', { name: 'Mapper' })).toContainText('Bestyrelsesmøder')

    // Two papers: one is shared, one is not.
    await openHydrated(page, '/upload')
    await dropFiles(page, ['Årsrapport (1024) 2025.pdf', 'Bestyrelsesmøder (1024) Referat.pdf'])
    await page.getByRole('button', { name: /^Gem 2 filer/ }).click()
    await expect(heading(page)).toHaveText('Filerne er gemt')

    // Invites an investor.
    await page.getByRole('link', { name: 'Personer', exact: true }).click()
    await page.getByRole('link', { name: 'Ny person' }).click()
    await hydrated(page)
    await page.getByLabel('Navn', { exact: true }).fill('Søren Kjærgaard')
    await page.getByLabel('E-mail').fill('soren@example.dk')
    await page.getByRole('textbox', { name: 'Numre' }).fill('2001')
    await page.getByLabel('Tilføj projekt').fill('1024')
    await page.getByRole('listbox', { name: 'Fundne projekter' }).getByRole('option').click()
    await page.getByRole('button', { name: 'Opret person' }).click()
    await expect(heading(page)).toHaveText('Søren Kjærgaard')
    await expect(page.getByText(/^Inviteret \d\d\/\d\d\/\d{4}, har ikke logget ind endnu$/)).toBeVisible()

    // Uploads a paper for the investor.
    await openHydrated(page, '/users/upload')
    await dropFiles(page, ['Kapitalkonto (2001) 2025.pdf'])
    // The page may shift under a press on a busy machine. This test cannot be repeated, since its link works once.
    await expect(async () => {
      if ((await heading(page).innerText()) !== 'Filen er gemt')
        await page.getByRole('button', { name: /^Gem 1 fil/ }).click({ timeout: 5000 })
      await expect(heading(page)).toHaveText('Filen er gemt', { timeout: 30_000 })
    }).toPass()

    // The investor opens the mail, chooses a password and sees the shared papers.
    const phone = await browser.newPage({
      baseURL: address(PORTS.fresh),
      viewport: { width: 375, height: 800 },
    })
    await phone.goto(await mailedLink(PORTS.fresh, 'soren@example.dk'))
    await phone.getByLabel('Ny adgangskode').fill(PASSWORD)
    await phone.getByRole('button', { name: 'Gem adgangskode' }).click()
    await expect(heading(phone)).toHaveText('Hej Søren')
    await expect(phone.getByRole('link', { name: 'Kapitalkonto 2025 · Mine filer' }).first()).toBeVisible()
    await phone.getByRole('link', { name: 'K/S Nordhavn Kontorhus' }).first().click()
    await expect(phone.getByRole('link', { name: 'Årsrapport (1024) 2025.pdf', exact: true })).toBeVisible()
    await expect(phone.getByText('Bestyrelsesmøder')).toHaveCount(0)
    await expect(phone.getByText('Referat')).toHaveCount(0)
    for (const forbidden of ['/users', '/log', '/upload', '/projects/new', '/settings/folders'])
      expect((await phone.goto(forbidden))!.status(), forbidden).toBe(403)
    const office = await phone.goto('/users/1')
    expect(office!.status()).toBe(404)

    // The investor sends a paper, and the office sees it.
    await openHydrated(phone, '/my-files')
    await dropFiles(phone, ['Mit pas.pdf'])
    await phone.getByRole('button', { name: /^Send 1 fil/ }).click()
    await expect(phone.getByRole('list', { name: 'Mine filer' })).toContainText('Mit pas.pdf')
    await page.goto('/')
    const received = page.getByRole('region', { name: 'Modtaget fra investorer' })
    await expect(received.getByRole('link', { name: 'Mit pas.pdf' })).toBeVisible()
    await received.getByRole('link', { name: 'Søren Kjærgaard' }).click()
    const row = page.getByRole('row', { name: /Mit pas\.pdf/ })
    await expect(row).toContainText('Fra investor')
    await hydrated(page)

    // After deactivation the investor's next step signs them out.
    await page.getByRole('button', { name: 'Deaktiver' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Deaktiver' }).click()
    await expect(page.getByText('Deaktiveret', { exact: true })).toBeVisible()
    await phone.reload()
    await expect(heading(phone)).toHaveText('Log ind')

    // The only administrator cannot lock the office out.
    await page.goto('/users')
    await page.getByRole('link', { name: 'Kirsten Overgaard' }).click()
    await hydrated(page)
    await page.getByRole('button', { name: 'Deaktiver' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Deaktiver' }).click()
    await expect(page.getByRole('dialog')).toContainText(
      'Der skal være mindst én anden administrator, som kan logge ind.',
    )
    await phone.close()
  })
})

test('a user can be made, found, edited and given a second number with the keyboard alone @long', async ({
  page,
}) => {
  await enterAs(page, 'administrator')
  const { id, number } = await makeUser(page, 'Tastatur Petersen')
  const { number: project } = await makeInOffice({})
  await page.getByRole('link', { name: 'Rediger' }).press('Enter')
  await hydrated(page)
  await page.getByLabel('Navn', { exact: true }).focus()
  await page.keyboard.press('End')
  await page.keyboard.type(' Åkjær')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Rolle')).toBeFocused()
  await page.keyboard.press('Tab') // the first number's cross
  await page.keyboard.press('Tab')
  await expect(page.getByRole('textbox', { name: 'Numre' })).toBeFocused()
  await page.keyboard.type(`${number}b`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('list', { name: 'Numre' })).toHaveText(`${number}${number}b`)
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Tilføj projekt')).toBeFocused()
  await page.keyboard.type(project)
  await expect(page.getByRole('listbox', { name: 'Fundne projekter' })).toContainText('K/S Prøve')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('list', { name: 'Projekter' })).toContainText(project)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Tastatur Petersen Åkjær')
  await expect(page).toHaveURL(`/users/${id}`)
  await expect(page.getByText(`${number}, ${number}b`)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Projekter' })).toContainText('K/S Prøve')
})

test('an error in a user is shown at its field, and disappears when it is corrected @long', async ({
  page,
}) => {
  await enterAs(page, 'administrator')
  await openHydrated(page, '/users/new')
  await page.getByLabel('Navn', { exact: true }).fill('Prøve Person')
  await page.getByLabel('E-mail').fill('investor@ringbind.example')
  await page.getByRole('textbox', { name: 'Numre' }).fill('2001')
  await page.getByRole('button', { name: 'Opret person' }).click()
  await expect(page.getByLabel('E-mail')).toBeFocused()
  await expect(page.getByText('Der er allerede en person med den e-mail.')).toBeVisible()
  await expect(page.getByText('Nummeret 2001 bruges af Søren Kjærgaard.')).toBeVisible()
  await page.getByLabel('E-mail').fill('anden@ringbind.example')
  await expect(page.getByText('Der er allerede en person med den e-mail.')).toBeHidden()
  await expect(page.getByText('Nummeret 2001 bruges af Søren Kjærgaard.')).toBeVisible()
})

test('roles of the office hide the choice of projects, without JavaScript too @long', async ({
  plainPage: page,
}) => {
  await enterAs(page, 'administrator')
  await page.goto('/users/new')
  await expect(page.getByLabel('Tilføj projekt')).toBeVisible()
  await page.getByLabel('Rolle').selectOption('Medarbejder')
  await expect(page.getByLabel('Tilføj projekt')).toBeHidden()
  await expect(page.getByText('Arbejder med filerne i alle projekter og hos alle personer.')).toBeVisible()
  await page.context().close()
})

test('without JavaScript a user can be made, deactivated and activated again @long', async ({
  plainPage: page,
}) => {
  await enterAs(page, 'administrator')
  const number = unique()
  await page.goto('/users/new')
  await page.getByLabel('Navn', { exact: true }).fill('Uden Script')
  await page.getByLabel('E-mail').fill(`${number}@example.dk`)
  await page.getByRole('textbox', { name: 'Numre' }).fill(number)
  await page.getByLabel('Tilføj projekt').fill('1024')
  await page.getByRole('button', { name: 'Opret person' }).click()
  await expect(heading(page)).toHaveText('Uden Script')
  await expect(page.getByRole('region', { name: 'Projekter' })).toContainText('K/S Nordhavn Kontorhus')
  await page.getByRole('button', { name: 'Deaktiver' }).click()
  await expect(page.getByText('Deaktiveret', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Genaktiver' }).click()
  await expect(page.getByText('Deaktiveret', { exact: true })).toBeHidden()
  await page.context().close()
})

test('a person’s files can be sorted, deleted, restored and moved to the right person @long', async ({
  page,
}) => {
  await enterAs(page, 'administrator')
  const right = await makeUser(page, 'Rigtig Modtager')
  const wrong = await makeUser(page, 'Forkert Modtager')
  await openHydrated(page, '/users/upload')
  await dropFiles(page, [`Brev (${wrong.number}) A.pdf`, `Brev (${wrong.number}) B.pdf`])
  await page.getByRole('button', { name: /^Gem 2 filer/ }).click()
  await expect(heading(page)).toHaveText('Filerne er gemt')

  await openHydrated(page, `/users/${wrong.id}`)
  const names = () => page.locator('tr[data-file] a.file-link').allInnerTexts()
  const [a, b] = [`Brev (${wrong.number}) A.pdf`, `Brev (${wrong.number}) B.pdf`]
  await expect.poll(names).toEqual([a, b])
  await page.getByRole('button', { name: `Flyt ${b} op` }).click()
  await expect.poll(names).toEqual([b, a])
  await page.getByRole('button', { name: `Slet ${b}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Slet fil' }).click()
  await expect.poll(names).toEqual([a])
  await page.getByRole('link', { name: 'Papirkurv' }).click()
  await hydrated(page)
  await page.getByRole('button', { name: `Gendan ${b}` }).click()
  await expect(page.getByText(`${b} er gendannet.`)).toBeVisible()
  await page.getByRole('navigation', { name: 'Brødkrummesti' }).getByRole('link').last().click()
  await hydrated(page)
  await expect.poll(names).toEqual([b, a])

  await page.getByRole('button', { name: `Flyt ${a} til et andet sted` }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Flyt filen' }).click()
  await expect(page.getByText('Vælg, hvor filen skal flyttes hen.')).toBeVisible()
  await page.getByRole('dialog').getByLabel('Person', { exact: true }).fill(right.number)
  await page.getByRole('listbox', { name: 'Forslag' }).getByRole('option').click()
  await expect(page.getByRole('dialog')).toContainText(
    'Nu kan kontoret og Forkert Modtager se filen. Efter flytningen kan kontoret og Rigtig Modtager se den.',
  )
  await page.getByRole('dialog').getByRole('button', { name: 'Flyt filen' }).click()
  await expect(page.getByText(`${a} er flyttet til Rigtig Modtager.`)).toBeVisible()
  await expect.poll(names).toEqual([b])
  await expect(page.locator('body')).not.toBeFocused()
  await page.goto(`/users/${right.id}`)
  await expect.poll(names).toEqual([a])
})

test('several of a person’s files move to the right person at once, and Fortryd brings them back @long', async ({
  page,
}) => {
  await enterAs(page, 'administrator')
  const right = await makeUser(page, 'Rette Modtager')
  const wrong = await makeUser(page, 'Anden Modtager')
  await openHydrated(page, '/users/upload')
  const all = ['A', 'B', 'C'].map((letter) => `Brev (${wrong.number}) ${letter}.pdf`)
  await dropFiles(page, all)
  await page.getByRole('button', { name: /^Gem 3 filer/ }).click()
  await expect(heading(page)).toHaveText('Filerne er gemt')

  await openHydrated(page, `/users/${wrong.id}`)
  const names = () => page.locator('tr[data-file] a.file-link').allInnerTexts()
  await expect.poll(names).toEqual(all)
  for (const name of [all[0], all[2]]) await page.getByRole('checkbox', { name: `Vælg ${name}` }).click()
  await page.getByRole('region', { name: 'Valgte filer' }).getByRole('button', { name: 'Flyt' }).click()
  const question = page.getByRole('dialog', { name: 'Flyt 2 filer til et andet sted' })
  await question.getByLabel('Person', { exact: true }).fill(right.number)
  await page.getByRole('listbox', { name: 'Forslag' }).getByRole('option').click()
  await question.getByRole('button', { name: 'Flyt 2 filer' }).click()
  await expect.poll(names).toEqual([all[1]])
  await page.getByRole('button', { name: 'Fortryd flytning af 2 filer' }).click()
  await expect.poll(names).toEqual(all)
})
