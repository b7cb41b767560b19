import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Summing, type ByteSums } from './measure.ts'
import { MissingBytes, type FileStorage } from './storage.ts'

type Wanted = { key: string; size: number }

/** Larger blobs are never held in memory. */
const SMALL = 1024 * 1024
/** The store retries by itself; these pauses are for errors that it takes as final too soon. */
const PAUSES_MS = [50, 250, 1_000]

/** Reads a small blob at once. Returns null for a large or a faulty one: read that with `openBlob`. */
export async function readSmall(storage: FileStorage, { key, size }: Wanted): Promise<Buffer | null> {
  if (size === 0 || size > SMALL) return null
  return storage.read(key, { first: 0, last: size - 1 }).catch(() => null)
}

type Known = Wanted & { sha256: string }

/** Describes the fault of a blob in a few words; null if its bytes match its row. */
export async function findFault(
  storage: FileStorage,
  blob: Known,
  signal?: AbortSignal,
): Promise<string | null> {
  const read = await readSums(storage, blob, signal)
  return 'fault' in read ? read.fault : null
}

/** Reads all of a blob. Returns its checksums if its bytes match its row, and its fault otherwise. */
export async function readSums(
  storage: FileStorage,
  blob: Known,
  signal?: AbortSignal,
): Promise<ByteSums | { fault: string }> {
  const small = await readSmall(storage, blob)
  const opened = small ? null : await openBlob(storage, blob, signal)
  if (!small && !opened) return { fault: 'its bytes are missing.' }
  const summing = new Summing()
  for await (const chunk of small ? [small] : opened!.chunks) summing.update(chunk)
  const reason = opened?.reason()
  if (reason) return { fault: `its bytes cannot be read: ${reason}` }
  const sums = summing.digest()
  return sums.sha256 === blob.sha256 ? sums : { fault: 'its bytes are damaged: they have another SHA-256.' }
}

type OpenBlob = {
  /** Exactly as many bytes as its row says, with zeros for those that cannot be read. */
  chunks: AsyncIterable<Buffer>
  /** Why some bytes could not be read; known once all have been read. */
  reason: () => string | null
}

/**
 * Reads a blob from a store that may be slow, fail now and then, or have lost a part of it. Returns null if there are
 * no bytes at all. Throws only if the store cannot be used at all.
 */
export async function openBlob(
  storage: FileStorage,
  blob: Wanted,
  signal?: AbortSignal,
): Promise<OpenBlob | null> {
  if (await isMissing(storage, blob, signal)) return null
  const { key, size } = blob
  let reason: string | null = null
  async function* chunks(): AsyncGenerator<Buffer> {
    let position = 0
    for (let attempt = 0; position < size;) {
      try {
        for await (const chunk of await storage.open(key, { first: position, last: size - 1 })) {
          signal?.throwIfAborted()
          position += (chunk as Buffer).length
          yield chunk as Buffer
        }
        return
      } catch (error) {
        signal?.throwIfAborted()
        if (attempt < PAUSES_MS.length) {
          await sleep(PAUSES_MS[attempt++], undefined, signal && { signal })
          continue
        }
        await storage.check() // throws if the store is away: that is not this blob's fault
        reason = (error as Error).message
        while (position < size) {
          const zeros = Buffer.alloc(Math.min(SMALL, size - position))
          position += zeros.length
          yield zeros
        }
      }
    }
  }
  return { chunks: chunks(), reason: () => reason }
}

/** Checks twice, since bytes that are being moved may be in neither place for a moment. */
async function isMissing(
  storage: FileStorage,
  { key, size }: Wanted,
  signal?: AbortSignal,
): Promise<boolean> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      if (size > 0) await storage.read(key, { first: 0, last: 0 })
      else await finished((await storage.open(key)).resume())
      return false
    } catch (error) {
      if (!(error instanceof MissingBytes)) return false // the actual read reports it
      await sleep(PAUSES_MS[attempt], undefined, signal && { signal })
    }
  }
  await storage.check()
  return true
}
