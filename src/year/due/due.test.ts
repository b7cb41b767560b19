import { dueSuite } from '../../../test/office/due-suite.ts'

dueSuite({ offices: 20 })
