import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { openDataDirectory } from '../server/process/data-directory.ts'

/** Does work that fills the data directory. Removes what it made there if it fails. */
export async function cleanUpIfFailed<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  const missing = topmostMissing(resolve(dataDir))
  const before = new Set(missing === null ? await readdir(dataDir) : [])
  try {
    return await work()
  } catch (error) {
    if (existsSync(dataDir)) await removeMade(dataDir, missing, before).catch(() => undefined) // the work's own error says more
    throw error
  }
}

/** Returns the first missing directory of a path; null if all exist. */
function topmostMissing(directory: string): string | null {
  if (existsSync(directory)) return null
  return topmostMissing(dirname(directory)) ?? directory
}

async function removeMade(dataDir: string, missing: string | null, before: Set<string>): Promise<void> {
  const { path, unlock } = openDataDirectory(dataDir) // throws if somebody has started a Ringbind there
  try {
    for (const name of await readdir(path))
      if (!before.has(name)) await rm(join(path, name), { recursive: true, force: true })
  } finally {
    unlock()
  }
  if (missing !== null) await rm(missing, { recursive: true, force: true })
}
