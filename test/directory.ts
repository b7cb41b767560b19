import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** An empty directory, removed after the file's tests. */
export async function freshDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'ringbind-files-'))
  afterAll(() => rm(path, { recursive: true, force: true }))
  return path
}
