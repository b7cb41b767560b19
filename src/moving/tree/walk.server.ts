import { lstat, opendir, realpath, stat } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import type { Found } from './not-taken.ts'
import { isSnapshot } from './not-taken.ts'
import { decodeName } from './decode-path.ts'

/** An entry of the tree. */
export type TreeEntry = {
  /** The bytes of its path from the root on: the names may be in any encoding. */
  path: Buffer
  kind: Found['kind']
  size: number
  changedAt: Date | null
}

/** The directory itself is missing: a drive that is not mounted is not an empty drive. */
export class SourceGone extends Error {}

const SLASH = Buffer.from('/')
/** Deeper than any office goes. Stops at systems that show directories inside themselves. */
const MOST_DEEP = 120
const AT_ONCE = 16
const BATCH = 500

export const joinPath = (directory: Buffer, name: Buffer): Buffer =>
  directory.length === 0 ? name : Buffer.concat([directory, SLASH, name])

/** Returns the real path of the directory that an office imports. */
export async function openRoot(path: string): Promise<Buffer> {
  const root = await realpath(path, { encoding: 'buffer' }).catch((error: NodeJS.ErrnoException) => {
    throw new SourceGone(`${path} cannot be opened: ${error.code ?? error.message}.`, { cause: error })
  })
  await checkRoot(root)
  return root
}

/** Throws `SourceGone` unless the directory is there. */
export async function checkRoot(root: Buffer): Promise<void> {
  const found = await stat(root).catch((error: NodeJS.ErrnoException) => error)
  const shown = decodeName(root)
  if (found instanceof Error)
    throw new SourceGone(
      `${shown} does not answer (${found.code ?? found.message}). Is the drive there? Run the same command again when it is.`,
      { cause: found },
    )
  if (!found.isDirectory()) throw new SourceGone(`${shown} is not a directory.`)
}

/**
 * Walks through a tree and yields everything but directories, a few hundred at a time. Follows no links and opens no
 * files. A directory that cannot be opened is yielded as `unreadable`.
 */
export async function* walkTree(root: Buffer, signal: AbortSignal): AsyncGenerator<TreeEntry[]> {
  const waiting: { path: Buffer; depth: number }[] = [{ path: Buffer.alloc(0), depth: 0 }]
  let batch: TreeEntry[] = []
  for (let directory = waiting.pop(); directory; directory = waiting.pop()) {
    signal.throwIfAborted()
    const { path, depth } = directory
    if (depth > MOST_DEEP) {
      batch.push(nothing(path, 'unreadable'))
      continue
    }
    const inside: typeof waiting = []
    for await (const found of listDirectory(root, path)) {
      if (found.kind !== 'directory') batch.push(found)
      else if (isSnapshot(decodeName(found.name))) batch.push(nothing(found.path, 'unopened'))
      else inside.push({ path: found.path, depth: depth + 1 })
      if (batch.length < BATCH) continue
      yield batch
      batch = []
      signal.throwIfAborted()
    }
    waiting.push(...inside.toReversed())
  }
  if (batch.length > 0) yield batch
}

type Listed = TreeEntry | { kind: 'directory'; path: Buffer; name: Buffer }

async function* listDirectory(root: Buffer, path: Buffer): AsyncGenerator<Listed> {
  try {
    // Each byte becomes one letter: as UTF-8 the bytes of other encodings would be lost.
    const open = await opendir(path.length === 0 ? root : joinPath(root, path), {
      encoding: 'latin1',
      bufferSize: 256,
    })
    let names: Buffer[] = []
    for await (const { name } of open) {
      names.push(Buffer.from(name, 'latin1'))
      if (names.length < AT_ONCE) continue
      yield* await lookAt(root, path, names)
      names = []
    }
    yield* await lookAt(root, path, names)
  } catch (error) {
    if (!isOfFile(error)) throw error
    await checkRoot(root)
    if (path.length === 0)
      throw new SourceGone(`${decodeName(root)} cannot be read: ${error.code}.`, { cause: error })
    yield nothing(path, 'unreadable')
  }
}

async function lookAt(root: Buffer, path: Buffer, names: Buffer[]): Promise<Listed[]> {
  const found = await Promise.all(
    names.map(async (name): Promise<Listed[]> => {
      const own = joinPath(path, name)
      try {
        const stats = await lstat(joinPath(root, own))
        return [stats.isDirectory() ? { kind: 'directory', path: own, name } : describe(own, stats)]
      } catch (error) {
        if (!isOfFile(error)) throw error
        // It was removed between listing and looking; if all of the drive was, the directory tells.
        if (error.code === 'ENOENT') return []
        return [nothing(own, 'unreadable')]
      }
    }),
  )
  return found.flat()
}

function describe(path: Buffer, stats: Stats): TreeEntry {
  const kind = stats.isFile() ? 'file' : stats.isSymbolicLink() ? 'link' : 'device'
  return { path, kind, size: stats.size, changedAt: stats.mtime }
}

const nothing = (path: Buffer, kind: TreeEntry['kind']): TreeEntry => ({
  path,
  kind,
  size: 0,
  changedAt: null,
})

/** Whether an error comes from the file system. */
export const isOfFile = (error: unknown): error is NodeJS.ErrnoException & { code: string } =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string' && 'syscall' in error
