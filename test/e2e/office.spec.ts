import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { enterAs, openHydrated } from './visitor.ts'
import { expect, test } from './shared-page.ts'

const picture = async (background: string) => ({
  name: 'logo.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 600, height: 200, channels: 3, background } })
    .png()
    .toBuffer(),
})

const inMenu = (page: Page) => page.getByRole('complementary', { name: 'Menu' }).locator('img')
const inField = (page: Page) => page.getByRole('img', { name: 'Kontorets logo' })

test('a chosen logo is saved and shown in the menu at once, and not over one that another administrator chose', async ({
  page,
  context,
}) => {
  await enterAs(page, 'hanne.aagesen')
  await openHydrated(page, '/settings/office')
  const late = await context.newPage()
  await openHydrated(late, '/settings/office')
  const before = await inMenu(page).getAttribute('src')

  await page.getByLabel('Vælg logo').setInputFiles(await picture('#a03020'))
  await expect(page.getByText('Logoet er gemt.')).toBeVisible()
  await expect(inMenu(page)).toHaveAttribute('src', /^\/office\/logo\/\w{32}$/)
  await expect(inMenu(page)).not.toHaveAttribute('src', before!)
  const chosen = (await inMenu(page).getAttribute('src'))!
  await expect(inField(page)).toHaveAttribute('src', chosen)

  await late.getByLabel('Vælg logo').setInputFiles(await picture('#20a030'))
  await expect(late.getByText('En anden har ændret logoet.')).toBeVisible()
  await expect(inField(late)).toHaveAttribute('src', before!)
  await late.reload()
  await expect(inField(late)).toHaveAttribute('src', chosen)
})
