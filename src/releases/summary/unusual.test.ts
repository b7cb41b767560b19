import { expect, it } from 'vitest'
import { unusualOf } from './unusual.ts'

type Known = Parameters<typeof unusualOf>[0]

const NOTHING: Known = {
  state: 'waiting',
  held: { reading: 0, total: 0 },
  deleted: 0,
  replaced: 0,
  crowded: 0,
  reopened: 0,
  accepted: [],
  silent: 0,
  failed: 0,
}
const at = '2026-11-16T12:00:00.000Z'

it('says nothing of what is as usual', () => {
  expect(unusualOf(NOTHING)).toEqual([])
})

it.each<[Partial<Known>, string, string | null, string?]>([
  [{ held: { reading: 0, total: 3 } }, '3 papirer er holdt tilbage', 'papers', 'held'],
  [{ held: { reading: 1, total: 0 } }, '1 papir læses nu', 'papers', 'held'],
  [{ failed: 1, state: 'published' }, '1 mail kom ikke frem', 'recipients', 'failed'],
  [
    { accepted: [{ by: 'Bo Holm', papers: 1, at }] },
    'Advarsel om 1 papir er accepteret af Bo Holm',
    'history',
  ],
  [
    {
      accepted: [
        { by: 'Bo Holm', papers: 2, at },
        { by: 'Ida Lund', papers: 1, at },
      ],
    },
    'Advarsler om 3 papirer er accepteret af Bo Holm og Ida Lund',
    'history',
  ],
  [{ reopened: 4 }, '4 papirer erstatter en version, som nogen har åbnet', 'papers', 'versions'],
  [{ crowded: 2 }, '2 mapper får mere end ét papir', 'papers', 'crowded'],
  [{ silent: 12 }, '12 modtagere får ingen mail', 'recipients', 'silent'],
  [{ deleted: 1, state: 'published' }, '1 papir ligger i papirkurven', null],
  [{ deleted: 2 }, '2 papirer ligger i papirkurven og udgives med resten, hvis de gendannes', null],
  [{ replaced: 1, state: 'published' }, '1 papir er siden erstattet af en nyere version', null],
])('of %j it says: %s', (known, text, tab, filter) => {
  expect(unusualOf({ ...NOTHING, ...known })).toEqual([{ text, tab, ...(filter && { filter }) }])
})

it('does not ask about folders with several papers, or about opened versions, once they are published', () => {
  expect(unusualOf({ ...NOTHING, crowded: 2, reopened: 4, state: 'published' })).toEqual([])
})
