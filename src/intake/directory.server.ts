import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, rmdir, stat, unlink, type FileHandle } from 'node:fs/promises'
import { senderFrom, nameFrom, type Untaken } from './intake.ts'
import { isIgnored, readName, type Mark } from './watched-names.ts'

/** The directory cannot be read: a network drive is gone, or a right is missing. */
export class DirectoryAway extends Error {}

/** Somebody has written to the file while it was read. */
export class ChangedWhileRead extends Error {}

export type FoundFile = {
  /** The path as the disk has it: names may be in any encoding. */
  path: Buffer
  directory: Buffer
  raw: Buffer
  name: string
  /** The directory that it was put into; empty for the watched one itself. */
  sender: string
  mark: Mark
  /** Set if we have begun to take it. */
  token: string | null
}

type Found = {
  files: FoundFile[]
  untakable: Untaken[]
  /** Our own directories that are empty, because their files have been taken. */
  emptied: Buffer[]
}

const DEEPEST = 5
/** How many entries one look handles. The others follow when these are taken. */
const MOST_ENTRIES = 5000
const SLASH = Buffer.from('/')
/** A file is taken from a directory of its own, so that nobody can put another under its name meanwhile. */
const TAKING = '.ringbind-'
const TOKEN = /^\.ringbind-([0-9a-f]{32})$/
const PATIENCE_MS = 15_000

const within = (directory: Buffer, name: Buffer) => Buffer.concat([directory, SLASH, name])

/** Lists the files of the watched directory and of those in it. Follows no links. */
export async function findFiles(root: string): Promise<Found> {
  await checkRoot(root)
  const found: Found = { files: [], untakable: [], emptied: [] }
  const at = Buffer.from(root)
  await walk(found, at, { sender: '', depth: 0, token: null }, { left: MOST_ENTRIES })
  found.files.sort((a, b) => (a.mark.mtime < b.mark.mtime ? -1 : a.mark.mtime > b.mark.mtime ? 1 : 0))
  return found
}

async function checkRoot(root: string): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new DirectoryAway('It does not answer.')), PATIENCE_MS)
  try {
    const is = await Promise.race([stat(root), late])
    if (!is.isDirectory()) throw new DirectoryAway('It is no directory.')
  } catch (error) {
    throw error instanceof DirectoryAway ? error : new DirectoryAway('It cannot be read.', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

type Where = { sender: string; depth: number; token: string | null }

async function walk(found: Found, directory: Buffer, where: Where, entries: { left: number }): Promise<void> {
  const names = await readdir(directory, { encoding: 'buffer' }).catch((error: unknown) => {
    if (where.depth === 0) throw new DirectoryAway('It cannot be read.', { cause: error })
    return null
  })
  if (names === null) {
    found.untakable.push({ name: where.sender, why: 'kan ikke åbnes' })
    return
  }
  if (names.length === 0 && where.token !== null) found.emptied.push(directory)
  for (const raw of names) {
    if (entries.left-- <= 0) return
    await look(found, directory, raw, where, entries)
  }
}

async function look(
  found: Found,
  directory: Buffer,
  raw: Buffer,
  where: Where,
  entries: { left: number },
): Promise<void> {
  const path = within(directory, raw)
  const is = await lstat(path, { bigint: true }).catch(() => null)
  if (!is) return // it is gone, or cannot be looked at now
  const told = readName(raw)
  const token = TOKEN.exec(told)?.[1] ?? null
  if (is.isDirectory()) {
    if (token === null && told.startsWith('.')) return
    // A directory of a directory is the same sender's: SFTP users often may not write to the uppermost.
    const sender = token === null && where.depth === 0 ? senderFrom(nameFrom(told)) : where.sender
    if (where.token !== null || (token === null && where.depth >= DEEPEST))
      found.untakable.push({ name: nameFrom(told), why: 'ligger for dybt i mappen' })
    else await walk(found, path, { sender, depth: where.depth + 1, token }, entries)
    return
  }
  if (where.token === null && isIgnored(told)) return
  const name = nameFrom(told)
  if (!is.isFile()) found.untakable.push({ name, why: 'er en genvej eller en enhed, ikke en fil' })
  else
    found.files.push({
      path,
      directory,
      raw,
      name,
      sender: where.sender,
      mark: { size: Number(is.size), mtime: is.mtimeNs, inode: is.ino },
      token: where.token,
    })
}

/** Reads without following a link, and without waiting for a pipe's other end. */
const openFile = (path: Buffer) =>
  open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)

const TAIL = 2048

/** Whether a PDF lacks its end, because it is still being sent over a slow line. */
export async function isCutPdf({ name, path, mark: { size } }: FoundFile): Promise<boolean> {
  if (!/\.pdf$/i.test(name)) return false
  const file = await openFile(path).catch(() => null)
  if (!file) return false // taking it will say why
  try {
    const length = Math.min(size, TAIL)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
    return !buffer.subarray(0, bytesRead).includes('%%EOF')
  } finally {
    await file.close()
  }
}

export type Claimed = FoundFile & { token: string }

/**
 * Moves a file into a directory of its own beside it. From then on it cannot be mixed up with another of its name, and is
 * known by its token after a crash. Throws if we may not move it.
 */
export async function claim(found: FoundFile): Promise<Claimed> {
  if (found.token !== null) return { ...found, token: found.token }
  const token = randomBytes(16).toString('hex')
  const directory = within(found.directory, Buffer.from(TAKING + token))
  await mkdir(directory, { mode: 0o700 })
  const path = within(directory, found.raw)
  try {
    await rename(found.path, path)
  } catch (error) {
    await rmdir(directory).catch(() => undefined) // the next look removes it
    throw error
  }
  return { ...found, directory, path, token }
}

/** Opens a claimed file, and checks at the end that nobody has changed it. */
export async function openClaimed({ path, mark }: Claimed): Promise<{
  bytes: ReturnType<FileHandle['createReadStream']>
  check: () => Promise<void>
  close: () => Promise<void>
}> {
  const file = await openFile(path)
  const check = async () => {
    const is = await file.stat({ bigint: true })
    const isSame =
      is.isFile() && Number(is.size) === mark.size && is.mtimeNs === mark.mtime && is.ino === mark.inode
    if (!isSame) throw new ChangedWhileRead()
  }
  try {
    await check()
  } catch (error) {
    await file.close()
    throw error
  }
  return {
    bytes: file.createReadStream({ autoClose: false, highWaterMark: 256 * 1024 }),
    check,
    close: () => file.close(),
  }
}

/** Removes a file that is stored, with its directory. */
export async function removeClaimed({ path, directory }: Pick<Claimed, 'path' | 'directory'>): Promise<void> {
  await unlink(path)
  await removePlace(directory)
}

/** Removes the directory of a taken file; whatever was put into it meanwhile stays. */
export async function removePlace(directory: Buffer): Promise<void> {
  await rmdir(directory).catch(() => undefined)
}
