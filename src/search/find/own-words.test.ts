import { expect, it } from 'vitest'
import { readOwnWords, writeOwnWords } from './own-words.ts'

const many = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n)).join('\n')
/** 0 becomes 'aaa', 1 'baa'. */
const word = (n: number) => String.fromCharCode(97 + (n % 26), 97 + (Math.floor(n / 26) % 26), 97 + (n % 7))

it.each([
  ['', []],
  ['budget, overslag', [['budget', 'overslag']]],
  [
    '\r\n budget ,  overslag\r\n\r\n\r\nleje,husleje\r\n',
    [
      ['budget', 'overslag'],
      ['leje', 'husleje'],
    ],
  ],
  ['a\u030arsmøde, generalforsamling', [['årsmøde', 'generalforsamling']]],
  ['ks, kommanditselskab', [['ks', 'kommanditselskab']]],
])('reads the synonyms %j', (text, groups) => {
  expect(readOwnWords(text)).toEqual({ groups, faults: [] })
  expect(readOwnWords(writeOwnWords(groups)).groups).toEqual(groups)
})

it.each([
  ['budget', 'Linje 1: Skriv mindst to ord med komma imellem, for eksempel ”udbytte, udlodning”.'],
  ['leje, husleje\n\n\nbudget,, overslag', 'Linje 4: Der mangler et ord ved et komma.'],
  ['budget, ', 'Linje 1: Der mangler et ord ved et komma.'],
  [
    'budget overslag',
    'Linje 1: ”budget overslag” er ikke ét ord. Brug kun bogstaver, og sæt komma mellem ordene.',
  ],
  ['k/s, selskab', 'Linje 1: ”k/s” er ikke ét ord. Brug kun bogstaver, og sæt komma mellem ordene.'],
  ['budget, B2024', 'Linje 1: ”B2024” er ikke ét ord. Brug kun bogstaver, og sæt komma mellem ordene.'],
  ['Årsmøde, aarsmøde', 'Linje 1: Skriv to forskellige ord.'],
  ['budget, leje, BUDGET', 'Linje 1: Det samme ord står der to gange.'],
  [
    `budget, ${'x'.repeat(41)}`,
    `Linje 1: ”${'x'.repeat(40)}…” er for langt. Et ord må højst være på 40 tegn.`,
  ],
  [many(11, word).replaceAll('\n', ','), 'Linje 1: Skriv højst 10 ord.'],
  [many(201, (n) => `budget, ${word(n)}`), 'Skriv højst 200 linjer.'],
  [many(4, (n) => `budgettet, ${word(n)}`), '”budgettet” må højst stå på 3 linjer.'],
  [many(200, () => 'x'.repeat(41)), 'Ordene må i alt højst fylde 8000 tegn.'],
])('refuses the synonyms %.30j: %s', (text, fault) => {
  expect(readOwnWords(text).faults).toEqual([fault])
})

it('reports at most five faults of the synonyms', () => {
  expect(readOwnWords(many(100, word)).faults).toHaveLength(5)
})
