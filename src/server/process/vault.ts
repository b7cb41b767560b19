import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'

const KIND = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** How many bytes longer a sealed value is. */
const SEAL_BYTES = NONCE_BYTES + TAG_BYTES

/** Seals values that the database keeps, with a key that it does not have. */
export class Vault {
  #key: Buffer

  constructor(key: Buffer) {
    this.#key = Buffer.from(hkdfSync('sha256', key, '', 'ringbind vault', KEY_BYTES))
  }

  /** `about` must be the same when it is opened, so that nobody can put one person's value in another's place. */
  seal(plain: Buffer, about: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(KIND, this.#key, nonce).setAAD(Buffer.from(about))
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  }

  /** Null for a value that was changed, or sealed with another key. */
  open(sealed: Buffer, about: string): Buffer | null {
    if (sealed.length < SEAL_BYTES) return null
    const decipher = createDecipheriv(KIND, this.#key, sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(about)).setAuthTag(sealed.subarray(-TAG_BYTES))
    const plain = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES))
    try {
      return Buffer.concat([plain, decipher.final()])
    } catch {
      return null
    }
  }
}

export const KEY_FILE = 'secrets.key'

/** Opens the vault with `SECRETS_KEY`, or with the key in the data directory, which is made at the first start. */
export async function openVault(key: string | null, directory: string): Promise<Vault> {
  return new Vault(Buffer.from(key ?? (await readOrMakeKey(directory)), 'hex'))
}

/** The same for a command, which creates no key. Null if there is none. */
export async function findVault(key: string | null, directory: string): Promise<Vault | null> {
  const found = key ?? (await readKey(directory))
  return found === null ? null : new Vault(Buffer.from(found, 'hex'))
}

async function readKey(directory: string): Promise<string | null> {
  const path = join(directory, KEY_FILE)
  try {
    const text = (await readFile(path, 'utf8')).trim()
    if (!/^[0-9a-f]{64}$/.test(text))
      throw new Error(`${path} is damaged: it must have 64 hexadecimal digits.`)
    return text
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

async function readOrMakeKey(directory: string): Promise<string> {
  const known = await readKey(directory)
  if (known !== null) return known
  const path = join(directory, KEY_FILE)
  await mkdir(directory, { recursive: true })
  // Written whole before it has its name: of two that start at once, one makes it, and both read it.
  const draft = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(KEY_BYTES).toString('hex')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await link(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await unlink(draft)
  }
  return (await readKey(directory))!
}

const isAbsent = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'
