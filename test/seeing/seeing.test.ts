import { seeAlike } from './seeing-suite.ts'

// test/long/seeing.test.ts compares thousands of offices, and proves that faults are found.
seeAlike({ conditions: 25, addresses: 1 }, 'one of each role')
