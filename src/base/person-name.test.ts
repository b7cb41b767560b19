import { describe, expect, it } from 'vitest'
import { greetedName, mayBeSame, nameParts, splitTitle } from './person-name.ts'

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
])('the parts of the name %s', (name, parts) => {
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
])('decides whether two names may be one person: %s, %s', (a, b, isSame) => {
  expect(mayBeSame(nameParts(a), nameParts(b))).toBe(isSame)
  expect(mayBeSame(nameParts(b), nameParts(a))).toBe(isSame)
})

describe('titles', () => {
  it.each([
    ['Dr. med. Anne Holm', 'Anne Holm', 'Dr. med.'],
    ['Fru Anne-Marie Holm', 'Anne-Marie Holm', 'Fru'],
    ['Direktør Bo Holm', 'Bo Holm', 'Direktør'],
    ['Anne Holm, cand.jur.', 'Anne Holm', 'cand.jur.'],
    ['Hr Bo Holm ph.d.', 'Bo Holm', 'Hr ph.d.'],
    ['Anne Holm', 'Anne Holm', ''],
    ['Holm, Anne', 'Holm, Anne', ''],
    ['Fru Holm', 'Fru Holm', ''],
    ['Ma Li Chen', 'Ma Li Chen', ''],
    ['Anne Holm R.', 'Anne Holm R.', ''],
    ['Advokat Bo Holm ApS', 'Advokat Bo Holm ApS', ''],
    ['Arkitekt Holm & Søn', 'Arkitekt Holm & Søn', ''],
  ])('splits the titles of %s from the name %s', (written, name, title) =>
    expect(splitTitle(written)).toEqual({ name, title }),
  )
})

it.each([
  ['Anne Holm', 'Anne'],
  ['Dr. med. Anne Holm', 'Anne'],
  ['Hr. Bo Bruun', 'Bo'],
  ['Direktør Åse-Marie Ørsted', 'Åse-Marie'],
  ['Anne Holm, cand.jur.', 'Anne'],
  ['Holm, Anne Kirstine', 'Anne'],
  ['Dr. Holm', 'Dr. Holm'],
  ['Fru Holm', 'Fru Holm'],
  ['A. Holm', 'A. Holm'],
  ['Dr. A. Holm', 'A. Holm'],
  ['Ma Li Chen', 'Ma'],
  ['Major', 'Major'],
  ['Kirsten', 'Kirsten'],
  ['Holm Holding ApS', 'Holm Holding ApS'],
  ['Anne og Bo Holm', 'Anne og Bo Holm'],
  ['', ''],
])('greets %s as %s', (name, greeted) => {
  expect(greetedName(name)).toBe(greeted)
})
