import { expect, it } from 'vitest'
import { mayBeSame, nameParts } from './person-name.ts'

it.each([
  ['Anne Holm', 'anne holm'],
  ['Fru Anne Holm', 'anne holm'],
  ['Hr. Bo Bruun', 'bo bruun'],
  ['Dir. Kurt Bang', 'kurt bang'],
  ['Adm. dir. Kurt Bang', 'kurt bang'],
  ['Dr. med. Eva Friis', 'eva friis'],
  ['cand.jur. Eva Friis', 'eva friis'],
  ['Eva Friis, cand.jur.', 'eva friis'],
  ['adv. Åse Ørsted', 'aase oersted'],
  ['Ph.d. Eva Friis', 'eva friis'],
  ['Holm, Anne Kirstine', 'anne kirstine holm'],
  ['Holm Holding ApS', 'holm holding aps'],
  ['Bruun, Dahl & Friis ApS', 'bruun dahl friis aps'],
  ['Hansen & Søn, Aarhus A/S', 'hansen soen aarhus a s'],
  ['Major', 'major'],
])('nameParts: %s', (name, parts) => {
  expect(nameParts(name).join(' ')).toBe(parts)
})

it.each([
  ['Anne Holm', 'Holm Anne', true],
  ['Anne Holm', 'Anne K. Holm', true],
  ['Anne Kirstine Holm', 'Anne K. Holm', true],
  ['A. Holm', 'Anne Holm', true],
  ['Anne Louise Holm', 'Anne Kirstine Holm', false],
  ['Anne Holm', 'Bo Holm', false],
  ['Anne Holm', 'Anne Bruun', false],
  ['Jens Aage Hansen', 'Aage Hansen', false],
  ['Holm Holding ApS', 'Holm Holding II ApS', false],
])('mayBeSame: %s, %s', (a, b, isSame) => {
  expect(mayBeSame(nameParts(a), nameParts(b))).toBe(isSame)
  expect(mayBeSame(nameParts(b), nameParts(a))).toBe(isSame)
})
