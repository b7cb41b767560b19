import { createHash, hash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, rename, type FileHandle } from 'node:fs/promises'
import { syncDirectory } from '../../server/storage/sync-directory.ts'
import { dirname } from 'node:path'

const GATHERED = 256 * 1024
/** Replaces a file, never what a link points to. Windows has no such flag. */
export const REPLACE =
  constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0)

/** Writes a text piece by piece, and computes its hash. */
export class TextFile implements AsyncDisposable {
  #handle: FileHandle
  #gathered: string[] = []
  #size = 0
  #hash = createHash('sha256')

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  static async create(path: string): Promise<TextFile> {
    return new TextFile(await open(path, REPLACE, 0o600))
  }

  async write(text: string): Promise<void> {
    this.#gathered.push(text)
    this.#size += text.length
    if (this.#size >= GATHERED) await this.#flush()
  }

  /** Makes it survive a power cut, and returns its SHA-256. */
  async finish(): Promise<string> {
    await this.#flush()
    await this.#handle.sync()
    await this.#handle.close()
    return this.#hash.digest('hex')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close().catch(() => undefined) // may be closed already
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#gathered.join(''))
    this.#gathered = []
    this.#size = 0
    this.#hash.update(bytes)
    await this.#handle.appendFile(bytes)
  }
}

/** Writes a whole file that survives a power cut, or leaves what was there. Returns its SHA-256. */
export async function writeWhole(path: string, bytes: Buffer | string): Promise<string> {
  const partial = `${path}.partial`
  await using handle = await open(partial, REPLACE, 0o600)
  await handle.writeFile(bytes)
  await handle.sync()
  await rename(partial, path)
  await syncDirectory(dirname(path))
  return hash('sha256', bytes)
}
