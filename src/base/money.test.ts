import { describe, expect, it } from 'vitest'
import { filterMoney, formatMoney, parseMoney, type MoneyRules } from './money.ts'

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
    ['1,005', { decimals: 2 }, '1,01'],
    ['0,1', { decimals: 4 }, '0,1000'],
  ])('%j with %j is %s', (text, rules: MoneyRules, shown) => {
    expect(formatMoney(parseMoney(text, rules)!, { decimals: rules.decimals ?? 0 })).toBe(shown)
  })

  it.each([
    '1,234,567.89',
    '1,234.56',
    'abc',
    '',
    ' ',
    '1,2,3',
    '1.23',
    '12.34.567',
    '1.2345',
    '1 2',
    '12 50',
    '--5',
    '5-',
    '1e5',
    '0x10',
    'kr. 5',
    '5 kr.',
    ',5',
    '1.234 567',
  ])('refuses %j', (text) => {
    expect(parseMoney(text, { decimals: 2 })).toBeNull()
  })
})

describe('filterMoney', () => {
  it.each([
    ['12a3', {}, '123'],
    ['1,2,3', { decimals: 2 }, '1,23'],
    ['1,2', {}, '1'],
    ['-5', {}, '-5'],
    ['-5', { min: 0 }, '5'],
    ['5-', {}, '5'],
    ['1.234', {}, '1.234'],
    ['1,2.3', { decimals: 2 }, '1,23'],
    ['kr 12 500', {}, '12500'],
  ])('keeps of %j with %j only %j', (text, rules, kept) => {
    expect(filterMoney(text, rules)).toBe(kept)
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
