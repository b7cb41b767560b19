import { dueSuite } from '../office/due-suite.ts'
import { TIMES } from './times.ts'

dueSuite({ first: 21, offices: 2000 * TIMES })
