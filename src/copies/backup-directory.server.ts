import { open, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { PARTIAL } from './archive-writer.server.ts'
import { MANIFEST_SUM } from './archive.server.ts'
import { readHead } from './check-archive.server.ts'
import { encryptedBy, goodCopyTime, isAhead, isCopyName } from './keep.ts'
import { BLOCK, decodeHeader, isZero } from './tar.server.ts'

/**
 * Throws if the directory does not exist or cannot be written. Never creates it: if its disk is not mounted, it
 * would end up on the wrong one.
 */
export async function checkBackupDirectory(directory: string, setting = 'BACKUP_DIR'): Promise<void> {
  const probe = join(directory, '.ringbind-probe')
  try {
    await writeFile(probe, 'x', { mode: 0o600 })
    await rm(probe, { force: true })
  } catch (error) {
    throw new Error(
      `${setting} takes a directory that Ringbind can write to; ${directory} is none: ${(error as Error).message}`,
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
  for (const name of (await readdir(directory)).filter(isName))
    if (await isCompleteCopy(join(directory, name), installation)) names.push(name)
  return names
}

/** The name of an encrypted copy has its installation, and the file gets its name only when it is complete. */
async function isCompleteCopy(file: string, installation: string): Promise<boolean> {
  const encrypted = encryptedBy(basename(file), installation)
  if (encrypted) return encrypted.isOurs
  const isOurs = await readHead(file).then(
    (head) => head.installation === installation,
    () => false,
  )
  return isOurs && (await hasItsEnd(file))
}

/**
 * Returns when the office's newest complete copy without faults was made, which copies have a time in the future, and
 * how many free bytes the disk has.
 */
export async function inspectCopies(
  directory: string,
  installation: string,
  now: Date,
): Promise<{ newest: Date | null; ahead: string[]; free: number }> {
  const { bavail, bsize } = await statfs(directory)
  const free = bavail * bsize
  const names = await readdir(directory)
  const ahead = await listCopies(directory, installation, (name) => isCopyName(name) && isAhead(name, now))
  const found = names.flatMap((name) => {
    const at = goodCopyTime(name)
    return at && !isAhead(name, now) ? [{ name, at }] : []
  })
  const newestFirst = found.toSorted((one, other) => other.at.getTime() - one.at.getTime())
  for (const { name, at } of newestFirst.slice(0, MOST_LOOKED_AT))
    if (await isCompleteCopy(join(directory, name), installation)) return { newest: at, ahead, free }
  return { newest: null, ahead, free }
}

/** Several offices may keep their copies in one directory. */
const MOST_LOOKED_AT = 1000

/** Whether the file has its last entry, which means that it is complete. */
async function hasItsEnd(file: string): Promise<boolean> {
  await using handle = await open(file, 'r')
  const { size } = await handle.stat()
  const last = Buffer.alloc(4 * BLOCK)
  await handle.read(last, 0, last.length, size - last.length)
  return decodeHeader(last.subarray(0, BLOCK))?.name === MANIFEST_SUM && isZero(last.subarray(2 * BLOCK))
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
