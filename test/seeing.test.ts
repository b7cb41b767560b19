import { beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from './app.ts'
import { compareAnswers, compareSql } from './seeing.ts'

/** How many random offices are compared; test/long/seeing.test.ts compares thousands, and shows that faults are found. */
const OFFICES = { conditions: 40, addresses: 2 }

let test: TestApp

beforeAll(async () => {
  test = await freshApp({ env: { REQUESTS_PER_MINUTE: '10000000', LOG_LEVEL: 'silent' } })
})

describe('the one rule of seeing', { timeout: 10 * 60_000 }, () => {
  it(`the SQL conditions and the model agree in ${OFFICES.conditions} random offices`, async () => {
    for (let seed = 1; seed <= OFFICES.conditions; seed++)
      expect(await compareSql(test, seed), `seed ${seed}`).toEqual([])
  })

  it(`every address and the model agree in ${OFFICES.addresses} random offices`, async () => {
    for (let seed = 1; seed <= OFFICES.addresses; seed++)
      expect(await compareAnswers(test, seed), `seed ${seed}`).toEqual([])
  })
})
