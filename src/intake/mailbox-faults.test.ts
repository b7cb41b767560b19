import { expect, it } from 'vitest'
import { isWorthTelling, mailboxFault, pauseAfter } from './mailbox-faults.ts'

const error = (more: object) => Object.assign(new Error('x'), more)

it.each([
  [error({ authenticationFailed: true }), 'no-login'],
  [error({ mailboxMissing: true }), 'no-folder'],
  [error({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), 'insecure'],
  [error({ code: 'CERT_HAS_EXPIRED' }), 'insecure'],
  [error({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }), 'insecure'],
  [error({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }), 'insecure'],
  [error({ code: 'ECONNREFUSED' }), 'unreachable'],
  [error({ code: 'ENOTFOUND' }), 'unreachable'],
  [error({ code: 'CONNECT_TIMEOUT' }), 'unreachable'],
  [error({ code: 'NoConnection' }), 'unreachable'],
  [error({}), 'other'],
  ['x', 'other'],
])('classifies the fault %s', (thrown, fault) => expect(mailboxFault(thrown)).toBe(fault))

it('waits longer and longer, and longest for a refused password', () => {
  const minutes = (fault: 'unreachable' | 'no-login') =>
    [1, 2, 3, 4, 50].map((failures) => pauseAfter(failures, fault) / 60_000)
  expect(minutes('unreachable')).toEqual([1, 2, 4, 8, 30])
  expect(minutes('no-login')).toEqual([5, 10, 20, 30, 30])
})

it('reports a lasting fault at once, and others after some tries', () => {
  expect(isWorthTelling(1, 'no-login')).toBe(true)
  expect(isWorthTelling(2, 'unreachable')).toBe(false)
  expect(isWorthTelling(3, 'unreachable')).toBe(true)
})
