import { open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PARTIAL } from './archive-writer.server.ts'
import { SEAL } from './archive.server.ts'
import { readHead } from './check-archive.server.ts'
import { BLOCK, decodeHeader, isZero } from './tar.server.ts'

/**
 * Throws if the directory does not exist or cannot be written. Never creates it: if its disk is not mounted, it
 * would end up on the wrong one.
 */
export async function checkBackupDirectory(directory: string): Promise<void> {
  const probe = join(directory, '.ringbind-probe')
  try {
    await writeFile(probe, 'x', { mode: 0o600 })
    await rm(probe, { force: true })
  } catch (error) {
    throw new Error(
      `BACKUP_DIR takes a directory that Ringbind can write to; ${directory} is none: ${(error as Error).message}`,
      { cause: error },
    )
  }
}

export async function areOnOneDisk(one: string, other: string): Promise<boolean> {
  return (await stat(one)).dev === (await stat(other)).dev
}

/** Lists the complete copies of an office whose names match. */
export async function listCopies(
  directory: string,
  installation: string,
  isName: (name: string) => boolean,
): Promise<string[]> {
  const names: string[] = []
  for (const name of (await readdir(directory)).filter(isName)) {
    const file = join(directory, name)
    const isOurs = await readHead(file).then(
      (head) => head.installation === installation,
      () => false,
    )
    if (isOurs && (await hasItsEnd(file))) names.push(name)
  }
  return names
}

/** Whether the file has its last entry, and so is complete. */
async function hasItsEnd(file: string): Promise<boolean> {
  await using handle = await open(file, 'r')
  const { size } = await handle.stat()
  const last = Buffer.alloc(4 * BLOCK)
  await handle.read(last, 0, last.length, size - last.length)
  return decodeHeader(last.subarray(0, BLOCK))?.name === SEAL && isZero(last.subarray(2 * BLOCK))
}

const DAY_MS = 86_400_000

/**
 * Removes partial files of interrupted backups. A backup in progress writes all the time, so a day without writes
 * is enough.
 */
export async function removeLeftovers(directory: string, isName: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!PARTIAL.test(name) || !isName(name.replace(PARTIAL, ''))) continue
    const file = join(directory, name)
    const { mtimeMs } = await stat(file)
    if (Date.now() - mtimeMs > DAY_MS) await rm(file, { force: true })
  }
}

export async function removeCopies(directory: string, names: string[]): Promise<void> {
  for (const name of names) await rm(join(directory, name), { force: true })
}
