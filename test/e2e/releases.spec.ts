import type { Page } from '@playwright/test'
import { PASSWORD } from '../values.ts'
import { address, PORTS } from './facts.ts'
import { expect, test } from './shared-page.ts'
import { makeInOffice, publishNow } from './maker.ts'
import { enterAs, follow, mailedLink, mailsTo, openHydrated, signIn } from './visitor.ts'

/** Follows the link of a part of a release's page, which loads it anew. */
async function openTab(page: Page, name: string): Promise<void> {
  await follow(page.getByRole('navigation', { name: 'Udsendelsens indhold' }).getByRole('link', { name }))
}

test('only the office sees a draft until it is published, and it can be recalled and shown again', async ({
  page,
  otherPage: reader,
}) => {
  const email = `laeser${Date.now()}@ringbind.example`
  const project = await makeInOffice({ investor: { name: 'Læs Læsersen', email } })
  await signIn(reader, email, 'korrekt hest batteri')
  const name = `Budget (${project.number}) 2029.pdf`
  // What is new stands above the folders as well.
  const inFolder = reader.locator('[id^="folder-"]').getByRole('link', { name, exact: true })
  const isSeen = async (many: number) => {
    await openHydrated(reader, `/projects/${project.id}/uploads`)
    await expect(inFolder).toHaveCount(many)
  }

  await enterAs(page, 'medarbejder')
  await openHydrated(page, '/upload')
  await page
    .locator('input[type=file]')
    .setInputFiles([{ name, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 budget') }])
  await expect(page.getByText(/^1 person (?:får mail|ser dem)/)).toBeVisible()
  await page.getByLabel('Udgivelse').selectOption('Udgiv den …')
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await expect(page.getByText('Vælg en dato.')).toBeVisible()
  await page.getByLabel('Udgivelse').selectOption('Gem som kladde')
  await page.getByRole('button', { name: 'Gem 1 fil som kladde' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Filen er gemt')
  await isSeen(0)

  await page.getByRole('link', { name: 'Udgiv, planlæg eller slet filerne' }).click()
  await expect(page.getByText('Kun kontoret kan se papirerne.')).toBeVisible()
  await page.setViewportSize({ width: 375, height: 800 })
  await page.waitForFunction(() => window.innerWidth === 375)
  const tabs = page.getByRole('navigation', { name: 'Udsendelsens indhold' })
  expect(await tabs.evaluate((row) => row.scrollWidth - row.clientWidth)).toBe(0)
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.getByRole('button', { name: 'Udgiv nu' }).click()
  await expect(
    page.getByRole('link', { name: '0 af 1 person har åbnet nogle af papirerne' }),
  ).toHaveAttribute('href', /recipients\?filter=unopened$/)
  await isSeen(1)
  // One way back at a time: undone until somebody has noticed it, then recalled.
  await expect(page.getByRole('button', { name: 'Fortryd hele uploaden' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Træk tilbage' })).toHaveCount(0)
  const [opened] = await Promise.all([reader.context().waitForEvent('page'), inFolder.click()])
  await opened.close()

  await expect(async () => {
    await openTab(page, 'Historik')
    await expect(page.getByText('1 af 1 person har åbnet nogle af papirerne')).toBeVisible({ timeout: 1000 })
    // The log is written a moment after the mark.
    await expect(page.getByText('Læs Læsersen åbnede')).toBeVisible({ timeout: 1000 })
  }).toPass()
  await openTab(page, 'Modtagere')
  const files = page.getByText('Papirer til Læs Læsersen')
  await files.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText(`${name}: åbnet`)).toBeVisible()
  await page.getByRole('link', { name: 'Ikke endnu' }).click()
  await expect(page.getByText('Intet fundet...')).toBeVisible()
  await expect(page.getByText('Viser kun: Ikke endnu')).toBeAttached()
  expect(new URL(page.url()).search).toBe('?filter=unopened')
  await page.getByRole('link', { name: 'Har åbnet' }).press('Enter')
  await expect(files).toBeVisible()

  await expect(page.getByRole('button', { name: 'Fortryd hele uploaden' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Træk tilbage' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Træk tilbage' }).click()
  await expect(page.getByRole('button', { name: 'Udgiv igen' })).toBeVisible()
  await openTab(page, 'Historik')
  await expect(page.getByText('Læs Læsersen åbnede')).toBeVisible()
  await isSeen(0)
  await page.getByRole('button', { name: 'Udgiv igen' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Udgiv igen' }).click()
  await expect(page.getByRole('button', { name: 'Træk tilbage' })).toBeVisible()
  await isSeen(1)
})

test.describe('where a colleague approves what is published', () => {
  test.use({ baseURL: address(PORTS.fourEyes) })

  const [ida, jens] = ['ida@investor.example', 'jens@investor.example']
  const mailsOf = (email: string) => mailsTo(PORTS.fourEyes, email).length

  test('a move that shows a paper to more people says that a colleague has to approve it first @long', async ({
    page,
  }) => {
    await signIn(page, 'mette', PASSWORD)
    await openHydrated(page, '/projects')
    await follow(page.getByRole('link', { name: 'K/S Andre Øjne' }))
    await page.locator('tr[data-file]').hover()
    await page.getByRole('button', { name: 'Handlinger for Budget 2028.pdf' }).click()
    await page.getByRole('menuitem', { name: 'Flyt til et andet sted' }).click()
    const question = page.getByRole('dialog')
    await question.getByLabel('Projekt', { exact: true }).fill('4711')
    await page.getByRole('option', { name: '4711' }).click()
    await expect(question).toContainText(
      'En kollega skal godkende det først, fordi 2 personer uden for kontoret får mere at se. Karl Kristensen kan godkende det.',
    )
  })

  test('a draft is approved, planned and published, people are mailed, and it is recalled @long', async ({
    page,
    otherPage: other,
  }) => {
    // A second try finds what the first has left.
    const year = 2029 + test.info().retry
    const name = `Budget (4711) ${year}.pdf`
    const [toIda, toJens] = [mailsOf(ida), mailsOf(jens)]
    await signIn(page, 'mette', PASSWORD)
    await openHydrated(page, '/upload')
    await page
      .locator('input[type=file]')
      .setInputFiles([{ name, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 budget') }])
    await expect(page.getByText('En kollega skal godkende det først.')).toBeVisible()
    await page.getByLabel('Udgivelse').selectOption('Gem som kladde')
    await page.getByRole('button', { name: 'Gem 1 fil som kladde' }).click()
    await follow(page.getByRole('link', { name: 'Udgiv, planlæg eller slet filerne' }))
    const release = page.url()
    const tomorrow = new Date(Date.now() + 86_400_000).toLocaleDateString('en-GB')
    const ask = async () => {
      await page.getByRole('button', { name: 'Udgiv senere' }).click()
      await page.getByLabel('Udgives den').fill(tomorrow)
      await page.getByRole('button', { name: 'Planlæg, og bed om godkendelse' }).click()
      await expect(page.getByText('Du bad om godkendelse')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Godkend', exact: true })).toHaveCount(0)
    }

    await ask()
    await signIn(other, 'karl', PASSWORD)
    const waiting = other.getByRole('region', { name: /udsendelser? venter på din godkendelse$/ })
    await follow(waiting.getByRole('link', { name: `Budget ${year} · K/S Fire Øjne` }))
    await other.getByRole('button', { name: 'Afvis med besked' }).click()
    const reject = other.getByRole('button', { name: 'Afvis', exact: true })
    await reject.click()
    await expect(other.getByText('Beskeden skal udfyldes.')).toBeVisible()
    await other.getByLabel('Besked til Mette Mikkelsen').fill('Det er det forkerte år.')
    await reject.click()
    await expect(other.getByText('Det er det forkerte år.')).toBeVisible()

    await openHydrated(page, release)
    await expect(page.getByText('Det er det forkerte år.')).toBeVisible()
    await ask()
    await openHydrated(other, release)
    await expect(other.getByText('2 personer kan se det.')).toBeVisible()
    await other.getByRole('button', { name: `Vis ${name}` }).click()
    await expect(other.getByRole('dialog', { name })).toContainText(
      'Kan ses af 2 personer, når det er udgivet',
    )
    await other.keyboard.press('Escape')
    await other.getByRole('button', { name: 'Godkend', exact: true }).click()
    await expect(other.getByRole('region', { name: 'Status' }).getByText('Planlagt')).toBeVisible()

    expect(mailsOf(ida)).toBe(toIda)
    expect((await publishNow(PORTS.fourEyes)).published).toBeGreaterThan(0)
    await expect.poll(() => mailsOf(ida)).toBe(toIda + 1)
    const link = await mailedLink(PORTS.fourEyes, ida, name)
    await expect.poll(() => mailsOf(jens)).toBe(toJens + 1)
    await other.context().clearCookies()
    await other.goto(link)
    await other.getByLabel('E-mail').fill(ida)
    await other.getByLabel('Adgangskode').fill(PASSWORD)
    const asked = other.waitForRequest(/\/uploads\/\w{32}\//)
    await other.getByRole('button', { name: 'Log ind' }).click()
    // The mail leads to the paper itself, and back to its marked row.
    const file = other.locator('[aria-current=true]').getByRole('link', { name })
    await asked
    if (other.url().includes('/uploads/')) await other.goBack() // a browser without a viewer downloads it
    await expect(file).toBeVisible()

    await expect(async () => {
      await openHydrated(page, `${release}/history`)
      await expect(page.getByText('1 af 2 personer har åbnet')).toBeVisible({ timeout: 1000 })
      // The log is written a moment after the mark.
      await expect(page.getByText('Ida Investor åbnede')).toBeVisible({ timeout: 1000 })
    }).toPass()
    // This office has no mail server.
    await expect(page.getByText('Ingen får mail eller påmindelse')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send påmindelse' })).toHaveCount(0)

    await page.getByRole('button', { name: 'Træk tilbage' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Træk tilbage' }).click()
    await expect(page.getByRole('button', { name: 'Udgiv igen' })).toBeVisible()
    await openTab(page, 'Historik')
    await expect(page.getByText(`Ida Investor åbnede ${name}`)).toBeVisible()
    await openTab(page, 'Mails')
    await expect(page.getByRole('heading', { name: '1 person havde åbnet nogle af papirerne' })).toBeVisible()
    await other.reload()
    await expect(file).toHaveCount(0)
    await page.getByRole('button', { name: 'Skriv til den ene, der har åbnet papirerne' }).click()
    await expect.poll(() => mailsOf(ida)).toBe(toIda + 2)
    expect(mailsOf(jens)).toBe(toJens + 1)
  })
})

test('a look at the papers of a release walks on to the next page of the list, and back', async ({
  page,
}) => {
  const { number } = await makeInOffice({})
  await enterAs(page, 'medarbejder')
  await openHydrated(page, '/upload')
  await page.locator('input[type=file]').setInputFiles(
    Array.from({ length: 26 }, (_, index) => ({
      name: `Budget (${number}) Bilag ${index + 1}.pdf`,
      mimeType: 'application/pdf',
      buffer: Buffer.from(`%PDF-1.7 bilag ${index}`),
    })),
  )
  await page.getByLabel('Udgivelse').selectOption('Gem som kladde')
  await page.getByRole('button', { name: 'Gem 26 filer som kladde' }).click()
  await follow(page.getByRole('link', { name: 'Udgiv, planlæg eller slet filerne' }))

  const looks = page.getByRole('button', { name: /^Vis .*[.]pdf$/ })
  const look = page.getByRole('dialog')
  await expect(looks).toHaveCount(25)
  await looks.last().click()
  await expect(look).toContainText('25 af 26')
  await look.getByRole('button', { name: 'Næste fil' }).click()
  await expect(look).toContainText('26 af 26')
  await expect(looks).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await expect(look).toContainText('Det er det sidste papir.')
  await look.getByRole('button', { name: 'Forrige fil' }).click()
  await expect(look).toContainText('25 af 26')
  await expect(looks).toHaveCount(25)
})
