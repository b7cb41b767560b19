import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterwards } from './clean-up.ts'

/** Makes an empty directory and removes it after the test. */
export async function freshDirectory(within = tmpdir()): Promise<string> {
  const path = await mkdtemp(join(within, 'ringbind-files-'))
  afterwards(() => rm(path, { recursive: true, force: true, maxRetries: 5 }))
  return path
}
