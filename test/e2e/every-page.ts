import type { Page } from '@playwright/test'
import { collectedStatements } from '../../demo/papers/collected-statements.ts'
import { PASSWORD } from '../values.ts'
import { dropFiles } from './drop.ts'
import type { PageName } from '../../src/pages.ts'
import { PORTS, readFacts, type Facts } from './facts.ts'

/** One state of a page: its address, the signed-in person, and the steps that lead to it. */
export type Look = {
  address: (facts: Facts) => string
  as?: string
  /** Steps on other pages that lead to it. */
  before?: (page: Page) => Promise<void>
  /** Steps on the page before the test; a page's first look has none. */
  after?: (page: Page) => Promise<void>
  /** The part that axe tests, if the rest is the same as in the first look. */
  within?: string
  /** The parts whose text differs from one moment to the next, such as how much room is left. */
  changing?: string
  /** Only in the long tests, since another look shows the same parts. */
  isLong?: boolean
}

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).click()

const files =
  (number: string, query = '') =>
  ({ projects }: Facts) =>
    `/projects/${projects[number]}/uploads${query}`

let sentFile = ''

/** Every page in its different states. A test fails if a page is missing here. */
export const LOOKS: Record<PageName, [Look, ...Look[]]> = {
  error: [{ address: () => '/findes-ikke' }, { address: () => '/findes-ikke', as: 'investor' }],
  login: [{ address: () => '/login' }, { address: () => '/login', after: press('Log ind') }],
  prove: [
    { address: () => '/prove?to=/log', as: 'administrator' },
    { address: () => '/prove?to=/log', as: 'investor', after: press('Bekræft') },
  ],
  setup: [{ address: () => readFacts(PORTS.empty).setupLink! }],
  'forgot-password': [{ address: () => '/forgot-password' }, { address: () => '/forgot-password?sent' }],
  'set-password': [{ address: ({ resetToken }) => `/reset-password/${resetToken}` }],
  'second-step': [
    {
      address: () => '/login/code',
      async before(page) {
        await page.goto('/login')
        await page.getByLabel('E-mail').fill('totrin@ringbind.example')
        await page.getByLabel('Adgangskode').fill(PASSWORD)
        await page.getByRole('button', { name: 'Log ind', exact: true }).click()
        await page.getByRole('heading', { name: 'Log ind i to trin' }).waitFor()
      },
    },
  ],
  'second-factor': [
    { address: () => '/profile/second-factor', as: 'investor' },
    { address: () => '/profile/second-factor', as: 'investor', after: press('Tilføj appen') },
  ],
  'sign-in-rules': [
    { address: () => '/settings/sign-in', as: 'administrator' },
    {
      address: () => '/settings/sign-in',
      as: 'administrator',
      async after(page) {
        await page.getByLabel('Frist i dage').fill('i morgen')
        await press('Gem kravet')(page)
      },
    },
  ],
  tokens: [
    { address: () => '/profile/tokens', as: 'investor' },
    { address: () => '/profile/tokens', as: 'administrator', after: press('Lav nøglen') },
  ],
  'go-on': [{ address: () => '/login/with/mitid' }],
  'dead-link': [
    { address: () => '/reset-password/brugt' },
    { address: () => '/invitation/brugt' },
    { address: () => '/invitation/brugt?sent' },
  ],
  gallery: [
    { address: () => '/gallery' },
    { address: () => '/gallery', after: press('Vis med fortryd'), within: '[aria-label=Beskeder]' },
    { address: () => '/gallery', after: press('Åbn formular'), within: 'dialog' },
    {
      address: () => '/gallery',
      after: press('Slet Budget (1042) 2025.pdf'),
      within: 'dialog',
      isLong: true,
    },
    { address: () => '/gallery', after: press('Handlinger'), within: ':popover-open' },
    { address: () => '/gallery', after: press('Flyt til mappe'), within: ':popover-open', isLong: true },
    {
      address: () => '/gallery',
      async after(page) {
        await press('Hent med fejl')(page)
        await page.getByText('Listen kunne ikke hentes.').waitFor()
      },
      within: ':popover-open',
    },
  ],
  duties: [
    { address: () => '/year/list', as: 'administrator' },
    { address: () => '/year/list?state=done', as: 'medarbejder' },
    { address: () => '/year/list?q=findes+ikke', as: 'medarbejder', within: 'main' },
    {
      address: () => '/year/list',
      as: 'medarbejder',
      async after(page) {
        await page
          .getByText(/^Handlinger/)
          .first()
          .click()
      },
      within: 'main',
    },
  ],
  receipt: [{ address: ({ receipt }) => `/receipts/${receipt}`, as: 'administrator', within: 'main' }],
  status: [{ address: () => '/settings/status', as: 'administrator', changing: 'dd' }],
  import: [{ address: () => '/settings/import', as: 'administrator' }],
  sheet: [
    { address: ({ sheet }) => `/settings/import/sheets/${sheet}`, as: 'administrator' },
    {
      address: ({ sheet }) => `/settings/import/sheets/${sheet}?filter=new`,
      as: 'administrator',
      within: 'main',
    },
  ],
  obligations: [
    { address: () => '/year/rules', as: 'administrator' },
    { address: () => '/year/rules?rule=Budget', as: 'medarbejder' },
  ],
  'edit-obligation': [
    { address: () => '/settings/obligations/1', as: 'administrator' },
    { address: () => '/settings/obligations/new', as: 'administrator', after: press('Tilføj pligt') },
  ],
  programs: [{ address: () => '/settings/programs', as: 'administrator' }],
  hook: [{ address: () => '/settings/hooks/1', as: 'administrator' }],
  'edit-hook': [
    { address: () => '/settings/hooks/1/edit', as: 'administrator' },
    { address: () => '/settings/hooks/new', as: 'administrator', after: press('Tilføj webhook') },
  ],
  calendar: [
    { address: () => '/profile/calendar', as: 'administrator' },
    { address: () => '/profile/calendar', as: 'medarbejder', after: press('Lav en adresse') },
  ],
  papers: [{ address: () => '/papers/1-3', as: 'administrator' }],
  'my-papers': [
    { address: () => '/papers', as: 'investor' },
    { address: () => '/papers?year=2025', as: 'raadgiver' },
    { address: () => '/papers?q=findes+ikke', as: 'investor', isLong: true },
  ],
  projects: [
    { address: () => '/projects', as: 'administrator' },
    { address: () => '/projects', as: 'medarbejder' },
    { address: () => '/projects?q=findes+ikke', as: 'revisor' },
  ],
  'edit-project': [
    { address: ({ projects }) => `/projects/${projects['1024']}/edit`, as: 'administrator' },
    // This project has changed its accounting year.
    { address: ({ projects }) => `/projects/${projects['1134']}/edit`, as: 'administrator' },
    { address: () => '/projects/new', as: 'administrator', after: press('Opret projekt') },
  ],
  folders: [
    { address: ({ projects }) => `/projects/${projects['1024']}/folders`, as: 'administrator' },
    { address: () => '/settings/folders', as: 'administrator' },
    { address: () => '/settings/folders?apply=1', as: 'administrator' },
    {
      address: ({ projects }) => `/projects/${projects['1024']}/folders`,
      as: 'administrator',
      async after(page) {
        await page.getByRole('link', { name: 'Rediger Årsrapport' }).click()
        await press('Tilføj mappe')(page)
      },
    },
    {
      address: () => '/settings/folders',
      as: 'administrator',
      after: press('Slet Diverse'),
      within: 'dialog',
    },
  ],
  files: [
    { address: files('1134'), as: 'administrator' },
    { address: files('1063'), as: 'investor' },
    { address: files('1024'), as: 'investor' },
    { address: files('1134', '?q=findes+ikke'), as: 'revisor' },
    {
      address: files('1134'),
      as: 'administrator',
      async after(page) {
        await page.locator('[data-act=look]').first().click()
        await page.getByRole('link', { name: 'Hele historikken' }).waitFor()
      },
      within: '.look',
    },
    {
      address: files('1134'),
      as: 'administrator',
      async after(page) {
        await page
          .getByRole('button', { name: /^Slet / })
          .first()
          .click()
      },
      within: 'dialog',
    },
    {
      address: files('1134'),
      as: 'administrator',
      async after(page) {
        await page
          .getByRole('button', { name: /til en anden mappe$/ })
          .first()
          .click()
        await page.getByRole('menuitem', { name: 'Diverse' }).waitFor()
      },
      within: ':popover-open',
    },
    {
      address: files('1024'),
      as: 'medarbejder',
      async after(page) {
        await page.getByRole('link', { name: 'Vis alle filer' }).first().click()
      },
      within: 'section:has(a[aria-expanded=true])',
    },
  ],
  trash: [
    { address: ({ projects }) => `/projects/${projects['1134']}/trash`, as: 'administrator' },
    { address: ({ people }) => `/users/${people.investor}/trash`, as: 'medarbejder' },
  ],
  releases: [{ address: () => '/releases', as: 'administrator' }],
  release: [
    { address: ({ releases }) => `/releases/${releases.published}`, as: 'medarbejder' },
    {
      address: ({ releases }) => `/releases/${releases.planned}`,
      as: 'administrator',
      after: press('Skift tidspunkt'),
    },
    {
      address: ({ releases }) => `/releases/${releases.draft}/mails`,
      as: 'administrator',
      within: 'section[aria-labelledby=mail]',
    },
    {
      address: ({ releases }) => `/releases/${releases.waiting}`,
      as: 'medarbejder',
      after: press('Afvis med besked'),
      within: 'section[aria-label=Status]',
    },
    {
      address: ({ releases }) => `/releases/${releases.recalled}/mails`,
      as: 'medarbejder',
      within: 'section[aria-labelledby=recall]',
    },
    { address: ({ releases }) => `/releases/${releases.published}/recipients`, as: 'medarbejder' },
    { address: ({ releases }) => `/releases/${releases.recalled}/history`, as: 'medarbejder' },
    {
      address: ({ releases }) => `/releases/${releases.waiting}`,
      as: 'medarbejder',
      async after(page) {
        await page.locator('[data-act=look]').first().click()
        await page.getByRole('link', { name: 'Hele historikken' }).waitFor()
      },
      within: '.look',
    },
    {
      address: ({ releases }) => `/releases/${releases.waiting}`,
      as: 'medarbejder',
      after: (page) => page.getByText('Omdøb').click(),
      within: 'section[aria-label=Status]',
    },
    {
      address: ({ releases }) => `/releases/${releases.published}`,
      as: 'administrator',
      after: press('Træk tilbage'),
      within: 'dialog',
    },
  ],
  // Other tests send files meanwhile, but not as these people.
  inbox: [
    { address: () => '/inbox?q=Falkenberg', as: 'medarbejder' },
    { address: () => '/inbox/new?q=Anne+Marie', as: 'administrator' },
    { address: () => '/inbox/mine?q=findes+ikke', as: 'administrator', isLong: true },
  ],
  upload: [
    {
      address: ({ projects, folderOf1134 }) => `/projects/${projects['1134']}/uploads/folder/${folderOf1134}`,
      as: 'medarbejder',
    },
    {
      address: ({ projects, folderOf1134 }) => `/projects/${projects['1134']}/uploads/folder/${folderOf1134}`,
      as: 'administrator',
      async after(page) {
        await page.locator('input[type=file]').setInputFiles([
          { name: 'Bilag.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 bilag') },
          { name: 'Tom.pdf', mimeType: 'application/pdf', buffer: Buffer.from('') },
        ])
        await page.locator('[data-upload]').getByText('Klar', { exact: true }).waitFor()
      },
    },
    {
      address: () => '/upload',
      as: 'medarbejder',
      async after(page) {
        await dropFiles(page, [
          'Arsrapport (1134) 2025.pdf',
          'Budget (1134) 2027.pdf',
          'Diverse (1024) Foto.png',
          'Budget (9999) 2027.pdf',
          'Ferie.pdf',
        ])
        await page.getByRole('button', { name: 'Mente du Årsrapport?' }).waitFor()
        await page.locator('[data-upload]').getByText('Klar', { exact: true }).nth(1).waitFor()
      },
    },
    {
      address: () => '/upload',
      as: 'medarbejder',
      async after(page) {
        await dropFiles(page, ['Ferie.pdf'])
        await press('Vælg plads til Ferie.pdf')(page)
        await page.getByLabel('Projekt').fill('1134')
        await page.getByRole('listbox', { name: 'Forslag' }).getByRole('option').first().waitFor()
      },
      within: 'dialog',
    },
    { address: ({ people }) => `/users/${people['viggo.rask']}/upload`, as: 'medarbejder' },
    {
      address: () => '/users/upload',
      as: 'administrator',
      after: (page) => dropFiles(page, ['Brev.pdf']),
    },
  ],
  split: [
    {
      // Its address names a file that was sent on another page.
      address: () => `/upload/split?file=${sentFile}`,
      as: 'medarbejder',
      async before(page) {
        await page.goto('/upload')
        await page.locator('html[data-hydrated]').waitFor()
        const { name, bytes } = collectedStatements(2025)
        const file = { name, mimeType: 'application/pdf', buffer: bytes }
        const sent = page.waitForResponse('**/api/temp/upload')
        page.once('dialog', (dialog) => void dialog.accept())
        await page.locator('input[type=file]').setInputFiles(file)
        const [first] = (await (await sent).json()) as [{ hash_name: string }]
        sentFile = first.hash_name
      },
      // Without JavaScript the page says that it needs it.
      changing: 'main',
    },
  ],
  'my-files': [
    { address: () => '/my-files', as: 'investor' },
    {
      address: () => '/my-files',
      as: 'investor',
      after: (page) => dropFiles(page, ['Pas.pdf', 'Foto.jpg']),
    },
  ],
  // No other test signs in as this person: the page lists all of their sessions.
  profile: [
    { address: () => '/profile', as: 'palle.engell' },
    { address: () => '/profile', as: 'revisor', after: press('Skift adgangskode') },
  ],
  'upload-result': [{ address: ({ submission }) => `/upload/result/${submission}`, as: 'medarbejder' }],
  lendings: [
    { address: () => '/profile/access', as: 'investor' },
    { address: () => '/profile/access/1', as: 'investor' },
    {
      address: ({ people }) => `/users/${people['viggo.rask']}/access`,
      as: 'administrator',
      after: press('Giv adgang'),
    },
  ],
  readers: [
    { address: ({ projects }) => `/projects/${projects['1024']}/readers`, as: 'administrator' },
    { address: ({ folderOf1134 }) => `/folders/${folderOf1134}/readers`, as: 'medarbejder' },
  ],
  'seen-by': [
    { address: ({ people }) => `/users/${people.raadgiver}/sees`, as: 'administrator' },
    { address: ({ people }) => `/users/${people.administrator}/sees`, as: 'medarbejder' },
  ],
  lender: [
    { address: ({ people }) => `/users/${people.investor}`, as: 'raadgiver' },
    { address: ({ people }) => `/users/${people['poul.erik.aertebjerg']}`, as: 'raadgiver', isLong: true },
  ],
  user: [
    // No test acts as this person: the page shows their latest acts.
    { address: ({ people }) => `/users/${people['viggo.rask']}`, as: 'administrator' },
    { address: ({ people }) => `/users/${people['viggo.rask']}`, as: 'medarbejder' },
    {
      address: ({ people }) => `/users/${people.administrator}`,
      as: 'administrator',
      after: press('Deaktiver'),
      within: 'dialog',
    },
    {
      address: ({ people }) => `/users/${people['viggo.rask']}`,
      as: 'medarbejder',
      async after(page) {
        await page
          .getByRole('button', { name: /til et andet sted$/ })
          .first()
          .click()
        await page.getByRole('dialog').getByLabel('Person', { exact: true }).fill('Åse')
        await page.getByRole('listbox', { name: 'Forslag' }).waitFor()
      },
      within: 'dialog',
    },
  ],
  report: [
    { address: ({ people }) => `/users/${people.investor}/report`, as: 'investor' },
    { address: ({ people }) => `/users/${people.investor}/report`, as: 'medarbejder' },
    {
      address: ({ people }) => `/users/${people.investor}/report`,
      as: 'medarbejder',
      async after(page) {
        await page.getByLabel('CVR-nr., række 2').fill('12345678')
        await press('Gem')(page)
        await page.getByText('Ét felt skal rettes').waitFor()
      },
    },
  ],
  'edit-user': [
    { address: ({ people }) => `/users/${people.investor}/edit`, as: 'administrator' },
    { address: () => '/users/new', as: 'administrator', after: press('Opret person') },
  ],
  users: [
    { address: () => '/users', as: 'administrator' },
    { address: () => '/users?q=%C3%A5', as: 'medarbejder' },
  ],
  overview: [
    { address: () => '/year?year=2025', as: 'administrator' },
    { address: () => '/year?year=2025&state=late&rule=Budget', as: 'medarbejder' },
    { address: () => '/year?year=2025', as: 'revisor' },
    {
      address: () => '/year?year=2025',
      as: 'administrator',
      async after(page) {
        await page
          .getByRole('link', { name: /^Undtag / })
          .first()
          .click()
        await press('Undtag')(page)
        await page.getByText('Begrundelsen skal udfyldes.').waitFor()
      },
      within: 'dialog',
    },
  ],
  paper: [
    { address: ({ papers }) => papers.there!, as: 'medarbejder' },
    { address: ({ papers }) => papers.missing!, as: 'administrator' },
  ],
  search: [
    { address: () => '/search?q=budget', as: 'administrator' },
    { address: () => '/search', as: 'medarbejder' },
    { address: () => '/search?q=findes+ikke&year=2020', as: 'investor' },
    {
      address: () => '/search?q=budget',
      as: 'administrator',
      async after(page) {
        await page.locator('[data-act=look]').first().click()
        await page.getByRole('link', { name: 'Hele historikken' }).waitFor()
      },
      within: '.look',
    },
  ],
  office: [
    { address: () => '/settings/office', as: 'administrator' },
    {
      address: () => '/settings/office',
      as: 'administrator',
      async after(page) {
        await page.getByLabel('Telefon').fill('112')
        await page.getByLabel('E-mail').fill('post')
        await press('Gem')(page)
        await page.getByText('Skriv en gyldig e-mailadresse.').waitFor()
      },
    },
  ],
  docs: [{ address: () => '/api/docs' }, { address: () => '/api/docs', as: 'administrator' }],
  log: [
    { address: () => '/log', as: 'administrator' },
    { address: () => '/log?act=file-opened&from=2026-01-02&to=2026-01-01', as: 'administrator' },
    { address: ({ projects }) => `/log?project=${projects['1134']}&period=year`, as: 'administrator' },
    { address: () => '/log?file=999999999', as: 'administrator' },
    { address: () => '/files/1/history?from=31/02/2026', as: 'medarbejder' },
    {
      address: () => '/log',
      as: 'administrator',
      async after(page) {
        await press('Vælg startdato')(page)
        await page.getByRole('dialog', { name: 'Vælg startdato' }).waitFor()
      },
    },
    {
      address: () => '/log',
      as: 'administrator',
      async after(page) {
        await page.getByLabel('Person').fill('gaard')
        await page.getByRole('listbox', { name: 'Forslag' }).getByRole('option').first().waitFor()
      },
      within: 'form[aria-label=Filtre]',
    },
  ],
  help: [
    { address: () => '/help', as: 'administrator' },
    { address: () => '/help?q=adgangskoden', as: 'investor' },
    { address: () => '/help?q=findes+ikke', as: 'revisor', isLong: true },
    { address: () => '/help' },
  ],
  'help-chapter': [
    { address: () => '/help/filer', as: 'medarbejder' },
    { address: () => '/help/kom-i-gang', as: 'investor' },
    { address: () => '/help/log-ind' },
  ],
  start: [
    { address: () => '/', as: 'administrator' },
    { address: () => '/', as: 'medarbejder' },
    { address: () => '/', as: 'revisor' },
    { address: () => '/', as: 'investor' },
    { address: () => '/', as: 'investor', after: press(/^Brugermenu/) },
    {
      address: () => '/',
      as: 'administrator',
      async after(page) {
        await page.keyboard.press('Control+k')
        await page.keyboard.type('10')
        await page.getByRole('option', { name: 'Vis alle resultater' }).waitFor()
      },
      within: 'header search',
    },
    {
      address: () => '/',
      as: 'investor',
      async after(page) {
        await page.setViewportSize({ width: 375, height: 700 })
        await press('Vis eller skjul menu')(page)
      },
    },
  ],
}
