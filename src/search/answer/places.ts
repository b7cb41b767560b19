import { isOffice, type Role } from '../../rights.ts'
import { fileUrls, folderAnchor, urls } from '../../urls.ts'
import { atPage, hasPages } from './at-page.ts'
import type { FileHit, PageHit, PersonHit } from './results.ts'

/** A project's number and name: '1024 K/S Nordhavn'. */
export const projectText = ({ number, name }: { number: string; name: string }) => `${number} ${name}`

/** The address of a folder in the file list, opened. */
export const folderHref = (project: number, folder: number) =>
  `${urls.files(project)}?open=${folder}#${folderAnchor(folder)}`

/** The address at which a file opens, at the page that was found if there is one. */
export function fileHref(file: FileHit, hit: PageHit | undefined = file.pages[0]): string {
  return fileUrls.open(file.owner, file.path) + (hasPages(file) ? atPage(hit) : '')
}

/** Describes a file's place: '1024 K/S Nordhavn · Budget', or its person. */
export function placeText({ project, user, folder }: FileHit): string {
  return project ? `${projectText(project)} · ${folder.name}` : `Filer til ${user?.name ?? ''}`
}

type Reader = { id: number; role: Role }

/** A person's page. Their own page is the profile for those who see nobody else's. */
export function personHref(reader: Reader, { id }: Pick<PersonHit, 'id'>): string {
  return id === reader.id && !isOffice(reader.role) ? urls.profile : urls.user(id)
}
