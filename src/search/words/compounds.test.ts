import { describe, expect, it } from 'vitest'
import { hasPart, partOf, partsBegun, partsIn } from './compounds.ts'
import { fold } from './tokens.ts'

const folded = (words: string) => words.split(' ').filter(Boolean).map(fold).sort()

describe('the listed parts', () => {
  it.each([
    ['skatteoplysninger', 'skat oplysning'],
    ['ejendomsskatter', 'ejendom skat'],
    ['lejekontrakten', 'leje kontrakt'],
    ['udlejning', 'leje udlejning'],
    ['lejeren', 'lejer'],
    ['lejen', 'leje'],
    ['kontorhus', 'kontor hus'],
    ['årsrapporter', 'år rapport'],
    ['bilag', 'bilag'],
    ['gælder', ''],
    ['restgælden', 'gæld'],
    ['xylofon', ''],
  ])('the parts of %s are %s', (word, parts) => expect(partsIn(fold(word)).sort()).toEqual(folded(parts)))

  it('hasPart and partsIn find the same parts', () => {
    const words = folded(
      'skatteoplysninger ejendomsskatter lejekontrakten udlejning lejeren kontorhus gælder',
    )
    const parts = folded('skat oplysning ejendom leje lejer kontrakt kontor hus konto gæld')
    for (const word of words)
      expect([word, parts.filter((part) => hasPart(word, part))]).toEqual([
        word,
        partsIn(word)
          .filter((part) => parts.includes(part))
          .sort(),
      ])
  })

  it.each([
    ['kontrakt', 'kontrakt'],
    ['kontrakterne', 'kontrakt'],
    ['aftaler', 'aftale'],
    ['skatter', 'skat'],
    ['lejerens', 'lejer'],
    ['lejekontrakt', null],
  ])('%s is a form of %s', (word, part) => expect(partOf(word)).toBe(part))

  it('listed parts are found by their beginning', () => {
    expect(partsBegun('forsik')).toEqual(['forsikring'])
    expect(partsBegun('fo')).toEqual([])
  })
})
