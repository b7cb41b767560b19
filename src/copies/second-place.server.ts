import { randomBytes } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { hashBytes, HashedBytes } from '../server/storage/measure.ts'
import { syncDirectory } from '../server/storage/sync-directory.ts'
import type { Bucket } from '../server/storage/s3-bucket.ts'
import { checkBackupDirectory, listCopies, removeCopies, removeLeftovers } from './backup-directory.server.ts'
import { isCopyName } from './keep.ts'
import { PIECE, readPieces } from './read-pieces.server.ts'

/** Another place where scheduled copies are kept. */
type SecondPlace = {
  check(): Promise<void>
  /** Copies a file there. When it returns, all its bytes are there. */
  send(file: string, name: string, signal?: AbortSignal): Promise<void>
  list(installation: string): Promise<string[]>
  remove(installation: string, names: string[]): Promise<void>
}

/** The copy was made, but is not in the second place. */
export class SecondPlaceFailed extends Error {
  constructor(made: string, cause: unknown) {
    super(`${made} was made, but could not be copied on to BACKUP_SECOND.`, { cause })
  }
}

export async function openSecondPlace(config: Config, installation: string): Promise<SecondPlace | null> {
  const { backupSecond } = config
  if (backupSecond === null) return null
  if (!backupSecond.startsWith('s3://')) return directoryAt(backupSecond)
  const { hostname, pathname } = new URL(backupSecond)
  const { Bucket: BucketOf } = await import('../server/storage/s3-bucket.ts')
  const bucket = new BucketOf({ bucket: hostname, endpoint: config.s3Endpoint, region: config.s3Region! })
  const prefix = [...pathname.split('/').filter(Boolean), installation, ''].join('/')
  return bucketAt(bucket, prefix)
}

/** A directory, best on another computer. */
export function directoryAt(directory: string): SecondPlace {
  return {
    check: () => checkBackupDirectory(directory, 'BACKUP_SECOND'),
    list: (installation) => listCopies(directory, installation, isCopyName),
    remove: (_, names) => removeCopies(directory, names),
    async send(file, name, signal) {
      await removeLeftovers(directory, isCopyName)
      const partial = join(directory, `${name}.${randomBytes(4).toString('hex')}.partial`)
      try {
        const sent = await copyBytes(file, partial, signal)
        if ((await hashBytes(readPieces(partial, signal))) !== sent)
          throw new Error(`${partial} is not what was written to it.`)
        await rename(partial, join(directory, name))
        await syncDirectory(directory)
      } finally {
        await rm(partial, { force: true })
      }
    },
  }
}

async function copyBytes(from: string, to: string, signal?: AbortSignal): Promise<string> {
  await using handle = await open(to, 'wx', 0o600)
  const hashed = new HashedBytes(readPieces(from, signal))
  await handle.writeFile(hashed)
  await handle.sync()
  return hashed.digest()
}

const LEAST_PART = 16 * PIECE
/** A store takes at most 10,000 parts. */
const MOST_PARTS = 9000

/** A bucket, each installation under its own id. */
export function bucketAt(bucket: Bucket, prefix: string): SecondPlace {
  const names = async () =>
    (await Array.fromAsync(bucket.list(prefix)))
      .map(({ name }) => name.slice(prefix.length))
      .filter(isCopyName)
  return {
    check: () => bucket.refuseUnlessUsable(),
    list: names,
    async remove(_, surplus) {
      for (const name of surplus) await bucket.remove(prefix + name)
    },
    async send(file, name, signal) {
      const { size } = await stat(file)
      const upload = await bucket.beginUpload(prefix + name)
      try {
        const tags: string[] = []
        for await (const part of partsOf(file, Math.max(LEAST_PART, Math.ceil(size / MOST_PARTS)), signal))
          tags.push(await bucket.addPart(upload, tags.length + 1, part))
        await bucket.completeUpload(upload, tags)
      } catch (error) {
        await bucket.giveUp(upload).catch(() => undefined)
        throw error
      }
      const found = await bucket.find(prefix + name)
      if (found?.size !== size)
        throw new Error(`The bucket has ${found?.size ?? 0} bytes of ${name}, which has ${size}.`)
    },
  }
}

async function* partsOf(file: string, size: number, signal?: AbortSignal): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of readPieces(file, signal)) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes < size) continue
    yield Buffer.concat(pieces)
    ;[pieces, bytes] = [[], 0]
  }
  if (bytes > 0) yield Buffer.concat(pieces)
}
