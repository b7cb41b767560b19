import { expect, it } from 'vitest'
import { promotionOf } from './promotion.ts'

it.each([
  ['investor', 'employee', true],
  ['investor', 'administrator', true],
  ['auditor', 'employee', true],
  ['employee', 'administrator', true],
  ['investor', 'auditor', false],
  ['auditor', 'investor', false],
  ['employee', 'employee', false],
  ['administrator', 'employee', false],
  ['administrator', 'investor', false],
] as const)('from %s to %s is a promotion: %s', (from, to, isOne) => {
  expect(promotionOf(from, to) !== null).toBe(isOne)
})
