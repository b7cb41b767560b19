import { expect, it } from 'vitest'
import { isDatabaseGone } from './database.ts'

const error = (fields: object, message = 'x') => Object.assign(new Error(message), fields)

it.each([
  ['a refused connection', error({ code: 'ECONNREFUSED', syscall: 'connect' })],
  ['a missing socket', error({ code: 'ENOENT', syscall: 'connect' })],
  ['an unknown host', error({ code: 'ENOTFOUND', syscall: 'getaddrinfo' })],
  ['several refused addresses', new AggregateError([error({ code: 'ECONNREFUSED', syscall: 'connect' })])],
  ['a server that is shutting down', error({ code: '57P01' })],
  ['a server that is starting', error({ code: '57P03' })],
  ['a lost connection', error({}, 'Connection terminated unexpectedly')],
  ['a server that does not answer', error({}, 'Query read timeout')],
])('%s means that the database is gone', (_what, gone) => {
  expect(isDatabaseGone(gone)).toBe(true)
})

it.each([
  ['a full disk', error({ code: 'ENOSPC', syscall: 'write' })],
  ['a missing file', error({ code: 'ENOENT', syscall: 'open' })],
  ['a broken rule', error({ code: '23505' })],
  ['a cancelled statement', error({ code: '57014' })],
  ['no error', 'text'],
])('%s does not mean that the database is gone', (_what, other) => {
  expect(isDatabaseGone(other)).toBe(false)
})
