import { expect, it } from 'vitest'
import { skippedText, sortOut, whyNotAdd, whyNotInvite, type Candidate } from './why-not.ts'

const PERSON: Candidate = {
  role: 'investor',
  isDeactivated: false,
  hasWayIn: false,
  isAsked: false,
  isMember: false,
}

it.each([
  ['an investor who never came', {}, null],
  ['an employee who never came', { role: 'employee' }, null],
  ['an adviser who never came', { role: 'adviser' }, null],
  ['an administrator', { role: 'administrator' }, 'administrator'],
  ['somebody with a login', { hasWayIn: true }, 'in'],
  ['an administrator with a login', { role: 'administrator', hasWayIn: true }, 'in'],
  ['somebody deactivated', { isDeactivated: true }, 'deactivated'],
  ['somebody deactivated with a login', { isDeactivated: true, hasWayIn: true }, 'deactivated'],
  ['somebody whose invitation waits', { isAsked: true }, 'asked'],
  ['a member', { isMember: true }, null],
] as const)('why %s is not invited', (_who, is, why) => {
  expect(whyNotInvite({ ...PERSON, ...is })).toBe(why)
})

it.each([
  ['an investor', {}, null],
  ['an auditor with a login', { role: 'auditor', hasWayIn: true }, null],
  ['somebody whose invitation waits', { isAsked: true }, null],
  ['an administrator', { role: 'administrator' }, 'no-member'],
  ['an employee', { role: 'employee' }, 'no-member'],
  ['an adviser', { role: 'adviser' }, 'no-member'],
  ['somebody deactivated', { isDeactivated: true }, 'deactivated'],
  ['a member', { isMember: true }, 'member'],
] as const)('why %s is not added to a project', (_who, is, why) => {
  expect(whyNotAdd({ ...PERSON, ...is })).toBe(why)
})

it.each([
  [[], ''],
  [['in'], '1 er sprunget over: 1 med login.'],
  [['in', 'deactivated', 'in'], '3 er sprunget over: 2 med login, 1 deaktiveret.'],
] as const)('says whom an act skips: %j', (whys, text) => {
  const { taken, skipped } = sortOut([null, ...whys], (why) => why)
  expect([taken, skippedText(skipped)]).toEqual([[null], text])
})
