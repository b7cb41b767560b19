import { describe, expect, it } from 'vitest'
import { conflictText, INBOX_ACTS, offeredActs, stateAfter, stateText, type Standing } from './inbox.ts'

const ME = 1
const OTHER = 2

const STANDINGS = {
  new: { state: 'new', by: null },
  'taken by me': { state: 'taken', by: ME },
  'taken by another': { state: 'taken', by: OTHER },
  'finished by me': { state: 'done', by: ME },
  'finished by another': { state: 'done', by: OTHER },
  'finished before there was an inbox': { state: 'done', by: null },
} satisfies Record<string, Standing>

/** The state that each act leads to from each standing, in the order above; null if it is so already. */
const TABLE = {
  take: ['taken', null, 'conflict', 'conflict', 'conflict', 'conflict'],
  'take-over': ['taken', null, 'taken', 'conflict', 'conflict', 'conflict'],
  'put-back': [null, 'new', 'conflict', 'conflict', 'conflict', 'conflict'],
  finish: ['done', 'done', 'conflict', null, 'conflict', 'conflict'],
  reopen: [null, null, 'conflict', 'new', 'new', 'new'],
} as const

describe.each(INBOX_ACTS)('%s', (act) => {
  it.each(Object.entries(STANDINGS).map(([name, standing], index) => [name, standing, index] as const))(
    'the state after this act on an item that is %s',
    (_name, standing, index) => {
      expect(stateAfter(act, standing, ME)).toBe(TABLE[act][index])
    },
  )
})

it('every offered act changes something', () => {
  for (const standing of Object.values(STANDINGS)) {
    const acts = offeredActs(standing, ME)
    expect(acts.length).toBeGreaterThan(0)
    for (const act of acts) expect(['new', 'taken', 'done']).toContain(stateAfter(act, standing, ME))
  }
})

describe('words', () => {
  const mette = { id: OTHER, name: 'Mette Holm' }
  const me = { id: ME, name: 'Jens Bech' }
  const at = '2026-11-16T09:14:30Z'

  it.each([
    [{ state: 'new', by: null }, 'Ny'],
    [{ state: 'taken', by: mette }, 'Taget af Mette Holm'],
    [{ state: 'taken', by: me }, 'Taget af dig'],
    [{ state: 'done', by: mette }, 'Færdig'],
  ] as const)('shows %j as "%s"', (item, text) => {
    expect(stateText(item, ME)).toBe(text)
  })

  it.each([
    [{ state: 'taken', by: mette, at }, '2026-11-16T22:59:00Z', 'Mette Holm har taget den kl. 10.14.'],
    [
      { state: 'taken', by: mette, at },
      '2026-11-16T23:01:00Z',
      'Mette Holm har taget den 16/11/2026 kl. 10.14.',
    ],
    [{ state: 'done', by: mette, at }, '2026-11-16T12:00:00Z', 'Mette Holm blev færdig med den kl. 10.14.'],
    [{ state: 'done', by: me, at }, '2026-11-16T12:00:00Z', 'Du blev færdig med den kl. 10.14.'],
    [{ state: 'done', by: null, at: null }, '2026-11-16T12:00:00Z', 'Den er allerede færdig.'],
  ] as const)('the conflict with %j at %s is shown as "%s"', (item, now, text) => {
    expect(conflictText(item, ME, new Date(now), 'Europe/Copenhagen')).toBe(text)
  })
})
