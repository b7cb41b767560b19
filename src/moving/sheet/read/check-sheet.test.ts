import { describe, expect, it } from 'vitest'
import { zip } from '../../../report/zip.server.ts'
import { readTables, type SheetTable } from '../../../server/reading/read-tables.ts'
import { checkSheet } from './check-sheet.server.ts'
import { MOST_ROWS } from './checked-sheet.ts'
import { givenSheet } from './given-sheet.ts'

const table = (rows: (string | null)[][], more: Partial<SheetTable> = {}): SheetTable => ({
  name: '',
  isHidden: false,
  rows: rows.map((cells, at) => ({ row: at + 1, cells })),
  rowsCount: rows.length,
  troubles: [],
  merged: [],
  ...more,
})

const PROJECTS = ['Projektnr.', 'Navn', 'CVR-nr.', 'Status', 'Regnskabsår', 'Overtaget', 'Solgt den']
const PEOPLE = ['Navn', 'E-mail', 'Rolle', 'Investornr.', 'Projekter']

const check = (...tables: SheetTable[]) => checkSheet(tables)
const faultsOf = async (cells: (string | null)[], heading = PEOPLE) => {
  const { projects, people } = await check(table([heading, cells]))
  return [...projects, ...people].flatMap(({ faults }) => faults)
}

describe('a sheet', () => {
  it('reads projects, and cleans them like their form', async () => {
    const { projects, faults, notes } = await check(
      table([
        PROJECTS,
        ['0102', ' K/S\u00a0 Nord\u200bhavn ', 'DK 38 29 10 41', 'solgt', '30/6', '2015-07-01', '01/02/2020'],
        ['1024', null, null, null],
      ]),
    )
    expect({ faults, notes }).toEqual({ faults: [], notes: [] })
    expect(projects).toEqual([
      {
        row: 2,
        number: '0102',
        name: 'K/S Nordhavn',
        cvr: '38291041',
        status: 'sold',
        year_ends: 6,
        held_from: '2015-07-01',
        sold_on: '2020-02-01',
        faults: [],
      },
      { row: 3, number: '1024', faults: [] },
    ])
  })

  it('reads people, also with two columns for the name', async () => {
    const { people } = await check(
      table([
        ['Efternavn', 'Fornavn', 'Mail', 'Nr.', 'Projekt', 'Type'],
        ['Holm', ' Bo', 'Bo@example.dk ', '2001;2002', '1024\n1042', 'Investor'],
        [null, 'Åse', 'aase@example.dk'],
      ]),
    )
    expect(people).toEqual([
      {
        row: 2,
        name: 'Bo Holm',
        email: 'Bo@example.dk',
        role: 'investor',
        numbers: ['2001', '2002'],
        projects: ['1024', '1042'],
        faults: [],
      },
      { row: 3, name: 'Åse', email: 'aase@example.dk', numbers: [], projects: [], faults: [] },
    ])
  })

  it('reads the sheet that we offer for download, without its examples', async () => {
    const bytes = await zip(givenSheet('Kontoret'))
    const checked = await checkSheet(await readTables(bytes, 100))
    expect(checked).toMatchObject({
      tables: { projects: { name: 'Projekter' }, people: { name: 'Personer' } },
      projects: [],
      people: [],
      faults: ['Der er ingen rækker under overskrifterne.'],
      notes: [
        'Projekter: Rækken med eksemplet er sprunget over.',
        'Personer: Rækken med eksemplet er sprunget over.',
      ],
    })
  })

  it.each([
    ['email', ['Bo', 'bo', 'Investor', '1']],
    ['role', ['Bo', 'bo@example.dk', 'Konge', '1']],
    ['numbers', ['Bo', 'bo@example.dk', null, '(1)']],
    ['numbers', ['Bo', 'bo@example.dk', null, 'x'.repeat(51)]],
    ['numbers', ['Bo', 'bo@example.dk', null, Array.from({ length: 21 }, (_, at) => at).join()]],
    ['name', ['x'.repeat(201), 'bo@example.dk', null, '1']],
    ['name', ['B\ufffd', 'bo@example.dk', null, '1']],
    ['projects', ['Bo', 'b@x.dk', null, '1', Array.from({ length: 501 }, (_, at) => at).join()]],
  ])('reports a fault at %s', async (field, cells) =>
    expect(await faultsOf(cells)).toEqual([{ field, text: expect.any(String) as string }]),
  )

  it.each([
    ['number', [null, 'K/S Nord']],
    ['number', ['10/24', 'K/S Nord']],
    ['cvr', ['1024', 'K/S Nord', '12345678']],
    ['status', ['1024', 'K/S Nord', null, 'måske']],
    ['year_ends', ['1024', 'K/S Nord', null, null, '15/12']],
    ['held_from', ['1024', 'K/S Nord', null, null, null, '31/02/2020']],
    ['sold_on', ['1024', 'K/S Nord', null, null, null, null, 'snart']],
  ])('reports a fault of a project at %s', async (field, cells) =>
    expect(await faultsOf(cells, PROJECTS)).toEqual([{ field, text: expect.any(String) as string }]),
  )

  it('refuses people marked as inactive by an export of another Ringbind', async () => {
    const faultsAt = (active: string | null) =>
      faultsOf(['Bo', 'bo@example.dk', null, '1', null, active], [...PEOPLE, 'Aktiv'])
    expect(await faultsAt('nej')).toEqual([
      { field: 'active', text: expect.stringContaining('ikke aktiv') as string },
    ])
    for (const active of ['ja', 'x', null]) expect(await faultsAt(active)).toEqual([])
  })

  it('reports all faults of a row at once', async () => {
    const faults = await faultsOf(['x'.repeat(300), 'bo', 'Konge', '()'])
    expect(faults.map(({ field }) => field)).toEqual(['name', 'email', 'role', 'numbers'])
  })

  it('reports errors of Excel at their cells', async () => {
    const { people } = await check(
      table([PEOPLE, ['Bo', null, null, '1']], {
        troubles: [
          { trouble: 'formula', row: 2, at: 1 },
          { trouble: 'error', row: 2, at: 9 },
        ],
      }),
    )
    expect(people[0]!.faults).toEqual([
      { field: 'email', text: expect.stringContaining('Formlen') as string },
    ])
  })

  it('reports merged cells among the rows, but not above them', async () => {
    const merged = ['A1:D1', 'B4:B5', 'H4:H9']
    const { faults } = await check(
      table([['Vores investorer'], [null], PEOPLE, ['Bo', 'bo@example.dk', null, '1']], { merged }),
    )
    expect(faults).toEqual([expect.stringContaining('Personer, B4:B5: Cellerne er flettet')])
  })

  it('reports doubled and unknown columns, hidden sheets and other sheets', async () => {
    const checked = await check(
      table(
        [
          [...PEOPLE, 'Yndlingsfarve', 'Email'],
          ['Bo', 'bo@example.dk', null, '1'],
        ],
        { name: 'Folk' },
      ),
      table(
        [
          ['Dato', 'Beløb'],
          ['1', '2'],
        ],
        { name: 'Regnskab' },
      ),
      table([PROJECTS, ['1', 'K/S']], { name: 'Gamle', isHidden: true }),
    )
    expect(checked.faults).toEqual(['Folk, G1: Kolonnen E-mail er der to gange.'])
    expect(checked.notes).toEqual([
      'Folk: Ringbind bruger ikke kolonnen Yndlingsfarve.',
      'Arket Regnskab har ingen kolonner, som Ringbind kender, og er sprunget over.',
      'Arket Gamle er skjult, og er sprunget over.',
    ])
    expect(checked.projects).toEqual([])
  })

  it.each([
    ['nothing known', [table([['Dato', 'Beløb']])], 'ingen kolonner, som Ringbind kender'],
    ['nothing at all', [], 'ingen kolonner'],
    ['both kinds', [table([['Nummer', 'Navn']])], 'projekter eller personer'],
    ['no rows', [table([PEOPLE])], 'ingen rækker'],
    [
      'two sheets of people',
      [table([PEOPLE, ['Bo']], { name: 'A' }), table([PEOPLE, ['Bo']], { name: 'B' })],
      'Både A og B har personer',
    ],
    [
      'too many rows',
      [table([PEOPLE, ['Bo']], { rowsCount: 100_001 })],
      'Personer har 100.000 rækker. Der kan højst være 25.000',
    ],
  ])('refuses a sheet with %s', async (_, tables, text) => {
    const { faults } = await check(...tables)
    expect(faults).toEqual([expect.stringContaining(text)])
  })

  it(`accepts ${MOST_ROWS} rows`, async () => {
    const rows = Array.from({ length: MOST_ROWS }, (_, at) => ['Bo', `bo${at}@example.dk`, null, String(at)])
    const { people, faults } = await check(table([PEOPLE, ...rows]))
    expect(people).toHaveLength(MOST_ROWS)
    expect(faults).toEqual([])
  })
})
