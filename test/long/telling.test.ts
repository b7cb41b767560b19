import { tellAlike } from '../telling-suite.ts'

tellAlike(30, 100)
