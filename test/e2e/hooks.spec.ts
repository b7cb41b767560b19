import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { makeInOffice } from './maker.ts'
import { expect, test } from './shared-page.ts'
import { enterAs, openHydrated } from './visitor.ts'

type Got = { body: string; headers: Record<string, string> }

test('an administrator adds a webhook, tries it, and sees what was sent @long', async ({
  page,
  plainPage,
}) => {
  const got: Got[] = []
  let status = 200
  const receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      got.push({ body, headers: request.headers as Record<string, string> })
      response.writeHead(status).end('Tak for beskeden')
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/krog`
  const name = `Program ${Date.now()}`

  await enterAs(page, 'administrator')
  await openHydrated(page, '/settings/office')
  await page.getByRole('link', { name: 'Programmer' }).click()
  await page.getByRole('link', { name: 'Ny webhook' }).click()
  await page.locator('html[data-hydrated]').waitFor()
  await page.getByLabel('Navn').fill(name)
  await page.getByLabel('Adresse').fill('https://10.0.0.1/')
  await page.getByRole('button', { name: 'Tilføj webhook' }).click()
  await expect(page.getByText('HOOK_NETWORKS')).toBeVisible()
  await expect(page.getByText('Vælg mindst én hændelse.')).toBeVisible()
  await page.getByLabel('Adresse').fill(url)
  await page.getByLabel('Projekt oprettet').check()
  await page.getByRole('button', { name: 'Tilføj webhook' }).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
  const secret = await page.getByLabel(/Nøglen vises kun nu/).inputValue()
  expect(secret).toMatch(/^whsec_/)
  await page.locator('html[data-hydrated]').waitFor()

  await page.getByRole('button', { name: 'Send en prøve' }).click()
  const said = page.getByRole('status').filter({ hasText: 'Modtageren svarede 200.' })
  await expect(said).toContainText('Tak for beskeden')
  // Other tests add projects at the same time, some with this word in their name.
  const trial = page.getByRole('listitem').filter({ has: page.getByText('Prøve', { exact: true }) })
  await expect(trial).toContainText('Modtaget')
  await expect(page.getByLabel(/Nøglen vises kun nu/)).toHaveValue(secret)

  const project = await makeInOffice({ name: 'K/S Krogprøve' })
  await expect.poll(() => got.some(({ body }) => body.includes('K/S Krogprøve'))).toBe(true)
  const told = got.find(({ body }) => body.includes('K/S Krogprøve'))!
  const message = new Webhook(secret).verify(told.body, told.headers)
  expect(message).toMatchObject({ type: 'project.added', data: { items: expect.anything() } })
  expect(told.body).toContain(`"number":"${project.number}"`)

  await page.reload()
  await page.locator('html[data-hydrated]').waitFor()
  await expect(page.getByLabel(/Nøglen vises kun nu/)).toBeHidden()
  const row = page.getByRole('listitem').filter({ hasText: 'K/S Krogprøve' }).first()
  await expect(row).toContainText('Modtaget')
  await row.getByText(/svar og indhold/).click()
  await expect(row).toContainText('Tak for beskeden')
  const sameAgain = () => got.filter(({ headers }) => headers['webhook-id'] === told.headers['webhook-id'])
  expect(sameAgain()).toHaveLength(1)
  await row.getByRole('button', { name: 'Send igen' }).click()
  await expect.poll(() => sameAgain().length).toBe(2)

  // The same without JavaScript.
  await enterAs(plainPage, 'administrator')
  await plainPage.goto('/settings/hooks')
  await plainPage.getByRole('link', { name }).click()
  await expect(plainPage.getByRole('heading', { name })).toBeVisible()
  status = 500
  const hookPage = plainPage.url()
  // Tries that follow each other are asked to wait.
  await expect(async () => {
    await plainPage.goto(hookPage)
    await plainPage.getByRole('button', { name: 'Send en prøve' }).click()
    await expect(plainPage.getByRole('status').filter({ hasText: 'Modtageren svarede 500' })).toBeVisible({
      timeout: 2000,
    })
  }).toPass()
  await plainPage.getByRole('button', { name: 'Slå fra' }).click()
  await expect(plainPage.getByText('Slået fra', { exact: true })).toBeVisible()
  await plainPage.getByText('Slet webhooken').first().click()
  await plainPage.getByRole('button', { name: 'Slet webhooken' }).click()
  await expect(plainPage.getByRole('link', { name: 'Ny webhook' })).toBeVisible()
  await expect(plainPage.getByRole('link', { name })).toBeHidden()
  receiver.close()
})
