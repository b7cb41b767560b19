import { describe, expect, it } from 'vitest'
import { bareName, makeDirectory } from './directory.ts'
import { findNames } from './find-names.ts'
import { linesOf } from './paper-lines.ts'

const projects = [
  'K/S Nordhavn Kontorhus',
  'K/S Nordhavn Kontorhus II',
  'Århus Ø Boliger K/S',
  'K/S Møllevej 12',
  'Kommanditselskabet Bryghuset',
].map((name, index) => ({ id: index + 1, number: String(1001 + index), name, cvr: null, has_auditor: false }))
const people = [
  'Aage Hansen',
  'Aage Hansen Høj',
  'Anne Holm',
  'Anne Holm',
  'Holm Holding ApS',
  'Holm Holding II ApS',
].map((name, index) => ({
  id: 11 + index,
  name,
  numbers: [String(2001 + index)],
  companies: [],
  projects: [],
}))
const directory = makeDirectory(projects, people)
const find = (...lines: string[]) => findNames(linesOf([lines.join('\n')]), directory)

it.each([
  ['K/S Nordhavn Kontorhus', 'nordhavn kontorhus'],
  ['Nordhavn Kontorhus K/S', 'nordhavn kontorhus'],
  ['KS Århus Ø Boliger', 'aarhus oe boliger'],
  ['Kommanditselskabet Bryghuset', 'bryghuset'],
  ['K/S', 's'],
])('bareName: %s', (name, bare) => {
  expect(bareName(name).join(' ')).toBe(bare)
})

describe('findNames finds projects', () => {
  it.each([
    ['K/S Nordhavn Kontorhus', 1],
    ['K/S NORDHAVN KONTORHUS', 1],
    ['Nordhavn Kontorhus K/S, CVR-nr. 12345678', 1],
    ['K/S Nordhavn Kontorhus II', 2],
    ['KS Aarhus Ø Boliger', 3],
    ['udlejer er K/S Møllevej 12, 8000 Aarhus', 4],
    ['K/S Bryghuset', 5],
  ])('finds the project for certain: %s', (line, id) => {
    expect(find(line)).toMatchObject([{ of: 'project', id, isCertain: true }])
  })
  it.each(['Møllevej 12', 'Bryghuset', 'K/S Nordhavn Kontorhus Management'])(
    'finds the project perhaps: %s',
    (line) => {
      expect(find(line)).toMatchObject([{ isCertain: false }])
    },
  )
  it.each([
    'K/S Nordhavn Kontorhus III',
    'K/S Nordhavn Kontorhus 4',
    'K/S Nordhavn Kontorhus Syd',
    'K/S Nordhavn',
  ])('finds none of our projects: %s', (line) => {
    expect(find(line)).toEqual([])
  })
  it('finds a project whose name continues in the next line', () => {
    expect(find('Udlejer: K/S Nordhavn', 'Kontorhus II')).toMatchObject([
      { id: 2, said: 'Nordhavn Kontorhus II' },
    ])
    expect(find('K/S Nordhavn Kontorhus', 'II')).toMatchObject([{ id: 2 }])
    expect(find('K/S Nordhavn Kontorhus', 'III')).toEqual([])
    expect(find('K/S Nordhavn Kontorhus', 'CVR-nr. 12345678')).toMatchObject([{ id: 1, isCertain: true }])
  })
})

describe('findNames finds people', () => {
  it.each([
    ['Aage Hansen', [11], true],
    ['AAGE HANSEN', [11], true],
    ['Att. Aage Hansen', [11], true],
    ['Kære Aage Hansen', [11], true],
    ['Aage Hansen Høj', [12], true],
    ['Anne Holm', [13, 14], true], // two have the name
    ['Holm Holding II ApS', [16], true],
    ['Anne Holm, Skovvej 3, 8000 Aarhus C', [13, 14], true],
    ['Anne Holm (Investornr. 2003)', [13, 14], true],
    ['Dirigent: Aage Hansen', [11], false],
    ['Anne Holm, født 010170-1239', [13, 14], false],
    ['Kopi til Aage Hansen', [11], false],
    ['Aage Hansen Berg', [], false],
    ['Jens Aage Hansen', [], false],
    ['Aage', [], false],
  ])('finds the person: %s', (line, ids, isAddressed) => {
    const found = find(line)
    expect(found.map(({ id }) => id)).toEqual(ids)
    expect(found.every((each) => each.isAddressed)).toBe(ids.length === 0 || isAddressed)
  })
})
