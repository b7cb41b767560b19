import { createHmac, timingSafeEqual } from 'node:crypto'

/** Appends a signature, so that nobody else can have made the value. `about` must be the same when it is read. */
export function sign(secret: Buffer, value: string, about: string): string {
  return `${value}.${signature(secret, value, about)}`
}

/** The value, when the signature is ours. */
export function readSigned(secret: Buffer, signed: string | undefined, about: string): string | null {
  const [value, given] = signed?.split('.') ?? []
  if (!value || !given) return null
  return sameText(given, signature(secret, value, about)) ? value : null
}

/** Takes the same time wherever the texts differ. */
export function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function signature(secret: Buffer, value: string, about: string): string {
  return createHmac('sha256', secret).update(`${about}\0${value}`).digest('base64url')
}
