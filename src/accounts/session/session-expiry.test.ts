import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { freshApp } from '../../../test/app.ts'
import { enter } from '../../../test/enter.ts'
import type { Role } from '../../rights.ts'
import { expiryOf } from './session-expiry.ts'
import { findSession, purgeSessions } from './sessions.db.ts'

const test = await freshApp({ hasJobs: false })

/** Makes all sessions of a person older. */
const age = (id: number, column: 'used_at' | 'created_at', by: string) =>
  sql`update sessions set ${sql.ref(column)} = now() - ${by}::interval where user_id = ${id}`.execute(test.db)

const countOf = async (id: number) =>
  (await test.db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()).length

const LIMITS: [role: Role, column: 'used_at' | 'created_at', within: string, after: string][] = [
  ['administrator', 'used_at', '11 hours 59 minutes', '12 hours 1 minute'],
  ['employee', 'used_at', '11 hours 59 minutes', '12 hours 1 minute'],
  ['auditor', 'used_at', '23 hours 59 minutes', '24 hours 1 minute'],
  ['investor', 'used_at', '23 hours 59 minutes', '24 hours 1 minute'],
  ['administrator', 'created_at', '6 days 23 hours', '7 days 1 minute'],
  ['employee', 'created_at', '6 days 23 hours', '7 days 1 minute'],
  ['auditor', 'created_at', '29 days 23 hours', '30 days 1 minute'],
  ['investor', 'created_at', '29 days 23 hours', '30 days 1 minute'],
]

it.each(LIMITS)(
  'a session of an %s, by its %s, is alive after %s and ended after %s',
  async (role, column, within, after) => {
    const { id, visitor } = await enter(test, role)
    await age(id, column, within)
    await purgeSessions(test.db, expiryOf(test.config))
    expect((await visitor.get('/profile')).body).toContain('Denne enhed')
    await age(id, column, after)
    expect((await visitor.get('/profile')).statusCode).toBe(303)
    expect(await countOf(id)).toBe(1)
    await purgeSessions(test.db, expiryOf(test.config))
    expect(await countOf(id)).toBe(0)
  },
)

it('another role changes how long a session lasts', async () => {
  const { id, visitor } = await enter(test, 'auditor')
  await age(id, 'used_at', '20 hours')
  await test.db.updateTable('users').set({ role: 'employee' }).where('id', '=', id).execute()
  expect((await visitor.get('/')).statusCode).toBe(303)
})

it.each<[Role, hours: number]>([
  ['employee', 12],
  ['investor', 24],
])('an open page of an %s listens for %i hours', async (role, hours) => {
  const { visitor } = await enter(test, role)
  const found = await findSession(
    test.db,
    { session: visitor.cookies.get('session')!, view: null },
    expiryOf(test.config),
  )
  expect((found!.endsAt.getTime() - Date.now()) / 3_600_000).toBeCloseTo(hours, 1)
})
