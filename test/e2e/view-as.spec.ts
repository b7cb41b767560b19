import type { Page } from '@playwright/test'
import { checkAxe } from './axe.ts'
import { makeInOffice, makePersonInOffice } from './maker.ts'
import { expect, test } from './shared-page.ts'
import { openHydrated, signIn } from './visitor.ts'

const banner = (page: Page) => page.getByRole('complementary', { name: 'Vis som' })
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

async function viewAs(page: Page, person: { id: number; name: string }): Promise<void> {
  await openHydrated(page, `/users/${person.id}`)
  await page.getByRole('button', { name: `Vis som ${person.name}` }).click()
  await expect(banner(page)).toContainText(`Du ser Ringbind som ${person.name}`)
  await page.locator('html[data-hydrated]').waitFor()
}

const enterAsAdministrator = async (page: Page) => {
  const boss = await makePersonInOffice({ name: 'Anne Admin', role: 'administrator' })
  await signIn(page, boss.email, boss.password)
}

for (const [role, name, hasUsers] of [
  ['employee', 'Medarbejder', true],
  ['auditor', 'Revisor', false],
  ['investor', 'Investor', false],
  ['adviser', 'Rådgiver', false],
] as const)
  test(`an administrator sees Ringbind as an ${role}, changes nothing, and stops${role === 'investor' ? '' : ' @long'}`, async ({
    page,
  }) => {
    await enterAsAdministrator(page)
    const bo = await makePersonInOffice({ name: 'Bo Holm', role })
    await viewAs(page, bo)
    await expect(heading(page)).toHaveText('Hej Bo')
    await expect(banner(page)).toContainText(`(${name})`)
    await expect(banner(page)).toContainText(/Slutter om (30|29) minutter\./)
    await expect(page.getByRole('link', { name: 'Personer', exact: true })).toHaveCount(hasUsers ? 1 : 0)
    await expect(page.getByRole('link', { name: 'Kontoret', exact: true })).toHaveCount(0)
    await checkAxe(page)

    // A press answers calmly.
    await openHydrated(page, '/profile')
    await page.getByLabel('Navn', { exact: true }).fill('Bo Ændret')
    await page.getByRole('button', { name: 'Gem navn' }).click()
    await expect(
      page.getByText('Du ser Ringbind som Bo Holm og kan ikke ændre noget. Stop visningen først.'),
    ).toBeVisible()

    await banner(page).getByRole('button', { name: 'Stop visning' }).click()
    await expect(heading(page)).toHaveText('Bo Holm')
    await expect(banner(page)).toHaveCount(0)
    await expect(page.getByText('begyndte at se Ringbind som')).toBeVisible()
    await expect(page.getByText('holdt op med at se Ringbind som')).toBeVisible()
  })

test('files read in a view stay new for the person, and an old window of it does nothing @long', async ({
  page,
  otherPage,
}) => {
  await enterAsAdministrator(page)
  const email = `ny${Math.floor(Math.random() * 1e9)}@ringbind.example`
  const { id } = await makeInOffice({
    files: { Budget: ['Budget 2026.pdf'] },
    investor: { name: 'Ina Ny', email },
  })
  await page.goto('/users?q=' + email)
  await page.getByRole('link', { name: 'Ina Ny' }).click()
  await page.getByRole('button', { name: 'Vis som Ina Ny' }).click()
  await expect(banner(page)).toBeVisible()
  await openHydrated(page, `/projects/${id}/uploads`)
  const row = page.getByRole('link', { name: /Budget 2026\.pdf/ }).first()
  const opened = page.waitForEvent('popup')
  await row.click()
  await (await opened).close()
  await page.reload()
  await expect(page.getByText('Ny', { exact: true }).first()).toBeVisible()

  // Stopped in another window.
  await openHydrated(page, '/profile')
  const window = await page.context().newPage()
  await window.goto('/')
  await banner(window).getByRole('button', { name: 'Stop visning' }).click()
  await expect(heading(window)).toHaveText('Ina Ny')
  await page.getByLabel('Navn', { exact: true }).fill('Ina Ændret')
  await page.getByRole('button', { name: 'Gem navn' }).click()
  await expect(page.getByText(/^Visningen som en anden er slut\./)).toBeVisible()
  await window.close()

  // The person themselves has not read it.
  await signIn(otherPage, email, 'korrekt hest batteri')
  await openHydrated(otherPage, `/projects/${id}/uploads`)
  await expect(otherPage.getByText('Ny', { exact: true }).first()).toBeVisible()
})

test('a view works without JavaScript @long', async ({ plainPage: page }) => {
  await enterAsAdministrator(page)
  const bo = await makePersonInOffice({ name: 'Bo Holm', role: 'investor' })
  await page.goto(`/users/${bo.id}`)
  await page.getByRole('button', { name: 'Vis som Bo Holm' }).click()
  await expect(heading(page)).toHaveText('Hej Bo')
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Gem navn' }).click()
  await expect(heading(page)).toHaveText('Intet er ændret')
  await banner(page).getByRole('button', { name: 'Stop visning' }).click()
  await expect(heading(page)).toHaveText('Bo Holm')
})
