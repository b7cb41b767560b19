import { sql } from 'kysely'
import type { Database } from '../../server/database/database.ts'
import { START_HASH, formatHead, hashLink, markOf, type ChainHead } from './link.server.ts'
import { ENTRY_TEXT } from './seal.db.ts'

type CheckedChain = {
  links: number
  head: ChainHead | null
  /** The first broken link, in words. */
  fault: string | null
}

type Options = {
  /** An end of the chain that was recorded earlier, in a copy or a mail. */
  known?: ChainHead | undefined
  signal?: AbortSignal | undefined
  heard?: (links: number) => void
}

type Row = {
  position: number
  log_id: number
  hash: Buffer
  text: string | null
  address: string | null
  address_salt: Buffer | null
  address_mark: Buffer | null
  names: string | null
  names_salt: Buffer | null
  names_mark: Buffer | null
}

const A_TIME = 1000

/** Computes every link again, and names the first one that has changed. */
export async function checkChain(
  db: Database,
  { known, signal, heard }: Options = {},
): Promise<CheckedChain> {
  let previous: Buffer = START_HASH
  let links = 0
  const head = () => (links === 0 ? null : { position: links, hash: previous.toString('hex') })
  for (;;) {
    signal?.throwIfAborted()
    const rows = await listLinks(db, links)
    for (const row of rows) {
      const fault = faultOf(row, links + 1, previous)
      if (fault) return { links, head: head(), fault }
      previous = row.hash
      links++
      if (links === known?.position && previous.toString('hex') !== known.hash)
        return {
          links,
          head: head(),
          fault: `The log is not the one that ${formatHead(known)} was noted of: its link ${links} is another.`,
        }
    }
    heard?.(links)
    if (rows.length < A_TIME) break
  }
  const fault =
    known && known.position > links
      ? `The log ends at link ${links}, although it had ${known.position} links when ${formatHead(known)} was noted.`
      : null
  return { links, head: head(), fault }
}

function faultOf(row: Row, position: number, previous: Buffer): string | null {
  const where = `The log is broken at link ${position} (entry ${row.log_id})`
  if (row.position !== position) return `The log is broken at link ${position}: it is missing.`
  if (row.text === null) return `${where}: its entry is missing.`
  if (!hashLink(previous, row.text, row.address_mark, row.names_mark).equals(row.hash))
    return `${where}: its entry was changed.`
  if (!isAsMarked(row.address, row.address_salt, row.address_mark))
    return `${where}: its address was changed.`
  if (!isAsMarked(row.names, row.names_salt, row.names_mark)) return `${where}: its names were changed.`
  return null
}

/** An erased value has left its mark, but no salt. */
function isAsMarked(value: string | null, salt: Buffer | null, mark: Buffer | null): boolean {
  if (value === null || salt === null || mark === null) return value === null && salt === null
  return markOf(value, salt).mark.equals(mark)
}

async function listLinks(db: Database, after: number): Promise<Row[]> {
  const { rows } = await sql<Omit<Row, 'names'> & { before: string | null; after: string | null }>`
    select log_chain.*, case when log.id is not null then ${ENTRY_TEXT} end as text, log.address::text as address,
      log_names.before, log_names.after
    from log_chain left join log on log.id = log_chain.log_id left join log_names on log_names.log_id = log.id
    where position > ${after} order by position limit ${A_TIME}`.execute(db)
  return rows.map(({ before, after: now, ...row }) => ({
    ...row,
    names: before === null ? null : JSON.stringify([before, now]),
  }))
}
