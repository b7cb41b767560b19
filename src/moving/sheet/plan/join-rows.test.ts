import { describe, expect, it } from 'vitest'
import type { PersonRow, ProjectRow } from '../read/checked-sheet.ts'
import { joinPeople, joinProjects } from './join-rows.ts'

const person = (row: number, more: Partial<PersonRow> = {}): PersonRow => ({
  row,
  numbers: [],
  projects: [],
  faults: [],
  ...more,
})
const ANNA = { name: 'Anna', email: 'anna@x.dk' }
const nobody = () => undefined

/** The outcome of each row: its numbers and projects, the row that it was joined to, or its faults. */
const outcome = (rows: PersonRow[], whoIs: (row: PersonRow) => number | undefined = nobody) =>
  joinPeople(rows, whoIs).map(({ row, joinedTo }) =>
    row.faults.length > 0
      ? row.faults.map(({ text }) => text).join(' ')
      : (joinedTo ?? [...row.numbers, ...row.projects].join()),
  )

describe('rows about one person', () => {
  it.each<[string, PersonRow[], (string | number)[]]>([
    [
      'are one if they are equal',
      [person(2, { ...ANNA, numbers: ['1'] }), person(3, { ...ANNA, numbers: ['1'] })],
      ['1', 2],
    ],
    [
      'are one with the projects of all',
      [
        person(2, { ...ANNA, numbers: ['1'], projects: ['1055'] }),
        person(3, { name: 'Bo', email: 'bo@x.dk', numbers: ['2'] }),
        person(4, { name: 'ANNA', email: 'Anna@x.dk', projects: ['1157'] }),
        person(5, { numbers: ['1'], projects: ['1200'] }),
      ],
      ['1,1055,1157,1200', '2', 2, 2],
    ],
    [
      'are all wrong if their names differ',
      [person(2, { ...ANNA, numbers: ['1'] }), person(3, { ...ANNA, name: 'Bo' })],
      ['E-mailen står også i række 3.', 'E-mailen står også i række 2.'],
    ],
    [
      'are all wrong if two people have one number',
      [person(2, { ...ANNA, numbers: ['1'] }), person(3, { name: 'Bo', email: 'bo@x.dk', numbers: ['1'] })],
      ['Nummeret 1 står også i række 3.', 'Nummeret 1 står også i række 2.'],
    ],
    [
      'are all wrong if a third row ties two people together',
      [
        person(2, { ...ANNA, numbers: ['1'] }),
        person(3, { numbers: ['1', '2'] }),
        person(4, { name: 'Bo', email: 'bo@x.dk', numbers: ['2'] }),
      ],
      [
        'Nummeret 1 står også i række 3.',
        'Nummeret 1 står også i række 2.',
        'Nummeret 2 står også i række 3.',
      ],
    ],
    [
      'are taken without one that is wrong by itself',
      [
        person(2, { ...ANNA, faults: [{ field: 'role', text: 'Rollen.' }] }),
        person(3, { ...ANNA, numbers: ['1'] }),
      ],
      ['Rollen.', '1'],
    ],
  ])('joins rows about one person: %s', (_, rows, expected) => expect(outcome(rows)).toEqual(expected))

  it('joins rows that name a person in two ways', () => {
    const rows = [person(2, ANNA), person(3, { numbers: ['1'], name: 'Bo' })]
    expect(outcome(rows, () => 7)).toEqual(['Række 3 handler også om Anna.', 'Række 2 handler også om Bo.'])
  })

  it('joins many rows quickly', () => {
    const chain = Array.from({ length: 25_000 }, (_, at) =>
      person(at, { name: `N${at}`, numbers: [`${at}`, `${at + 1}`] }),
    )
    expect(joinPeople(chain, nobody).every(({ row }) => row.faults.length === 1)).toBe(true)
  })
})

describe('rows about one project', () => {
  const project = (row: number, more: Partial<ProjectRow>): ProjectRow => ({ row, faults: [], ...more })

  it('joins rows about one project if they agree, and refuses all of them if not', () => {
    const joined = joinProjects([
      project(2, { number: '1', name: 'K/S Nord' }),
      project(3, { number: '1', cvr: '38291041' }),
      project(4, { number: '2', name: 'K/S Syd' }),
      project(5, { number: '2', name: 'K/S Øst' }),
    ])
    expect(joined).toEqual([
      { row: { row: 2, number: '1', name: 'K/S Nord', cvr: '38291041', faults: [] }, joinedTo: null },
      { row: expect.objectContaining({ row: 3 }) as ProjectRow, joinedTo: 2 },
      ...[5, 4].map((other) => ({
        row: expect.objectContaining({
          faults: [{ field: 'number', text: `Nummeret 2 står også i række ${other}.` }],
        }) as ProjectRow,
        joinedTo: null,
      })),
    ])
  })
})
