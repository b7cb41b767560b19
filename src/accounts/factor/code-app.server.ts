import { createHmac } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

export const SECRET_BYTES = 20
const PERIOD = 30
/** A code is accepted in its own half minute and in the next one, because it may change while somebody types it. */
const GRACE = 1

/**
 * The secret of an app that a person may add in a session. It stays the same, so that reloading the page is harmless,
 * until a factor is added or removed.
 */
export const secretFor = (key: Buffer, userId: number, session: string, changes: number): Buffer =>
  createHmac('sha256', key)
    .update(`code app\0${userId}\0${changes}\0${session}`)
    .digest()
    .subarray(0, SECRET_BYTES)

/** The secret as a person types it into the app: 'ABCD EFGH …'. */
export const secretText = (secret: Buffer) => secretOf(secret).base32.replaceAll(/(.{4})(?=.)/g, '$1 ')

/** The address that the QR code holds. Apps show the office's name and the person's e-mail. */
export const appAddress = (secret: Buffer, email: string, office: string) =>
  totp(secret, { issuer: office || 'Ringbind', label: email }).toString()

/** Returns the step that a typed code belongs to, or null if it is wrong. A step is half a minute. */
export function stepOf(secret: Buffer, typed: string, at: number): number | null {
  const token = typed.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return null
  const delta = totp(secret).validate({ token, timestamp: at, window: GRACE })
  return delta === null || delta > 0 ? null : Math.floor(at / 1000 / PERIOD) + delta
}

function totp(secret: Buffer, names: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({ ...names, secret: secretOf(secret), algorithm: 'SHA1', digits: 6, period: PERIOD })
}

const secretOf = (secret: Buffer) => new Secret({ buffer: new Uint8Array(secret).buffer })
