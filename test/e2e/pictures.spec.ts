import sharp from 'sharp'
import { extractImages, getDocumentProxy } from 'unpdf'
import { makePersonInOffice } from './maker.ts'
import { expect, test } from './shared-page.ts'
import { openHydrated, signIn } from './visitor.ts'

type Size = { width: number; height: number }

/** A picture that is red above and blue below, when it is upright. */
const redAboveBlue = ({ width, height }: Size) =>
  sharp({ create: { width, height, channels: 3, background: '#00f' } }).composite([
    {
      input: { create: { width, height: Math.floor(height / 2), channels: 3, background: '#f00' } },
      gravity: 'north',
    },
  ])

/** A picture as a phone stores it: the sensor's rows, and a note to turn them by a quarter. */
async function takenByPhone(size: Size): Promise<Buffer> {
  const upright = await redAboveBlue(size).png().toBuffer()
  return sharp(upright).rotate(270).jpeg().withMetadata({ orientation: 6 }).toBuffer()
}

test('an investor sends three photos as one PDF, upright and in the order of the pages', async ({ page }) => {
  const { email, password } = await makePersonInOffice({ role: 'investor', numbers: [`F${Date.now()}`] })
  await signIn(page, email, password)
  await openHydrated(page, '/my-files')
  const photos = [
    { name: 'IMG_1.jpg', mimeType: 'image/jpeg', buffer: await takenByPhone({ width: 1500, height: 3000 }) },
    {
      name: 'IMG_2.png',
      mimeType: 'image/png',
      buffer: await redAboveBlue({ width: 600, height: 300 }).png().toBuffer(),
    },
    { name: 'IMG_3.heic', mimeType: 'image/heic', buffer: Buffer.from('no picture') },
    {
      name: 'IMG_4.jpg',
      mimeType: 'image/jpeg',
      buffer: await redAboveBlue({ width: 300, height: 400 }).jpeg().toBuffer(),
    },
    {
      name: 'IMG_5.jpg',
      mimeType: 'image/jpeg',
      buffer: await redAboveBlue({ width: 100, height: 100 }).jpeg().toBuffer(),
    },
  ]
  const chooser = page.locator('input[type=file]')
  await expect(chooser).toHaveAttribute('accept', /image\/\*/)
  await chooser.setInputFiles(photos)
  const tray = page.getByRole('region', { name: 'Billeder' })
  await expect(tray.getByRole('heading')).toHaveText('4 billeder bliver til én PDF')
  await expect(tray.getByRole('alert')).toContainText('IMG_3.heic kan denne browser ikke læse.')

  await tray.getByRole('button', { name: 'Fjern side 4' }).click()
  await tray.getByRole('button', { name: 'Flyt side 3 op' }).click()
  await expect(tray.getByRole('listitem').nth(1)).toContainText('IMG_4.jpg')
  await expect(tray.getByLabel('Filens navn')).toHaveValue(/^Billeder \d{4}-\d\d-\d\d$/)

  // Nothing is sent without the waiting pictures.
  await chooser.setInputFiles({
    name: 'Brev.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7'),
  })
  await page.getByRole('button', { name: 'Send 1 fil' }).click()
  await expect(tray.getByRole('alert')).toContainText('Lav først en PDF af billederne')

  await tray.getByLabel('Filens navn').fill('Mit pas')
  await tray.getByRole('button', { name: 'Lav PDF af 3 billeder' }).click()
  await expect(tray).toBeHidden()
  await page.getByRole('button', { name: 'Send 2 filer' }).click()
  await expect(page.getByText('2 filer er sendt til kontoret.')).toBeVisible()

  await page.goto('/my-files')
  const address = await page.getByRole('link', { name: 'Hent Mit pas.pdf' }).getAttribute('href')
  const answer = await page.request.get(address!)
  const pdf = await getDocumentProxy(new Uint8Array(await answer.body()))
  expect(pdf.numPages).toBe(3)
  const shown = await Promise.all([1, 2, 3].map((number) => extractImages(pdf, number)))
  const pages = shown.map(([image]) => {
    const { data, width, height, channels } = image!
    const colourAt = (row: number) => {
      const at = (row * width + Math.floor(width / 2)) * channels
      return data[at]! > data[at + 2]! ? 'red' : 'blue'
    }
    return { width, height, above: colourAt(2), below: colourAt(height - 3) }
  })
  expect(pages).toEqual([
    { width: 1000, height: 2000, above: 'red', below: 'blue' },
    { width: 300, height: 400, above: 'red', below: 'blue' },
    { width: 600, height: 300, above: 'red', below: 'blue' },
  ])
})
