import { hash, verify } from '@node-rs/argon2'
import { FairQueue } from '../server/process/fair-queue.ts'

// OWASP's least for argon2id: 19 MiB, two passes, one lane.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Each takes its time and 19 MiB: so many at once, and the next one of whoever has waited for their turn. */
const queue = new FairQueue({ atOnce: 2 })

/** `client` is whom it is done for: one of them does not keep the others waiting. */
export function hashPassword(password: string, client = ''): Promise<string> {
  return queue.run(client, () => hash(password.normalize('NFC'), OPTIONS))
}

/** Takes as long for somebody who does not exist, or has no password yet, as for a wrong password. */
export async function isPassword(
  password: string,
  stored: string | null | undefined,
  client = '',
): Promise<boolean> {
  const known = stored ?? (await nobodys)
  const matches = await queue.run(client, () => verify(known, password.normalize('NFC')))
  return matches && Boolean(stored)
}

const nobodys = hashPassword('')
