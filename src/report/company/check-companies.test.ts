import { describe, expect, it } from 'vitest'
import { processorMs } from '../../../test/load/processor-ms.ts'
import { checkReport, readCell, type SentReport } from './check-companies.ts'
import { COLUMNS, type CompanyColumn } from './company.ts'

const TOO_MUCH = 'Beløbet må højst være 999.999.999.999 kr.'
const TOO_LITTLE = 'Beløbet må mindst være -999.999.999.999 kr.'
const NO_NUMBER = 'Beløbet skal være et tal.'
const NO_KRONER = 'Beløbet skal være i hele kroner.'
const NEGATIVE = 'Beløbet må ikke være negativt.'
const NO_SHARE = 'Ejerandelen skal være et tal.'
const OTHER_SHARE = 'Ejerandelen skal være mellem 0 og 100 %.'
const NO_YEAR = 'Regnskabsåret skal være et årstal mellem 1800 og 2199.'
const NO_CVR = 'CVR-nummeret er ikke gyldigt. Kontroller de otte cifre.'

describe('a cell', () => {
  it.each<[CompanyColumn, unknown, string | number | null]>([
    ['name', '  K/S\u00a0 Æble\tø ', 'K/S Æble ø'],
    ['name', 'A\u030Angstro\u0308m\u200b', 'Ångström'],
    ['name', '=HYPERLINK("x")', '=HYPERLINK("x")'],
    ['name', 'å'.repeat(200), 'å'.repeat(200)],
    ['cvr', '38291041', '38291041'],
    ['cvr', ' dK 38 29 10 41 ', '38291041'],
    ['cvr', '', null],
    ['cvr', ' DK ', null],
    ['share', '12.5', 12.5],
    ['share', 12.5, 12.5],
    ['share', '0', 0],
    ['share', '-0', 0],
    ['share', '100', 100],
    ['share', '100.0000', 100],
    ['share', '33.3333', 33.3333],
    ['share', '12.500000', 12.5],
    ['share', 0.0001, 0.0001],
    ['share', '', null],
    ['share', null, null],
    ['year', '1800', 1800],
    ['year', 2199, 2199],
    ['year', ' ', null],
    ['contribution', '0', 0],
    ['contribution', '-0', 0],
    ['contribution', ' 12 ', 12],
    ['contribution', '0012', 12],
    ['contribution', 1e5, 100_000],
    ['contribution', '', null],
    ['liability', '999999999999', 999_999_999_999],
    ['equity', '-1250000', -1_250_000],
    ['equity', '-999999999999', -999_999_999_999],
    ['debt', '5', 5],
    ['result', -1, -1],
  ])('S3.5 reads a cell %s %j as %j', (column, sent, value) => {
    expect(readCell(column, sent)).toEqual({ value })
  })

  it.each<[CompanyColumn, unknown, string]>([
    ['name', '', 'Navnet skal udfyldes.'],
    ['name', ' \u200b\n', 'Navnet skal udfyldes.'],
    ['name', 'å'.repeat(201), 'Navnet må højst være på 200 tegn.'],
    ['name', 12, 'Navnet skal være en tekst.'],
    ['name', ['a', 'b'], 'Navnet skal være en tekst.'],
    ['name', { a: 1 }, 'Navnet skal være en tekst.'],
    ['cvr', '38291042', NO_CVR],
    ['cvr', '00000000', NO_CVR],
    ['cvr', '3829104', NO_CVR],
    ['cvr', '382910411', NO_CVR],
    ['cvr', '３８２９１０４１', NO_CVR],
    ['cvr', 'SE38291041', NO_CVR],
    ['cvr', 38_291_041, 'CVR-nummeret skal være en tekst.'],
    ['share', '100.0001', OTHER_SHARE],
    ['share', '-0.0001', OTHER_SHARE],
    ['share', 1e21, OTHER_SHARE],
    ['share', '12.34567', 'Ejerandelen må højst have fire decimaler.'],
    ['share', 1e-7, 'Ejerandelen må højst have fire decimaler.'],
    ['share', '12,5', NO_SHARE],
    ['share', '12.5 %', NO_SHARE],
    ['share', '.5', NO_SHARE],
    ['share', '5.', NO_SHARE],
    ['share', '1e1', NO_SHARE],
    ['share', 'NaN', NO_SHARE],
    ['share', NaN, NO_SHARE],
    ['year', '1799', NO_YEAR],
    ['year', '2200', NO_YEAR],
    ['year', '02025', NO_YEAR],
    ['year', '2025.0', NO_YEAR],
    ['year', '2025.5', NO_YEAR],
    ['year', '2024/25', NO_YEAR],
    ['year', '-2025', NO_YEAR],
    ['year', '0x7e9', NO_YEAR],
    ['contribution', '-1', NEGATIVE],
    ['liability', '-1', NEGATIVE],
    ['debt', -1, NEGATIVE],
    ['contribution', '1000000000000', TOO_MUCH],
    ['contribution', '1' + '0'.repeat(20), TOO_MUCH],
    ['contribution', 1e20, TOO_MUCH],
    ['contribution', 1e21, TOO_MUCH],
    ['contribution', '9'.repeat(400), TOO_MUCH],
    ['equity', '-1000000000000', TOO_LITTLE],
    ['contribution', '1.250', NO_KRONER], // 1,250 to a Dane, 1.25 to us: neither is stored
    ['contribution', '12.0', NO_KRONER],
    ['contribution', 0.5, NO_KRONER],
    ['contribution', '1.250.000', NO_NUMBER],
    ['contribution', '1,250', NO_NUMBER],
    ['contribution', '1 250', NO_NUMBER],
    ['contribution', '+5', NO_NUMBER],
    ['contribution', '--5', NO_NUMBER],
    ['contribution', '\u22125', NO_NUMBER],
    ['contribution', '1e5', NO_NUMBER],
    ['contribution', 'NaN', NO_NUMBER],
    ['contribution', 'Infinity', NO_NUMBER],
    ['contribution', Infinity, NO_NUMBER],
    ['contribution', '0x10', NO_NUMBER],
    ['contribution', '١٢', NO_NUMBER],
    ['contribution', true, NO_NUMBER],
    ['contribution', ['12'], NO_NUMBER],
    ['contribution', { 0: '12' }, NO_NUMBER],
  ])('refuses a cell %s %j: %s', (column, sent, fault) => {
    expect(readCell(column, sent)).toEqual({ fault })
  })
})

/** Runs the check to its end, without pauses. */
function check(body: Record<string, unknown>): SentReport {
  const work = checkReport({ version: '3', ...body })
  let step = work.next()
  while (!step.done) step = work.next()
  return step.value
}

describe('a form', () => {
  it('a form’s rows are in the order of their indexes', () => {
    const { rows, faults } = check({
      rows: '3',
      companies: {
        10: { name: 'c' },
        2: { name: 'b', id: '7', locked: '0' },
        0: { name: 'a', locked: true },
      },
    })
    expect(faults).toEqual({})
    expect(rows).toEqual([
      { index: '0', id: null, locked: true, values: { name: 'a' } },
      { index: '2', id: 7, locked: false, values: { name: 'b' } },
      { index: '10', id: null, locked: undefined, values: { name: 'c' } },
    ])
    expect(check({ companies: [{ name: 'x' }, { name: 'y' }] }).rows.map(({ index }) => index)).toEqual([
      '0',
      '1',
    ])
  })

  it('S3.8 reports all faults of all rows of a form at once', () => {
    const { faults } = check({
      companies: {
        0: { name: '', cvr: '1', share: '101', year: 'x', contribution: '-1', id: 'x', locked: 'ja' },
        3: { name: 'K/S Å', user_id: '5', result: '1e5' },
        4: 'K/S B',
        5: {},
        6: { id: '5' }, // columns not sent stay unchanged
      },
    })
    expect(faults).toEqual({
      'companies.0.name': ['Navnet skal udfyldes.'],
      'companies.0.cvr': [NO_CVR],
      'companies.0.share': [OTHER_SHARE],
      'companies.0.year': [NO_YEAR],
      'companies.0.contribution': [NEGATIVE],
      'companies.0.id': ['Rækkens id kan ikke læses.'],
      'companies.0.locked': ['Feltet skal være slået til eller fra.'],
      'companies.3.user_id': ['Kolonnen findes ikke.'],
      'companies.3.result': [NO_NUMBER],
      'companies.4.name': ['Rækken kan ikke læses.'],
      'companies.5.name': ['Navnet skal udfyldes.'],
    })
  })

  it.each([undefined, '', 'x', '-1', '1.5', '1e3', ['1'], true, null])(
    'a form with version %j has no version',
    (version) => {
      const sent = check({ version, companies: [{ name: 'a' }] })
      expect([Object.keys(sent.faults), sent.version]).toEqual([['version'], NaN])
    },
  )

  const CUT_OFF = { rows: ['Rapporten kom ikke helt frem. Genindlæs siden, og prøv igen.'] }
  it.each<[what: string, Record<string, unknown>, Record<string, string[]>]>([
    ['says that it has none', { rows: '0' }, {}],
    ['says so in JSON', { rows: 0, companies: [] }, {}],
    ['does not say so', {}, CUT_OFF],
    ['says that it has rows', { rows: '2' }, CUT_OFF],
    ['has an unreadable count', { rows: 'x', companies: {} }, CUT_OFF],
  ])('reads a form without rows that %s', (_what, body, faults) => {
    expect(check(body)).toEqual({ version: 3, rows: [], faults })
  })

  it('a truncated form is detected by its number of rows', () => {
    expect(check({ rows: 2, companies: [{ name: 'a' }] }).faults).toEqual(CUT_OFF)
    expect(check({ rows: 1, companies: [{ name: 'a' }] }).faults).toEqual({})
  })

  it.each(['x', '01', '-1', '1.5', '1e3', ' 1', '9999999999'])(
    'refuses a form with the index %j',
    (index) => {
      expect(check({ companies: { [index]: { name: 'a' } } }).faults).toEqual({
        companies: ['Rækkerne kan ikke læses.'],
      })
    },
  )

  it('a form of 1,000 faulty rows is answered fast', () => {
    const row = Object.fromEntries(COLUMNS.map(({ name }) => [name, name === 'name' ? '' : 'x'.repeat(100)]))
    const made = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x${index}`, '1']))
    const companies = Array.from({ length: 1000 }, () => ({ ...row, ...made }))
    expect(processorMs(() => check({ companies }))).toBeLessThan(1000)
    expect(Object.keys(check({ companies }).faults)).toHaveLength(1000 * (9 + 20))
  })
})
