import { sql } from 'kysely'
import type { Database } from '../../src/server/database/database.ts'
import { compare, openOffice } from './lists.ts'
import type { Result } from '../measure/result.ts'

const FEW = 1000
const MANY = 1_000_000
const A_TIME = 50_000
const ENOUGH_MS = 10

/**
 * Addresses that must cost about the same, whether the log is short or long. People, projects and files are the same
 * in both.
 */
const COMPARED = [
  '/log',
  '/api/log',
  '/api/log?period=30-days',
  '/api/log?page=40',
  '/api/log?person=7',
  '/api/log?project=3',
  '/api/log?act=file-opened',
  '/api/log?act=user-added',
  '/api/log?file=11',
  '/api/log?from=2025-01-01&to=2025-01-31',
  '/api/log?person=7&project=3',
  '/api/log?person=7&act=file-opened',
  '/api/log?project=3&act=file-opened',
  '/api/log?project=3&act=member-removed',
  '/api/log?person=7&from=2025-01-01&to=2025-01-31',
  '/api/log?project=3&act=file-downloaded&from=2025-01-01&to=2025-03-31',
]

/** Compares the log of a young office with that of an old one. */
export async function measure(): Promise<Result[]> {
  await using small = await openOffice((db) => fill(db, FEW))
  await using large = await openOffice((db) => fill(db, MANY))
  const results: Result[] = []
  for (const path of COMPARED)
    results.push({
      ...(await compare(path, small, large, ENOUGH_MS)),
      family: 'the log with 1,000,000 entries',
    })
  return results
}

/** Adds entries of three years; most are reads, many of them in a few projects, and few by most people. */
async function fill(db: Database, entries: number): Promise<void> {
  await sql`
    insert into users (name, email, email_key, role)
    select 'Person ' || n, n || '@example.dk', n || '@example.dk', 'investor' from generate_series(1, 500) as n`.execute(
    db,
  )
  await sql`
    insert into projects (number, name) select n::text, 'K/S Nordhavn ' || n from generate_series(1, 200) as n`.execute(
    db,
  )
  await sql`select setseed(0.5)`.execute(db)
  for (let from = 1; from <= entries; from += A_TIME)
    await sql`
      insert into log (at, act, user_id, address, subject_user_id, project_id, file_id)
      select now() - make_interval(secs => 94608000.0 * (${entries}::integer - n) / ${entries}::integer),
        (array['file-opened', 'file-opened', 'file-opened', 'file-downloaded', 'file-downloaded', 'sign-in', 'sign-in',
          'sign-out', 'file-added', case when n % 997 = 0 then 'user-added' else 'file-sorted' end])[1 + kind],
        1 + (499 * power(random(), 2))::bigint, '192.0.2.7',
        case when random() < 0.1 then 1 + (499 * random())::bigint end,
        case when kind not between 5 and 7 then 1 + (199 * power(random(), 2))::bigint end,
        case when kind not between 5 and 7 then 1 + (20000 * random())::bigint end
      from (
        select n, floor(10 * random())::integer as kind
        from generate_series(${from}::integer, ${Math.min(from + A_TIME - 1, entries)}::integer) as n
      ) as made`.execute(db)
}
