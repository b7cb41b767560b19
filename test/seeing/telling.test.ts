import { tellAlike } from './telling-suite.ts'

tellAlike(3, 30)
