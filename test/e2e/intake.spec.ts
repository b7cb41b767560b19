import { makeInOffice, makePersonInOffice, handInInOffice } from './maker.ts'
import { openHydrated, signIn } from './visitor.ts'
import { expect, test } from './shared-page.ts'

test('files from a scanner are sorted from the inbox, and done when all of them are saved', async ({
  page,
}) => {
  const { number } = await makeInOffice({})
  const { email, password } = await makePersonInOffice({ role: 'employee' })
  const sender = `Scanner ${number}`
  await handInInOffice({ sender, files: [`Budget (${number}) 2027.pdf`, `Diverse (${number}) brev.pdf`] })
  await signIn(page, email, password)
  await openHydrated(page, `/inbox?q=${encodeURIComponent(sender)}`)
  const row = page.getByRole('listitem').filter({ hasText: sender })
  await expect(row).toContainText('Fra scanner')
  await row.getByRole('button', { name: /^Sorter bunken/ }).click()

  // Exactly these files are in the form, as if they had been dropped there.
  await expect(page).toHaveURL('/upload')
  await expect(page.getByRole('region', { name: new RegExp(`^Budget · ${number}`) })).toContainText(
    '2027.pdf',
  )
  await expect(page.locator('[data-upload]').getByText('Klar', { exact: true })).toHaveCount(2)
  await page.getByRole('button', { name: /^Gem 2 filer/ }).click()
  await expect(page).toHaveURL(/\/upload\/result\//)

  await openHydrated(page, `/inbox?q=${encodeURIComponent(sender)}`)
  await expect(row).toContainText('Færdig')
  await expect(row).toContainText(`Budget (${number}) 2027.pdf gemt i`)
})
