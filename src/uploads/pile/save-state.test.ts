import { expect, it } from 'vitest'
import { agreedIn, NOT_SAVED, nextSave, type SaveEvent, type SaveState } from './save-state.ts'

const after = (...events: SaveEvent[]) => events.reduce(nextSave, NOT_SAVED)
const asked: SaveEvent = { type: 'asked', ids: [3], message: 'Mappen er delt.' }
const LATER = { way: 'later', day: '2026-01-05', time: '09.00' } as const

const CASES: [what: string, events: SaveEvent[], expected: Partial<SaveState>][] = [
  [
    'a start forgets earlier faults',
    [{ type: 'refused', message: 'Nej.', errors: { pattern: ['Ret det.'] } }, { type: 'started' }],
    { step: 'saving', fault: null, errors: {} },
  ],
  [
    'a lost answer lets the person press again',
    [{ type: 'started' }, { type: 'stopped', fault: 'Afbrudt.' }],
    { step: 'filling', fault: 'Afbrudt.' },
  ],
  [
    'faults of the day are shown only at its field',
    [{ type: 'started' }, { type: 'refused', message: 'Nej.', errors: { publish_day: ['Vælg en dag.'] } }],
    { step: 'filling', fault: null, errors: { publish_day: ['Vælg en dag.'] } },
  ],
  [
    'a refusal without fields is shown',
    [{ type: 'started' }, { type: 'refused', message: 'Nej.', errors: {} }],
    { step: 'filling', fault: 'Nej.' },
  ],
  [
    'another day removes the faults about publishing only',
    [
      { type: 'refused', message: 'Nej.', errors: { publish_day: ['Vælg.'], pattern: ['Ret.'] } },
      { type: 'chosen', choice: LATER },
    ],
    { choice: LATER, errors: { pattern: ['Ret.'] }, fault: 'Nej.' },
  ],
  [
    'an edited field loses its fault',
    [
      { type: 'refused', message: 'Nej.', errors: { original: ['Vælg.'], pattern: ['Ret.'] } },
      { type: 'edited', field: 'pattern' },
    ],
    { errors: { original: ['Vælg.'] } },
  ],
  [
    'a folder that is shared meanwhile is asked about',
    [{ type: 'started' }, asked],
    { step: 'filling', asking: { ids: [3], message: 'Mappen er delt.' }, agreed: [] },
  ],
  ['no to sharing leaves the form as it was', [asked, { type: 'declined' }], { asking: null, agreed: [] }],
  [
    'yes to sharing is remembered with earlier ones',
    [asked, { type: 'agreed' }, { ...asked, ids: [5] }, { type: 'agreed' }],
    { asking: null, agreed: [3, 5] },
  ],
]

it.each(CASES)('%s', (_what, events, expected) => expect(after(...events)).toMatchObject(expected))

it('a yes to an open question is sent with the call that it makes', () =>
  expect(agreedIn(after({ ...asked, ids: [2] }, { type: 'agreed' }, asked))).toEqual([2, 3]))
