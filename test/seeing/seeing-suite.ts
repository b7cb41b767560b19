import { beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../app.ts'
import { compareAnswers, compareSql, type Extent } from './seeing.ts'

/** Compares random offices with the model: some only by the SQL conditions, some through every address. */
export function seeAlike(
  offices: { conditions: number; addresses: number },
  extent: Extent = 'everybody',
): () => TestApp {
  let test: TestApp

  beforeAll(async () => {
    // Repeated jobs would change an office between two questions about it.
    test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '10000000', LOG_LEVEL: 'silent' } })
  })

  describe('the one rule of seeing', { timeout: 60 * 60_000 }, () => {
    it(`the SQL conditions and the model agree in ${offices.conditions} random offices`, async () => {
      for (let seed = 1; seed <= offices.conditions; seed++)
        expect(await compareSql(test, seed), `seed ${seed}`).toEqual([])
    })

    it(`every address and the model agree in ${offices.addresses} random offices`, async () => {
      for (let seed = 1; seed <= offices.addresses; seed++)
        expect(await compareAnswers(test, seed, extent), `seed ${seed}`).toEqual([])
    })
  })
  return () => test
}
