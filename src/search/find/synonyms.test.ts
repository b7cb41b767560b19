import { expect, it } from 'vitest'
import { fold } from '../words/tokens.ts'
import { isOfTrade, synonymsOf } from './synonyms.ts'

it.each([
  ['udbytte', 'udlodning'],
  ['udlodningen', 'udbytte'],
  ['regnskab', 'årsrapport'],
  ['årsrapporter', 'regnskab'],
  ['arsrapport', 'årsrapport'],
  ['arsrapport', 'regnskab'],
  ['aarsrapport', 'regnskab'],
  ['arsopgorelse', 'skatteoplysning'],
  ['skat', 'årsopgørelse'],
])('%s also finds %s', (term, other) => {
  expect(synonymsOf(fold(term))).toContain(fold(other))
})

it.each(['1024', 'zebrapark', 'for'])('%s has no synonyms', (term) => {
  expect(synonymsOf(term)).toEqual([])
})

it('recognises words of the trade', () => {
  expect(['udbytte', 'udbyttet', 'forsikringer', 'årsrapport'].map(fold).map(isOfTrade)).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(['udbydes', 'rapprot'].map(isOfTrade)).toEqual([false, false])
})
