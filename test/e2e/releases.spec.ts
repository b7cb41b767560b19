import { PASSWORD } from '../make.ts'
import { address, PORTS } from './facts.ts'
import { expect, test } from './shared-page.ts'
import { makeInOffice } from './maker.ts'
import { enterAs, follow, openHydrated, signIn } from './visitor.ts'

test('a draft is seen by the office alone until it is published, and can be recalled and shown again', async ({
  page,
  otherPage: reader,
}) => {
  const email = `laeser${Date.now()}@ringbind.example`
  const project = await makeInOffice({ investor: { name: 'Læs Læsersen', email } })
  await signIn(reader, email, 'korrekt hest batteri')
  const name = `Budget (${project.number}) 2029.pdf`
  const isSeen = async (many: number) => {
    await openHydrated(reader, `/projects/${project.id}/uploads`)
    await expect(reader.getByRole('link', { name, exact: true })).toHaveCount(many)
  }

  await enterAs(page, 'medarbejder')
  await openHydrated(page, '/upload')
  await page
    .locator('input[type=file]')
    .setInputFiles([{ name, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 budget') }])
  await expect(page.getByText('1 person uden for kontoret kan se filerne')).toBeVisible()
  await page.getByLabel('Udgivelse').selectOption('Udgiv den …')
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await expect(page.getByText('Vælg en dato.')).toBeVisible()
  await page.getByLabel('Udgivelse').selectOption('Gem som kladde')
  await page.getByRole('button', { name: 'Gem 1 fil som kladde' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Filen er gemt')
  await isSeen(0)

  await page.getByRole('link', { name: 'Udgiv, planlæg eller slet filerne' }).click()
  await expect(page.getByText('Kun kontoret kan se filerne.')).toBeVisible()
  await page.getByRole('button', { name: 'Udgiv nu' }).click()
  await expect(page.getByRole('heading', { name: '0 af 1 person har åbnet nogle af filerne' })).toBeVisible()
  await isSeen(1)
  const [opened] = await Promise.all([
    reader.context().waitForEvent('page'),
    reader.getByRole('link', { name, exact: true }).click(),
  ])
  await opened.close()

  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('heading', { name: '1 af 1 person har åbnet nogle af filerne' })).toBeVisible(
      {
        timeout: 1000,
      },
    )
    // The log is written a moment after the mark.
    await expect(page.getByText('Læs Læsersen åbnede')).toBeVisible({ timeout: 1000 })
  }).toPass()
  const files = page.getByText('Filer til Læs Læsersen')
  await files.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText(`${name}: åbnet`)).toBeVisible()
  await page.getByRole('link', { name: 'Ikke endnu' }).click()
  await expect(page.getByText('Intet fundet...')).toBeVisible()
  await expect(page.getByText('Viser kun: Ikke endnu')).toBeAttached()
  expect(new URL(page.url()).search).toBe('?filter=unopened')
  await page.getByRole('link', { name: 'Har åbnet' }).press('Enter')
  await expect(files).toBeVisible()

  await page.getByRole('button', { name: 'Træk tilbage' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Træk tilbage' }).click()
  await expect(page.getByRole('button', { name: 'Udgiv igen' })).toBeVisible()
  await expect(page.getByText('Læs Læsersen åbnede')).toBeVisible()
  await isSeen(0)
  await page.getByRole('button', { name: 'Udgiv igen' }).click()
  await expect(page.getByRole('button', { name: 'Træk tilbage' })).toBeVisible()
  await isSeen(1)

  await page.getByRole('button', { name: 'Fortryd hele uploaden' }).click()
  await expect(page.getByText('1 fil ligger i papirkurven.')).toBeVisible()
  await isSeen(0)
})

test.describe('where a colleague approves what is published', () => {
  test.use({ baseURL: address(PORTS.fourEyes) })

  test('an upload waits for a colleague, who rejects it with a message, and approves it when it is asked again', async ({
    page,
    otherPage: colleague,
  }) => {
    await signIn(page, 'mette', PASSWORD)
    await openHydrated(page, '/upload')
    const name = 'Budget (4711) 2029.pdf'
    await page
      .locator('input[type=file]')
      .setInputFiles([{ name, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 budget') }])
    await expect(page.getByText('En kollega skal godkende det først.')).toBeVisible()
    await page.getByRole('button', { name: 'Gem 1 fil' }).click()
    await follow(page.getByRole('link', { name: 'Se, hvad kollegerne bliver bedt om at godkende' }))
    await expect(page.getByText('Du bad om godkendelse')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Godkend' })).toHaveCount(0)

    await signIn(colleague, 'karl', PASSWORD)
    const waiting = colleague.getByRole('region', { name: '1 udsendelse venter på din godkendelse' })
    await follow(waiting.getByRole('link', { name: 'K/S Fire Øjne' }))
    await colleague.getByRole('button', { name: 'Afvis med besked' }).click()
    const reject = colleague.getByRole('button', { name: 'Afvis', exact: true })
    await reject.click()
    await expect(colleague.getByText('Beskeden skal udfyldes.')).toBeVisible()
    await colleague.getByLabel('Besked til Mette Mikkelsen').fill('Det er det forkerte år.')
    await reject.click()
    await expect(colleague.getByText('Det er det forkerte år.')).toBeVisible()

    await openHydrated(page, page.url())
    await expect(page.getByText('Det er det forkerte år.')).toBeVisible()
    await page.getByRole('button', { name: 'Bed om godkendelse' }).click()
    await expect(page.getByText('Du bad om godkendelse')).toBeVisible()

    await openHydrated(colleague, colleague.url())
    await colleague.getByRole('button', { name: 'Godkend' }).click()
    await expect(colleague.getByText(/^Godkendt og udgivet/)).toBeVisible()
    await expect(
      colleague.getByRole('heading', { name: '0 af 1 person har åbnet nogle af filerne' }),
    ).toBeVisible()
  })
})
