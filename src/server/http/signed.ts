import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Appends a signature that only we can make. `about` must be the same when the value is read. It says what the value is for, and
 * holds nothing that a browser has sent: such a text could make it the `about` of something else.
 */
export function sign(secret: Buffer, value: string, about: string): string {
  return `${value}.${signature(secret, value, about)}`
}

/** Returns the value if the signature is ours. */
export function readSigned(secret: Buffer, signed: string | undefined, about: string): string | null {
  const [value, given, ...more] = signed?.split('.') ?? []
  if (!value || !given || more.length > 0) return null
  return sameText(given, signature(secret, value, about)) ? value : null
}

/** Compares in constant time. */
export function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function signature(secret: Buffer, value: string, about: string): string {
  return createHmac('sha256', secret).update(`${about}\0${value}`).digest('base64url')
}
