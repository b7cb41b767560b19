import { hasOwnFiles, isOffice, readsHiddenFolders } from '../rights.ts'
import type { FileOwner, Reader } from './reader.ts'

/** A small office in memory, to say who sees what without a database. */
export type Office = {
  people: { id: number }[]
  projects: { id: number; members: number[] }[]
  folders: { id: number; owner: FileOwner; isShared: boolean }[]
  files: { id: number; folder: number; isDeleted: boolean; isHeldBack: boolean }[]
}

// Says who sees what, in plain code. `seen.db.ts` has the same rule as SQL.

export function seesProject(office: Office, reader: Reader, id: number): boolean {
  const project = office.projects.find((each) => each.id === id)
  return project !== undefined && (isOffice(reader.role) || project.members.includes(reader.id))
}

export function seesFolder(office: Office, reader: Reader, id: number): boolean {
  const folder = office.folders.find((each) => each.id === id)
  if (!folder) return false
  if (isOffice(reader.role)) return true
  if ('user' in folder.owner) return hasOwnFiles(reader.role) && folder.owner.user === reader.id
  if (!seesProject(office, reader, folder.owner.project)) return false
  return readsHiddenFolders(reader.role) || folder.isShared
}

export function seesFile(office: Office, reader: Reader, id: number): boolean {
  const file = office.files.find((each) => each.id === id)
  if (file === undefined || file.isDeleted) return false
  return seesFolder(office, reader, file.folder) && (isOffice(reader.role) || !file.isHeldBack)
}

/** Only the office sees a file's versions other than the shown one. */
export function seesVersions(office: Office, reader: Reader, id: number): boolean {
  return isOffice(reader.role) && seesFile(office, reader, id)
}

/** Only the office sees deleted files. */
export function seesDeletedFile(office: Office, reader: Reader, id: number): boolean {
  const file = office.files.find((each) => each.id === id)
  return file !== undefined && file.isDeleted && isOffice(reader.role)
}

export function seesPerson(office: Office, reader: Reader, id: number): boolean {
  return office.people.some((each) => each.id === id) && (isOffice(reader.role) || reader.id === id)
}
