import { may, seesSharedFoldersOnly, type Right, type Role } from './rights.ts'
import { urls } from './urls.ts'

/** `ui/shell/sidebar.tsx` draws the icons. */
export type NavigationIcon =
  | 'house'
  | 'folders'
  | 'overview'
  | 'duties'
  | 'upload'
  | 'files'
  | 'releases'
  | 'inbox'
  | 'table'
  | 'people'
  | 'template'
  | 'office'
  | 'log'
type NavigationItem = { text: string; href: string; icon: NavigationIcon }

type Item = Omit<NavigationItem, 'href'> & {
  /** A function if the address contains the person's id. */
  href: string | ((user: number) => string)
  right: Right
  /** The roles that see it, if not everybody with the right does. */
  isFor?: (role: Role) => boolean
}

/** The menu from top to bottom. Each person sees the items they have the right to. */
const NAVIGATION: Item[] = [
  { text: 'Forside', href: urls.start, icon: 'house', right: 'enter' },
  { text: 'Projekter', href: urls.projects, icon: 'folders', right: 'seeProjects' },
  {
    text: 'Overblik',
    href: urls.overview,
    icon: 'overview',
    right: 'seeOverview',
    isFor: (role) => !seesSharedFoldersOnly(role),
  },
  {
    text: 'Mine papirer',
    href: urls.overview,
    icon: 'overview',
    right: 'seeOverview',
    isFor: seesSharedFoldersOnly,
  },
  { text: 'Frister', href: urls.obligations, icon: 'duties', right: 'seeObligations' },
  { text: 'Upload', href: urls.upload, icon: 'upload', right: 'changeFiles' },
  { text: 'Udsendelser', href: urls.releases, icon: 'releases', right: 'seeReleases' },
  { text: 'Indbakke', href: urls.inbox('all'), icon: 'inbox', right: 'seeInbox' },
  { text: 'Mine filer', href: urls.myFiles, icon: 'files', right: 'haveOwnFiles' },
  { text: 'Rapport', href: urls.report, icon: 'table', right: 'haveOwnFiles' },
  { text: 'Brugere', href: urls.users, icon: 'people', right: 'seeUsers' },
  { text: 'Mappeskabelon', href: urls.templateFolders, icon: 'template', right: 'editProjects' },
  { text: 'Kontoret', href: urls.office, icon: 'office', right: 'editOffice' },
  { text: 'Log', href: urls.log, icon: 'log', right: 'seeLog' },
]

type SettingsPage = { text: string; says: string; href: string; right: Right }

/** The pages of settings that are seldom needed. Kontoret leads to them, so that the menu stays short. */
const SETTINGS_PAGES: SettingsPage[] = [
  {
    text: 'Flyt ind',
    says: 'Skal projekter og personer ind fra et regneark?',
    href: urls.import,
    right: 'moveIn',
  },
  {
    text: 'Krav til login',
    says: 'Hvem skal logge ind i to trin?',
    href: urls.signInRules,
    right: 'editOffice',
  },
  {
    text: 'API-nøgler',
    says: 'Hvilke programmer bruger Ringbind, og på hvis vegne?',
    href: urls.tokens,
    right: 'editUsers',
  },
  {
    text: 'Pligter',
    says: 'Hvad skal gøres hvert år, og hvornår?',
    href: urls.obligationRules,
    right: 'editObligations',
  },
  {
    text: 'Webhooks',
    says: 'Hvilke andre programmer skal have besked, når der sker noget?',
    href: urls.hooks,
    right: 'editHooks',
  },
  {
    text: 'Status',
    says: 'Kører alt, som det skal?',
    href: urls.status,
    right: 'seeStatus',
  },
]

export function settingsPagesFor(role: Role): SettingsPage[] {
  return SETTINGS_PAGES.filter(({ right }) => may(role, right))
}

export function navigationFor({ id, role }: { id: number; role: Role }): NavigationItem[] {
  return NAVIGATION.filter(({ right, isFor }) => may(role, right) && (isFor?.(role) ?? true)).map(
    ({ href, text, icon }) => ({
      text,
      icon,
      href: typeof href === 'string' ? href : href(id),
    }),
  )
}

/** Whether the item links to the current page or to one above it. Kontoret is above all settings that have no item. */
export function isCurrent(href: string, path: string): boolean {
  const isAt = (address: string) => path === address || path.startsWith(`${address}/`)
  if (href === urls.office && isAt('/settings')) return !isAt(urls.templateFolders)
  return href === urls.start ? path === href : isAt(href)
}
