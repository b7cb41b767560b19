import { describe, expect, it } from 'vitest'
import type { Faults, SentRow } from './check-companies.ts'
import { planChanges, type StoredRow } from './plan-changes.ts'

const stored = (id: number, more: Partial<StoredRow> = {}): StoredRow => ({
  id,
  place: id,
  locked: false,
  name: `K/S ${id}`,
  cvr: null,
  share: 10,
  year: null,
  contribution: null,
  liability: null,
  equity: null,
  debt: 5,
  result: null,
  ...more,
})

const sent = (
  id: number | null,
  values: SentRow['values'] = {},
  locked?: boolean,
): Omit<SentRow, 'index'> => ({
  id,
  values,
  locked,
})

function plan(now: StoredRow[], rows: Omit<SentRow, 'index'>[], isOffice = false) {
  const faults: Faults = {}
  const indexed = rows.map((row, index) => ({ ...row, index: String(index) }))
  const { added, changed, ...made } = planChanges(now, indexed, isOffice, faults)
  return {
    ...made,
    faults,
    added: added.map(({ name, place, locked }) => [name, place, locked]),
    changed: changed.map(({ id, place }) => [id, place]),
  }
}

const NOTHING = {
  added: [],
  changed: [],
  removed: [],
  isLocking: false,
  isUnlocking: false,
  isOther: false,
  faults: {},
}
const THREE = [stored(1), stored(2), stored(3)]

describe('the plan', () => {
  it.each<[what: string, rows: Omit<SentRow, 'index'>[], made: object]>([
    ['leaves out rows that stay the same', [sent(1, { share: 10 }), sent(2, { cvr: null }), sent(3)], {}],
    ['changes one value', [sent(1), sent(2, { debt: 6 }), sent(3)], { changed: [[2, 2]], isOther: true }],
    ['clears a value', [sent(1, { debt: null }), sent(2), sent(3)], { changed: [[1, 1]], isOther: true }],
    ['removes a row that was not sent', [sent(2), sent(3)], { removed: [1], isOther: true }],
    ['removes all rows if none was sent', [], { removed: [1, 2, 3], isOther: true }],
    [
      'adds a row at the end, and changes no other',
      [sent(1), sent(2), sent(3), sent(null, { name: 'Ny' })],
      { added: [['Ny', 4, false]], isOther: true },
    ],
    [
      'puts a new row in the place of another, and changes no other',
      [sent(1), sent(null, { name: 'Ny' }), sent(3)],
      { added: [['Ny', 2, false]], removed: [2], isOther: true },
    ],
    [
      'changes the order',
      [sent(2), sent(1), sent(3)],
      {
        changed: [
          [1, 3],
          [3, 4],
        ],
        isOther: true,
      },
    ],
  ])('the plan %s', (_what, rows, made) => {
    expect(plan(THREE, rows)).toEqual({ ...NOTHING, ...made })
  })
})

const LOCKED = [stored(1, { locked: true }), stored(2)]
const CELL = ['Kontoret har låst rækken, så feltet kan ikke ændres.']

describe('a locked row', () => {
  it.each<[what: string, rows: Omit<SentRow, 'index'>[], made: object]>([
    [
      'accepts the figures of the year',
      [sent(1, { name: 'K/S 1', share: 10, liability: 1, equity: -1, debt: 2, result: 3 }), sent(2)],
      { changed: [[1, 1]], isOther: true },
    ],
    [
      'accepts nothing else, and adds a fault to each cell',
      [sent(1, { name: 'X', cvr: '38291041', share: null, year: 2025, contribution: 1, debt: 9 }), sent(2)],
      {
        changed: [[1, 1]],
        isOther: true,
        faults: Object.fromEntries(
          ['name', 'cvr', 'share', 'year', 'contribution'].map((column) => [`companies.0.${column}`, CELL]),
        ),
      },
    ],
    [
      'cannot be removed',
      [sent(2)],
      {
        removed: [1],
        isOther: true,
        faults: { companies: ['Kontoret har låst K/S 1, så rækken kan ikke slettes.'] },
      },
    ],
    [
      'stays locked',
      [sent(1, {}, false), sent(2, {}, true), sent(null, { name: 'Ny' }, true)],
      {
        added: [['Ny', 3, true]],
        changed: [
          [1, 1],
          [2, 2],
        ],
        isLocking: true,
        isUnlocking: true,
        isOther: true,
        faults: Object.fromEntries(
          [0, 1, 2].map((index) => [`companies.${index}.locked`, ['Kun kontoret kan låse og låse op.']]),
        ),
      },
    ],
    ['may be sent with its present lock', [sent(1, {}, true), sent(2, {}, false)], {}],
    ['may be moved', [sent(2), sent(1)], { changed: [[1, 3]], isOther: true }],
  ])('a locked row %s, for an investor', (_what, rows, made) => {
    expect(plan(LOCKED, rows)).toEqual({ ...NOTHING, ...made })
  })

  it.each<[what: string, rows: Omit<SentRow, 'index'>[], made: object]>([
    ['is changed', [sent(1, { name: 'X' }), sent(2)], { changed: [[1, 1]], isOther: true }],
    ['is deleted', [sent(2)], { removed: [1], isOther: true }],
    ['is unlocked', [sent(1, {}, false), sent(2)], { changed: [[1, 1]], isUnlocking: true }],
    ['is created', [sent(1), sent(2, {}, true)], { changed: [[2, 2]], isLocking: true }],
    ['stays locked if no lock was sent', [sent(1), sent(2)], {}],
  ])('a locked row %s by the office', (_what, rows, made) => {
    expect(plan(LOCKED, rows, true)).toEqual({ ...NOTHING, ...made })
  })
})

it('an unknown row, or the same row twice, is refused', () => {
  expect(plan(THREE, [sent(1), sent(9), sent(2), sent(1), sent(3)]).faults).toEqual({
    'companies.1.id': ['Rækken findes ikke i denne rapport.'],
    'companies.3.id': ['Rækken er med to gange.'],
  })
})

it('a cell’s earlier fault is not replaced', () => {
  const faults: Faults = { 'companies.0.name': ['Navnet skal udfyldes.'] }
  planChanges(
    LOCKED,
    [
      { index: '0', ...sent(1, { name: 'X' }) },
      { index: '1', ...sent(2) },
    ],
    false,
    faults,
  )
  expect(faults).toEqual({ 'companies.0.name': ['Navnet skal udfyldes.'] })
})
