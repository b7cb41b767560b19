import { hasOwnFiles, isLentTo, isOffice, readsHiddenFolders, type Role } from '../rights.ts'
import type { FileOwner, Reader } from './reader.ts'

/** A small office in memory, to say who sees what without a database. */
export type Office = {
  people: { id: number; role: Role; isActive: boolean }[]
  projects: { id: number; members: number[] }[]
  folders: { id: number; owner: FileOwner; name: string; isShared: boolean }[]
  files: { id: number; folder: number; isDeleted: boolean; isHeldBack: boolean }[]
  lendings: Lending[]
}

/** The rights that one person lends another. */
type Lending = {
  lender: number
  adviser: number
  scope: 'everything' | { folders: string[]; hasOwnFiles: boolean }
  getsMails: boolean
  /** Taken back, or past its last day. */
  isOver: boolean
}

// Says who sees what, in plain code. `seen.db.ts` has the same rule as SQL.

export function seesProject(office: Office, reader: Reader, id: number): boolean {
  const project = office.projects.find((each) => each.id === id)
  if (!project) return false
  if (isOffice(reader.role)) return true
  if (!isLentTo(reader.role)) return project.members.includes(reader.id)
  const isOfIt = ({ owner }: Office['folders'][number]) => 'project' in owner && owner.project === id
  return lendersOf(office, reader).some(
    ({ lender, lending }) =>
      seesProject(office, lender, id) &&
      (lending.scope === 'everything' ||
        office.folders.some((folder) => isOfIt(folder) && isLent(office, lending, lender, folder.id))),
  )
}

/** Returns who lends to an adviser now: only investors who are active. */
export function lendersOf(office: Office, adviser: Reader): { lender: Reader; lending: Lending }[] {
  return office.lendings.flatMap((lending) => {
    const lender = office.people.find(({ id }) => id === lending.lender)
    const isOn = lending.adviser === adviser.id && !lending.isOver
    return isOn && lender?.isActive && hasOwnFiles(lender.role) ? [{ lender, lending }] : []
  })
}

/** Whether the lender sees a folder now, and it is among what they lend. */
function isLent(office: Office, { scope }: Lending, lender: Reader, id: number): boolean {
  if (!seesFolder(office, lender, id)) return false
  if (scope === 'everything') return true
  const { owner, name } = office.folders.find((each) => each.id === id)!
  return 'user' in owner ? scope.hasOwnFiles : scope.folders.includes(name)
}

/** Returns through whom an adviser sees a folder. */
export function lendersOfFolder(office: Office, adviser: Reader, id: number): Lending[] {
  return lendersOf(office, adviser)
    .filter(({ lender, lending }) => isLent(office, lending, lender, id))
    .map(({ lending }) => lending)
}

export function seesFolder(office: Office, reader: Reader, id: number): boolean {
  const folder = office.folders.find((each) => each.id === id)
  if (!folder) return false
  if (isOffice(reader.role)) return true
  if (isLentTo(reader.role)) return lendersOfFolder(office, reader, id).length > 0
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
  if (!office.people.some((each) => each.id === id)) return false
  if (isOffice(reader.role) || reader.id === id) return true
  return isLentTo(reader.role) && lendersOf(office, reader).some(({ lender }) => lender.id === id)
}

/** Whether the reader sees a person's report, if the person has one. */
export function seesReport(office: Office, reader: Reader, id: number): boolean {
  if (!office.people.some((each) => each.id === id)) return false
  if (isOffice(reader.role)) return true
  if (!isLentTo(reader.role)) return reader.id === id
  return lendersOf(office, reader).some(
    ({ lender, lending }) => lender.id === id && lending.scope === 'everything',
  )
}
