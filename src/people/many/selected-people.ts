import { makeStore } from '../../ui/basic/store.ts'
import { NOBODY, press, pressTo, type PeopleSelection } from './selection.ts'
import type { UserRow } from '../user/user-row.ts'

const store = makeStore<PeopleSelection>(NOBODY)
let shown: readonly UserRow[] = []

/** The selection on this page. Kept outside React, so that only the row that changes is drawn again. */
export const selectedPeople = {
  ...store,
  /** Notes the rows on the page, in their order. */
  show: (rows: readonly UserRow[]) => {
    shown = rows
  },
  press: (row: UserRow, isRange: boolean) =>
    store.set(isRange ? pressTo(store.now(), shown, row) : press(store.now(), row)),
}
