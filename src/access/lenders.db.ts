import { sql, type RawBuilder } from 'kysely'
import { isLentTo } from '../rights.ts'
import type { Database } from '../server/database/database.ts'
import { IS_IN_SCOPE, lendingsTo } from './lent.db.ts'
import type { Client, Lender } from './lent.ts'
import type { Reader } from './reader.ts'
import {
  contentsSeen,
  IS_PROJECT_LENT,
  isFolderLent,
  isFolderSeen,
  LENDER,
  type QueriedReader,
} from './seen.db.ts'

/** Column of `folders`: the first lender through whom an adviser sees it. Null for other readers. The log writes it down. */
export function firstLender(reader: QueriedReader): RawBuilder<number | null> {
  if (!isLentTo(reader.role)) return sql<null>`null::bigint`
  return sql<number | null>`(
    select lender.id from ${lendingsTo(reader)} where ${isFolderSeen(LENDER)} and ${IS_IN_SCOPE}
    order by lendings.id limit 1)`
}

/** Column of `folders`: the names of those through whom an adviser sees it. Empty for other readers. */
export function folderLenders(reader: QueriedReader): RawBuilder<string[]> {
  if (!isLentTo(reader.role)) return sql<string[]>`'{}'::text[]`
  return sql<string[]>`array(
    select lender.name from ${lendingsTo(reader)}
    where ${isFolderSeen(LENDER)} and ${IS_IN_SCOPE} order by lender.name, lender.id)`
}

/** Column of `folders`: the names of the lenders whose mails about it an adviser gets. Empty for other readers. */
export function lendersWithMails(reader: QueriedReader): RawBuilder<string[]> {
  if (!isLentTo(reader.role)) return sql<string[]>`'{}'::text[]`
  return sql<string[]>`array(
    select lender.name from ${lendingsTo(reader)}
    where ${isFolderSeen(LENDER)} and ${IS_IN_SCOPE} and lendings.gets_mails order by lender.name, lender.id)`
}

/** Column of `projects`: the names of those through whom an adviser sees it. Null for other readers. */
export function lenderNames(reader: QueriedReader): RawBuilder<string[] | null> {
  if (!isLentTo(reader.role)) return sql<null>`null::text[]`
  return sql<string[]>`array(
    select lender.name from ${lendingsTo(reader)} where ${IS_PROJECT_LENT} order by lender.name, lender.id)`
}

/** Condition on `projects`: an adviser sees it through one lender. */
export const isProjectOfClient = (
  adviser: Reader,
  client: number,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from ${lendingsTo(adviser)} where lender.id = ${client} and ${IS_PROJECT_LENT})`

/** Condition on `folders`: an adviser sees it through one lender. */
export const isFolderOfClient = (adviser: Reader, client: number): RawBuilder<boolean> =>
  isFolderLent(adviser, sql<boolean>`lender.id = ${client}`)

/** Lists the people whose papers an adviser sees, by name. Empty for other readers, who see for themselves. */
export async function listClients(db: Database, reader: Reader): Promise<Client[]> {
  if (!isLentTo(reader.role)) return []
  const { rows } = await sql<Client>`
    select lender.id, lender.name from ${lendingsTo(reader)} order by lender.name collate danish, lender.id`.execute(
    db,
  )
  return rows
}

/** Lists who lends to an adviser now, and what, by name. `id` finds one of them. */
export async function listLenders(db: Database, adviser: Reader, id?: number): Promise<Lender[]> {
  const { rows } = await sql<Omit<Lender, 'until'> & { until: Date | null }>`
    select lender.id, lender.name, lendings.is_everything, lendings.folder_names, lendings.with_own_files, lendings.until,
      coalesce(own.files_count, 0) as files_count
    from ${lendingsTo(adviser)} left join lateral (
      select ${contentsSeen(adviser).filesCount} as files_count from folders
      where folders.user_id = lender.id and ${isFolderSeen(adviser)}
    ) as own on true
    where ${id === undefined ? sql`true` : sql`lender.id = ${id}`}
    order by lender.name, lender.id`.execute(db)
  return rows.map(({ until, ...row }) => ({ ...row, until: until?.toISOString() ?? null }))
}
