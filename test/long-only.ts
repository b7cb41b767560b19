import { it } from 'vitest'

/** Whether this is `npm run test:long`. It also runs every test file that asks this. */
export const isLong = process.env.TESTS === 'long'

/** A test that only `npm run test:long` runs. */
export const long = it.runIf(isLong)
