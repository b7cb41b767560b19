import { sql } from 'kysely'
import { hashOfSecret } from '../src/server/http/secret.ts'
import type { Database } from '../src/server/database/database.ts'
import type { Scope } from '../src/rights.ts'

/** The secret of a key with which a program may do everything that the administrator may. */
export const DEMO_TOKEN = `rb_${'ringbind-demo'.padEnd(43, '0')}`

type Key = {
  user: number
  name: string
  scopes: Scope[]
  prefix: string
  /** Days since it was made, days until it ends, and minutes since it was used. */
  age: number
  left: number
  idle: number | null
  secret?: string
}

const EDGE =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0'

/** Gives people of the office API keys: for a scanner, for the bookkeeping, and one that has ended. */
export async function fillTokens(
  db: Database,
  { administrator, employee }: { administrator: number; employee: number },
): Promise<void> {
  const keys: Key[] = [
    {
      user: employee,
      name: 'Gammel scanner',
      scopes: ['upload'],
      prefix: 'rb_k7Qe',
      age: 95,
      left: -5,
      idle: 7400,
    },
    {
      user: employee,
      name: 'Scanneren i receptionen',
      scopes: ['upload'],
      prefix: 'rb_X2f9',
      age: 79,
      left: 11,
      idle: 42,
    },
    {
      user: administrator,
      name: 'Bogholderi',
      scopes: ['read'],
      prefix: 'rb_p0Zr',
      age: 60,
      left: 305,
      idle: 1500,
    },
    {
      user: administrator,
      name: 'Prøv API’et',
      scopes: ['read', 'upload', 'manage'],
      prefix: DEMO_TOKEN.slice(0, 7),
      age: 1,
      left: 364,
      idle: null,
      secret: DEMO_TOKEN,
    },
  ]
  for (const { user, name, scopes, prefix, age, left, idle, secret = `${prefix} ${name}` } of keys)
    await sql`
      with made as (
        insert into tokens (user_id, name, hash, prefix, scopes, device, created_at, expires_at, used_at)
        values (${user}, ${name}, ${hashOfSecret(secret)}, ${prefix}, ${scopes}, ${EDGE}, now() - make_interval(days => ${age}),
          now() + make_interval(days => ${left}, hours => 2), now() - make_interval(mins => ${idle}))
        returning id, created_at
      )
      insert into log (at, act, user_id, address, token_id, detail)
      select created_at, 'token-added', ${user}, ${`203.0.113.${user}`}, id, ${scopes.join()} from made`.execute(
      db,
    )
}
