import { addUser, type NewUser } from '../src/accounts/users.db.ts'
import type { User } from '../src/accounts/user.ts'
import type { Database } from '../src/server/database.ts'
import { hashPassword } from '../src/server/password-hash.ts'

// Things to have in a database, for the tests and the demo alike.

export const NOBODY = { userId: null, address: null }

let count = 0

/** Somebody who can sign in with `PASSWORD`, unless the fields say otherwise. */
export async function makeUser(db: Database, fields: Partial<NewUser> = {}): Promise<User> {
  const number = ++count
  const user = {
    name: `Bruger ${number}`,
    email: `bruger${number}@example.dk`,
    role: 'investor' as const,
    passwordHash: await passwordHash(PASSWORD),
    ...fields,
  }
  return db.transaction().execute((trx) => addUser(trx, NOBODY, user))
}

export const PASSWORD = 'korrekt hest batteri'

const hashes = new Map<string, Promise<string>>()

/** Hashing is meant to be slow; many people with one password need it once. */
export function passwordHash(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password)
  hashes.set(password, hash)
  return hash
}
