import { hash, verify } from '@node-rs/argon2'
import { FairQueue, type Client } from '../../server/process/fair-queue.ts'

// OWASP's minimum for argon2id: 19 MiB, two passes, one lane.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Each hash takes a while and 19 MiB, so only two run at once. Clients take turns. */
const queue = new FairQueue({ atOnce: 2 })

/** Hashes for different clients take turns, so that one `client` cannot hold up the others. */
export function hashPassword(password: string, client: Client | string = ''): Promise<string> {
  return queue.run(client, () => hash(password.normalize('NFC'), OPTIONS))
}

/** Takes the same time for an unknown person, or one without a password, as for a wrong password. */
export async function isPassword(
  password: string,
  stored: string | null | undefined,
  client: Client | string = '',
): Promise<boolean> {
  const known = stored ?? (await nobodys)
  const matches = await queue.run(client, () => verify(known, password.normalize('NFC')))
  return matches && Boolean(stored)
}

const nobodys = hashPassword('')
