import { describe, expect, it } from 'vitest'
import { chanceOf } from '../../../test/chance.ts'
import { folderKey } from '../../projects/folder.ts'
import { nearMissAmong } from './near-miss.ts'

// The template's folders, and some that differ a little.
const NAMES = [
  ['Årsrapport', 'Årsrapport 2020', 'Årsrapport KS', 'Kvartalsrapport', 'Budget', 'Generalforsamling'],
  ['Bestyrelsesmøder', 'Lejekontrakter', 'Finansiering', 'Forsikring', 'Vedtægter', 'Tegningsmateriale'],
  ['Vurderinger', 'Skatteoplysninger', 'Diverse', 'Bilag 1', 'Bilag 2', 'Bilag 1a', 'Fase II'],
  ['Blok Vest', 'Skat', 'Løn', 'Ejendom A', 'Øvrigt', 'Køb og salg'],
].flat()

describe('a misspelt name', () => {
  it.each([
    // Letter case, accents, spaces
    ['årsrapport', 'Årsrapport'],
    ['ÅRSRAPPORT', 'Årsrapport'],
    ['Arsrapport', 'Årsrapport'],
    ['Aarsrapport', 'Årsrapport'],
    ['AARSRAPPORT ks', 'Årsrapport KS'],
    ['A\u030arsrapport k\u00a0s', 'Årsrapport KS'],
    ['Års rapport', 'Årsrapport'],
    ['Års-rapport', 'Årsrapport'],
    ['Årsrapport_2020', 'Årsrapport 2020'],
    ['Årsrapport2020', 'Årsrapport 2020'],
    ['aarsrapport 2020', 'Årsrapport 2020'],
    ['Vedtaegter', 'Vedtægter'],
    ['Vedtägter', 'Vedtægter'],
    ['Bestyrelsesmoeder', 'Bestyrelsesmøder'],
    ['Bestyrelsesmoder', 'Bestyrelsesmøder'],
    ['Bestyrelsesmöder', 'Bestyrelsesmøder'],
    ['Oevrigt', 'Øvrigt'],
    ['LØN', 'Løn'],
    ['Koeb og salg', 'Køb og salg'],
    ['fase ii', 'Fase II'],
    // Slips
    ['Årsraport', 'Årsrapport'],
    ['Årsrappport', 'Årsrapport'],
    ['Årsrapprot', 'Årsrapport'],
    ['Arsraport KS', 'Årsrapport KS'],
    ['Årsraport 2020', 'Årsrapport 2020'],
    ['Budgte', 'Budget'],
    ['Budgets', 'Budget'],
    ['Bugdet', 'Budget'],
    ['Kvartalrapport', 'Kvartalsrapport'],
    ['Generalforsamlinger', 'Generalforsamling'],
    ['Generelforsammling', 'Generalforsamling'],
    ['Lejekontrakt', 'Lejekontrakter'],
    ['Leje kontrakt', 'Lejekontrakter'],
    ['Finansering', 'Finansiering'],
    ['Forsikringer', 'Forsikring'],
    ['Vurdering', 'Vurderinger'],
    ['Vedtægt', 'Vedtægter'],
    ['Skatteoplysning', 'Skatteoplysninger'],
    ['Divers', 'Diverse'],
    ['Skta', 'Skat'],
    ['Skatt', 'Skat'],
    ['Bialg 2', 'Bilag 2'],
    ['bilag 1A', 'Bilag 1a'],
    ['Tegningsmatreiale', 'Tegningsmateriale'],
  ])('the misspelt name %j means %j', (text, name) => {
    expect(nearMissAmong(NAMES)(text)).toBe(name)
  })

  it.each([
    // Other numbers, and words that stand for numbers
    'Årsrapport 2021',
    'Årsrapport 202',
    'Årsrapport 20 20',
    'Årsrapport 0202',
    'Budget 2020',
    'Bilag',
    'Bilag 3',
    'Bilag 12',
    'Bilag 1 2',
    'Bilag 1b',
    'Bilag ١',
    'Fase III',
    'Fase I',
    'Ejendom B',
    'Blok Øst',
    // Other words
    'Skab',
    'Skam',
    'Lån',
    'Budgetter',
    'Halvårsrapport',
    'Årsregnskab',
    'Rapport',
    'Årsrapport AS',
    'Årsrapport fra bestyrelsen',
    'Ferie',
    'Lejeaftaler',
    'Koeb & salg',
    // The text is one of the names
    'Årsrapport',
    'A\u030arsrapport  KS',
    // Hardly a name
    '',
    ' ',
    '!?',
    '📊',
    '\ud83d',
    '\u202e\u200b',
    '__proto__',
    'constructor',
  ])('the name %j means none of the folders', (text) => {
    expect(nearMissAmong(NAMES)(text)).toBeNull()
  })

  it.each([
    ['nearest first', 'Moderne', ['Moderat', 'Moderner'], 'Moderner'],
    ['nearest last', 'Moderne', ['Moderner', 'Moderat'], 'Moderner'],
    ['two as near', 'Referak', ['Referat', 'Referab'], null],
    ['two as near, and a nearer one', 'Referak', ['Referabs', 'Referats', 'Referat'], 'Referat'],
    ['the same twice', 'Referak', ['Referat', 'Referat'], 'Referat'],
    ['accents before slips', 'Moder', ['Møder', 'Moders'], 'Møder'],
    ['two by accents', 'MODER', ['Møder', 'Moder'], null],
    ['one of them, letter by letter', 'Moder', ['Møder', 'Moder'], null],
    ['none', 'Møder', [], null],
    ['only signs', '!!', ['!?'], null],
    ['a short name with aa', 'Aaen', ['Åen'], 'Åen'],
    ['long Roman numbers', 'Fase XVII', ['Fase XVIII'], null],
  ])('chooses between near names: %s', (_, text, names, name) => {
    expect(nearMissAmong(names)(text)).toBe(name)
  })
})

describe('near names of any text', () => {
  const LETTERS = 'a b d e g i r s ø å æ Å Ø aa oe ae II 1 2 20 ² ß 📊 \u030a \ud83d'.split(' ').concat(' ')
  const chance = chanceOf(7)
  const anyText = () => Array.from({ length: chance.number(9) }, () => chance.of(LETTERS)).join('')
  const slipped = (text: string) => {
    const at = chance.number(text.length + 1)
    return text.slice(0, at) + chance.of(LETTERS) + text.slice(at + chance.number(2))
  }
  const digitsOf = (text: string) => (text.match(/\p{N}/gu) ?? []).join('')

  it('near names have the same digits, and are near both ways', () => {
    let found = 0
    for (let count = 0; count < 5000; count++) {
      const text = folderKey(anyText())
      const name = folderKey(slipped(slipped(text)))
      const isNear = nearMissAmong([name])(text) === name
      expect([text, name, nearMissAmong([text])(name) === text]).toEqual([text, name, isNear])
      if (!isNear) continue
      found++
      expect(digitsOf(name)).toBe(digitsOf(text))
    }
    expect(found).toBeGreaterThan(200)
  })

  it('compares the longest names too, and no longer ones', () => {
    const long = 'abcdefghi '.repeat(25).trim()
    expect(nearMissAmong([long])(`${long}x`)).toBe(long)
    expect(nearMissAmong([long])(`${long}wxyz`)).toBeNull()
    expect(nearMissAmong(['a'])(`a${'\u0301\u0323'.repeat(50_000)}`)).toBeNull()
  })

  it('compares many texts with many names', () => {
    const [bø, name] = ['bø'.repeat(60), 'Generalforsamling']
    const nearOne = nearMissAmong([
      name,
      ...Array.from({ length: 200 }, (_, index) => `${bø}${slipped(bø)}${'abc'[index % 3]}`),
    ])
    for (let count = 0; count < 50; count++) expect(nearOne(`${slipped(bø)}c${bø}`)).not.toBe(name)
    expect(nearOne('generalforsamlinger')).toBe(name)
  })
})
