import { describe, expect, it } from 'vitest'
import { USER_FIELDS } from '../../../accounts/users/user.fields.ts'
import { newValues } from '../../../base/fields/field.ts'
import { PROJECT_FIELDS } from '../../../projects/project/project.fields.ts'
import type { CheckedSheet, PersonRow, ProjectRow } from '../read/checked-sheet.ts'
import { planSheet } from './plan-sheet.ts'
import type { Plan, Present, PresentPerson, PresentProject } from './plan.ts'

const NORD: PresentProject = {
  ...newValues(PROJECT_FIELDS, { number: '1024', name: 'K/S Nord' }),
  id: 1,
  later_ends: [],
}
const BO: PresentPerson = {
  ...newValues(USER_FIELDS, { name: 'Bo Holm', email: 'bo@example.dk', numbers: ['2001'] }),
  id: 7,
  projects: ['1024'],
  hasWayIn: true,
  isDeactivated: false,
}
const ASE: PresentPerson = {
  ...BO,
  id: 8,
  name: 'Åse',
  email: 'aase@example.dk',
  numbers: ['2002'],
  hasWayIn: false,
}
const KIM: PresentPerson = {
  ...BO,
  id: 9,
  name: 'Kim',
  email: 'kim@example.dk',
  role: 'employee',
  numbers: [],
  projects: [],
}
const PRESENT: Present = { projects: [NORD], people: [BO, ASE, KIM] }

const LETTERS = { number: 'A', name: 'B', email: 'C', role: 'D', numbers: 'E', projects: 'F' }
const TABLES: CheckedSheet['tables'] = {
  projects: { name: 'Projekter', letters: LETTERS },
  people: { name: 'Personer', letters: LETTERS },
}

function planOf(
  rows: { projects?: Partial<ProjectRow>[]; people?: Partial<PersonRow>[] },
  present = PRESENT,
): Plan {
  const { projects = [], people = [] } = rows
  const sheet: CheckedSheet = {
    tables: TABLES,
    projects: projects.map((row, at) => ({ row: at + 2, faults: [], ...row })),
    people: people.map((row, at) => ({ row: at + 2, numbers: [], projects: [], faults: [], ...row })),
    faults: [],
    notes: [],
  }
  const work = planSheet(sheet, present)
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

const planned = (row: Partial<PersonRow>) => planOf({ people: [row] })
const textsOf = ({ rows }: Plan) =>
  rows.flatMap(({ faults }) => faults.map(({ place, text }) => `${place}: ${text}`))
const statesOf = ({ rows }: Plan) => rows.map(({ state }) => state)

describe('a row of a project is', () => {
  it('a project’s row is new, with defaults for empty cells', () => {
    const plan = planOf({ projects: [{ number: '2000', name: 'K/S Ny', year_ends: 6 }] })
    expect(plan.rows).toMatchObject([
      {
        state: 'new',
        key: '2000',
        label: 'K/S Ny',
        changes: [{ what: 'Regnskabsår slutter', after: 'juni' }],
      },
    ])
    expect(plan.newProjects).toEqual([
      newValues(PROJECT_FIELDS, { number: '2000', name: 'K/S Ny', year_ends: 6 }),
    ])
  })

  it('a project’s row is changed if it differs, with the old and new values', () => {
    const plan = planOf({
      projects: [{ number: '1024', name: 'K/S Nord 2', status: 'sold', sold_on: '2024-06-30' }],
    })
    expect(plan.rows[0]).toMatchObject({
      state: 'changed',
      changes: [
        { what: 'Navn', before: 'K/S Nord', after: 'K/S Nord 2' },
        { what: 'Status', before: 'Aktiv', after: 'Solgt' },
        { what: 'Solgt den', before: '', after: '30/06/2024' },
      ],
    })
    expect(plan.changedProjects).toEqual([
      {
        id: 1,
        before: { name: 'K/S Nord', status: 'active', sold_on: null },
        after: { name: 'K/S Nord 2', status: 'sold', sold_on: '2024-06-30' },
      },
    ])
  })

  it('a project’s row is unchanged if it has the same values, or none', () => {
    expect(statesOf(planOf({ projects: [{ number: '1024' }] }))).toEqual(['unchanged'])
    expect(statesOf(planOf({ projects: [{ number: '1024', name: 'K/S Nord', year_ends: 12 }] }))).toEqual([
      'unchanged',
    ])
  })

  it.each([
    [{ number: '2000' }, 'Projekter, B2: Navnet skal udfyldes, for projektet er nyt.'],
    [
      { number: '2000', name: 'N', held_from: '2020-01-01', sold_on: '2019-01-01' },
      'Projekter, række 2: Projektet kan ikke være solgt, før det blev overtaget.',
    ],
  ])('a project’s row is wrong: %j', (row, text) =>
    expect(textsOf(planOf({ projects: [row] }))).toEqual([text]),
  )

  it('a project’s row is wrong if another row has its number and differs', () => {
    const row = { number: '2000', name: 'N' }
    expect(textsOf(planOf({ projects: [row, { ...row, name: 'M' }] }))).toEqual([
      'Projekter, A2: Nummeret 2000 står også i række 3.',
      'Projekter, A3: Nummeret 2000 står også i række 2.',
    ])
  })

  it('does not compare an accounting year that has changed', () => {
    const present = { people: [], projects: [{ ...NORD, later_ends: [6] }] }
    expect(statesOf(planOf({ projects: [{ number: '1024', year_ends: 6 }] }, present))).toEqual(['unchanged'])
    expect(statesOf(planOf({ projects: [{ number: '1024', year_ends: 12 }] }, present))).toEqual([
      'unchanged',
    ])
    expect(statesOf(planOf({ projects: [{ number: '1024', year_ends: 3 }] }, present))).toEqual(['wrong'])
  })
})

describe('a row of a person is', () => {
  it('a person’s row is new, with projects of the same sheet', () => {
    const plan = planOf({
      projects: [{ number: '2000', name: 'K/S Ny' }],
      people: [{ name: 'Ida', email: 'Ida@example.dk', numbers: ['3000'], projects: ['1024', '2000'] }],
    })
    expect(statesOf(plan)).toEqual(['new', 'new'])
    const ida = { name: 'Ida', email: 'Ida@example.dk', numbers: ['3000'] }
    expect(plan.newPeople).toEqual([newValues(USER_FIELDS, ida)])
    expect(plan.memberships).toEqual([
      { email: 'ida@example.dk', project: '1024' },
      { email: 'ida@example.dk', project: '2000' },
    ])
  })

  it('finds a person by e-mail in any case, or by number', () => {
    expect(statesOf(planned({ email: 'BO@example.dk', name: 'Bo Holm', role: 'investor' }))).toEqual([
      'unchanged',
    ])
    expect(statesOf(planned({ numbers: ['2001'] }))).toEqual(['unchanged'])
  })

  it('a person’s row is changed by another name, more numbers and more projects; nothing is removed', () => {
    const present = { ...PRESENT, projects: [NORD, { ...NORD, id: 2, number: '1042' }] }
    const plan = planOf(
      { people: [{ email: 'bo@example.dk', name: 'Bo H.', numbers: ['2009'], projects: ['1042'] }] },
      present,
    )
    expect(plan.rows[0]!.changes).toEqual([
      { what: 'Navn', before: 'Bo Holm', after: 'Bo H.' },
      { what: 'Investornr.', before: '2001', after: '2001, 2009' },
      { what: 'Projekter', before: '1024', after: '1024, 1042' },
    ])
    expect(plan.changedPeople).toEqual([
      { id: 7, before: { name: 'Bo Holm' }, after: { name: 'Bo H.' }, addedNumbers: ['2009'] },
    ])
    expect(plan.memberships).toEqual([{ email: 'bo@example.dk', project: '1042' }])
  })

  it('a person’s row can change the e-mail until they have signed in', () => {
    const plan = planned({ email: 'ny@example.dk', numbers: ['2002'], projects: ['1024'] })
    expect(plan.changedPeople).toEqual([
      { id: 8, before: { email: 'aase@example.dk' }, after: { email: 'ny@example.dk' }, addedNumbers: [] },
    ])
  })

  it.each([
    ['a new one without a name', { email: 'x@example.dk', numbers: ['1'] }, 'B2: Navnet skal udfyldes'],
    ['a new one without an e-mail', { name: 'X', numbers: ['1'] }, 'C2: E-mail skal udfyldes'],
    ['a new investor without a number', { name: 'X', email: 'x@example.dk' }, 'E2: En investor skal have'],
    [
      'an administrator',
      { name: 'X', email: 'x@example.dk', role: 'administrator' as const },
      'D2: En administrator kan ikke',
    ],
    [
      'another role',
      { email: 'bo@example.dk', role: 'auditor' as const },
      'D2: Bo Holm findes allerede som investor',
    ],
    [
      'another role of the office',
      { email: 'bo@example.dk', role: 'administrator' as const },
      'D2: Bo Holm findes',
    ],
    [
      'a number of somebody else',
      { email: 'bo@example.dk', numbers: ['2002'] },
      'E2: Nummeret 2002 bruges af Åse.',
    ],
    [
      'another e-mail of somebody who signs in',
      { email: 'ny@example.dk', numbers: ['2001'] },
      'C2: Nummeret tilhører Bo Holm, som logger ind med bo@example.dk',
    ],
    [
      'an unknown project',
      { email: 'bo@example.dk', projects: ['9', '1024'] },
      'F2: Der er intet projekt med nummeret 9.',
    ],
    [
      'projects of an employee',
      { email: 'kim@example.dk', projects: ['1024'] },
      'F2: En medarbejder ser alle projekter',
    ],
    [
      'projects of an adviser',
      { name: 'X', email: 'x@example.dk', role: 'adviser' as const, projects: ['1024'] },
      'F2: En rådgiver har ingen projekter',
    ],
    [
      'numbers of an adviser',
      { name: 'X', email: 'x@example.dk', role: 'adviser' as const, numbers: ['1'] },
      'E2: En rådgiver har ingen numre.',
    ],
  ])('a person’s row is wrong: %s', (_, row, text) => {
    const plan = planned(row)
    expect(textsOf(plan)).toEqual([expect.stringContaining(`Personer, ${text}`)])
    expect([plan.newPeople, plan.changedPeople, plan.memberships]).toEqual([[], [], []])
  })

  it('joins a person’s row with another one that has the same values', () => {
    const ida = { name: 'Ida', email: 'ida@example.dk', numbers: ['3'] }
    const { rows, newPeople } = planOf({ people: [ida, { ...ida, numbers: ['4'] }] })
    expect(newPeople).toMatchObject([{ email: 'ida@example.dk', numbers: ['3', '4'] }])
    expect(rows.map(({ state, notes }) => [state, notes])).toEqual([
      ['new', []],
      ['unchanged', ['Hører sammen med række 2.']],
    ])
    const wrong = planOf({ people: [ida, { ...ida, projects: ['9999'] }] })
    expect(wrong.rows.map(({ state }) => state)).toEqual(['wrong', 'wrong'])
    expect(wrong.newPeople).toEqual([])
  })

  it('a deactivated person’s row is wrong, unless nothing changes', () => {
    const present = { ...PRESENT, people: [{ ...BO, isDeactivated: true }] }
    const states = (row: Partial<PersonRow>) => statesOf(planOf({ people: [row] }, present))
    expect(states({ email: 'bo@example.dk', name: 'Bo Holm', projects: ['1024'] })).toEqual(['unchanged'])
    expect(states({ email: 'bo@example.dk', name: 'Bo' })).toEqual(['wrong'])
  })

  it('reports all wrong cells of a person’s row at once, each only once', () => {
    const row = {
      faults: [{ field: 'email' as const, text: 'Skriv en gyldig e-mailadresse.' }],
      projects: ['9'],
    }
    expect(textsOf(planned(row)).map((text) => text.split(':')[0])).toEqual([
      'Personer, C2',
      'Personer, B2',
      'Personer, E2',
      'Personer, F2',
    ])
  })
})
