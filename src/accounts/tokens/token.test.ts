import { describe, expect, it } from 'vitest'
import { bearerOf } from '../../server/http/program.ts'
import { endOf, stateOf, type Token } from './token.ts'
import { WrongTokens } from './wrong-tokens.ts'

const NOW = new Date('2026-11-17T12:00:00Z')
const TOKEN: Token = {
  id: 1,
  name: 'Scanner',
  prefix: 'rb_Ab3d',
  scopes: ['upload'],
  device: '',
  created_at: '2026-11-01T12:00:00Z',
  expires_at: '2027-01-30T12:00:00Z',
  used_at: null,
  revoked_at: null,
}

it.each<[string, Partial<Token>]>([
  ['active', {}],
  ['active', { expires_at: '2026-11-17T12:00:00.001Z' }],
  ['expired', { expires_at: '2026-11-17T12:00:00Z' }],
  ['revoked', { revoked_at: '2026-11-17T11:00:00Z' }],
  ['revoked', { revoked_at: '2026-11-17T11:00:00Z', expires_at: '2026-11-16T12:00:00Z' }],
])('a key is %s with %j', (state, fields) => {
  expect(stateOf({ ...TOKEN, ...fields }, NOW)).toBe(state)
})

it.each([
  ['2026-11-17T12:00:01Z', 'Udløber inden for et døgn', true],
  ['2026-11-18T11:59:59Z', 'Udløber inden for et døgn', true],
  ['2026-11-18T12:00:00Z', 'Udløber om 1 dag', true],
  ['2026-11-22T18:00:00Z', 'Udløber om 5 dage', true],
  ['2026-12-01T12:00:00Z', 'Udløber om 14 dage', true],
  ['2026-12-01T12:00:01Z', 'Udløber om 14 dage', false],
  ['2027-11-17T12:00:00Z', 'Udløber om 365 dage', false],
])('the end of a key that works until %s is written as %s', (expires, text, isSoon) => {
  expect(endOf({ ...TOKEN, expires_at: expires }, NOW)).toEqual({ text, isSoon })
})

it.each([
  [undefined, null],
  ['', null],
  ['Basic eDp5', null],
  ['Bearers x', null],
  ['Bearer', ''],
  ['Bearer ', ''],
  ['Bearer rb_x', 'rb_x'],
  [' bEARER   rb_x  ', 'rb_x'],
  ['Bearer rb_x rb_y', 'rb_x'],
])('reads the header %j as the secret %j', (authorization, secret) => {
  expect(bearerOf({ headers: authorization === undefined ? {} : { authorization } })).toBe(secret)
})

describe('wrong keys', () => {
  it('throttles the thirty-first wrong key in a minute, until the minute is over', () => {
    const wrong = new WrongTokens()
    const answers = Array.from({ length: 32 }, (_, index) => wrong.count('192.0.2.1', 1000 + index * 1000))
    expect(answers).toEqual([...Array.from({ length: 30 }, () => 0), 30, 29])
    expect(wrong.count('192.0.2.1', 60_999)).toBe(1)
    expect(wrong.count('192.0.2.1', 61_000)).toBe(0)
  })

  it('counts wrong keys by network, and remembers a limited number of networks', () => {
    const wrong = new WrongTokens()
    for (let count = 0; count < 40; count++) wrong.count('192.0.2.1', 0)
    expect(wrong.count('192.0.2.2', 0)).toBe(0)
    for (let network = 0; network < 5000; network++) wrong.count(`network ${network}`, 0)
    expect(wrong.count('192.0.2.1', 1)).toBe(60)
    expect(wrong.count('192.0.2.1', 60_000)).toBe(0)
  })
})
