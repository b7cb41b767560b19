import { readFileSync } from 'node:fs'
import { PROJECT } from './project-directory.ts'

export const VERSION = (
  JSON.parse(readFileSync(new URL('package.json', PROJECT), 'utf8')) as { version: string }
).version
