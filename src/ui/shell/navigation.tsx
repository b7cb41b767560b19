import {
  Files,
  FileUp,
  FolderCog,
  Folders,
  House,
  ScrollText,
  TableProperties,
  UsersRound,
} from 'lucide-react'
import { may, type Right, type Role } from '../../rights.ts'
import { urls } from '../../urls.ts'

export type NavigationItem = { text: string; href: string; icon: typeof House }

type Item = Omit<NavigationItem, 'href'> & {
  /** Of one's own, where it is. */
  href: string | ((user: number) => string)
  right: Right
}

const ITEMS: Item[] = [
  { text: 'Forside', href: urls.start, icon: House, right: 'enter' },
  { text: 'Projekter', href: urls.projects, icon: Folders, right: 'seeProjects' },
  { text: 'Upload', href: urls.upload, icon: FileUp, right: 'changeFiles' },
  { text: 'Mine filer', href: urls.myFiles, icon: Files, right: 'haveOwnFiles' },
  { text: 'Rapport', href: urls.report, icon: TableProperties, right: 'haveOwnFiles' },
  { text: 'Brugere', href: urls.users, icon: UsersRound, right: 'seeUsers' },
  { text: 'Mappeskabelon', href: urls.templateFolders, icon: FolderCog, right: 'editProjects' },
  { text: 'Log', href: urls.log, icon: ScrollText, right: 'seeLog' },
]

/** The ways that somebody may go. */
export function navigationFor({ id, role }: { id: number; role: Role }): NavigationItem[] {
  return ITEMS.filter(({ right }) => may(role, right)).map(({ href, ...item }) => ({
    ...item,
    href: typeof href === 'string' ? href : href(id),
  }))
}

/** Whether an item leads to the page, or to what the page is a part of. */
export function isCurrent(href: string, path: string): boolean {
  return href === urls.start ? path === href : path === href || path.startsWith(`${href}/`)
}
