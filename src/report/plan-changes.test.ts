import { describe, expect, it } from 'vitest'
import type { Faults, SentRow } from './check-companies.ts'
import { planChanges, type KeptRow } from './plan-changes.ts'

const kept = (id: number, more: Partial<KeptRow> = {}): KeptRow => ({
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

function plan(now: KeptRow[], rows: Omit<SentRow, 'index'>[], isOffice = false) {
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
const THREE = [kept(1), kept(2), kept(3)]

describe('what is written', () => {
  it.each<[what: string, rows: Omit<SentRow, 'index'>[], made: object]>([
    ['nothing of what is the same', [sent(1, { share: 10 }), sent(2, { cvr: null }), sent(3)], {}],
    ['one value', [sent(1), sent(2, { debt: 6 }), sent(3)], { changed: [[2, 2]], isOther: true }],
    [
      'a value that is taken away',
      [sent(1, { debt: null }), sent(2), sent(3)],
      { changed: [[1, 1]], isOther: true },
    ],
    ['a row that is left out', [sent(2), sent(3)], { removed: [1], isOther: true }],
    ['all rows when none is sent', [], { removed: [1, 2, 3], isOther: true }],
    [
      'a row at the end, and no other',
      [sent(1), sent(2), sent(3), sent(null, { name: 'Ny' })],
      { added: [['Ny', 4, false]], isOther: true },
    ],
    [
      'a row in the place of another, and no other',
      [sent(1), sent(null, { name: 'Ny' }), sent(3)],
      { added: [['Ny', 2, false]], removed: [2], isOther: true },
    ],
    [
      'another order',
      [sent(2), sent(1), sent(3)],
      {
        changed: [
          [1, 3],
          [3, 4],
        ],
        isOther: true,
      },
    ],
  ])('%s', (_what, rows, made) => {
    expect(plan(THREE, rows)).toEqual({ ...NOTHING, ...made })
  })
})

const LOCKED = [kept(1, { locked: true }), kept(2)]
const CELL = ['Kontoret har låst rækken, så feltet kan ikke ændres.']

describe('a locked row', () => {
  it.each<[what: string, rows: Omit<SentRow, 'index'>[], made: object]>([
    [
      'takes the figures of the year',
      [sent(1, { name: 'K/S 1', share: 10, liability: 1, equity: -1, debt: 2, result: 3 }), sent(2)],
      { changed: [[1, 1]], isOther: true },
    ],
    [
      'takes nothing else, and says so of every cell',
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
      'stays',
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
    ['may be said to be locked', [sent(1, {}, true), sent(2, {}, false)], {}],
    ['takes another place', [sent(2), sent(1)], { changed: [[1, 3]], isOther: true }],
  ])('%s, to an investor', (_what, rows, made) => {
    expect(plan(LOCKED, rows)).toEqual({ ...NOTHING, ...made })
  })

  it.each<[what: string, rows: Omit<SentRow, 'index'>[], made: object]>([
    ['is written in', [sent(1, { name: 'X' }), sent(2)], { changed: [[1, 1]], isOther: true }],
    ['is deleted', [sent(2)], { removed: [1], isOther: true }],
    ['is unlocked', [sent(1, {}, false), sent(2)], { changed: [[1, 1]], isUnlocking: true }],
    ['is made', [sent(1), sent(2, {}, true)], { changed: [[2, 2]], isLocking: true }],
    ['stays locked when nothing is said of it', [sent(1), sent(2)], {}],
  ])('%s by the office', (_what, rows, made) => {
    expect(plan(LOCKED, rows, true)).toEqual({ ...NOTHING, ...made })
  })
})

it('a row that is not there, or twice, is refused', () => {
  expect(plan(THREE, [sent(1), sent(9), sent(2), sent(1), sent(3)]).faults).toEqual({
    'companies.1.id': ['Rækken findes ikke i denne rapport.'],
    'companies.3.id': ['Rækken er med to gange.'],
  })
})

it('a fault that is known of a cell is not replaced', () => {
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
