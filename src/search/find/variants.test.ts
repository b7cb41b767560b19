import { describe, expect, it } from 'vitest'
import { fold } from '../words/tokens.ts'
import { isOneLetterOff, likenessOf } from './variants.ts'

/** Word and stem, as PostgreSQL's Danish stemmer gives it. */
const w = (text: string) => {
  const [word, stem = word] = text.split('/')
  return { word: fold(word!), stem: fold(stem!) }
}

describe('a word of the documents', () => {
  it.each([
    ['rapport', 'rapport', 'same'],
    ['rapport', 'rapporten/rapport', 'form'],
    ['årsrapporten/årsrapport', 'årsrapport', 'form'],
    ['rapport', 'årsrapport', 'compound'],
    ['rapport', 'årsrapporten/årsrapport', 'compound'],
    ['rapport', 'kvartalsrapporter/kvartalsrapport', 'compound'],
    ['køb', 'købt', 'form'],
    ['købt', 'køb', 'form'],
    ['leje/lej', 'lejekontrakt', 'compound'],
    ['leje/lej', 'lejeindtægter/lejeindtægt', 'compound'],
    ['skat', 'ejendomsskatter/ejendomsskat', 'compound'],
    ['skat', 'skattestyrelsen/skattestyr', 'compound'],
    ['bil', 'bilforsikring/bilforsikr', 'compound'],
    ['bestyrelse/bestyr', 'bestyrelsen/bestyr', 'form'],
    ['bolig/bol', 'boligerne/bol', 'form'],
    ['leje/lej', 'lejlighed/lej', null],
    ['leje/lej', 'udleje/udlej', 'compound'],
    ['lejeren/lej', 'lejernes/lej', 'form'],
    ['lejeren/lej', 'lejen/lej', null],
    ['skat', 'skattemæssige/skattemæss', 'compound'],
    ['brev', 'åbningsbrev', 'compound'],
    ['and', 'andet/and', null],
    ['and', 'formanden/formand', null],
    ['bestyrelsen/bestyr', 'bestyrelsesmøder/bestyrelsesmød', 'compound'],
    ['bank', 'kystbanken/kystbank', 'compound'],
    ['rum', 'serverrum', 'compound'],
    ['ring', 'fordring', null],
    ['konto', 'kontorhus', null],
    ['port', 'årsrapport', null],
    ['ål', 'formål', null],
    ['værelse/vær', 'værdien/værdi', null],
    ['opsige/ops', 'opsætte/opsæt', null],
    ['år', 'årsrapport', 'compound'],
    ['bil', 'bilag', null],
    ['bil', 'bilagsnummer', null],
    ['bil', 'mobil', null],
    ['ris', 'pris', null],
    ['ris', 'risiko', null],
    ['år', 'vår', null],
    ['lån', 'plan', null],
    ['2024', '20241', null],
  ])('a word of the documents, asked for %s: %s is %s', (asked, listed, likeness) =>
    expect(likenessOf(w(asked), w(listed))).toBe(likeness),
  )

  it.each([
    ['kvart', 'kvartal', 'beginning'],
    ['102', '1024', 'beginning'],
    ['bil', 'bilag', 'beginning'],
    ['port', 'rapport', null],
  ])('a word of the documents, while somebody types %s: %s is %s', (asked, listed, likeness) =>
    expect(likenessOf(w(asked), w(listed), true)).toBe(likeness),
  )
})

it.each([
  ['rapport', 'raport', true],
  ['rapport', 'rapprot', true],
  ['rapport', 'rapporrt', true],
  ['rapport', 'rappart', true],
  ['rapport', 'rapport', false],
  ['rapport', 'reppart', false],
  ['årsrapport', 'arsrapport', true],
  ['årsrapport', 'ørsrapport', true],
  ['køb', 'kob', true],
  ['ab', 'ba', true],
  ['abc', 'cba', false],
])('%s and %s are one letter apart: %s', (a, b, is) => expect(isOneLetterOff(fold(a), fold(b))).toBe(is))
