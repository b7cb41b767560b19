import { lstat, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inOrder } from '../../base/in-order.ts'
import { hashBytes, HashedBytes } from '../../server/storage/measure.ts'
import { openBlob, readSmall } from '../../server/storage/read-blob.ts'
import type { FileStorage } from '../../server/storage/storage.ts'
import { syncDirectory } from '../../server/storage/sync-directory.ts'
import { writeAll } from '../../server/storage/write-all.ts'
import { readPlan, type PlannedFile } from './plan.server.ts'
import { REPLACE } from './text-file.server.ts'
import { targetFault } from './target-fault.ts'

/** How many files are open at a time, so that their writes wait less for each other. */
const AT_ONCE = 8
/** How much of an existing file is read at a time. */
const CHUNK = 256 * 1024

export type Fault = 'missing' | 'damaged'
export type Copied = { file: PlannedFile; fault: Fault | null; wasThere: boolean }

type Options = {
  storage: FileStorage
  root: string
  plan: string
  /** An export that was stopped may have written some of the files. */
  isContinued: boolean
  signal: AbortSignal | undefined
  /** Called with the number of bytes that were written or compared. */
  heard: (bytes: number) => void
}

/** Copies the files of a plan. Yields each when it is on the disk, in the plan's order. */
export async function* copyFiles(options: Options): AsyncGenerator<Copied> {
  const { root, plan, signal } = options
  const directories = new DirectoryMaker(root)
  try {
    const copied = inOrder(readPlan(plan), AT_ONCE, async (planned) => {
      signal?.throwIfAborted()
      await directories.make('directory' in planned ? planned.directory : dirname(planned.path))
      return 'directory' in planned ? null : copyFile(options, planned)
    })
    for await (const each of copied) if (each) yield each
    await directories.sync()
  } catch (error) {
    signal?.throwIfAborted()
    throw targetFault(error, root)
  }
}

async function copyFile(options: Options, file: PlannedFile): Promise<Copied> {
  const { storage, root, isContinued, signal } = options
  const path = join(root, file.path)
  if (isContinued && (await isThere(path, file, options))) return { file, fault: null, wasThere: true }
  const small = await readSmall(storage, file)
  const opened = small ? null : await openBlob(storage, file, signal)
  if (!small && !opened) return { file, fault: 'missing', wasThere: false }
  const hashed = new HashedBytes(small ? [small] : opened!.chunks, options.heard)
  await using handle = await open(path, REPLACE, 0o600)
  await writeAll(handle, hashed, 0)
  await handle.utimes(new Date(), new Date(file.at))
  await handle.sync()
  return { file, fault: hashed.digest() === file.sha256 ? null : 'damaged', wasThere: false }
}

/** Whether a file is there with the right bytes. Sets its date: an earlier try may have stopped before. */
async function isThere(path: string, file: PlannedFile, { heard, signal }: Options): Promise<boolean> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!found?.isFile() || found.size !== file.size) return false
  await using handle = await open(path, 'r+')
  const stream = handle.createReadStream({ autoClose: false, highWaterMark: CHUNK })
  if ((await hashBytes(stream, signal)) !== file.sha256) return false
  heard(file.size)
  await handle.utimes(new Date(), new Date(file.at))
  await handle.sync()
  return true
}

/** Makes directories and their parents, each once, but never the root, which is missing if its disk is gone. */
class DirectoryMaker {
  #root: string
  #made = new Map<string, Promise<void>>()

  constructor(root: string) {
    this.#root = root
  }

  make(path: string): Promise<void> {
    if (path === '.') return Promise.resolve()
    const making = this.#made.get(path) ?? this.make(dirname(path)).then(() => this.#makeOne(path))
    making.catch(() => undefined) // whoever waits for it gets the error
    this.#made.set(path, making)
    return making
  }

  /** Makes all names in them survive a power cut. */
  async sync(): Promise<void> {
    for (const path of this.#made.keys()) await syncDirectory(join(this.#root, path))
    await syncDirectory(this.#root)
  }

  async #makeOne(path: string): Promise<void> {
    const directory = join(this.#root, path)
    try {
      await mkdir(directory, { mode: 0o700 })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      if (!(await lstat(directory)).isDirectory())
        throw new Error(`${directory} is no directory.`, { cause: error })
    }
  }
}
