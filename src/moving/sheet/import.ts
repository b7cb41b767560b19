import { listed } from '../../base/danish/listed.ts'
import { formatCount } from '../../base/danish/counts.ts'
import type { Mailing } from '../../releases/mailings/mailing.ts'
import type { SheetColumns } from './read/sheet-columns.ts'
import type { RowState } from './plan/plan.ts'

export type SheetCounts = Record<RowState, number> & {
  newProjects: number
  changedProjects: number
  newPeople: number
  changedPeople: number
  /** New people who see every project. */
  employees: number
}

/** A sheet that waits to be confirmed. */
export type WaitingSheet = {
  id: number
  name: string
  created_at: string
  counts: SheetCounts
  /** Its faults as a whole, and what is left out of it. */
  faults: string[]
  notes: string[]
  columns: SheetColumns[]
  plan_hash: string
}

/** A row of the preview. */
export type ShownRow = {
  id: number
  state: RowState
  /** 'Personer, række 14'. */
  place: string
  key: string
  label: string
  changes: { what: string; before: string; after: string }[]
  faults: { place: string; text: string }[]
  notes?: string[]
}

/** Why there is nothing to invite, or how far the invitations have come. */
export type Invitations = {
  /** New people of the sheet who can be invited. */
  open: number
  asked: number
  sent: number
  failed: number
}

/** A sheet that was imported. */
export type SheetImport = {
  id: number
  name: string
  made_at: string
  made_by: string
  counts: SheetCounts
  /** Whether the wrong rows can still be fetched. */
  hasRest: boolean
  undone_at: string | null
  undone_by: string | null
  /** Whether it can still be undone. */
  isOpen: boolean
  invitations: Invitations
  /** Invitations to all of them that the office has asked for. */
  mailings: Mailing[]
}

/** How long an import can be undone, as long as files in the trash. */
export const UNDO_DAYS = 30

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

/** '12 nye projekter, 1 ny person og 3 ændrede personer', or 'intet nyt'. */
export function countsText({
  newProjects,
  changedProjects,
  newPeople,
  changedPeople,
}: Pick<SheetCounts, 'newProjects' | 'changedProjects' | 'newPeople' | 'changedPeople'>): string {
  const parts = [
    newProjects > 0 && plural(newProjects, 'nyt projekt', 'nye projekter'),
    changedProjects > 0 && plural(changedProjects, 'ændret projekt', 'ændrede projekter'),
    newPeople > 0 && plural(newPeople, 'ny person', 'nye personer'),
    changedPeople > 0 && plural(changedPeople, 'ændret person', 'ændrede personer'),
  ].filter((part) => part !== false)
  return parts.length === 0 ? 'intet nyt' : listed(parts)
}

/** '1 række' or '76 rækker'. */
export const countRows = (count: number) => `${formatCount(count)} ${count === 1 ? 'række' : 'rækker'}`
