import { describe, expect, it, test } from 'vitest'
import { approvedState, findObstacle, judge, type Verdict } from './approval.ts'
import { RELEASE_ACTS, type ReleaseState } from '../release/release.ts'

test.each<[isWanted: boolean, isMaker: boolean, reached: number, Verdict]>([
  [false, true, 12, 'needless'],
  [false, false, 12, 'needless'],
  [true, true, 0, 'needless'],
  [true, false, 0, 'needless'],
  [true, true, 1, 'asked'],
  [true, false, 1, 'given'],
])(
  'approval on: %s, by the maker: %s, people reached: %i: it is %s',
  (isWanted, isMaker, reached, verdict) => {
    expect(judge({ isWanted, isMaker, reached })).toBe(verdict)
  },
)

test.each([
  [null, 'published'],
  ['2026-12-01T08:00:00Z', 'published'],
  ['2026-12-01T08:00:01Z', 'planned'],
])('a release planned for %s becomes, at 8 o’clock, %s', (at, state) => {
  expect(approvedState(at === null ? null : new Date(at), new Date('2026-12-01T08:00:00Z'))).toBe(state)
})

describe('acts on a release', () => {
  const maker = { isAsker: true, hasTime: false, verdict: 'asked' as Verdict }
  const other = { ...maker, isAsker: false, verdict: 'given' as Verdict }
  const acts = (state: ReleaseState, who: typeof maker) =>
    RELEASE_ACTS.filter((act) => findObstacle(act, { state, ...who }) === null)

  it.each<[string, ReleaseState, typeof maker, string[]]>([
    ['the maker of a draft', 'draft', maker, ['publish', 'plan', 'discard', 'write']],
    ['another at a draft', 'draft', other, ['publish', 'plan', 'discard', 'write']],
    ['the maker while it waits', 'waiting', maker, ['plan', 'hold', 'discard', 'write']],
    [
      'the maker while it waits for a time',
      'waiting',
      { ...maker, hasTime: true },
      ['publish', 'plan', 'hold', 'discard', 'write'],
    ],
    [
      'the maker when no approval is needed any more',
      'waiting',
      { ...maker, verdict: 'needless' },
      ['publish', 'plan', 'hold', 'discard', 'write'],
    ],
    ['another while it waits', 'waiting', other, ['approve', 'reject', 'write']],
    [
      'another while it waits needlessly',
      'waiting',
      { ...other, verdict: 'needless' },
      ['approve', 'reject', 'write'],
    ],
    ['the maker when it is recalled', 'recalled', maker, ['undo-recall', 'tell-openers', 'regret-mails']],
    ['another when it is recalled', 'recalled', other, ['undo-recall', 'tell-openers', 'regret-mails']],
  ])('knows the acts of %s', (_who, state, who, possible) => {
    expect(acts(state, who)).toEqual([...possible, 'name'])
  })

  it.each([
    ['approve', maker, 'own'],
    ['reject', maker, 'own'],
    ['publish', maker, 'asked'],
    ['publish', other, 'waiting'],
    ['plan', other, 'waiting'],
    ['hold', other, 'waiting'],
    ['discard', other, 'waiting'],
    ['recall', other, 'state'],
  ] as const)('refuses to %s while a release waits, and says why: %#', (act, who, obstacle) => {
    expect(findObstacle(act, { state: 'waiting', ...who })).toBe(obstacle)
  })
})
