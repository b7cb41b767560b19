import { describe, expect, it } from 'vitest'
import { filterMoney, formatMoney, parseMoney, settleMoney, type MoneyRules } from './money.ts'

describe('parseMoney', () => {
  it.each([
    ['1234567', {}, '1.234.567'],
    ['1.234.567', {}, '1.234.567'],
    ['1234,56', {}, '1.235'],
    ['1234,49', {}, '1.234'],
    ['1.234,5', {}, '1.235'],
    [' 12 500 ', {}, '12.500'],
    ['12\u00a0500', {}, '12.500'],
    ['-5', {}, '-5'],
    ['\u22125', {}, '-5'],
    ['-5', { min: 0 }, '0'],
    ['7', { max: 5 }, '5'],
    ['0', {}, '0'],
    ['-0', {}, '0'],
    ['007', {}, '7'],
    ['12,', {}, '12'],
    ['99999999999999999999', {}, '9.007.199.254.740.991'],
    ['-99999999999999999999', {}, '-9.007.199.254.740.991'],
    ['1234,5', { decimals: 2 }, '1.234,50'],
    ['1,05', { decimals: 1 }, '1,1'],
    ['12.5', {}, '13'],
    ['12.5', { decimals: 2 }, '12,50'],
    ['1.23', { decimals: 2 }, '1,23'],
    ['-.5', { decimals: 2 }, '-0,50'],
    [',5', {}, '1'],
    [',5', { decimals: 2 }, '0,50'],
    ['33.3333', { decimals: 4 }, '33,3333'],
    ['0.125', { decimals: 4 }, '0,1250'],
    ['0,1', { decimals: 4 }, '0,1000'],
  ])('S5.9 %j with %j is %s', (text, rules: MoneyRules, shown) => {
    expect(formatMoney(parseMoney(text, rules)!, { decimals: rules.decimals ?? 0 })).toBe(shown)
  })

  it.each([
    '1,234,567.89',
    '1,234.56',
    'abc',
    '',
    ' ',
    '1,2,3',
    '12.34.5',
    '12.34.567',
    '1.2345',
    '1234.567',
    '1,234',
    '0.125',
    '-',
    ',',
    '.',
    '1.',
    '9'.repeat(1000),
    '1 2',
    '12 50',
    '--5',
    '5-',
    '1e5',
    '0x10',
    'kr. 5',
    '5 kr.',
    '1.234 567',
  ])('S5.9 refuses %j', (text) => {
    expect(parseMoney(text, { decimals: 2 })).toBeNull()
  })
})

describe('filterMoney', () => {
  it.each([
    ['12a3', '123'],
    ['1,2,3', '1,23'],
    ['1234,56', '1234,56'],
    ['-5', '-5'],
    ['\u22125', '\u22125'],
    ['5-', '5'],
    ['3-5', '35'],
    ['--5', '-5'],
    ['1.234', '1.234'],
    ['1,234567.89', '1,234567.89'],
    ['kr 12 500', '12500'],
    ['abc', ''],
  ])('S5.9 keeps of the typed text %j only %j', (text, kept) => {
    expect(filterMoney(text)).toBe(kept)
  })
})

/** Types a text key by key, as in a field: a key that the filter would drop changes nothing. */
const typed = (text: string) =>
  Array.from(text).reduce(
    (before, key) => (filterMoney(before + key) === before + key ? before + key : before),
    '',
  )

describe('an amount typed key by key', () => {
  it.each([
    ['1234567', {}, '1.234.567'],
    ['1.234.567', {}, '1.234.567'],
    ['1234,56', {}, '1.235'],
    ['1.234,5', {}, '1.235'],
    [' 12 500 ', {}, '12.500'],
    ['1,234,567.89', {}, null],
    ['abc', {}, null],
    ['-5', {}, '-5'],
    ['-5', { min: 0 }, '0'],
    ['99999999999999999999', {}, '9.007.199.254.740.991'],
    ['1234,5', { decimals: 2 }, '1.234,50'],
    ['1,2,3', { decimals: 2 }, '1,23'],
  ])('S5.9 %j with %j, typed key by key, is %j', (keys, rules: MoneyRules, shown) => {
    const value = parseMoney(typed(keys), rules)
    expect(value === null ? null : formatMoney(value, rules)).toBe(shown)
  })
})

describe('settleMoney', () => {
  it.each([
    ['', {}, { value: null, note: '' }],
    ['1234', {}, { value: 1234, note: '' }],
    ['-5', { min: 0 }, { value: 0, note: 'Beløbet skal være mindst 0.' }],
    ['7,5', { max: 5, decimals: 2 }, { value: 5, note: 'Beløbet må højst være 5,00.' }],
    ['9'.repeat(20), {}, { value: 2 ** 53 - 1, note: 'Beløbet må højst være 9.007.199.254.740.991.' }],
    [
      `-${'9'.repeat(20)}`,
      {},
      { value: 1 - 2 ** 53, note: 'Beløbet skal være mindst -9.007.199.254.740.991.' },
    ],
    ['1234,56', {}, { value: 1235, note: 'Afrundet til hele kroner.' }],
    ['1,25', { decimals: 1 }, { value: 1.3, note: 'Afrundet til én decimal.' }],
    ['1234,00', {}, { value: 1234, note: '' }],
    ['1234.5', { decimals: 2 }, { value: 1234.5, note: '' }],
    ['12.34.5', {}, null],
    ['-', {}, null],
    [',', {}, null],
  ])('S5.9 %j with %j becomes %j', (text, rules: MoneyRules, settled) => {
    expect(settleMoney(text, rules)).toEqual(settled)
  })
})

describe('formatMoney', () => {
  it.each([
    [1234567, {}, '1.234.567'],
    [1234567, { grouping: false }, '1234567'],
    [-1250000, {}, '-1.250.000'],
    [1234.5, { decimals: 2 }, '1.234,50'],
    [1250, { symbol: true }, '1.250\u00a0kr.'],
    [1250, { symbol: true, currency: 'EUR' }, '1.250\u00a0€'],
  ])('S9.5 %d with %j is %j', (value, look, text) => {
    expect(formatMoney(value, look)).toBe(text)
  })
})
