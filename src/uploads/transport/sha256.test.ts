import { createHash, randomBytes } from 'node:crypto'
import { afterEach, expect, it, vi } from 'vitest'
import { base64Of, hexOf, sha256ByHand, sha256Of } from './sha256.ts'

afterEach(() => void vi.unstubAllGlobals())

const expected = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

it.each([0, 1, 3, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000, 100_001])(
  'hashes %i bytes by hand',
  (size) => {
    const bytes = new Uint8Array(randomBytes(size))
    expect(hexOf(sha256ByHand(bytes))).toBe(expected(bytes))
  },
)

it('hashes a part of a larger buffer', () => {
  const bytes = new Uint8Array(randomBytes(500)).subarray(3, 203)
  expect(hexOf(sha256ByHand(bytes))).toBe(expected(bytes))
})

it.each([
  ['with crypto.subtle', true],
  ['on plain http, without crypto.subtle', false],
])('hashes %s', async (_where, isSecure) => {
  if (!isSecure) vi.stubGlobal('crypto', {})
  const bytes = new TextEncoder().encode('Årsrapport')
  const sum = await sha256Of(bytes)
  expect(hexOf(sum)).toBe(expected(bytes))
  expect(base64Of(sum)).toBe(createHash('sha256').update(bytes).digest('base64'))
})
