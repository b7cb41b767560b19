import { may, seesSharedFoldersOnly, type Right, type Role } from './rights.ts'
import { urls } from './urls.ts'

/** `ui/shell/sidebar.tsx` draws the icons. */
export type NavigationIcon =
  | 'house'
  | 'folders'
  | 'year'
  | 'papers'
  | 'upload'
  | 'inbox'
  | 'table'
  | 'people'
  | 'office'

/** Counts of waiting work, made at each page of the office by `start/waiting-numbers.db.ts`. */
export type WaitingNumbers = { inbox: number; releases: number }

type Page = {
  text: string
  /** A function if the address contains the person's id. */
  href: string | ((user: number) => string)
  right: Right
  /** The roles that see it, if not everybody with the right does. */
  isFor?: (role: Role) => boolean
  /** Other addresses of the same page: its filters. */
  filters?: string[]
  /** Addresses of pages that belong to it, beside those below its own. */
  also?: string[]
  waiting?: keyof WaitingNumbers
}

/** An entry of the menu. Its pages are the tabs of each of them. */
type Entry = { text: string; icon: NavigationIcon; pages: Page[]; isApart?: boolean }

const alone = (text: string, icon: NavigationIcon, page: Omit<Page, 'text'>): Entry => ({
  text,
  icon,
  pages: [{ text, ...page }],
})

/** The menu from top to bottom. Each person sees the pages they have the right to. */
const NAVIGATION: Entry[] = [
  alone('Forside', 'house', { href: urls.start, right: 'enter' }),
  alone('Projekter', 'folders', {
    href: urls.projects,
    right: 'seeProjects',
    isFor: (role) => !seesSharedFoldersOnly(role),
  }),
  alone('Papirer', 'papers', {
    href: urls.papersPage,
    right: 'seePapers',
    also: [urls.projects, urls.oldOverview, urls.myFiles],
  }),
  // All years, as the numbers of the start page.
  alone('Året', 'year', {
    href: urls.yearList,
    right: 'seeObligations',
    also: [urls.year, urls.yearPackages, urls.oldOverview, urls.oldRules, urls.receipts],
  }),
  alone('Året', 'year', {
    href: urls.year,
    right: 'seeOverview',
    isFor: (role) => !seesSharedFoldersOnly(role) && !may(role, 'seeObligations'),
    also: [urls.yearPackages, urls.oldOverview],
  }),
  alone('Upload', 'upload', { href: urls.upload, right: 'changeFiles', also: [urls.uploadToUsers] }),
  {
    text: 'Indbakke',
    icon: 'inbox',
    pages: [
      {
        text: 'Modtaget',
        href: urls.inbox('all'),
        right: 'seeInbox',
        filters: [urls.inbox('new'), urls.inbox('mine'), urls.inbox('done')],
        waiting: 'inbox',
      },
      { text: 'Udsendelser', href: urls.releases, right: 'seeReleases', waiting: 'releases' },
    ],
  },
  alone('Rapport', 'table', { href: urls.report, right: 'haveOwnFiles' }),
  alone('Personer', 'people', { href: urls.users, right: 'seeUsers' }),
  {
    text: 'Kontoret',
    icon: 'office',
    isApart: true,
    pages: [
      { text: 'Profil', href: urls.office, right: 'editOffice' },
      { text: 'Mapper', href: urls.templateFolders, right: 'editProjects' },
      { text: 'Login', href: urls.signInRules, right: 'editOffice' },
      { text: 'Programmer', href: urls.programs, right: 'editHooks', also: [urls.hooks] },
      { text: 'Status', href: urls.status, right: 'seeStatus' },
      { text: 'Log', href: urls.log, right: 'seeLog' },
      { text: 'Flyt ind', href: urls.import, right: 'moveIn' },
    ],
  },
]

type Person = { id: number; role: Role }

/** A link to a page, and the numbers that wait there. */
export type NavigationLink = { text: string; href: string; waiting: (keyof WaitingNumbers)[] }
type NavigationItem = NavigationLink & { icon: NavigationIcon; isApart: boolean; pages: Linked[] }
type Linked = NavigationLink & { own: string[]; all: string[] }

/** Returns the menu of a person. An entry leads to the first of its pages that they may see. */
export function navigationFor({ id, role }: Person): NavigationItem[] {
  return NAVIGATION.flatMap(({ text, icon, isApart = false, pages }) => {
    const seen = pages
      .filter(({ right, isFor }) => may(role, right) && (isFor?.(role) ?? true))
      .map((page): Linked => {
        const href = typeof page.href === 'string' ? page.href : page.href(id)
        const own = [href, ...(page.filters ?? [])]
        return {
          text: page.text,
          href,
          waiting: page.waiting ? [page.waiting] : [],
          own,
          all: [...own, ...(page.also ?? [])],
        }
      })
    const [first] = seen
    if (!first) return []
    const waiting = seen.flatMap((page) => page.waiting)
    return [{ text, icon, isApart, href: first.href, waiting, pages: seen }]
  })
}

/** Returns the entry that the path belongs to: the longest of the addresses at or above it decides. */
export function currentOf(items: NavigationItem[], path: string): NavigationItem | null {
  const isAt = (address: string) =>
    path === address || (address !== urls.start && path.startsWith(`${address}/`))
  const lengthIn = ({ pages }: NavigationItem) =>
    Math.max(0, ...pages.flatMap(({ all }) => all.filter(isAt).map(({ length }) => length)))
  const [longest] = items.toSorted((a, b) => lengthIn(b) - lengthIn(a))
  return longest && lengthIn(longest) > 0 ? longest : null
}

/** Returns the tabs above a page: the pages of its entry. A page below a tab has none, because its path leads there. */
export function tabsFor(user: Person, path: string): (NavigationLink & { isHere: boolean })[] {
  const pages =
    navigationFor(user).find((item) => item.pages.some(({ own }) => own.includes(path)))?.pages ?? []
  return pages.length < 2
    ? []
    : pages.map(({ text, href, waiting, own }) => ({ text, href, waiting, isHere: own.includes(path) }))
}
