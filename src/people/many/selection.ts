import type { UserRow } from '../user/user-row.ts'
import { whyNotInvite } from './why-not.ts'

/** At most this many people are selected one by one. All of a list may be more. */
export const MOST_PRESSED = 1000

/** All people of a list: how many it has, and how many of them can be invited. */
type WholeList = { total: number; invitable: number }

/** The people selected in the list: those pressed, or with `all` everybody apart from those pressed. */
export type PeopleSelection = {
  all: WholeList | null
  pressed: ReadonlyMap<number, UserRow>
  /** Where a range begins. */
  anchor: number | null
}

export const NOBODY: PeopleSelection = { all: null, pressed: new Map(), anchor: null }

export const isSelected = ({ all, pressed }: PeopleSelection, id: number) =>
  pressed.has(id) !== (all !== null)

export const countOf = ({ all, pressed }: PeopleSelection) => (all ? all.total - pressed.size : pressed.size)

/** Selects a person, or leaves them out. */
export function press(selection: PeopleSelection, row: UserRow): PeopleSelection {
  const pressed = new Map(selection.pressed)
  if (!pressed.delete(row.id) && pressed.size < MOST_PRESSED) pressed.set(row.id, row)
  return { ...selection, pressed, anchor: row.id }
}

/** Also selects everybody between the person pressed last and this one, in the order shown. */
export function pressTo(
  selection: PeopleSelection,
  shown: readonly UserRow[],
  row: UserRow,
): PeopleSelection {
  const [from, to] = [
    shown.findIndex(({ id }) => id === selection.anchor),
    shown.findIndex(({ id }) => id === row.id),
  ]
  if (from < 0 || to < 0 || selection.all) return press(selection, row)
  const pressed = new Map(selection.pressed)
  for (const each of shown.slice(Math.min(from, to), Math.max(from, to) + 1))
    if (pressed.size < MOST_PRESSED) pressed.set(each.id, each)
  return { ...selection, pressed }
}

/** How many of the selected can be invited, as far as the page knows: the server skips who has an invitation on its way. */
export function invitableOf({ all, pressed }: PeopleSelection): number {
  const ofPressed = [...pressed.values()].filter(isInvitable).length
  return all ? all.invitable - ofPressed : ofPressed
}

const isInvitable = ({ role, deactivated, pending }: UserRow) =>
  whyNotInvite({ role, isDeactivated: deactivated, hasWayIn: !pending, isAsked: false }) === null

/** The fields by which a form says who is selected. */
export function chosenFields({ all, pressed }: PeopleSelection): Record<string, string> {
  const ids = [...pressed.keys()].join(',')
  return all ? { count: String(all.total), except: ids } : { ids }
}
