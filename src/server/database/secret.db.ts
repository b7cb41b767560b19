import { randomBytes } from 'node:crypto'
import type { Database } from './database.ts'

/** Returns 256 random bits by name. They are the same in every instance and after every start. */
export async function openSecret(db: Database, name: string): Promise<Buffer> {
  await db
    .insertInto('secrets')
    .values({ name, value: randomBytes(32) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { value } = await db
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return value
}
