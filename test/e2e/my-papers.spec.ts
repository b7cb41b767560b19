import { urls } from '../../src/urls.ts'
import { PASSWORD } from '../values.ts'
import { expectInOffice, makeInOffice } from './maker.ts'
import { expect, test } from './shared-page.ts'
import { signIn } from './visitor.ts'

const YEAR = new Date().getFullYear() - 1

test('an investor finds last year’s tax paper on a phone, without JavaScript too', async ({
  page,
  plainPage,
}) => {
  const investor = { name: 'Ove Oversigt', email: `papirer${Date.now()}@investor.example` }
  const made = await makeInOffice({
    name: 'K/S Papirer',
    investor,
    files: { Skatteoplysninger: [`Skatteoplysninger (1) ${YEAR}.pdf`], Budget: [`Budget (1) ${YEAR}.pdf`] },
  })
  await expectInOffice(made.id, ['Årsrapport'])
  for (const phone of [page, plainPage]) {
    await phone.setViewportSize({ width: 375, height: 800 })
    await signIn(phone, investor.email, PASSWORD)
    await phone.getByRole('link', { name: 'Alle papirer' }).click()
    await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Papirer')
    const ofYear = phone.getByRole('region', { name: String(YEAR) })
    const paper = ofYear.getByRole('link', { name: `Skatteoplysninger ${YEAR} · Papirer` })
    await expect(paper).toBeVisible()
    await expect(ofYear).toContainText(`Skatteoplysninger (1) ${YEAR}.pdf`)
    await expect(ofYear.getByText(`Årsrapport ${YEAR} · Papirer`)).toBeVisible()

    const search = phone.getByRole('textbox', { name: 'Søg i papirer' })
    await search.fill(`skat ${YEAR}`)
    if (phone === plainPage) await search.press('Enter')
    await expect(phone.getByText(`Budget ${YEAR} · Papirer`)).toHaveCount(0)
    await expect(paper).toBeVisible()
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
    await expect(paper).toHaveAttribute('href', new RegExp(`^${urls.files(made.id)}/.+\\.pdf$`))
  }
})
