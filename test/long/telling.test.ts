import { tellAlike } from '../seeing/telling-suite.ts'

tellAlike(30, 100)
