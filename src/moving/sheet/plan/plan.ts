import type { DetailValues, UserValues } from '../../../accounts/users/user.fields.ts'
import type { ProjectValues } from '../../../projects/project/project.fields.ts'
import type { Field, SheetKind } from '../read/sheet-columns.ts'

// What a sheet would change, compared with the present data.

export type ProjectFields = Omit<ProjectValues, 'number'>
export type PresentProject = ProjectValues & {
  id: number
  /** The months in which its later accounting years end, if they have changed. */
  later_ends: number[]
}
export type PresentPerson = UserValues & {
  id: number
  /** The numbers of their projects. */
  projects: string[]
  hasWayIn: boolean
  isDeactivated: boolean
}
/** All projects and people that the sheet names. */
export type Present = { projects: PresentProject[]; people: PresentPerson[] }

export const ROW_STATES = ['new', 'changed', 'unchanged', 'wrong'] as const
export type RowState = (typeof ROW_STATES)[number]

/** The outcome of a row, as it is shown. */
export type PlanRow = {
  kind: SheetKind
  row: number
  state: RowState
  /** Its number or e-mail, and its name. */
  key: string
  label: string
  changes: { what: string; before: string; after: string }[]
  faults: { place: string; field: Field | null; text: string }[]
  /** Further notes: a title that was left out, a row that it was joined to. */
  notes: string[]
}

export type ChangedProject = {
  id: number
  before: Partial<ProjectFields>
  after: Partial<ProjectFields>
}
/** Numbers are only added. */
export type ChangedPerson = {
  id: number
  before: Partial<DetailValues>
  after: Partial<DetailValues>
  addedNumbers: string[]
}
/** A person by their e-mail after the import, and a project by its number. */
export type NewMembership = { email: string; project: string }

export type Plan = {
  rows: PlanRow[]
  newProjects: ProjectValues[]
  changedProjects: ChangedProject[]
  newPeople: UserValues[]
  changedPeople: ChangedPerson[]
  memberships: NewMembership[]
}

/** What an import has made, as it is stored. */
export type Made = {
  newProjects: number[]
  changedProjects: ChangedProject[]
  newPeople: number[]
  changedPeople: ChangedPerson[]
  members: { projectId: number; userId: number }[]
}
