import { expect, it } from 'vitest'
import { USER_FIELDS } from '../../accounts/users/user.fields.ts'
import { newValues } from '../../base/fields/field.ts'
import type { UserRow } from '../user/user-row.ts'
import {
  chosenFields,
  countOf,
  invitableOf,
  isSelected,
  MOST_PRESSED,
  NOBODY,
  press,
  pressTo,
  type PeopleSelection,
} from './selection.ts'

const rowOf = (id: number, is: Partial<UserRow> = {}): UserRow => ({
  ...newValues(USER_FIELDS, { name: `Person ${id}`, email: `${id}@example.dk`, numbers: [] }),
  id,
  deactivated: false,
  pending: true,
  image: null,
  ...is,
})
const ROWS = [5, 3, 8, 1].map((id) => rowOf(id))
const row = (id: number) => ROWS.find((each) => each.id === id)!
const all: PeopleSelection = { ...NOBODY, all: { total: 46, invitable: 45 } }

it.each([
  ['one', press(NOBODY, row(3)), 1, { ids: '3' }],
  ['one pressed twice', press(press(NOBODY, row(3)), row(3)), 0, { ids: '' }],
  ['down to another', pressTo(press(NOBODY, row(3)), ROWS, row(1)), 3, { ids: '3,8,1' }],
  ['up to another', pressTo(press(NOBODY, row(8)), ROWS, row(5)), 3, { ids: '8,5,3' }],
  ['to another from nobody', pressTo(NOBODY, ROWS, row(8)), 1, { ids: '8' }],
  ['all', all, 46, { count: '46', except: '' }],
  ['all but one', press(all, row(8)), 45, { count: '46', except: '8' }],
] as const)('selects %s', (_what, selection, count, fields) => {
  expect([countOf(selection), chosenFields(selection)]).toEqual([count, fields])
})

it('of all everybody is selected apart from those pressed', () => {
  expect([8, 99].map((id) => isSelected(press(all, row(8)), id))).toEqual([false, true])
  expect([8, 99].map((id) => isSelected(press(NOBODY, row(8)), id))).toEqual([true, false])
})

it('counts who of the selected can be invited', () => {
  const some = [
    rowOf(1),
    rowOf(2, { pending: false }),
    rowOf(3, { deactivated: true }),
    rowOf(4, { role: 'administrator' }),
  ].reduce(press, NOBODY)
  expect(invitableOf(some)).toBe(1)
  expect(invitableOf(press(press(all, rowOf(1)), rowOf(2, { pending: false })))).toBe(44)
})

it('selects no more people one by one than one form accepts', () => {
  const many = Array.from({ length: MOST_PRESSED + 5 }, (_, id) => rowOf(id))
  const range = pressTo(press(NOBODY, many[0]!), many, many.at(-1)!)
  expect(countOf(range)).toBe(MOST_PRESSED)
  expect(countOf(press(range, many.at(-1)!))).toBe(MOST_PRESSED)
})
