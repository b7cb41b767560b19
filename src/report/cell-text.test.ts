import { describe, expect, it } from 'vitest'
import { editableText, meaningOf, outOfBounds, readText, sentText, tidyText } from './cell-text.ts'
import type { CompanyColumn } from './company.ts'

describe('S5.9 a cell of each type is read, shown, edited and sent', () => {
  it.each<[CompanyColumn, string, string | number | null | undefined, string, string, string]>([
    ['name', ' K/S  Æble ', 'K/S  Æble', 'K/S  Æble', ' K/S  Æble ', 'K/S  Æble'],
    ['cvr', '38 29 10 44', '38 29 10 44', '38 29 10 44', '38 29 10 44', '38 29 10 44'],
    ['cvr', '', null, '', '', ''],
    ['share', '12,5', 12.5, '12,5', '12,5', '12.5'],
    ['share', '12.5', 12.5, '12,5', '12,5', '12.5'],
    ['share', '0,0001', 0.0001, '0,0001', '0,0001', '0.0001'],
    ['share', '12,34567', undefined, '12,34567', '12,34567', '12.34567'],
    ['share', '33,3330', 33.333, '33,333', '33,333', '33.333'],
    ['share', '100', 100, '100', '100', '100'],
    ['share', 'halvdelen', undefined, 'halvdelen', 'halvdelen', 'halvdelen'],
    ['year', '2025', 2025, '2025', '2025', '2025'],
    ['year', ' 2025 ', 2025, '2025', '2025', '2025'],
    ['year', '2.025', undefined, '2.025', '2.025', '2.025'],
    ['year', '2024/25', undefined, '2024/25', '2024/25', '2024/25'],
    ['equity', '1234567', 1234567, '1.234.567', '1234567', '1234567'],
    ['equity', '-1.250.000', -1250000, '-1.250.000', '-1250000', '-1250000'],
    ['equity', '1.234.567,50', 1234568, '1.234.568', '1234568', '1234568'],
    ['equity', '1234.56', 1235, '1.235', '1235', '1235'],
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
])('two texts of %s that say the same mean the same: %j', (column, text, meaning) => {
  expect(meaningOf(column, text)).toBe(meaning)
})

describe('S3.7 the least value of a cell', () => {
  it.each<[CompanyColumn, string, ReturnType<typeof outOfBounds>]>([
    ['debt', '-5', { note: 'Beløbet skal være mindst 0.', text: '0' }],
    ['debt', '0', null],
    ['equity', '-5', null],
    ['equity', '1234,56', { note: 'Afrundet til hele kroner.', text: '1.235' }],
    ['debt', '-0,75', { note: 'Afrundet til hele kroner.', text: '0' }],
    ['equity', '1234,00', null],
    ['year', '24', { note: 'Regnskabsåret skal være mindst 1800.', text: '24' }],
    ['year', '', null],
    ['share', '-1', { note: 'Tallet skal være mindst 0.', text: '-1' }],
    ['name', '-1', null],
  ])('%s %j', (column, text, expected) => {
    expect(outOfBounds(column, text)).toEqual(expected)
  })
})
