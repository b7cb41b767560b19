import type { Role } from '../src/rights.ts'
import type { TestApp } from './app.ts'
import { makeUser, PASSWORD } from './make.ts'
import { Visitor } from './visitor.ts'

export type Entered = { id: number; visitor: Visitor }

/** Makes a person with a role and signs them in. */
export async function enter(
  test: TestApp,
  role: Role,
  more: Parameters<typeof makeUser>[1] = {},
): Promise<Entered> {
  const { id, email } = await makeUser(test.db, { role, ...more })
  const visitor = new Visitor(test.app)
  await visitor.signIn(email, PASSWORD)
  return { id, visitor }
}
