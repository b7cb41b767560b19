import { fourEyes } from './four-eyes-suite.ts'

fourEyes({ offices: 12, acts: 25 })
