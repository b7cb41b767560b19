import { describe, expect, it, vi } from 'vitest'
import { makeLate } from './late.ts'
import * as missingPart from './missing-part.ts'

describe('a late part', () => {
  it('a late part is fetched once, however many ask for it', async () => {
    const fetchPart = vi.fn(() => Promise.resolve('menu'))
    const late = makeLate(fetchPart)
    expect(late.now()).toBeNull()
    expect(await Promise.all([late.loadEarly(), late.load(), late.load()])).toEqual(['menu', 'menu', 'menu'])
    expect(await late.load()).toBe('menu')
    expect(late.now()).toBe('menu')
    expect(fetchPart).toHaveBeenCalledTimes(1)
  })

  it('a late part is fetched again after a failure', async () => {
    const answers = [Promise.reject(new Error('offline')), Promise.resolve('menu')]
    const late = makeLate(() => answers.shift()!)
    expect(await late.load()).toBeNull()
    expect(await late.load()).toBe('menu')
  })

  it.each([
    { how: 'that nobody waits for', awaited: false },
    { how: 'that somebody waits for since', awaited: true },
  ])('a late part $how is reported: $awaited', async ({ awaited }) => {
    const ignore = vi.spyOn(missingPart, 'ignoreMissingPart')
    const error = new Error('offline')
    const late = makeLate(() => Promise.reject(error))
    const early = late.loadEarly()
    if (awaited) void late.load()
    expect(await early).toBeNull()
    expect(ignore.mock.calls).toEqual(awaited ? [] : [[error]])
    ignore.mockRestore()
  })
})
