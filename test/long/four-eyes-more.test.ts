import { fourEyes } from '../seeing/four-eyes-suite.ts'
import { TIMES } from './times.ts'

// See `four-eyes.test.ts`: so that two workers share the offices.
fourEyes({ first: 200 * TIMES + 1, offices: 200 * TIMES, acts: 25 })
