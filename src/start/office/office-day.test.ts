import { describe, expect, it } from 'vitest'
import { countText, daysText, mergeDue, monthsAround, type Due } from './office-day.ts'

const due = (day: string, more: Partial<Due> = {}): Due => ({
  kind: 'paper',
  title: `Årsrapport ${day}`,
  project: { id: 1, number: '1024', name: 'K/S Nordhavn' },
  folder: 7,
  period: day.slice(0, 4),
  due_on: day,
  responsible: null,
  ...more,
})

it.each([
  ['2026-11-16', '1 dag'],
  ['2026-10-17', '31 dage'],
  ['2026-11-17', 'I dag'],
  ['2026-11-18', 'I morgen'],
  ['2026-12-24', 'Om 37 dage'],
  ['2027-03-29', 'Om 132 dage'],
])('%s is %s', (day, text) => {
  expect(daysText(day, '2026-11-17')).toBe(text)
})

it.each([
  [0, '0'],
  [500, '500'],
  [501, 'mere end 500'],
])('%i is counted as %s', (count, text) => {
  expect(countText(count)).toBe(text)
})

describe('duties and papers', () => {
  const days = (rows: Due[]) => rows.map(({ kind, due_on: day }) => `${kind} ${day}`)

  it('duties and papers are one list by their days', () => {
    const [duties, papers] = [
      [due('2026-12-01', { kind: 'duty', folder: null }), due('2027-01-01', { kind: 'duty', folder: null })],
      [due('2026-12-24'), due('2026-11-18')],
    ]
    expect(days(mergeDue(duties, papers, 'first', 3))).toEqual([
      'paper 2026-11-18',
      'duty 2026-12-01',
      'paper 2026-12-24',
    ])
    expect(days(mergeDue(duties, papers, 'last', 2))).toEqual(['duty 2027-01-01', 'paper 2026-12-24'])
  })

  it('a paper that fulfils a duty is not listed twice', () => {
    const duty = due('2026-06-30', { kind: 'duty', folder: 7, period: '2025' })
    const [same, other] = [due('2026-06-30', { period: '2025' }), due('2026-06-30', { period: '2024' })]
    expect(days(mergeDue([duty], [same, other], 'first', 9))).toEqual(['duty 2026-06-30', 'paper 2026-06-30'])
  })
})

it('lists twelve months around a day, across New Year and including empty ones', () => {
  const months = monthsAround('2026-11-30', [
    { month: '2026-11', count: 3 },
    { month: '2027-02', count: 1 },
    { month: '2020-01', count: 9 },
  ])
  expect(months.map(({ month }) => month)).toEqual([
    '2026-06',
    '2026-07',
    '2026-08',
    '2026-09',
    '2026-10',
    '2026-11',
    '2026-12',
    '2027-01',
    '2027-02',
    '2027-03',
    '2027-04',
    '2027-05',
  ])
  expect(months.map(({ count }) => count)).toEqual([0, 0, 0, 0, 0, 3, 0, 0, 1, 0, 0, 0])
})
