import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import sharp from 'sharp'
import { urls } from '../../src/urls.ts'
import { writePdf } from '../files/pdf.ts'
import { AXE } from './axe.ts'
import { dropBeside, onDisk } from './drop.ts'
import { makeInOffice, makePersonInOffice, type ProjectRequest } from './maker.ts'
import { expect, test } from './shared-page.ts'
import { enterAs, openHydrated, signIn } from './visitor.ts'

const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64')
const BYTES = {
  'Årsrapport 2025.pdf': base64(writePdf()),
  'Referat 2025.txt': base64('Referat af bestyrelsesmødet'),
  'Brev.docx': base64('Kære investor'),
  'Side.html': base64('<!doctype html><script>document.title="hostile"</script>'),
}
const FILES = Object.keys(BYTES)

const row = (page: Page, name: string) => page.locator('tr[data-file]').filter({ hasText: name })
const panel = (page: Page, name: string) => page.getByRole('dialog', { name })
const look = (page: Page, name: string) => page.getByRole('button', { name: `Vis ${name}`, exact: true })

async function openProject(page: Page, wanted: ProjectRequest, as = 'medarbejder') {
  const made = await makeInOffice(wanted)
  await enterAs(page, as)
  await openHydrated(page, `/projects/${made.id}/uploads`)
  return made
}

/** Names the controls in the window that something else covers. */
const coveredBeside = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('header :is(a, button, input), main :is(a, button, input)')]
      .filter((each) => !each.closest('dialog') && each.checkVisibility())
      .filter((each) => {
        const { left, right, top, bottom, width } = each.getBoundingClientRect()
        if (width <= 1 || top < 0 || bottom > innerHeight) return false
        const points = [left + 2, right - 2].map((x) => document.elementFromPoint(x, (top + bottom) / 2))
        return points.some((at) => !at || !(each.contains(at) || at.contains(each)))
      })
      .map((each) => each.getAttribute('aria-label') ?? each.textContent),
  )

/** Gathers what a page asks the server for. */
function watchCalls(page: Page, pattern: RegExp): string[] {
  const calls: string[] = []
  page.on(
    'request',
    (request) => pattern.test(request.url()) && calls.push(decodeURIComponent(request.url())),
  )
  return calls
}

test('a press on the icon shows the file beside the list; arrow keys go on to the next, Escape goes back', async ({
  page,
}) => {
  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#a00' } })
    .png()
    .toBuffer()
  await openProject(page, {
    files: { Budget: [...FILES, 'Foto.png'] },
    bytes: { ...BYTES, 'Foto.png': base64(picture) },
  })
  const sent = page.waitForResponse(/Referat.*\?show$/)
  await look(page, 'Referat 2025.txt').click()
  const shown = panel(page, 'Referat 2025.txt')
  await expect(shown.frameLocator('iframe').getByText('Referat af bestyrelsesmødet')).toBeVisible()
  expect((await sent).headers()['content-security-policy']).toContain('sandbox')
  await expect(row(page, 'Referat 2025.txt')).toHaveAttribute('aria-current', 'true')
  await expect(shown.getByText('Budget · 2 af 5')).toBeVisible()
  await expect(shown.getByText('Kun kontoret')).toBeVisible()
  await expect(shown.getByRole('region', { name: 'Historik' }).getByRole('listitem')).toHaveCount(1)
  // The list stays beside it, and can be used.
  const list = (await row(page, 'Referat 2025.txt').boundingBox())!
  expect(list.x + list.width).toBeLessThanOrEqual((await shown.boundingBox())!.x)
  await page.mouse.move(0, 0) // no tooltip
  await expect.poll(() => coveredBeside(page)).toEqual([])

  await page.keyboard.press('ArrowDown')
  await expect(panel(page, 'Brev.docx').getByText('Filen kan ikke vises her.')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(panel(page, 'Side.html').getByText('Filen kan ikke vises her.')).toBeVisible()
  await expect(page.locator('iframe')).toHaveCount(0)
  await page.keyboard.press('ArrowDown')
  await expect(panel(page, 'Foto.png').getByRole('img', { name: 'Foto.png' })).toHaveJSProperty(
    'naturalWidth',
    60,
  )
  await page.keyboard.press('ArrowDown')
  await expect(page.getByText('Det er mappens sidste fil.')).toBeAttached()
  for (let times = 1; times <= 4; times++) await page.keyboard.press('ArrowUp')
  const sentPdf = page.waitForResponse(/rsrapport.*\?show$/)
  await expect(panel(page, 'Årsrapport 2025.pdf').locator('iframe')).toHaveAttribute('src', /\?show#/)
  expect((await sentPdf).status()).toBe(200)

  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(look(page, 'Årsrapport 2025.pdf')).toBeFocused()
})

test('S2.2 the name opens a new tab; Space on it shows the file here, and a second press closes it @long', async ({
  page,
}) => {
  await openProject(page, { files: { Budget: FILES }, bytes: BYTES })
  const link = row(page, 'Referat 2025.txt').getByRole('link', { name: 'Referat 2025.txt', exact: true })
  await expect(link).toHaveAttribute('target', '_blank')
  await link.focus()
  await page.keyboard.press('Space')
  await expect(panel(page, 'Referat 2025.txt')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Referat 2025.txt' })).toBeFocused()
  await page.keyboard.press('Space')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await look(page, 'Referat 2025.txt').click()
  await expect(panel(page, 'Referat 2025.txt')).toBeVisible()
  await look(page, 'Referat 2025.txt').click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('an investor sees fewer details, and only files that stay open count as read @long', async ({
  page,
}) => {
  const investor = await makePersonInOffice({ name: 'Ida Investor' })
  const names = ['A.txt', 'B.txt', 'C.txt', 'D.txt']
  const made = await makeInOffice({
    investor: { name: 'Kaj Kigger', email: `kaj${investor.id}@ringbind.example` },
    files: { Budget: names },
    bytes: Object.fromEntries(names.map((name) => [name, base64(`Indhold af ${name}`)])),
  })
  await page.context().clearCookies()
  await signIn(page, `kaj${investor.id}@ringbind.example`, investor.password)
  await openHydrated(page, `/projects/${made.id}/uploads`)
  await expect(row(page, 'A.txt').getByText('Ny', { exact: true })).toBeVisible()
  const calls = watchCalls(page, /\/look$|\?show$/)
  await look(page, 'A.txt').click()
  await expect(panel(page, 'A.txt')).toBeVisible()
  // With the key held down, the panel does not stop at the files in between.
  await page.getByRole('dialog').evaluate((dialog) => {
    for (let times = 1; times <= 3; times++)
      setTimeout(
        () =>
          dialog
            .querySelector('h2')!
            .dispatchEvent(
              new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }),
            ),
        times * 10,
      )
  })
  await expect(panel(page, 'D.txt').frameLocator('iframe').getByText('Indhold af D.txt')).toBeVisible()
  await expect(row(page, 'D.txt').getByText('Ny', { exact: true })).toHaveCount(0)
  expect(calls.filter((call) => /[BC]\.txt/.test(call))).toEqual([])
  expect(calls.filter((call) => call.endsWith('/look')).length).toBeLessThanOrEqual(2)
  const shown = panel(page, 'D.txt')
  await expect(shown.getByText('Størrelse')).toBeVisible()
  await expect(shown.getByRole('link', { name: 'Hent' })).toBeVisible()
  for (const kept of ['Historik', 'Hvem kan se den', 'Uploadet af', 'Slet', 'Flyt'])
    await expect(shown.getByText(kept)).toHaveCount(0)
  await openHydrated(page, `/projects/${made.id}/uploads`)
  await expect(row(page, 'D.txt').getByText('Ny', { exact: true })).toHaveCount(0)
  await expect(row(page, 'B.txt').getByText('Ny', { exact: true })).toBeVisible()
})

test('a broken PDF does not take the keys away @long', async ({ page }) => {
  await openProject(page, {
    files: { Budget: ['Brudt.pdf', 'Brev.txt'] },
    bytes: { 'Brev.txt': base64('Hej') },
  })
  const taken = page.evaluate(
    () => new Promise((resolve) => addEventListener('blur', resolve, { once: true })),
  )
  await look(page, 'Brudt.pdf').click()
  await page.mouse.move(0, 0)
  await taken // by the browser's viewer
  await expect(page.getByRole('heading', { name: 'Brudt.pdf' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(panel(page, 'Brev.txt')).toBeVisible()
})

test('arrow keys continue through a closed folder when somebody else changes something in it @long', async ({
  page,
  otherPage: other,
}) => {
  const names = Array.from({ length: 30 }, (_, index) => `Bilag ${index + 1}.txt`)
  const bytes = Object.fromEntries(names.map((name) => [name, base64(name)]))
  const made = await openProject(page, { files: { Budget: names }, bytes })
  await enterAs(other, 'administrator')
  await openHydrated(other, `/projects/${made.id}/uploads`)
  await look(page, 'Bilag 5.txt').click()
  for (let nth = 6; nth <= 27; nth++) {
    await page.keyboard.press('ArrowRight')
    await expect(panel(page, `Bilag ${nth}.txt`)).toBeVisible()
  }
  await other.getByRole('button', { name: 'Slet Bilag 1.txt', exact: true }).click()
  await other.getByRole('button', { name: 'Slet fil' }).click()
  await expect(row(page, 'Bilag 1.txt')).toHaveCount(0)
  await expect(row(page, 'Bilag 2.txt')).toHaveCount(1)
  await expect(panel(page, 'Bilag 27.txt').getByText('Budget · 26 af 29')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(panel(page, 'Bilag 28.txt')).toBeVisible()
})

test('arrow keys go through a folder to its end, page by page @long', async ({ page }) => {
  const names = Array.from({ length: 27 }, (_, index) => `Bilag ${index + 1}.txt`)
  const bytes = Object.fromEntries(names.map((name) => [name, base64(name)]))
  await openProject(page, { files: { Budget: names }, bytes })
  await look(page, 'Bilag 5.txt').click()
  await expect(panel(page, 'Bilag 5.txt').getByText('Budget · 5 af 27')).toBeVisible()
  for (let nth = 6; nth <= 27; nth++) {
    await page.keyboard.press('ArrowRight')
    await expect(panel(page, `Bilag ${nth}.txt`)).toBeVisible()
  }
  await expect(page.getByRole('button', { name: 'Næste fil' })).toHaveAttribute('aria-disabled', 'true')
})

test('a file that is deleted meanwhile says so; one that is deleted here makes room for the next @long', async ({
  page,
}) => {
  await page.route(
    (url) => url.pathname === urls.changes,
    (route) => route.abort(),
  )
  const made = await openProject(page, { files: { Budget: FILES }, bytes: BYTES })
  const id = await row(page, 'Referat 2025.txt').getAttribute('data-file')
  await page.evaluate(async (address) => {
    const token = /XSRF-TOKEN=([^;]+)/.exec(document.cookie)![1]!
    await fetch(address, {
      method: 'DELETE',
      headers: { 'x-requested-with': 'XMLHttpRequest', 'x-xsrf-token': decodeURIComponent(token) },
    })
  }, `/api/projects/${made.id}/file/${id}`)
  await look(page, 'Referat 2025.txt').click()
  await expect(page.getByRole('alert').getByText('Filen findes ikke længere')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  const shown = panel(page, 'Brev.docx')
  await shown.getByRole('button', { name: 'Slet' }).click()
  await page.getByRole('dialog', { name: /Slet/ }).getByRole('button', { name: 'Slet fil' }).click()
  await expect(panel(page, 'Side.html')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Side.html' })).toBeFocused()
})

test('where the list and the panel have no room beside each other, the panel covers the page @long', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1183, height: 700 })
  await openProject(page, { files: { Budget: FILES }, bytes: BYTES })
  await look(page, 'Referat 2025.txt').click()
  const shown = panel(page, 'Referat 2025.txt')
  const widthOf = async () => (await shown.boundingBox())!.width
  await expect.poll(widthOf).toBe(1183)
  await page.setViewportSize({ width: 1184, height: 700 })
  await expect.poll(widthOf).toBeLessThan(600)
  await page.mouse.move(0, 0) // no tooltip
  await expect.poll(() => coveredBeside(page)).toEqual([])
})

test('on a phone the panel covers the page, and everything in it can be reached', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 700 })
  await openProject(page, { files: { Budget: FILES }, bytes: BYTES })
  await look(page, 'Referat 2025.txt').click()
  const shown = panel(page, 'Referat 2025.txt')
  await expect(shown.getByText('Hele historikken')).toBeVisible()
  expect(await shown.boundingBox()).toMatchObject({ x: 0, y: 0, width: 360, height: 700 })
  await expect(shown).toHaveJSProperty('scrollWidth', 360)
  await page.evaluate(AXE)
  const faults = await page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run('.look', {
      iframes: false,
    })
    return violations.map(({ id, nodes }) => ({ id, at: nodes.map((node) => node.html) }))
  })
  expect(faults).toEqual([])
  await shown.getByRole('button', { name: 'Flyt' }).click()
  await expect(shown).toHaveCount(0)
  await expect(page.getByRole('dialog', { name: 'Flyt til mappe' })).toBeVisible()
})

test('files dropped on the document that is shown stay with the page, as do those on the sign-in @long', async ({
  page,
}) => {
  const made = await openProject(page, { files: { Budget: FILES }, bytes: BYTES })
  const at = onDisk({ 'Løs.pdf': '%PDF-1.7 løs' })
  await look(page, 'Referat 2025.txt').click()
  const frame = panel(page, 'Referat 2025.txt').locator('iframe')
  await expect(frame).toBeVisible()
  // A drag comes over the page before it comes over the document.
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [at('Løs.pdf')], dragOperationsMask: 1 }
  await session.send('Input.dispatchDragEvent', { type: 'dragEnter', x: 400, y: 300, data })
  await expect(frame).toHaveCSS('pointer-events', 'none')
  await session.detach()
  await dropBeside(page, frame, [at('Løs.pdf')])
  await expect(page).toHaveURL(`/projects/${made.id}/upload`)

  await page.context().clearCookies()
  await openHydrated(page, '/login')
  await dropBeside(page, page.getByRole('heading', { level: 1 }), [at('Løs.pdf')])
  await expect(page.getByLabel('E-mail')).toBeVisible()
  await expect(page).toHaveURL('/login')
})
