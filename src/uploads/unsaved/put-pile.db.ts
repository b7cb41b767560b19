import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import type { Trx } from '../../server/database/database.ts'
import type { PilePublishing } from './unsaved-pile.ts'

type Put = { name: string; size: number; hashName: string }

/** How the form publishes at first: as `NOT_SAVED` of `pile/save-state.ts`. */
const AT_FIRST = { publish: 'now', publish_day: null, publish_time: '09.00' } as const

/**
 * Makes a pile of a person's temporary files, as if a page had left it in the form. What was decided about the files before is
 * kept, and how they were to be published. Returns the pile's key.
 */
export async function putPile(
  trx: Trx,
  reader: Reader,
  form: string,
  files: readonly Put[],
): Promise<string> {
  // Locks the person, as a page's write does.
  await sql`select from users where id = ${reader.id} for no key update`.execute(trx)
  const key = randomBytes(8).toString('hex')
  const hashNames = files.map(({ hashName }) => hashName)
  const { rows: before } = await sql<{
    publish: PilePublishing['way']
    publish_day: string | null
    publish_time: string
  }>`
    select publish, publish_day, publish_time from kept_piles
    where user_id = ${reader.id} and form = ${form}
      and exists (select from kept_files where pile_id = kept_piles.id and hash_name = any (${hashNames}))
    order by changed_at desc limit 1`.execute(trx)
  const { id } = await trx
    .insertInto('kept_piles')
    .values({ user_id: reader.id, form, key, ...(before[0] ?? AT_FIRST) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { rows: moved } = await sql<{ hash_name: string }>`
    with known as (
      select distinct on (hash_name) pile_id, kept_files.id, hash_name,
        'k' || row_number() over (order by kept_files.created_at, pile_id, kept_files.id) as next
      from kept_files join kept_piles on kept_piles.id = pile_id
      where user_id = ${reader.id} and form = ${form} and hash_name = any (${hashNames})
      order by hash_name, changed_at desc
    )
    update kept_files set pile_id = ${id}, id = known.next from known
    where kept_files.pile_id = known.pile_id and kept_files.id = known.id
    returning kept_files.hash_name`.execute(trx)
  const known = new Set(moved.map((row) => row.hash_name))
  const added = files.filter(({ hashName }) => !known.has(hashName))
  await sql`
    insert into kept_files (pile_id, id, name, original, size, hash_name)
    select ${id}, 'n' || number, name, name, size, hash_name
    from unnest(${added.map(({ name }) => name)}::text[], ${added.map(({ size }) => size)}::bigint[],
      ${added.map(({ hashName }) => hashName)}::text[]) with ordinality as added (name, size, hash_name, number)`.execute(
    trx,
  )
  return key
}
