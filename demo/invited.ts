import { sql } from 'kysely'
import type { Database } from '../src/server/database/database.ts'
import { makeUser } from '../test/make.ts'

const INVITED = '2026-10-19 09:14Z'

/** Adds somebody who was invited and has never come. */
export async function fillInvited(db: Database, administrator: number): Promise<void> {
  const { id } = await makeUser(db, {
    name: 'Poul Erik Dam',
    role: 'investor',
    email: 'poul.erik.dam@ringbind.example',
    passwordHash: null,
    numbers: ['2099'],
  })
  await sql`update users set created_at = ${INVITED} where id = ${id}`.execute(db)
  await sql`
    insert into log (at, act, user_id, address, subject_user_id)
    values (${INVITED}, 'user-invited', ${administrator}, '192.0.2.17', ${id})`.execute(db)
}
