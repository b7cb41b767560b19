import { readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDataDirectory, type DataDirectory } from '../src/server/data-directory.ts'
import { endLeftovers } from '../src/server/postgres-processes.ts'

/** An empty data directory. One whose demo was killed is taken over, so that nothing piles up. */
export async function openThrowAway(kind: string): Promise<{ path: string; remove: () => void }> {
  for (let number = 1; ; number++) {
    const path = join(tmpdir(), `ringbind-${kind}-${process.geteuid?.() ?? 0}-${number}`)
    const directory = tryToOpen(path, number)
    if (!directory) continue
    await endLeftovers(join(path, 'postgres/cluster'), () => undefined)
    for (const name of readdirSync(path)) if (name !== 'lock') rmSync(join(path, name), { recursive: true })
    directory.unlock()
    return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
  }
}

function tryToOpen(path: string, number: number): DataDirectory | null {
  try {
    return openDataDirectory(path)
  } catch (error) {
    if (number === 100) throw error
    return null // another demo is running there
  }
}
