import type { Page } from '@playwright/test'
import { PORTS, readFacts } from './facts.ts'
import { makeInOffice, passLastDay } from './maker.ts'
import { expect, test } from './shared-page.ts'
import { enterAs, follow, mailedLink, mailsTo, openHydrated, signIn } from './visitor.ts'

const PASSWORD = 'korrekt hest batteri'
const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const unique = () => String(Math.floor(100_000 + Math.random() * 900_000))

/** Makes an investor with a project, and signs them in. */
async function enterInvestor(page: Page, name: string) {
  const email = `investor${unique()}@example.dk`
  const project = await makeInOffice({
    files: { Årsrapport: ['Årsrapport 2025.pdf'], Budget: ['Budget 2026.pdf'] },
    investor: { name, email },
  })
  await signIn(page, email, PASSWORD)
  return { email, project }
}

async function giveAccess(page: Page, name: string, email: string): Promise<void> {
  await page.getByLabel('Navn', { exact: true }).fill(name)
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Giv adgang' }).click()
}

test('an investor lends an accountant some folders, from the invitation to the last day @long', async ({
  page,
  otherPage: phone,
}) => {
  const { email, project } = await enterInvestor(page, 'Bo Holm')
  const adviser = `revisor${unique()}@example.dk`

  await openHydrated(page, '/profile')
  await follow(page.getByRole('link', { name: 'Se og giv adgang' }))
  await expect(page.getByText('Ingen rådgivere har adgang.')).toBeVisible()
  await page.getByLabel('Kan se', { exact: true }).selectOption('Kun det, jeg vælger')
  await giveAccess(page, 'Karen Lund', adviser)
  await expect(page.getByText('Vælg mindst én mappe eller de egne filer.')).toBeVisible()
  await page.getByLabel('Årsrapport').check()
  await page.getByLabel('Til og med').fill('01/01/2020')
  await page.getByRole('button', { name: 'Giv adgang' }).click()
  await expect(page.getByText('Den dag er gået. Vælg en dag fra i dag.')).toBeVisible()
  await page.getByLabel('Til og med').fill('31/12/2099')
  await page.getByRole('button', { name: 'Giv adgang' }).click()
  await expect(page.getByText('Adgangen er givet.')).toBeVisible()
  const row = page.getByRole('listitem').filter({ hasText: 'Karen Lund' })
  await expect(row).toContainText('Årsrapport · til og med 31/12/2099')
  await expect(row).toContainText('Har ikke logget ind endnu')
  await expect.poll(() => mailsTo(PORTS.office, email).length).toBeGreaterThan(0)

  // The accountant chooses a password, and sees that folder alone.
  await phone.goto(await mailedLink(PORTS.office, adviser))
  await phone.getByLabel('Ny adgangskode').fill(PASSWORD)
  await phone.getByRole('button', { name: 'Gem adgangskode' }).click()
  await expect(heading(phone)).toHaveText('Hej Karen')
  await expect(phone.getByText('For Bo Holm')).toBeVisible()
  await expect(phone.getByRole('region', { name: 'Du ser på vegne af' })).toContainText(
    'Årsrapport · til og med 31/12/2099',
  )
  await phone.goto(`/projects/${project.id}/uploads`)
  await expect(phone.getByRole('link', { name: 'Årsrapport 2025.pdf', exact: true })).toBeVisible()
  await expect(phone.getByText('Budget')).toHaveCount(0)
  await expect(phone.getByRole('button', { name: /Slet|Flyt/ })).toHaveCount(0)

  // The last day passes.
  expect(await passLastDay(adviser)).toEqual({ ended: 1 })
  await phone.reload()
  await expect(heading(phone)).toHaveText(/findes ikke/i)
  await openHydrated(phone, '/')
  await expect(phone.getByText('Ingen projekter lige nu.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Ingen rådgivere har adgang.')).toBeVisible()
})

test('access is widened and taken back, and an open page of the adviser follows @long', async ({
  page,
  otherPage: phone,
}) => {
  const { project } = await enterInvestor(page, 'Ida Skov')
  await openHydrated(page, '/profile/access')
  await page.getByLabel('Kan se', { exact: true }).selectOption('Kun det, jeg vælger')
  await page.getByLabel('Årsrapport').check()
  await giveAccess(page, 'Karen Holst', 'raadgiver@ringbind.example')
  const row = page.getByRole('listitem').filter({ hasText: 'Karen Holst' })
  await expect(row).toBeVisible()

  await enterAs(phone, 'raadgiver')
  await openHydrated(phone, `/projects/${project.id}/uploads`)
  await expect(phone.getByText(/ · For Ida Skov/)).toBeVisible()
  await expect(phone.getByRole('link', { name: 'Budget 2026.pdf', exact: true })).toHaveCount(0)

  await follow(row.getByRole('link', { name: /Ret/ }))
  await page.getByLabel('Budget').check()
  await page.getByRole('button', { name: 'Gem' }).click()
  await expect(row).toContainText('Årsrapport og Budget')
  await expect(phone.getByRole('link', { name: 'Budget 2026.pdf', exact: true })).toBeVisible()

  await page.locator('html[data-hydrated]').waitFor()
  await row.getByRole('button', { name: 'Tag tilbage' }).click()
  await expect(page.getByText('Ingen rådgivere har adgang.')).toBeVisible()
  await phone.reload()
  await expect(heading(phone)).toHaveText(/findes ikke/i)
})

test('without JavaScript access is given and taken back @long', async ({ page, plainPage }) => {
  const { email } = await enterInvestor(page, 'Ane Bæk')
  await signIn(plainPage, email, PASSWORD)
  await plainPage.goto('/profile/access')
  await plainPage.getByLabel('Kan se', { exact: true }).selectOption('Kun det, jeg vælger')
  await plainPage.getByLabel('Mine filer').check()
  await giveAccess(plainPage, '', `ny${unique()}@example.dk`)
  await expect(plainPage.getByText('Navnet skal udfyldes.')).toBeVisible()
  await expect(plainPage.getByLabel('Mine filer')).toBeChecked()
  await plainPage.getByLabel('Navn', { exact: true }).fill('Ole Bæk')
  await plainPage.getByRole('button', { name: 'Giv adgang' }).click()
  await expect(plainPage.getByText('Adgangen er givet.')).toBeVisible()
  await plainPage.getByRole('button', { name: 'Tag tilbage' }).click()
  await expect(plainPage.getByText('Ingen rådgivere har adgang.')).toBeVisible()
})

test('the office sees who can see a project, a folder and a file, and what a person sees @long', async ({
  page,
}) => {
  const { projects, people } = readFacts(PORTS.office)
  await enterAs(page, 'administrator')
  await openHydrated(page, `/projects/${projects['1024']}/uploads`)
  await page.getByRole('button', { name: 'Flere handlinger' }).click()
  await follow(page.getByRole('menuitem', { name: 'Hvem kan se det?' }))
  await expect(page.getByRole('row').filter({ hasText: 'Karen Holst' })).toContainText(
    'Har fået adgang af Søren Kjærgaard',
  )
  await expect(page.getByRole('row').filter({ hasText: 'Søren Kjærgaard' }).last()).toContainText(
    'Medlem af projektet',
  )
  await follow(page.getByRole('link', { name: 'Budget', exact: true }))
  await expect(heading(page)).toHaveText('Hvem kan se Budget?')
  await expect(page.getByRole('row').filter({ hasText: 'Medlem af projektet' }).first()).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'Karen Holst' })).toHaveCount(0)

  await openHydrated(page, `/projects/${projects['1024']}/uploads`)
  await page.getByRole('button', { name: 'Handlinger for mappen Årsrapport' }).click()
  await follow(page.getByRole('menuitem', { name: 'Hvem kan se den?' }))
  await expect(heading(page)).toHaveText('Hvem kan se Årsrapport?')

  await openHydrated(page, `/users/${people.raadgiver}`)
  await follow(page.getByRole('link', { name: 'Alt, hvad Karen Holst kan se' }))
  await expect(page.getByRole('row').filter({ hasText: 'K/S Nordhavn Kontorhus' })).toContainText(
    'Årsrapport, Skatteoplysninger',
  )
})
