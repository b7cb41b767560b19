import { sql, type RawBuilder } from 'kysely'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import {
  addressText,
  START_HASH,
  hashLink,
  markOf,
  namesText,
  type ChainedEntry,
  type ChainHead,
} from './link.server.ts'

/** How many entries one transaction links. */
const MOST = 1000

/**
 * An entry as text. Without nulls, so that a column added later does not change the text of older entries; the time
 * as a number, so that no setting changes it.
 */
export const ENTRY_TEXT: RawBuilder<string> = sql`jsonb_strip_nulls(
  to_jsonb(log) - 'address' || jsonb_build_object('at', (extract(epoch from log.at) * 1000000)::bigint))::text`

/** Links all entries that are not in the chain yet. Returns how many. */
export async function sealEntries(db: Database, signal?: AbortSignal): Promise<number> {
  for (let all = 0; ;) {
    const sealed = await sealSome(db)
    all += sealed
    if (sealed < MOST || signal?.aborted) return all
  }
}

/** Also links entries that were committed long after they got their number. */
export async function sealStragglers(db: Database, signal?: AbortSignal): Promise<number> {
  await sql`select reset_log_marks()`.execute(db)
  return sealEntries(db, signal)
}

/** Returns the end of the chain, or null if nothing is linked. */
export async function findHead(db: Database | Trx): Promise<ChainHead | null> {
  const last = await findLast(db)
  return last ? { position: last.position, hash: last.hash.toString('hex') } : null
}

async function findLast(db: Database | Trx): Promise<{ position: number; hash: Buffer } | undefined> {
  return db
    .selectFrom('log_chain')
    .select(['position', 'hash'])
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Links entries after the act, not in its transaction, because writers would wait for each other. Entries are linked in
 * the order of their numbers, and one whose transaction ends late is linked later.
 */
const sealSome = transactional(async (trx: Trx): Promise<number> => {
  const { rows: locks } = await sql<{ is_mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('log chain', 0)) as is_mine`.execute(trx)
  if (!locks[0]!.is_mine) return 0
  const entries = await listUnlinked(trx)
  if (entries.length > 0) await addLinks(trx, entries)
  // A number below the mark may still be in a transaction that has not ended. So a mark counts when all of them have; and after a
  // minute, since a writer takes the number a moment before its transaction can be seen.
  if (entries.length < MOST) await sql`select move_log_marks()`.execute(trx)
  return entries.length
})

async function addLinks(trx: Trx, entries: (ChainedEntry & { id: number })[]): Promise<void> {
  let { position, hash } = (await findLast(trx)) ?? { position: 0, hash: START_HASH }
  const links = entries.map((entry) => {
    const [address, names] = [addressText(entry), namesText(entry)].map((value) =>
      value === null ? null : markOf(value),
    )
    hash = hashLink(hash, entry.text, address?.mark ?? null, names?.mark ?? null)
    return {
      position: ++position,
      log_id: entry.id,
      hash: hash.toString('hex'),
      address_salt: address?.salt.toString('hex'),
      address_mark: address?.mark.toString('hex'),
      names_salt: names?.salt.toString('hex'),
      names_mark: names?.mark.toString('hex'),
    }
  })
  await sql`
    insert into log_chain
    select position, log_id, decode(hash, 'hex'), decode(address_salt, 'hex'), decode(address_mark, 'hex'),
      decode(names_salt, 'hex'), decode(names_mark, 'hex')
    from json_to_recordset(${JSON.stringify(links)}::json) as link (position bigint, log_id bigint, hash text,
      address_salt text, address_mark text, names_salt text, names_mark text)`.execute(trx)
}

async function listUnlinked(trx: Trx): Promise<(ChainedEntry & { id: number })[]> {
  const { rows } = await sql<{
    id: number
    text: string
    address: string | null
    names: ChainedEntry['names']
  }>`
    select log.id, ${ENTRY_TEXT} as text, log.address::text as address,
      case when log_names.log_id is not null
        then json_build_object('before', log_names.before, 'after', log_names.after) end as names
    from log left join log_names on log_names.log_id = log.id
    where log.id > coalesce((select linked_to from log_chain_marks), 0)
      and not exists (select from log_chain where log_chain.log_id = log.id)
    order by log.id limit ${MOST}`.execute(trx)
  return rows
}
