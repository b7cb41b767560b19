import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const KIND = 'aes-128-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const NUMBER_BYTES = 8

/**
 * Gives numbers to clients as texts that say nothing, not even whether two are the same, and knows them again. Texts of
 * another process are not known.
 */
export class SealedNumbers {
  #key = randomBytes(16)

  seal(number: number): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(KIND, this.#key, nonce)
    const plain = Buffer.alloc(NUMBER_BYTES)
    plain.writeBigUInt64BE(BigInt(number))
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString(
      'base64url',
    )
  }

  /** Null for a text that is none of ours. */
  open(text: string): number | null {
    const bytes = Buffer.from(text, 'base64url')
    if (bytes.length !== NONCE_BYTES + NUMBER_BYTES + TAG_BYTES) return null
    const decipher = createDecipheriv(KIND, this.#key, bytes.subarray(0, NONCE_BYTES))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const plain = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
    try {
      decipher.final()
    } catch {
      return null // changed, or sealed by another process
    }
    return Number(plain.readBigUInt64BE())
  }
}
