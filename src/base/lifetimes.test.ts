import { expect, it } from 'vitest'
import { LIFETIMES } from './lifetimes.ts'

it('each lifetime outlasts those before it, so that nothing goes while something earlier may need it', () => {
  const all = Object.values(LIFETIMES)
  expect(all).toEqual(all.toSorted((a, b) => a - b))
  expect(new Set(all).size).toBe(all.length)
})

it('bytes for a signed address may come until a day after the address has expired', () => {
  const { signedUploadMs, temporaryFileMs, signedBlobMs } = LIFETIMES
  expect(signedBlobMs).toBe(signedUploadMs + temporaryFileMs)
})
