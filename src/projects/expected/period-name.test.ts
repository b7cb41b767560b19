import { expect, it } from 'vitest'
import { periodName } from './period-name.ts'

const ends = (month: number, changes: { since: string; ends: number }[] = []) => ({
  ends: month,
  changes,
  heldFrom: null,
  soldOn: null,
})

it.each([
  [null, ends(12), ''],
  ['2025', null, '2025'],
  ['2025', ends(12), '2025'],
  ['2025', ends(6), '2024/25'],
  ['2025-Q1', ends(6), '1. kvartal 2024/25'],
  ['2025-Q4', ends(6), '4. kvartal 2024/25'],
  ['2025-H2', ends(12), '2. halvår 2025'],
  ['2024', ends(6, [{ since: '2025-07-01', ends: 12 }]), '2023/24'],
  ['2025-O', ends(6, [{ since: '2025-07-01', ends: 12 }]), 'Omlægning 2025'],
  ['2026', ends(6, [{ since: '2025-07-01', ends: 12 }]), '2026'],
])('the period %s of %j is %s', (key, years, name) => {
  expect(periodName(key, years)).toBe(name)
})
