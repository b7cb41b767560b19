import { Secret, TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { appAddress, secretFor, secretText, stepOf } from './code-app.server.ts'
import { cleanRecoveryCode, shownRecoveryCode } from './recovery-code.ts'
import { relyingPartyOf } from './relying-party.ts'

const SECRET = secretFor(Buffer.alloc(32, 1), 7, 'session', 0)
const AT = Date.parse('2026-11-17T12:00:10Z')
const STEP = Math.floor(AT / 30_000)
const codeAt = (step: number) =>
  new TOTP({ secret: new Secret({ buffer: new Uint8Array(SECRET).buffer }) }).generate({
    timestamp: step * 30_000,
  })

describe('a code of the app', () => {
  it.each([
    ['of this half minute', STEP, STEP],
    ['of the one before', STEP - 1, STEP - 1],
    ['of the next one', STEP + 1, null],
    ['of two before', STEP - 2, null],
    ['of two after', STEP + 2, null],
  ])('a code %s belongs to step %i: %s', (_name, step, found) => {
    expect(stepOf(SECRET, codeAt(step), AT)).toBe(found)
  })

  it('accepts a code typed with spaces', () => {
    const code = codeAt(STEP)
    expect(stepOf(SECRET, ` ${code.slice(0, 3)} ${code.slice(3)} `, AT)).toBe(STEP)
  })

  it.each(['', '12345', '1234567', 'abcdef', '12345６', '-12345', '1e5000'])(
    'refuses the code %j',
    (typed) => {
      expect(stepOf(SECRET, typed, AT)).toBeNull()
    },
  )
})

it('the secret of an app is stable in one session, and differs by session, person and change', () => {
  const key = Buffer.alloc(32, 1)
  expect(secretFor(key, 7, 'session', 0)).toEqual(SECRET)
  for (const other of [
    secretFor(key, 8, 'session', 0),
    secretFor(key, 7, 'other', 0),
    secretFor(key, 7, 'session', 1),
    secretFor(Buffer.alloc(32, 2), 7, 'session', 0),
  ])
    expect(other).not.toEqual(SECRET)
  expect(secretText(SECRET)).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/)
})

it('the address for the app names the office and the person', () => {
  const url = new URL(appAddress(SECRET, 'bo@example.dk', 'Nordhavn Administration'))
  expect(decodeURIComponent(url.pathname)).toContain('Nordhavn Administration:bo@example.dk')
  expect(url.searchParams.get('issuer')).toBe('Nordhavn Administration')
  expect(appAddress(SECRET, 'bo@example.dk', '')).toContain('issuer=Ringbind')
})

describe('a recovery code', () => {
  it.each([
    ['abcd-efgh-jkmn-pqrs', 'abcdefghjkmnpqrs'],
    [' ABCD EFGH jkmn pqrs ', 'abcdefghjkmnpqrs'],
    ['abcd-efgh-jkmn-pqr', null],
    ['abcd-efgh-jkmn-pqrl', null], // l looks like 1
    ['', null],
  ])('reads the recovery code %j as %j', (typed, code) => {
    expect(cleanRecoveryCode(typed)).toBe(code)
  })

  it('shows a recovery code in groups', () => {
    expect(shownRecoveryCode('abcdefghjkmnpqrs')).toBe('abcd-efgh-jkmn-pqrs')
  })
})

it.each([
  ['https://ringbind.example.dk', 'ringbind.example.dk'],
  ['https://ringbind.example.dk:8443', 'ringbind.example.dk'],
  ['http://localhost:3000', 'localhost'],
  ['http://ringbind.example.dk', null],
  ['https://192.0.2.1', null],
  ['http://127.0.0.1:3000', null],
  ['https://[2001:db8::1]', null],
])('the domain of passkeys at %s is %s', (appUrl, id) => {
  expect(relyingPartyOf(appUrl)?.id ?? null).toBe(id)
})
