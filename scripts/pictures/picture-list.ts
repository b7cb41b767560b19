import type { Page } from '@playwright/test'

/** The demo's office as the pictures need it: ids by a project's number and by a person's login, and files to drop. */
export type DemoFacts = {
  projects: Record<string, number>
  people: Record<string, number>
  /** A release that some have opened. */
  release: number
  /** A sheet that waits to be imported. */
  sheet: number
  yesterday: string
  pile: string[]
}

export type Picture = {
  /** Alternative text, for those who do not see the picture. */
  says: string
  /** The person signed in; nobody if it is missing. */
  as?: 'administrator' | 'medarbejder' | 'investor'
  address: (facts: DemoFacts) => string
  /** Acts on the page before the picture is taken. */
  after?: (page: Page, facts: DemoFacts) => Promise<void>
  /** Width in pixels of the page, if it is not 1280 × 800. */
  width?: number
  height?: number
}

/** README is shown about 880 pixels wide: a wider page would be too small to read. */
const README_WIDTH = 960

/** Every picture of README and the manual, by its name. `npm run pictures` makes `docs/pictures/NAME-light.webp` and `-dark.webp`. */
export const PICTURES = {
  'sign-in': { says: 'Log ind', address: () => '/login' },
  'start-office': {
    says: 'Kontorets forside',
    as: 'administrator',
    address: () => '/',
    width: README_WIDTH,
    height: 900,
  },
  'start-investor': {
    says: 'En investors forside',
    as: 'investor',
    address: () => '/',
    width: README_WIDTH,
    height: 700,
  },
  phone: {
    says: 'En investors forside på en telefon',
    as: 'investor',
    address: () => '/',
    width: 390,
    height: 780,
  },
  project: {
    says: 'Et projekts mapper og filer',
    as: 'medarbejder',
    address: ({ projects }) => `/projects/${projects['1024']}/uploads`,
  },
  upload: {
    says: 'En bunke filer, der er ved at blive sorteret',
    as: 'medarbejder',
    address: () => '/upload',
    height: 1000,
    async after(page, { pile }) {
      await page.locator('input[type=file]').first().setInputFiles(pile)
      await page.getByRole('button', { name: /^Læg \d+ sikre på plads/ }).waitFor()
    },
  },
  release: {
    says: 'En udsendelse, og hvem der har åbnet den',
    as: 'medarbejder',
    address: ({ release }) => `/releases/${release}/recipients`,
  },
  inbox: { says: 'Indbakken', as: 'medarbejder', address: () => '/inbox' },
  people: { says: 'Listen over brugere', as: 'administrator', address: () => '/users' },
  person: {
    says: 'En investors side, som kontoret ser den',
    as: 'administrator',
    address: ({ people }) => `/users/${people.investor}`,
  },
  search: { says: 'En søgning', as: 'medarbejder', address: () => '/search?q=generalforsamling' },
  overview: {
    says: 'Årets overblik',
    as: 'medarbejder',
    address: () => '/year',
    width: 1440,
    height: 900,
  },
  obligations: { says: 'Frister', as: 'administrator', address: () => '/year/list' },
  office: { says: 'Kontorets navn, logo og kontakt', as: 'administrator', address: () => '/settings/office' },
  status: { says: 'Status for installationen', as: 'administrator', address: () => '/settings/status' },
  log: { says: 'Loggen', as: 'administrator', address: ({ yesterday }) => `/log?to=${yesterday}` },
  profile: { says: 'Min profil', as: 'investor', address: () => '/profile' },
  'move-in': {
    says: 'Flyt ind: et regneark, før det gemmes',
    as: 'administrator',
    address: ({ sheet }) => `/settings/import/sheets/${sheet}`,
  },
  report: {
    says: 'En investors rapport',
    as: 'investor',
    address: ({ people }) => `/users/${people.investor}/report`,
  },
} satisfies Record<string, Picture>

export type PictureName = keyof typeof PICTURES

export const THEMES = ['light', 'dark'] as const
