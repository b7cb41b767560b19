import type { Locator, Page } from '@playwright/test'
import { fileUrls, urls } from '../../src/urls.ts'
import { PASSWORD } from '../values.ts'
import { makeInOffice, makePersonInOffice, type MadeProject, type ProjectRequest } from './maker.ts'
import { expect, test } from './shared-page.ts'
import { enterAs, openHydrated, signIn } from './visitor.ts'

// A high window, so that no drag comes near an edge, where the page would scroll.
test.use({ viewport: { width: 1280, height: 1100 } })

const PDF = { mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 ny') }
const FILES = ['Bilag 1.pdf', 'Bilag 2.pdf', 'Bilag 3.pdf', 'Bilag 4.pdf', 'Bilag 5.pdf']

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const row = (page: Page, name: string) => page.locator('tr[data-file]').filter({ hasText: name })
const names = (page: Page, folder: string) =>
  section(page, folder).locator('tr[data-file]').getByRole('rowheader').getByRole('link').allInnerTexts()
const inOrder = (page: Page, folder: string, expected: string[]) =>
  expect.poll(() => names(page, folder)).toEqual(expected)

/** Opens an address and waits until the page listens. */
async function openLive(page: Page, address: string): Promise<void> {
  const listens = page.waitForResponse((response) => response.url().includes(urls.changes))
  await openHydrated(page, address)
  await listens
}

/** One person looks at a project, another works in it. */
async function openTwo(page: Page, other: Page, wanted: ProjectRequest): Promise<MadeProject> {
  const made = await makeInOffice(wanted)
  await enterAs(page, 'medarbejder')
  await enterAs(other, 'administrator')
  await openLive(page, urls.files(made.id))
  await openHydrated(other, urls.files(made.id))
  return made
}

/** Calls the server as the other person's page does. */
async function act(other: Page, method: string, url: string, body: object = {}): Promise<void> {
  const status = await other.evaluate(
    async ([how, where, what]) => {
      const token = /XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1] ?? ''
      const answer = await fetch(where!, {
        method: how!,
        headers: {
          'content-type': 'application/json',
          'x-requested-with': 'XMLHttpRequest',
          'x-xsrf-token': decodeURIComponent(token),
        },
        body: what!,
      })
      return answer.status
    },
    [method, url, JSON.stringify(body)],
  )
  expect(status).toBe(200)
}

const idOf = async (page: Page, name: string) => Number(await row(page, name).getAttribute('data-file'))

async function deleteBy(other: Page, { id: project }: MadeProject, name: string): Promise<void> {
  await act(other, 'DELETE', fileUrls.file({ project }, await idOf(other, name)))
}

/** Marks an element, to see later whether it is still the same one. */
const mark = (element: Locator) => element.evaluate((each) => each.setAttribute('data-marked', ''))
const isMarked = (element: Locator) => expect(element).toHaveAttribute('data-marked', '')

test('a file list shows what somebody else uploads, moves, sorts, deletes and restores', async ({
  page,
  otherPage: other,
}) => {
  const made = await openTwo(page, other, { files: { Budget: FILES, Diverse: ['Brev.pdf'] } })
  const owner = { project: made.id }
  await mark(row(page, 'Bilag 2.pdf'))
  // An announcement is removed after some seconds.
  await page.evaluate(() => {
    const look = () => {
      const said = [...document.querySelectorAll('[role=status]')].some(({ textContent }) =>
        textContent.includes('Listen er opdateret.'),
      )
      if (said) document.documentElement.dataset.said = 'true'
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
  })

  await act(other, 'POST', fileUrls.moveUp(owner, await idOf(other, 'Bilag 3.pdf')))
  await inOrder(page, 'Budget', ['Bilag 1.pdf', 'Bilag 3.pdf', 'Bilag 2.pdf', 'Bilag 4.pdf', 'Bilag 5.pdf'])
  const deleted = await idOf(other, 'Bilag 1.pdf')
  await deleteBy(other, made, 'Bilag 1.pdf')
  await inOrder(page, 'Budget', ['Bilag 3.pdf', 'Bilag 2.pdf', 'Bilag 4.pdf', 'Bilag 5.pdf'])
  const file = await idOf(other, 'Bilag 4.pdf')
  await act(other, 'POST', urls.moveFile(made.id), { file_id: file, folder_id: made.folders.Diverse })
  await inOrder(page, 'Diverse', ['Bilag 4.pdf', 'Brev.pdf'])
  await inOrder(page, 'Budget', ['Bilag 3.pdf', 'Bilag 2.pdf', 'Bilag 5.pdf'])
  await act(other, 'POST', fileUrls.restore(owner, deleted))
  await expect(row(page, 'Bilag 1.pdf')).toBeVisible()

  await openHydrated(other, urls.uploadTo(made.id, made.folders.Budget!))
  await other.locator('input[type=file]').setInputFiles([{ name: 'Nyt budget.pdf', ...PDF }])
  await other.getByRole('button', { name: /^Gem 1 fil/ }).click()
  await expect(row(page, 'Nyt budget.pdf')).toBeVisible()
  await isMarked(row(page, 'Bilag 2.pdf'))
  await expect(page.locator('html[data-said]')).toBeAttached()
})

test('an open menu, a dialog and a drag are not disturbed @long', async ({ page, otherPage: other }) => {
  const made = await openTwo(page, other, { files: { Budget: FILES } })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))

  await page.getByRole('button', { name: 'Slet Bilag 2.pdf', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  const told = page.waitForResponse((response) => response.url().includes(urls.listFolders(made.id)))
  await deleteBy(other, made, 'Bilag 5.pdf')
  // Both pages get the change at the same moment.
  await expect(row(other, 'Bilag 5.pdf')).toHaveCount(0)
  expect(asked).toEqual([])
  await expect(row(page, 'Bilag 5.pdf')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await told
  await inOrder(page, 'Budget', ['Bilag 1.pdf', 'Bilag 2.pdf', 'Bilag 3.pdf', 'Bilag 4.pdf'])
  await expect(page.getByRole('button', { name: 'Slet Bilag 2.pdf', exact: true })).toBeFocused()

  await expect(row(page, 'Bilag 1.pdf')).toHaveAttribute('draggable', 'true')
  await row(page, 'Bilag 1.pdf').locator('.file-handle').hover()
  await page.mouse.down()
  const box = (await row(page, 'Bilag 3.pdf').boundingBox())!
  await page.mouse.move(box.x + 100, box.y + box.height - 14, { steps: 4 })
  await page.mouse.move(box.x + 100, box.y + box.height - 4, { steps: 4 })
  await deleteBy(other, made, 'Bilag 4.pdf')
  await expect(row(other, 'Bilag 4.pdf')).toHaveCount(0)
  await expect(row(page, 'Bilag 4.pdf')).toHaveCount(1)
  await page.mouse.up()
  await inOrder(page, 'Budget', ['Bilag 2.pdf', 'Bilag 3.pdf', 'Bilag 1.pdf'])
})

test('a search that is typed and the focus stay, and a lost focus goes to the next row @long', async ({
  page,
  otherPage: other,
}) => {
  const made = await openTwo(page, other, { files: { Budget: FILES } })
  const remove = page.getByRole('button', { name: 'Slet Bilag 2.pdf', exact: true })
  await remove.focus()
  await deleteBy(other, made, 'Bilag 1.pdf')
  await expect(row(page, 'Bilag 1.pdf')).toHaveCount(0)
  await expect(remove).toBeFocused()
  await deleteBy(other, made, 'Bilag 2.pdf')
  await expect(row(page, 'Bilag 2.pdf')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Slet Bilag 3.pdf', exact: true })).toBeFocused()

  const search = page.getByLabel('Søg i projektets filer og mapper')
  await search.fill('bilag')
  await expect(page.getByText('Rækkefølgen kan ikke ændres, mens du søger.')).toBeVisible()
  await search.press('End')
  await deleteBy(other, made, 'Bilag 3.pdf')
  await expect(row(page, 'Bilag 3.pdf')).toHaveCount(0)
  await expect(search).toBeFocused()
  await expect(search).toHaveValue('bilag')
  await expect(row(page, 'Bilag 4.pdf')).toHaveCount(1)
})

/** Shows all files of a long folder, and its last ones. */
async function openAtEnd(page: Page): Promise<void> {
  await section(page, 'Budget').getByRole('link', { name: 'Vis alle filer' }).click()
  await expect(row(page, 'Bilag 20.pdf')).toBeAttached()
  await section(page, 'Budget').evaluate((each) =>
    scrollTo(0, each.getBoundingClientRect().bottom + scrollY - innerHeight),
  )
  await expect(row(page, 'Bilag 120.pdf')).toBeVisible()
}

test('a long open folder shows changes at the place one has scrolled to @long', async ({
  page,
  otherPage: other,
}) => {
  const made = await openTwo(page, other, { files: { Budget: 120 } })
  await openAtEnd(page)
  const top = await row(page, 'Bilag 110.pdf').evaluate((each) => each.getBoundingClientRect().top)
  await openAtEnd(other)
  await deleteBy(other, made, 'Bilag 111.pdf')
  await expect(row(page, 'Bilag 111.pdf')).toHaveCount(0)
  await expect(row(page, 'Bilag 112.pdf')).toBeVisible()
  expect(await row(page, 'Bilag 110.pdf').evaluate((each) => each.getBoundingClientRect().top)).toBeCloseTo(
    top,
    0,
  )
})

test('a reader sees a release when it is published, and not the draft before @long', async ({
  page,
  otherPage: reader,
}) => {
  const email = `live${Date.now()}@ringbind.example`
  const project = await makeInOffice({ investor: { name: 'Læs Læsersen', email } })
  await signIn(reader, email, PASSWORD)
  await openLive(reader, urls.start)
  await enterAs(page, 'medarbejder')
  await openHydrated(page, urls.upload)
  const name = `Budget (${project.number}) 2029.pdf`
  await page.locator('input[type=file]').setInputFiles([{ name, ...PDF }])
  await page.getByLabel('Udgivelse').selectOption('Gem som kladde')
  await page.getByRole('button', { name: 'Gem 1 fil som kladde' }).click()
  await page.getByRole('link', { name: 'Udgiv, planlæg eller slet filerne' }).click()
  await page.locator('html[data-hydrated]').waitFor()
  await expect(reader.getByText('Der er ikke kommet noget nyt.')).toBeVisible()
  const release = page.url()
  await page.getByRole('button', { name: 'Udgiv nu' }).click()
  await expect(page.getByText('0 af 1 person har åbnet nogle af papirerne')).toBeVisible()
  await expect(reader.getByRole('link', { name, exact: true })).toBeVisible()

  await openLive(page, `${release}/recipients`)
  const [opened] = await Promise.all([
    reader.context().waitForEvent('page'),
    reader.getByRole('link', { name, exact: true }).click(),
  ])
  await opened.close()
  await expect(page.getByText('1 af 1 person har åbnet nogle af papirerne')).toBeVisible()
  await expect(page.getByRole('cell', { name: '1 af 1' })).toBeVisible()
})

test('the inbox shows who takes what, and what one has taken oneself stays @long', async ({
  page,
  otherPage: other,
}) => {
  const person = await makePersonInOffice({ name: `Sende ${Date.now()}` })
  await enterAs(page, 'medarbejder')
  await openLive(page, urls.inbox('new'))
  await signIn(other, person.email, person.password)
  await openHydrated(other, urls.myFiles)
  await other.locator('input[type=file]').setInputFiles([{ name: 'Pas.pdf', ...PDF }])
  await other.getByRole('button', { name: /^Send 1 fil/ }).click()
  const item = page.getByRole('listitem').filter({ hasText: person.name })
  await expect(item).toBeVisible()

  await item.getByRole('button', { name: 'Tag den' }).click()
  await expect(item).toContainText('Taget af dig')
  await mark(item)
  await other.context().clearCookies()
  await enterAs(other, 'administrator')
  await openLive(other, urls.inbox('all'))
  const theirs = other.getByRole('listitem').filter({ hasText: person.name })
  await theirs.getByRole('button', { name: 'Overtag' }).click()
  await expect(theirs).toContainText('Taget af dig')
  await expect(item).toContainText('Taget af Kirsten Overgaard')
  await isMarked(item)
})

test('lists, the trash and the log show what somebody else does @long', async ({
  page,
  otherPage: other,
}) => {
  const made = await makeInOffice({ files: { Budget: FILES } })
  await enterAs(page, 'administrator')
  await enterAs(other, 'medarbejder')
  await openHydrated(other, urls.files(made.id))

  await openLive(page, urls.trash(made.id))
  await deleteBy(other, made, 'Bilag 1.pdf')
  await expect(page.getByRole('button', { name: 'Gendan Bilag 1.pdf' })).toBeVisible()

  await openLive(page, urls.log)
  await deleteBy(other, made, 'Bilag 2.pdf')
  await expect(page.getByText('Bilag 2.pdf').first()).toBeVisible()

  await openLive(page, `${urls.projects}?q=${made.number}`)
  await expect(page.getByRole('row').filter({ hasText: made.number })).toContainText('3')
  await deleteBy(other, made, 'Bilag 3.pdf')
  await expect(page.getByRole('row').filter({ hasText: made.number })).toContainText('2')
})

test('a hidden page closes its connection, and shows the changes when it is visible again @long', async ({
  page,
  otherPage: other,
}) => {
  const made = await openTwo(page, other, { files: { Budget: FILES } })
  const hide = (isHidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    }, isHidden)
  const closed = page.waitForEvent('requestfailed', (request) => request.url().includes(urls.changes))
  await hide(true)
  await closed
  await deleteBy(other, made, 'Bilag 1.pdf')
  await expect(row(page, 'Bilag 1.pdf')).toHaveCount(1)
  await hide(false)
  await expect(row(page, 'Bilag 1.pdf')).toHaveCount(0)
})

test('an answer from before one’s own act is ignored: the row stays where it was put @long', async ({
  page,
}) => {
  const made = await makeInOffice({ files: { Budget: FILES.slice(0, 4) } })
  await enterAs(page, 'medarbejder')
  await openLive(page, urls.files(made.id))
  let letGo = () => undefined as void
  const gate = new Promise<void>((resolve) => (letGo = resolve))
  let came = 0
  await page.route(`**${urls.listFolders(made.id)}*`, async (route) => {
    const response = await route.fetch()
    if (++came === 1) await gate
    await route.fulfill({ response })
  })
  const down = page.getByRole('button', { name: 'Flyt Bilag 1.pdf ned' })
  await down.click()
  await expect.poll(() => came).toBe(1) // the page hears of it, and fetches the list
  await down.click()
  await inOrder(page, 'Budget', ['Bilag 2.pdf', 'Bilag 3.pdf', 'Bilag 1.pdf', 'Bilag 4.pdf'])
  await page.evaluate(() => {
    const orders: string[] = []
    const look = () =>
      orders.push([...document.querySelectorAll('tr[data-file] th a')].map((each) => each.textContent).join())
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
    Object.assign(window, { orders })
  })
  letGo()
  await expect.poll(() => came).toBeGreaterThan(1)
  await inOrder(page, 'Budget', ['Bilag 2.pdf', 'Bilag 3.pdf', 'Bilag 1.pdf', 'Bilag 4.pdf'])
  const orders = await page.evaluate(() => (window as unknown as { orders: string[] }).orders)
  expect(orders.filter((each) => !each.startsWith('Bilag 2.pdf,Bilag 3.pdf,Bilag 1.pdf'))).toEqual([])
})
