import { listed } from '../../base/danish/listed.ts'
import type { Role } from '../../rights.ts'

/** Why somebody sees a thing. */
type Reason = 'office' | 'auditor' | 'member' | 'owner' | 'lent'

/** Somebody who sees a project, a folder or a file. */
export type ReaderRow = {
  id: number
  name: string
  email: string
  role: Role
  reason: Reason
  /** Those who have lent them access to it. */
  lent_by: string[]
}

/** The project, folder, file or person that is asked about: its name, its place, and a project's folders. */
export type Thing = {
  name: string
  place: { text: string; href: string }
  folders: { id: number; name: string }[]
}

/** 'Medlem af projektet', 'Har fået adgang af Bo Holm'. */
export function reasonText({ reason, lent_by: lenders }: Pick<ReaderRow, 'reason' | 'lent_by'>): string {
  return reason === 'lent' ? `Har fået adgang af ${listed(lenders)}` : REASONS[reason]
}

const REASONS: Record<Exclude<Reason, 'lent'>, string> = {
  office: 'Kontoret ser alt',
  auditor: 'Revisor på projektet',
  member: 'Medlem af projektet',
  owner: 'Egne filer',
}

/** A project that somebody sees, with the folders that they see in it. */
export type SeenProject = {
  id: number
  number: string
  name: string
  /** For an adviser: on whose behalf. */
  lent_by?: string[]
  folders: { id: number; name: string; visible_to_investors: boolean }[]
}

/** The own files of a person that somebody sees. */
export type SeenFiles = { id: number; name: string; files_count: number }
