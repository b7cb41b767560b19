import type { FileHandle } from 'node:fs/promises'
import type { Encrypter } from 'age-encryption'
import { DamagedArchive } from './archive.server.ts'

/** Loaded when a copy is encrypted: most starts do not need it. */
const library = () => import('age-encryption')

/** The first bytes of every age file. */
const START = Buffer.from('age-encryption.org/v1\n')
const CHUNK = 256 * 1024

/** Whether the key also opens what it encrypts. A public key (`age1…`) only closes it. */
export const canOpen = (key: string | null | undefined): boolean =>
  key?.startsWith('AGE-SECRET-KEY-') ?? false

/** Throws if the key was mistyped. */
export async function checkBackupKey(key: string): Promise<void> {
  await encrypterFor(key).catch((error: unknown) => {
    throw new Error(
      'BACKUP_KEY takes a key of age, AGE-SECRET-KEY-1… or age1…; a letter of this one is wrong.',
      { cause: error },
    )
  })
}

/** Encrypts a stream of bytes. */
export async function encrypt(
  key: string,
  bytes: ReadableStream<Uint8Array>,
): Promise<ReadableStream<Uint8Array>> {
  return (await encrypterFor(key)).encrypt(bytes)
}

async function encrypterFor(key: string): Promise<Encrypter> {
  const { Encrypter, identityToRecipient } = await library()
  const encrypter = new Encrypter()
  encrypter.addRecipient(canOpen(key) ? await identityToRecipient(key) : key)
  return encrypter
}

export async function isEncrypted(handle: FileHandle): Promise<boolean> {
  const start = Buffer.alloc(START.length)
  await handle.read(start, 0, start.length, 0)
  return start.equals(START)
}

/** The bytes of an encrypted copy, and how many they are. */
type Opened = AsyncDisposable & {
  total: number
  /** Returns the next bytes; none at the end. */
  next: () => Promise<Buffer>
}

export async function openEncrypted(handle: FileHandle, key: string | null | undefined): Promise<Opened> {
  if (!key || !canOpen(key))
    throw new Error(
      'The copy is encrypted: set BACKUP_KEY to the secret key (AGE-SECRET-KEY-1…) that opens it.',
    )
  const { size } = await handle.stat()
  const { Decrypter } = await library()
  const decrypter = new Decrypter()
  decrypter.addIdentity(key)
  try {
    const stream = await decrypter.decrypt(streamOf(handle))
    const total = stream.size(size)
    const reader = stream.getReader()
    return {
      total,
      async next() {
        const { value } = await reader.read().catch((error: unknown) => {
          throw damaged(error)
        })
        return value ? Buffer.from(value.buffer, value.byteOffset, value.length) : Buffer.alloc(0)
      },
      [Symbol.asyncDispose]: () => reader.cancel().catch(() => undefined),
    }
  } catch (error) {
    throw /no identity matched/i.test(String(error))
      ? new Error('BACKUP_KEY is not the key that opens the copy.', { cause: error })
      : damaged(error)
  }
}

const damaged = (cause: unknown) =>
  new DamagedArchive('The encrypted copy is damaged, or ends early: it cannot be opened to its end.', {
    cause,
  })

function streamOf(handle: FileHandle): ReadableStream<Uint8Array> {
  let position = 0
  return new ReadableStream(
    {
      async pull(controller) {
        const bytes = Buffer.allocUnsafeSlow(CHUNK)
        const { bytesRead } = await handle.read(bytes, 0, CHUNK, position)
        position += bytesRead
        if (bytesRead === 0) controller.close()
        else controller.enqueue(bytes.subarray(0, bytesRead))
      },
    },
    { highWaterMark: 1 },
  )
}
