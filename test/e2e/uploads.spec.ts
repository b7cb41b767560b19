import type { Page } from '@playwright/test'
import { dropBeside, dropFiles, dropFromDisk, onDisk } from './drop.ts'
import { makeInOffice, makePersonInOffice, type MadeProject } from './maker.ts'
import { follow, enterAs, openHydrated, signIn } from './visitor.ts'
import { expect, test } from './shared-page.ts'

const pdf = (name: string) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from(`%PDF-1.7 ${name}`) })

const group = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const rowsOf = (page: Page, name: string | RegExp) => group(page, name).getByRole('listitem')
/** The rows of files that somebody should look at. */
const toLookAt = (page: Page) => group(page, 'Se på').locator('[data-upload]')
const sent = (page: Page) => page.locator('[data-upload]').getByText('Klar', { exact: true })

/** Returns the names of the fields that a form sends for its first file. */
function fieldsOf(body: string | null): string[] {
  const [first] = /files\[[a-z0-9]+\]/.exec(body ?? '') ?? []
  return [...(body ?? '').matchAll(/name="(files\[[a-z0-9]+\])\[(\w+)\]"/g)]
    .filter(([, file]) => file === first)
    .map(([, , field]) => field!)
}

async function openForm(page: Page): Promise<number> {
  const made = await makeInOffice({ files: { Budget: ['Findes.pdf'] } })
  await enterAs(page, 'medarbejder')
  await openHydrated(page, `/projects/${made.id}/uploads`)
  await group(page, /^Budget$/)
    .getByRole('link', { name: 'Upload' })
    .click()
  await page.locator('html[data-hydrated]').waitFor()
  return made.id
}

/** Opens the form for one project, or for all. */
async function openPile(page: Page, { all = false, hasAuditor = false } = {}): Promise<MadeProject> {
  const made = await makeInOffice({ hasAuditor })
  await enterAs(page, 'medarbejder')
  await openHydrated(page, all ? '/upload' : `/projects/${made.id}/upload`)
  return made
}

/** Returns whether an address is an upload form's, and not the one that receives the files before it. */
const isForm = (url: string) => url.endsWith('/upload') && !url.endsWith('/temp/upload')

test('S2.1 S4.6 the file list links to the form for one folder, where dropped files are sent, saved and shown', async ({
  page,
}) => {
  await openForm(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Upload til Budget')
  await dropFiles(page, ['Brev 2024.pdf', '.DS_Store', 'Ærø #1 100%.pdf'])
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Filer til upload'])
  await expect(rowsOf(page, 'Filer til upload')).toHaveCount(2)
  await expect(group(page, 'Filer til upload')).toContainText('2 filer')
  await expect(group(page, 'Filer til upload')).toContainText('Deles med investorer')
  await expect(sent(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Gem 2 filer' }).click()
  await expect(page.getByText('2 filer er gemt i Budget.')).toBeVisible()
  expect(
    await group(page, /^Budget$/)
      .getByRole('rowheader')
      .getByRole('link')
      .allInnerTexts(),
  ).toEqual(['Brev 2024.pdf', 'Ærø #1 100%.pdf', 'Findes.pdf'])
})

test('S4.4 S3.4 files for all projects are shown in groups, with their size and who will see them, and saved with one press', async ({
  page,
}) => {
  const other = await makeInOffice({ hasAuditor: true })
  const { number } = await openPile(page, { all: true })
  await dropFiles(page, [
    `Diverse (${other.number}).pdf`,
    `Budget (${number}) 2024.pdf`,
    `Årsrapport KS (${other.number}) 2023.pdf`.normalize('NFD'),
    `Budget (${number}) 2025.pdf`,
    `Diverse (${number}) note.txt`,
  ])
  const budget = group(page, new RegExp(`^Budget · ${number}`))
  await expect(budget.getByRole('listitem')).toHaveCount(2)
  await expect(budget).toContainText('2 filer')
  await expect(budget).toContainText('Deles med investorer')
  await expect(group(page, new RegExp(`^Diverse · ${number}`))).toContainText('Kun kontoret')
  await expect(group(page, new RegExp(`^Årsrapport · ${other.number}`))).toContainText('1 fil')
  await expect(group(page, new RegExp(`^Diverse · ${other.number}`))).toContainText('Kontoret og revisor')
  const posted = page.waitForRequest((request) => isForm(request.url()) && request.method() === 'POST')
  await page.getByRole('button', { name: 'Gem 5 filer' }).click()
  expect(fieldsOf((await posted).postData())).toEqual(['folder_id', 'name', 'mime', 'folder', 'data'])
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Filerne er gemt')
  await expect(page.getByText('5 filer er gemt i 4 mapper.')).toBeVisible()
  await page.getByRole('link', { name: 'Årsrapport', exact: true }).click()
  await expect(
    page.getByRole('link', { name: `Årsrapport KS (${other.number}) 2023.pdf`, exact: true }),
  ).toBeVisible()
})

test('S4.5 a file that matches no folder or belongs to another project is ignored, says why, and is not saved', async ({
  page,
}) => {
  const { number } = await openPile(page)
  const bodies: string[] = []
  page.on('request', (request) => request.method() === 'POST' && bodies.push(request.postData() ?? ''))
  await dropFiles(page, [
    `Budget (${number}) 2024.pdf`,
    `Ferie (${number}) 2024.pdf`,
    'Budget (9999) 2024.pdf',
    'Uden nummer.pdf',
    { name: 'Tom.pdf', text: '' },
  ])
  const ignored = group(page, 'Ignorerede filer')
  await expect(ignored.getByRole('listitem')).toHaveCount(4)
  await expect(ignored).toContainText(`Mappen ”Ferie” findes ikke i projekt ${number}.`)
  await expect(ignored).toContainText(`Projekt 9999 er ikke ${number}.`)
  await expect(ignored).toContainText('Navnet skal være som')
  await expect(ignored).toContainText('Filen er tom.')
  const background = (of: typeof ignored) =>
    of.evaluate((element) => getComputedStyle(element).backgroundColor)
  expect(await background(ignored)).not.toBe(await background(group(page, /^Budget/)))
  expect(await background(ignored)).toBe('rgb(255, 244, 220)')
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await expect(page.getByText('1 fil er gemt.')).toBeVisible()
  await expect(group(page, '4 filer blev ikke gemt').getByRole('listitem')).toHaveCount(4)
  expect(bodies.some((body) => body.includes('Uden nummer'))).toBe(false) // not even its bytes are sent
})

test('S2.7 S4.7 the simple form accepts only PDFs, by name and by bytes, and lists them under the person’s own files', async ({
  page,
}) => {
  await enterAs(page, 'investor')
  await openHydrated(page, '/')
  await follow(page.getByRole('link', { name: 'Send filer til kontoret' }))
  const name = `Pas ${Date.now()}.pdf`
  await dropFiles(page, [name, 'Noter.txt', { name: 'Snyd.pdf', text: 'Hej' }, 'Brev.docx'])
  const ignored = group(page, 'Ignorerede filer')
  await expect(ignored.getByRole('listitem')).toHaveCount(3)
  await expect(ignored.getByText('Kun PDF-filer kan sendes. Gem filen som PDF.')).toHaveCount(2)
  await expect(ignored).toContainText('Filen er ikke en PDF.')
  await page.getByRole('button', { name: 'Send 1 fil' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Filen er sendt')
  await expect(page).toHaveTitle(/^Filen er sendt/)
  await expect(page.getByText('1 fil er sendt til kontoret.')).toBeVisible()
  await expect(group(page, '3 filer blev ikke sendt').getByRole('listitem')).toHaveCount(3)
  await expect(group(page, 'Mine filer')).toContainText('Ses af dig, kontoret og Karen Holst') // who was lent them
  await expect(page.getByRole('link', { name: 'Send flere filer' })).toHaveAttribute('href', '/my-files#send')
  await page.getByRole('link', { name: 'Til mine filer' }).click()
  await expect(page.getByRole('list', { name: 'Mine filer' })).toContainText(name)
})

test('S2.7 S3.4 the form for people assigns each file by its number; an unknown number can be corrected by hand', async ({
  page,
}) => {
  await enterAs(page, 'administrator')
  await openHydrated(page, '/users/upload')
  await expect(page.getByRole('link', { name: 'alle projekter og personer i stedet' })).toBeVisible()
  await dropFiles(page, ['Årsopgørelse (2002) 2025.pdf', 'Årsopgørelse (ukendt) 2025.pdf', 'Brev.pdf'])
  const hers = group(page, 'Anne Marie Holm')
  await expect(hers).toContainText('Ses af Anne Marie Holm og kontoret')
  await expect(group(page, 'Ignorerede filer')).toContainText('Ingen person har nummer ukendt.')
  await page.getByRole('button', { name: 'Vælg plads til Brev.pdf' }).click()
  await page.getByLabel('Person', { exact: true }).fill('2002')
  await page
    .getByRole('listbox', { name: 'Forslag' })
    .getByRole('option', { name: /Anne Marie Holm/ })
    .click()
  await expect(page.getByText('Nyt navn: ”Brev (2002).pdf”.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ret navnet' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(hers.getByRole('listitem')).toHaveCount(2)
  const posted = page.waitForRequest((request) => isForm(request.url()) && request.method() === 'POST')
  await page.getByRole('button', { name: 'Gem 2 filer' }).click()
  expect(fieldsOf((await posted).postData())).toEqual(['user_id', 'name', 'mime', 'data'])
  await expect(page.getByText('2 filer er gemt.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Brev (2002).pdf' })).toBeVisible()
})

test.describe('an ignored file', () => {
  test('”Mente du” corrects an ignored file and others with the same fault, and can be undone', async ({
    page,
  }) => {
    const { number } = await openPile(page)
    await dropFiles(
      page,
      [1, 2, 3].map((n) => `Arsrapport (${number}) ${n}.pdf`),
    )
    await expect(toLookAt(page)).toHaveCount(3)
    await page.getByRole('button', { name: 'Mente du Årsrapport?' }).first().click()
    await expect(page.locator('output:focus')).toContainText(
      `”Arsrapport (${number}) 1.pdf” hedder nu ”Årsrapport (${number}) 1.pdf”.`,
    )
    await expect(rowsOf(page, 'Årsrapport')).toHaveText([new RegExp(`Årsrapport \\(${number}\\) 1.pdf`)])
    await page.getByRole('button', { name: 'Gør det samme for de andre 2' }).click()
    await expect(rowsOf(page, 'Årsrapport')).toHaveCount(3)
    await expect(toLookAt(page)).toHaveCount(0)
    await page.getByRole('button', { name: 'Fortryd' }).click()
    await expect(toLookAt(page)).toHaveCount(3)
    await page.getByRole('button', { name: 'Mente du Årsrapport?' }).first().click()
    await page.getByRole('button', { name: 'Gem 1 fil' }).click()
    await expect(page.getByRole('link', { name: `Årsrapport (${number}) 1.pdf` })).toBeVisible()
  })

  test('an ignored file can be corrected by hand: project and folder @long', async ({ page }) => {
    const { number } = await openPile(page, { all: true, hasAuditor: true })
    await dropFiles(page, ['Ferieplan.pdf', 'Budget (9999) 2024.pdf'])
    await page.getByRole('button', { name: 'Vælg plads til Ferieplan.pdf' }).click()
    const dialog = page.getByRole('dialog', { name: 'Hvor hører filen til?' })
    await expect(dialog.getByRole('button', { name: 'Ret navnet' })).toBeDisabled()
    await dialog.getByLabel('Projekt').fill(number)
    await dialog.getByRole('listbox', { name: 'Forslag' }).getByRole('option').waitFor()
    await page.keyboard.press('Escape') // takes the suggestions away, and leaves the modal
    await expect(dialog.getByRole('listbox')).toBeHidden()
    await dialog.getByLabel('Projekt').fill(number)
    await dialog.getByRole('listbox', { name: 'Forslag' }).getByRole('option').waitFor()
    await dialog.getByLabel('Projekt').press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(dialog.getByLabel('Mappe')).toBeFocused()
    await expect(dialog.getByRole('option', { name: 'Diverse (kontoret og revisor)' })).toBeAttached()
    await dialog.getByLabel('Mappe').selectOption('Vedtægter')
    await dialog.getByRole('button', { name: 'Ret navnet' }).click()
    await expect(rowsOf(page, new RegExp(`^Vedtægter · ${number}`))).toContainText(
      `Vedtægter (${number}) Ferieplan.pdf`,
    )
    await page.getByRole('button', { name: 'Vælg plads til Budget (9999) 2024.pdf' }).click()
    await expect(dialog.getByLabel('Projekt')).toBeFocused()
    await dialog.getByLabel('Projekt').fill(number)
    await dialog.getByRole('listbox', { name: 'Forslag' }).getByRole('option').click()
    await expect(dialog.getByLabel('Mappe')).toHaveValue('Budget') // the folder was already right
    await expect(dialog.getByRole('button', { name: 'Ret navnet' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(rowsOf(page, new RegExp(`^Budget · ${number}`))).toContainText(`Budget (${number}) 2024.pdf`)
  })
})

test('a file that already exists is marked, by name and by bytes, and can be kept or skipped, one by one or all @long', async ({
  page,
}) => {
  await openForm(page)
  await dropFiles(page, [
    'Findes.pdf',
    { name: 'Kopi.pdf', text: '%PDF-1.7 Findes.pdf' },
    { name: 'Ny.pdf', text: '%PDF-1.7 ny' },
    { name: 'Ny.pdf', text: '%PDF-1.7 en anden' },
  ])
  const row = (text: string) => rowsOf(page, 'Filer til upload').filter({ hasText: text })
  await expect(row('Filen ligger allerede i mappen.')).toContainText('Findes.pdf')
  await expect(row('Filen ligger allerede i mappen som ”Findes.pdf”.')).toContainText('Kopi.pdf')
  await expect(row('En anden af filerne har samme navn.')).toHaveCount(1)
  await expect(
    page
      .getByText('2 filer ligger der allerede og springes over. 1 fil har samme navn som en anden fil.')
      .first(),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Gem 2 filer' })).toBeVisible()
  await page.getByRole('button', { name: 'Spring alle over' }).click()
  await expect(page.getByRole('button', { name: 'Gem 1 fil' })).toBeVisible()
  await row('Kopi.pdf').getByRole('button', { name: 'Behold begge, Kopi.pdf' }).click()
  await page.getByRole('button', { name: 'Gem 2 filer' }).click()
  const left = group(page, '2 filer blev ikke gemt').getByRole('listitem')
  await expect(left.filter({ hasText: 'Findes.pdf' })).toContainText(
    'Filen ligger der allerede: ”Findes.pdf” i Budget.',
  )
  await expect(left.filter({ hasText: 'Ny.pdf' })).toContainText(
    'Sprunget over: En anden af filerne har samme navn.',
  )
  await page.getByRole('link', { name: 'Budget', exact: true }).click()
  const budget = group(page, /^Budget$/)
  await expect(budget.getByRole('rowheader').getByRole('link')).toHaveText([
    'Kopi.pdf',
    'Ny.pdf',
    'Findes.pdf',
  ])
})

test('whole directories can be dropped from the disk; system files in them are left out', async ({
  page,
}) => {
  const { number } = await openPile(page)
  const at = onDisk({
    [`Mappe/Budget (${number}) 2024.pdf`]: '%PDF-1.7 a',
    [`Mappe/Dybere/Budget (${number}) æøå #%?.pdf`]: '%PDF-1.7 b',
    'Mappe/.DS_Store': 'x',
    'Mappe/Dybere/Thumbs.db': 'x',
    'Mappe/~$Budget.docx': 'x',
    [`Budget (${number}) løs.pdf`]: '%PDF-1.7 c',
  })
  await dropFromDisk(page, [at('Mappe'), at(`Budget (${number}) løs.pdf`)])
  await expect(rowsOf(page, 'Budget')).toHaveCount(3)
  await expect(group(page, 'Ignorerede filer')).toHaveCount(0)
  await page.getByRole('button', { name: 'Gem 3 filer' }).click()
  await expect(page.getByRole('link', { name: `Budget (${number}) æøå #%?.pdf` })).toBeVisible()
})

test('S9.10 images have thumbnails of 200 × 200, and files that only have an image’s name do not', async ({
  page,
}) => {
  await openForm(page)
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><rect width="300" height="100" fill="red"/></svg>'
  const png = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 })
    canvas.getContext('2d')!.fillRect(0, 0, 640, 480)
    return canvas.toDataURL('image/png').split(',')[1]!
  })
  const at = onDisk({
    'a.svg': svg,
    'b.PNG': Buffer.from(png, 'base64'),
    'c.jpg': 'ikke et billede',
    'd.pdf': '%PDF',
  })
  await dropFromDisk(page, ['a.svg', 'b.PNG', 'c.jpg', 'd.pdf'].map(at))
  const stamps = group(page, 'Filer til upload').locator('img')
  await expect(stamps).toHaveCount(2)
  await expect(sent(page)).toHaveCount(4)
  const sizes = await stamps.evaluateAll((all) =>
    (all as HTMLImageElement[]).map(({ naturalWidth, naturalHeight }) => [naturalWidth, naturalHeight]),
  )
  expect(sizes).toEqual([
    [200, 200],
    [200, 200],
  ])
})

test('S9.10 S7.1 a large file is sent in pieces, of 2,000,000 bytes at first, and resumes where a broken connection stopped it', async ({
  page,
}) => {
  await openForm(page)
  const pieces: [offset: string, length: number][] = []
  let broken = 0
  await page.route('**/api/temp/tus/*', async (route) => {
    const request = route.request()
    if (request.method() !== 'PATCH') return route.continue()
    const headers = await request.allHeaders()
    expect(headers['x-requested-with']).toBe('XMLHttpRequest')
    expect(headers['x-xsrf-token']).toBeTruthy()
    pieces.push([headers['upload-offset']!, request.postDataBuffer()!.length])
    if (headers['upload-offset'] === '2000000' && ++broken === 1) return route.abort()
    return route.continue()
  })
  const at = onDisk({ 'Stor.pdf': Buffer.concat([Buffer.from('%PDF-1.7 '), Buffer.alloc(4_999_991, 'x')]) })
  await dropFromDisk(page, [at('Stor.pdf')])
  await expect(sent(page)).toHaveCount(1)
  const [, second] = pieces
  expect([2_000_000, 3_000_000]).toContain(second![1]) // all the rest, if the first piece arrived quickly
  expect(pieces).toEqual([
    ['0', 2_000_000],
    ['2000000', second![1]],
    ['2000000', 2_000_000],
    ['4000000', 1_000_000],
  ])
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await expect(page.getByText('1 fil er gemt i Budget.')).toBeVisible() // in the pile its name was a link, too
  const link = page.getByRole('link', { name: 'Stor.pdf', exact: true })
  const answer = await page.request.get((await link.getAttribute('href'))!)
  expect([(await answer.body()).length, answer.headers()['content-type']]).toEqual([
    5_000_000,
    'application/pdf',
  ])
})

test('progress and remaining time are shown while files are sent; a file can be cancelled @long', async ({
  page,
}) => {
  await openForm(page)
  await page.route('**/api/temp/upload', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await route.continue().catch(() => undefined)
  })
  await dropFiles(page, ['a.pdf', 'b.pdf'])
  await expect(page.getByRole('progressbar', { name: /Sender filer/ })).toBeVisible()
  await page.getByRole('button', { name: 'Fjern alle' }).click()
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Gem/ })).toHaveCount(0)
})

test('the save button stays where it is when the last file is sent, so that no press misses it @long', async ({
  page,
}) => {
  await openForm(page)
  const { promise: isSeen, resolve: see } = Promise.withResolvers<void>()
  await page.route('**/api/temp/upload', async (route) => {
    await isSeen
    await route.continue()
  })
  await dropFiles(page, ['a.pdf'])
  const button = page.getByRole('button', { name: 'Gem 1 fil' })
  await expect(page.getByRole('progressbar', { name: /Sender filer/ })).toBeVisible()
  const before = await button.boundingBox()
  see()
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  expect(await button.boundingBox()).toEqual(before)
})

test('too many files, or a file that is too large, are refused before a byte is sent @long', async ({
  page,
}) => {
  await openForm(page)
  const calls: string[] = []
  page.on('request', (request) => request.method() === 'POST' && calls.push(request.url()))
  await dropFiles(
    page,
    Array.from({ length: 2001 }, (_, n) => ({ name: `${n}.pdf`, text: 'x' })),
  )
  await expect(page.getByText('Højst 2.000 filer ad gangen. Ingen af de 2.001 kom med.')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: '.pdf' })).toHaveCount(0)
  await page.evaluate(() => {
    const made = new DataTransfer()
    const file = new File(['x'], 'Kæmpe.pdf')
    Object.defineProperty(file, 'size', { value: 256 * 1024 * 1024 + 1 })
    made.items.add(file)
    const zone = document.querySelector('input[type=file]')!.parentElement!
    const items = [{ webkitGetAsEntry: () => null }]
    const event = new DragEvent('drop', { bubbles: true, cancelable: true })
    Object.defineProperty(event, 'dataTransfer', { value: { items, files: [file], types: ['Files'] } })
    zone.dispatchEvent(event)
  })
  await expect(page.getByText('Filen er for stor. En fil må højst fylde 256 MB.')).toBeVisible()
  expect(calls).toEqual([])
})

test('S4.8 a file can be removed before it is saved, and a file that cannot be sent says why', async ({
  page,
}) => {
  await openForm(page)
  await page
    .locator('input[type=file]')
    .setInputFiles([pdf('a.pdf'), pdf('b.pdf'), { ...pdf('tom.pdf'), buffer: Buffer.from('') }])
  await expect(page.getByText('Filen er tom.')).toBeVisible()
  await page.getByRole('button', { name: 'Fjern a.pdf' }).click()
  await page.getByRole('button', { name: 'Fjern tom.pdf' }).click()
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await expect(page.getByText('1 fil er gemt i Budget.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'b.pdf', exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'a.pdf', exact: true })).toHaveCount(0)
})

test('a broken connection is tried again, and saving waits for files that are still being sent @long', async ({
  page,
}) => {
  await openForm(page)
  let calls = 0
  await page.route('**/api/temp/upload', (route) => (++calls === 1 ? route.abort() : route.continue()))
  await page.locator('input[type=file]').setInputFiles([pdf('a.pdf')])
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await expect(page.getByText('1 fil er gemt i Budget.')).toBeVisible()
  expect(calls).toBe(2)
})

test('after a lost answer and one more file, both files are saved, each once', async ({ page }) => {
  await openForm(page)
  await page.locator('input[type=file]').setInputFiles([pdf('a.pdf')])
  await expect(sent(page)).toHaveCount(1)
  let answers = 0
  await page.route(/\/uploads\/folder\/\d+$/, async (route) => {
    if (route.request().method() !== 'POST' || ++answers > 1) return route.continue()
    await route.fetch() // the server gets it, but its answer is lost
    return route.abort()
  })
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await expect(page.getByText(/forbindelsen blev afbrudt/)).toBeVisible()
  await page.locator('input[type=file]').setInputFiles([pdf('b.pdf')])
  await expect(sent(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Gem 2 filer' }).click()
  await expect(page.getByText('1 fil blev gemt, før forbindelsen blev afbrudt.')).toBeVisible()
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await expect(page.getByText('1 fil er gemt i Budget.')).toBeVisible()
  await expect(
    group(page, /^Budget$/)
      .getByRole('rowheader')
      .getByRole('link'),
  ).toHaveText(['b.pdf', 'a.pdf', 'Findes.pdf'])
})

test('a person is told, and decides, if a folder has been shared since the form was opened', async ({
  page,
  otherPage: other,
}) => {
  const { id, number } = await openPile(page)
  await dropFiles(page, [`Diverse (${number}).pdf`])
  await expect(group(page, 'Diverse')).toContainText('Kun kontoret')
  await enterAs(other, 'administrator')
  await openHydrated(other, `/projects/${id}/folders`)
  await other.getByRole('link', { name: 'Rediger Diverse' }).click()
  const form = other.locator('form').filter({ has: other.locator('input[value=Diverse]') })
  await form.getByRole('checkbox', { name: 'Deles med investorer' }).check()
  await form.getByRole('button', { name: 'Gem' }).click()
  await expect(other.getByText('Mappen Diverse er gemt.')).toBeVisible()
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await expect(page.getByText('”Diverse” deles nu med investorer.')).toBeVisible()
  await expect(group(page, 'Diverse')).toContainText('Deles med investorer')
  await page.getByRole('button', { name: 'Gem 1 fil' }).click() // a second press is not enough
  await expect(page.getByText('”Diverse” deles nu med investorer.')).toBeVisible()
  await page.getByRole('button', { name: 'Gem alligevel' }).click()
  await expect(page.getByText('1 fil er gemt.')).toBeVisible()
})

test('a form can be filled in and sent with the keyboard alone @long', async ({ page }) => {
  const { number } = await openPile(page)
  const chooser = page.waitForEvent('filechooser')
  const tabTo = async (name: RegExp) => {
    for (let presses = 0; presses < 80; presses++) {
      await page.keyboard.press('Tab')
      const text = await page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
      )
      if (name.test(text)) return
    }
    throw new Error(`Tab never came to ${name}`)
  }
  await tabTo(/^Vælg filer/)
  await page.keyboard.press('Enter')
  await (
    await chooser
  ).setFiles([pdf(`Buget (${number}) 1.pdf`), pdf(`Buget (${number}) 2.pdf`), pdf('x.pdf')])
  await tabTo(/^Mente du Budget/)
  await page.keyboard.press('Enter')
  await tabTo(/^Gør det samme for den anden/)
  await page.keyboard.press('Space')
  await tabTo(/^Vælg plads til x.pdf/)
  await page.keyboard.press('Enter')
  // The modal opens with the focus in its field.
  await expect(page.getByLabel('Mappe')).toBeFocused()
  await expect(page.getByLabel('Mappe').getByRole('option', { name: /^Vurderinger/ })).toBeAttached()
  await page.keyboard.type('Vur')
  await tabTo(/^Ret navnet/)
  await page.keyboard.press('Enter')
  await expect(rowsOf(page, 'Vurderinger')).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Gem 3 filer' })).toBeVisible()
  await tabTo(/^Gem 3 filer/)
  await page.keyboard.press('Enter')
  await expect(page.getByText('3 filer er gemt i 2 mapper.')).toBeVisible()
})

test('S4.9 S9.4 the zone says what to do during a drag, and for half a second after the drag has left', async ({
  page,
}) => {
  await openForm(page)
  const zone = page.getByText('Træk filer her.')
  await expect(zone).toBeVisible()
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000) // an installed clock runs by itself
  const transfer = await page.evaluateHandle(() => {
    const made = new DataTransfer()
    made.items.add(new File(['x'], 'x.pdf'))
    return made
  })
  await zone.dispatchEvent('dragenter', { dataTransfer: transfer })
  await expect(page.getByText('Slip Filer her')).toBeVisible()
  await page.getByText('Slip Filer her').dispatchEvent('dragleave', { dataTransfer: transfer })
  await page.clock.runFor(450)
  await expect(page.getByText('Slip Filer her')).toBeVisible()
  await page.clock.runFor(100)
  await expect(zone).toBeVisible()
})

test('S9.11 without its own message the zone shows the default one', async ({ page }) => {
  await openHydrated(page, '/gallery')
  await expect(page.getByText('Drop files here to upload')).toBeVisible()
  await expect(page.getByText('Træk filer her.')).toBeVisible()
})

test('a drop that misses the zone is still accepted: the browser does not open the file @long', async ({
  page,
}) => {
  await openForm(page)
  const at = onDisk({ 'Ved siden af.pdf': '%PDF-1.7' })
  const session = await page.context().newCDPSession(page)
  const { x, y } = (await page.getByRole('heading', { level: 1 }).boundingBox())!
  const data = { items: [], files: [at('Ved siden af.pdf')], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x, y, data })
  await expect(rowsOf(page, 'Filer til upload')).toHaveCount(1)
})

test('files dropped on the page of a project or a person open its form, with the files in it @long', async ({
  page,
}) => {
  const made = await makeInOffice({ files: { Budget: ['Findes.pdf'] } })
  const { id: person, name } = await makePersonInOffice({ name: 'Dagny Drop' })
  const at = onDisk({
    'Løs.pdf': '%PDF-1.7 løs',
    [`Diverse (${made.number}) 2027.pdf`]: '%PDF-1.7 diverse',
  })
  const files = `/projects/${made.id}/uploads`
  await enterAs(page, 'medarbejder')
  await openHydrated(page, files)
  const budget = group(page, /^Budget$/)
  await dropBeside(page, budget.getByRole('heading'), [at('Løs.pdf')], async () => {
    await expect(page.getByText('Slip Filer her: Upload til Budget')).toBeVisible()
    await expect(budget).toHaveCSS('background-color', 'rgb(227, 241, 244)')
  })
  await expect(page).toHaveURL(`${files}/folder/${made.folders.Budget}`)
  await expect(page).toHaveTitle(/^Upload til Budget/)
  await expect(rowsOf(page, 'Filer til upload')).toHaveCount(1)
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await expect(budget.getByRole('link', { name: 'Løs.pdf', exact: true })).toBeVisible()

  await openHydrated(page, files)
  await dropBeside(page, page.getByRole('heading', { level: 1 }), [at(`Diverse (${made.number}) 2027.pdf`)])
  await expect(page).toHaveURL(`/projects/${made.id}/upload`)
  await expect(rowsOf(page, 'Diverse')).toHaveCount(1)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goBack()
  await expect(budget).toBeVisible()

  await openHydrated(page, `/users/${person}`)
  await dropBeside(page, page.getByRole('heading', { level: 1 }), [at('Løs.pdf')])
  await expect(page).toHaveURL(`/users/${person}/upload`)
  await expect(group(page, 'Filer til upload')).toContainText(`Ses af ${name} og kontoret`)
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await expect(page.getByText(`1 fil er gemt hos ${name}.`)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Løs.pdf', exact: true })).toBeVisible()

  // On any other page of the office, the form that takes all.
  await openHydrated(page, '/projects')
  await dropBeside(
    page,
    page.getByRole('heading', { level: 1 }),
    [at(`Diverse (${made.number}) 2027.pdf`)],
    () => expect(page.getByText('Slip Filer her: Upload')).toBeVisible(),
  )
  await expect(page).toHaveURL('/upload')
  await expect(rowsOf(page, /^Diverse · /)).toHaveCount(1)
})

test('a form that begins with a place lets go of it, and the files come along @long', async ({ page }) => {
  const made = await makeInOffice({})
  const other = await makeInOffice({})
  await enterAs(page, 'medarbejder')
  await openHydrated(page, `/projects/${made.id}/upload`)
  await dropFiles(page, [`Budget (${other.number}) 2027.pdf`])
  await expect(group(page, 'Ignorerede filer')).toContainText(
    `Projekt ${other.number} er ikke ${made.number}.`,
  )
  await page.getByRole('link', { name: 'alle projekter og personer i stedet' }).click()
  await expect(page).toHaveURL('/upload')
  await expect(rowsOf(page, new RegExp(`^Budget · ${other.number}`))).toHaveCount(1)
  await expect(page.getByRole('link', { name: 'alle projekter og personer i stedet' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await expect(page.getByText('1 fil er gemt.')).toBeVisible()
  // The pile went along: the first form offers nothing.
  await openHydrated(page, `/projects/${made.id}/upload`)
  await expect(page.getByText(/^\d+ fil(er)? fra .* er ikke gemt/)).toHaveCount(0)
})

test('files dropped where nothing accepts them are ignored, and a message says why @long', async ({
  page,
}) => {
  const at = onDisk({ 'Løs.pdf': '%PDF-1.7 løs' })
  const heading = page.getByRole('heading', { level: 1 })
  for (const [as, address, why] of [
    ['revisor', '/projects', 'Du har ikke adgang til at uploade filer.'],
    ['investor', '/', 'Brug ”Send filer til kontoret” under Papirer.'],
  ] as const) {
    await page.context().clearCookies()
    await enterAs(page, as)
    await openHydrated(page, address)
    await dropBeside(page, heading, [at('Løs.pdf')])
    await expect(page.getByText(why)).toBeVisible()
    await expect(page).toHaveURL(address)
  }
  // If the form cannot be loaded, a message says that nothing was uploaded.
  const made = await makeInOffice({})
  await page.context().clearCookies()
  await enterAs(page, 'medarbejder')
  await openHydrated(page, `/projects/${made.id}/uploads`)
  await page.route(/\/upload$/, (route) => route.abort())
  await dropBeside(page, heading, [at('Løs.pdf')])
  await expect(page.getByText('Filerne kunne ikke tages imod. Intet er uploadet.')).toBeVisible()
  await expect(page).toHaveURL(/\/uploads$/)
})

test('the focus moves to the next row when one is removed, and to ”Vælg filer” after the last @long', async ({
  page,
}) => {
  await openForm(page)
  await dropFiles(page, ['a.pdf', 'b.pdf', 'c.pdf'])
  await page.getByRole('button', { name: 'Fjern b.pdf' }).click()
  await expect(page.getByRole('button', { name: 'Fjern c.pdf' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Fjern a.pdf' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Vælg filer' })).toBeFocused()
})

test('saving also waits for files that are dropped after the press, and nothing can be changed during saving @long', async ({
  page,
}) => {
  const { number } = await openPile(page)
  const [sending, saving] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/api/temp/upload', (route) => sending.promise.then(() => route.continue()))
  await page.route(/\/projects\/\d+\/upload$/, async (route) => {
    if (route.request().method() === 'POST') await saving.promise
    return route.continue()
  })
  await dropFiles(page, [`Budget (${number}) 1.pdf`, `Buget (${number}) 3.pdf`])
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await dropFiles(page, [`Diverse (${number}) 2.pdf`])
  await expect(rowsOf(page, 'Diverse')).toHaveCount(1)
  sending.resolve()
  await expect(page.getByText('Gemmer…')).toBeVisible()
  await dropFiles(page, [`Diverse (${number}) for sent.pdf`])
  await page.getByRole('button', { name: `Fjern Budget (${number}) 1.pdf` }).click()
  await expect(rowsOf(page, 'Budget')).toHaveCount(1)
  await page.getByRole('button', { name: 'Mente du Budget?' }).click()
  await expect(page.getByText('hedder nu')).toHaveCount(0)
  await expect(toLookAt(page)).toHaveCount(1)
  saving.resolve()
  await expect(page.getByText('2 filer er gemt i 2 mapper.')).toBeVisible()
  await expect(group(page, '2 filer blev ikke gemt')).toContainText(`Diverse (${number}) for sent.pdf`)
})

test('a failed save says so next to its button, even below a long list @long', async ({ page }) => {
  await openForm(page)
  await dropFiles(
    page,
    Array.from({ length: 80 }, (_, n) => `Bilag ${n + 1}.pdf`),
  )
  await expect(sent(page)).toHaveCount(80)
  await page.route(/\/uploads\/folder\/\d+$/, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 502, body: 'Bad gateway' })
      : route.continue(),
  )
  await page.getByRole('button', { name: 'Gem 80 filer' }).click()
  await expect(page.getByText(/^Filerne kunne ikke gemmes/)).toBeInViewport()

  // An error in one file is shown at its row.
  await page.unrouteAll()
  await page.route(/\/uploads\/folder\/\d+$/, (route) => {
    const [, id] = /name="files\[([a-z0-9]+)\]\[name\]"/.exec(route.request().postData() ?? '') ?? []
    const errors = {
      [`files.${id}.name`]: ['Navnet duer ikke.'],
      [`files.${id}.mime`]: ['Typen heller ikke.'],
    }
    return route.fulfill({ status: 422, json: { message: 'Ret felterne.', errors } })
  })
  await page.getByRole('button', { name: 'Gem 80 filer' }).click()
  await expect(rowsOf(page, 'Filer til upload').first()).toContainText('Navnet duer ikke. Typen heller ikke.')
})

test('uploads work over plain http too, where browsers withhold some features @long', async ({
  playwright,
  baseURL,
}) => {
  const { launchOptions } = test.info().project.use
  const args = [...(launchOptions?.args ?? []), '--host-resolver-rules=MAP ringbind.test 127.0.0.1']
  const browser = await playwright.chromium.launch({ ...launchOptions, args })
  const page = await browser.newPage({ baseURL: baseURL!.replace('127.0.0.1', 'ringbind.test') })
  const made = await makeInOffice({})
  await signIn(page, 'medarbejder')
  await openHydrated(page, `/projects/${made.id}/upload`)
  expect(await page.evaluate(() => isSecureContext)).toBe(false)
  await dropFiles(page, [`Budget (${made.number}).pdf`])
  await page.getByRole('button', { name: 'Gem 1 fil' }).click()
  await expect(page.getByText('1 fil er gemt.')).toBeVisible()
  await browser.close()
})

for (const [form, as, name] of [
  ['one folder', 'medarbejder', 'a.pdf'],
  ['people', 'administrator', 'Brev (2003).pdf'],
  ['one’s own files', 'investor', 'Pas.pdf'],
] as const)
  test(`the form for ${form} can be filled in and sent with the keyboard alone @long`, async ({ page }) => {
    if (form === 'one folder') await openForm(page)
    else {
      await enterAs(page, as)
      await openHydrated(page, form === 'people' ? '/users/upload' : '/my-files')
    }
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Vælg filer' }).focus()
    await page.keyboard.press('Enter')
    await (await chooser).setFiles([pdf(name)])
    await expect(sent(page)).toHaveCount(1)
    for (let presses = 0; presses < 20; presses++) {
      await page.keyboard.press('Tab')
      if (/^(?:Gem|Send) 1 fil/.test(await page.evaluate(() => document.activeElement?.textContent ?? '')))
        break
    }
    await page.keyboard.press('Enter')
    await expect(page.getByText(/1 fil (?:er gemt i Budget|er sendt til kontoret|er gemt)\./)).toBeVisible()
  })
