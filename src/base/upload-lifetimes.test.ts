import { expect, it } from 'vitest'
import { LIFETIMES } from './upload-lifetimes.ts'

it('each lifetime is longer than those before it, so that nothing is removed while it may be needed', () => {
  const all = Object.values(LIFETIMES)
  expect(all).toEqual(all.toSorted((a, b) => a - b))
  expect(new Set(all).size).toBe(all.length)
})

it('accepts bytes for a signed address until a day after it has expired', () => {
  const { signedUploadMs, temporaryFileMs, signedBlobMs } = LIFETIMES
  expect(signedBlobMs).toBe(signedUploadMs + temporaryFileMs)
})
