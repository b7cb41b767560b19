import { fourEyes } from '../seeing/four-eyes-suite.ts'

// See `four-eyes.test.ts`: so that two workers share the offices.
fourEyes({ first: 1001, offices: 1000, acts: 25 })
