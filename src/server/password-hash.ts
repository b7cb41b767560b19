import { hash, verify } from '@node-rs/argon2'

// OWASP's least for argon2id: 19 MiB, two passes, one lane.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), OPTIONS)
}

/** Takes as long for somebody who does not exist, or has no password yet, as for a wrong password. */
export async function isPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const matches = await verify(stored ?? (await nobodys), password.normalize('NFC'))
  return matches && Boolean(stored)
}

const nobodys = hashPassword('')
