import { describe, expect, it } from 'vitest'
import { editableText, meaningOf, readText, sentText, settleText, tidyText } from './cell-text.ts'
import type { CompanyColumn } from '../company/company.ts'

describe('S5.9 a cell of each type is read, shown, edited and sent', () => {
  it.each<[CompanyColumn, string, string | number | null | undefined, string, string, string]>([
    ['name', ' K/S  Æble ', 'K/S  Æble', 'K/S  Æble', ' K/S  Æble ', 'K/S  Æble'],
    ['cvr', '38 29 10 44', '38 29 10 44', '38 29 10 44', '38 29 10 44', '38 29 10 44'],
    ['cvr', '', null, '', '', ''],
    ['share', '12,5', 12.5, '12,5', '12,5', '12.5'],
    ['share', '12.5', 12.5, '12,5', '12,5', '12.5'],
    ['share', '33.3333', 33.3333, '33,3333', '33,3333', '33.3333'],
    ['share', '0.125', 0.125, '0,125', '0,125', '0.125'],
    ['share', '0,0001', 0.0001, '0,0001', '0,0001', '0.0001'],
    ['share', '12,34567', undefined, '12,34567', '12,34567', '12.34567'],
    ['share', '33,3330', 33.333, '33,333', '33,333', '33.333'],
    ['share', '100', 100, '100', '100', '100'],
    ['share', 'halvdelen', undefined, 'halvdelen', 'halvdelen', 'halvdelen'],
    ['year', '2025', 2025, '2025', '2025', '2025'],
    ['year', ' 2025 ', 2025, '2025', '2025', '2025'],
    ['year', '02025', undefined, '02025', '02025', '02025'],
    ['year', '2.025', undefined, '2.025', '2.025', '2.025'],
    ['year', '2024/25', undefined, '2024/25', '2024/25', '2024/25'],
    ['equity', '1234567', 1234567, '1.234.567', '1234567', '1234567'],
    ['equity', '-1.250.000', -1250000, '-1.250.000', '-1250000', '-1250000'],
    ['equity', '1.234.567,50', 1234568, '1.234.568', '1234568', '1234568'],
    ['equity', '1234.56', 1235, '1.235', '1235', '1235'],
    ['equity', ',5', 1, '1', '1', '1'],
    ['equity', '1,234.56', undefined, '1,234.56', '1,234.56', '1,234.56'],
    ['equity', '1,234', undefined, '1,234', '1,234', '1.234'],
    ['equity', '9'.repeat(20), undefined, '9'.repeat(20), '9'.repeat(20), '9'.repeat(20)],
    ['equity', '-2.000.000.000.000', undefined, '-2.000.000.000.000', '-2.000.000.000.000', '-2000000000000'],
    ['equity', '', null, '', '', ''],
    ['equity', '0', 0, '0', '0', '0'],
  ])('%s %j', (column, text, read, tidy, edited, sent) => {
    expect(readText(column, text)).toBe(read)
    expect(tidyText(column, text)).toBe(tidy)
    expect(editableText(column, text)).toBe(edited)
    expect(sentText(column, text)).toBe(sent)
  })
})

it.each<[CompanyColumn, string, string]>([
  ['cvr', 'DK 38 29 10 44', '38291044'],
  ['equity', '1.000', '1000'],
  ['share', '12,50', '12.5'],
])('two spellings of %s have the same meaning: %j', (column, text, meaning) => {
  expect(meaningOf(column, text)).toBe(meaning)
})

const NO_AMOUNT = 'Beløbet skal være et tal.'
const NO_YEAR = 'Regnskabsåret skal være et årstal mellem 1800 og 2199.'

describe('a cell after editing', () => {
  it.each<[CompanyColumn, string, ReturnType<typeof settleText>]>([
    ['debt', '-5', { note: 'Beløbet skal være mindst 0.', text: '0' }],
    ['debt', '0', { text: '0' }],
    ['debt', '-0,75', { note: 'Beløbet skal være mindst 0.', text: '0' }],
    ['equity', '-5', { text: '-5' }],
    ['year', '24', { fault: NO_YEAR, text: '24' }],
    ['year', '', { text: '' }],
    ['share', '-1', { fault: 'Ejerandelen skal være mellem 0 og 100 %.', text: '-1' }],
    ['name', '-1', { text: '-1' }],
  ])('S3.7 a cell respects its minimum: %s %j', (column, text, expected) => {
    expect(settleText(column, text)).toEqual(expected)
  })

  it.each<[CompanyColumn, string, ReturnType<typeof settleText>]>([
    [
      'contribution',
      '9'.repeat(20),
      { note: 'Beløbet må højst være 999.999.999.999.', text: '999.999.999.999' },
    ],
    ['debt', '1000000000000', { note: 'Beløbet må højst være 999.999.999.999.', text: '999.999.999.999' }],
    ['debt', '999999999999', { text: '999.999.999.999' }],
    [
      'equity',
      `-${'9'.repeat(20)}`,
      { note: 'Beløbet skal være mindst -999.999.999.999.', text: '-999.999.999.999' },
    ],
    ['equity', '1234,56', { note: 'Afrundet til hele kroner.', text: '1.235' }],
    ['equity', '12.5', { note: 'Afrundet til hele kroner.', text: '13' }],
    ['equity', '1234,00', { text: '1.234' }],
    ['contribution', '12.34.5', { fault: NO_AMOUNT, text: '12.34.5' }],
    ['contribution', '-', { fault: NO_AMOUNT, text: '-' }],
    ['contribution', ',', { fault: NO_AMOUNT, text: ',' }],
    ['contribution', '1,234', { fault: 'Beløbet skal være i hele kroner.', text: '1,234' }],
    ['share', '100,5', { fault: 'Ejerandelen skal være mellem 0 og 100 %.', text: '100,5' }],
    ['year', '02025', { fault: NO_YEAR, text: '02025' }],
    ['cvr', '1', { text: '1' }],
  ])('S5.9 a cell is clamped, or gets a fault if it is no number: %s %j', (column, text, expected) => {
    expect(settleText(column, text)).toEqual(expected)
  })

  it.each<[string, ReturnType<typeof settleText>]>([
    ['9'.repeat(20), { fault: 'Beløbet må højst være 999.999.999.999 kr.', text: '9'.repeat(20) }],
    ['-5', { fault: 'Beløbet må ikke være negativt.', text: '-5' }],
    ['500', { text: '500' }],
  ])('a pasted cell is never clamped: %j', (text, expected) => {
    expect(settleText('debt', text, true)).toEqual(expected)
  })
})
