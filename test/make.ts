import { addUser, type NewUser } from '../src/accounts/users.db.ts'
import type { User } from '../src/accounts/user.ts'
import type { Database } from '../src/server/database.ts'
import { copyTemplate } from '../src/projects/folders.db.ts'
import { changeMembers } from '../src/projects/members.db.ts'
import type { Project } from '../src/projects/project.ts'
import { addProject } from '../src/projects/projects.db.ts'
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

/** A project with the template's folders. */
export async function makeProject(
  db: Database,
  { members = [], ...fields }: Partial<Project> & { members?: number[] } = {},
): Promise<Project> {
  const number = ++count
  const project = {
    number: String(1000 + number),
    name: `K/S Projekt ${number}`,
    cvr: null,
    status: 'active' as const,
    ...fields,
  }
  const id = await db.transaction().execute(async (trx) => {
    const added = await addProject(trx, NOBODY, project)
    await copyTemplate(trx, added)
    await changeMembers(trx, NOBODY, added, { add: members, remove: [], addByName: '' })
    return added
  })
  return { ...project, id }
}

export const PASSWORD = 'korrekt hest batteri'

const hashes = new Map<string, Promise<string>>()

/** Hashing is meant to be slow; many people with one password need it once. */
export function passwordHash(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password)
  hashes.set(password, hash)
  return hash
}
