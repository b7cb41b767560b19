import { describe, expect, it } from 'vitest'
import {
  findHeadings,
  headingKey,
  KIND_NAMES,
  PERSON_COLUMNS,
  PROJECT_COLUMNS,
  SHEET_KINDS,
  WRONG_HEADING,
} from './sheet-columns.ts'

const read = (cells: (string | null)[], name = '') => {
  const found = findHeadings(name, [{ row: 1, cells }])
  return found === null || found === 'both'
    ? found
    : { ...found, fields: Object.fromEntries([...found.fields].map(([at, field]) => [cells[at]!, field])) }
}

describe('headings', () => {
  it.each([
    ['CVR-nr.', 'cvrnr'],
    [' cvr  NR: ', 'cvr nr'],
    ['E-mail *', 'e-mail'],
    ['E – mail', 'e-mail'],
    ['Projekt-nr.', 'projektnr'],
    ['Regnskabsår\u00a0slutter', 'regnskabsår slutter'],
    ['A\u030arsafslutning', 'årsafslutning'],
  ])('compares the heading %j as %j', (text, key) => expect(headingKey(text)).toBe(key))

  it.each(SHEET_KINDS)('knows all headings of the sheet of %s that we offer for download', (kind) => {
    const columns = kind === 'projects' ? PROJECT_COLUMNS : PERSON_COLUMNS
    const given = columns.filter((column) => column.given)
    const found = read(
      given.map(({ heading }) => heading),
      KIND_NAMES[kind],
    )
    expect(found).toMatchObject({
      kind,
      fields: Object.fromEntries(given.map(({ heading, field }) => [heading, field])),
      unknown: [],
      doubled: [],
    })
  })

  it.each([
    ['projects in any order', ['Status', 'CVR', 'Nummer', 'Navn'], 'projects'],
    ['projects in capitals', ['PROJEKTNR', 'SELSKAB', 'REGNSKABSÅR'], 'projects'],
    ['people by their e-mail', ['navn', 'mail'], 'people'],
    ['people with a project each', ['Projekt', 'Investor', 'E-mail'], 'people'],
    ['people with two names', ['Fornavn', 'Efternavn', 'Email', 'Investornr.'], 'people'],
  ])('recognizes %s', (_, cells, kind) => expect(read(cells)).toMatchObject({ kind }))

  it('a column “Aktiv” does not tell people from projects', () =>
    expect(read(['Nr.', 'Navn', 'Aktiv'])).toBe('both'))

  it('knows the headings of an office that lists its investors by K/S', () => {
    expect(read(['Inv.nr.', 'Navn', 'Mail', 'K/S'])).toMatchObject({
      kind: 'people',
      fields: { 'Inv.nr.': 'numbers', 'K/S': 'projects' },
      unknown: [],
    })
    expect(read(['Inv. nr.', 'Navn', 'K/S-nr.', WRONG_HEADING])).toMatchObject({
      kind: 'people',
      fields: { 'Inv. nr.': 'numbers', 'K/S-nr.': 'projects' },
      unknown: [],
    })
  })

  it('the name of the sheet decides when headings fit both people and projects', () => {
    expect(read(['Nummer', 'Navn'])).toBe('both')
    expect(read(['Nummer', 'Navn'], 'Projekter')).toMatchObject({ kind: 'projects' })
    expect(read(['Nummer', 'Navn'], 'Vores investorer')).toMatchObject({ kind: 'people' })
  })

  it('finds headings below a title', () => {
    const rows = [
      { row: 1, cells: ['Projekter pr. 1. januar'] },
      { row: 3, cells: [null, 'Projektnr.', 'Navn'] },
      { row: 4, cells: [null, '1024', 'K/S Nord'] },
    ]
    expect(findHeadings('Ark1', rows)).toMatchObject({ kind: 'projects', row: 3 })
  })

  it('finds no headings in a sheet of something else', () => {
    expect(read(['Dato', 'Beløb'])).toBeNull()
    expect(findHeadings('Vejledning', [])).toBeNull()
  })

  it('names unknown and doubled columns', () => {
    expect(read(['Navn', 'E-mail', 'Yndlingsfarve', null, 'Mail'])).toMatchObject({
      kind: 'people',
      unknown: ['Yndlingsfarve'],
      doubled: [{ at: 4, heading: 'E-mail' }],
    })
  })

  it('each heading belongs to one field', () => {
    for (const columns of [PROJECT_COLUMNS, PERSON_COLUMNS]) {
      const keys = columns.flatMap(({ heading, synonyms }) => [heading, ...synonyms].map(headingKey))
      expect(keys).toEqual([...new Set(keys)])
    }
  })
})
