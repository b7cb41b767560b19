import { sql } from 'kysely'
import { transactional, type Trx } from '../../server/database/database.ts'
import type { Obligation } from './obligation.ts'
import { OBLIGATION, refreshDuties } from './refresh-duties.db.ts'
import { isShippedSame, SHIPPED, shippedNow, shippedOf, type Shipped, type ShippedFields } from './shipped.ts'

/**
 * Adds the obligations that come with Ringbind and are not there yet. Those that are there get what is new, except where
 * the office has changed them.
 */
export const addShipped = transactional(async (trx: Trx, today: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('duties', 0))`.execute(trx)
  const there = await readShipped(trx)
  let isChanged = false
  for (const rule of SHIPPED) {
    const row = there.get(rule.code)
    const fields = shippedOf(rule)
    if (row && isShippedSame(row.shipped, fields)) continue
    isChanged = true
    const shipped = JSON.stringify(fields)
    if (row)
      await trx
        .updateTable('obligations')
        .set({ ...shippedNow(row.shipped, row, fields), shipped })
        .where('id', '=', row.id)
        .execute()
    else await addOne(trx, rule, { ...fields, shipped }, today)
  }
  if (isChanged) await refreshDuties(trx, 'all', today)
})

type Row = Obligation & {
  code: string
  /** What Ringbind said of it last. */
  shipped: Partial<ShippedFields> | null
}

async function readShipped(trx: Trx): Promise<Map<string, Row>> {
  const { rows } =
    await sql<Row>`select ${OBLIGATION}, shipped from obligations where code is not null`.execute(trx)
  return new Map(rows.map((row) => [row.code, row]))
}

/** Adds one, which takes over from another what the office has said about it, and the open duties of its own periods. */
async function addOne(
  trx: Trx,
  { code, unless, follows }: Shipped,
  fields: ShippedFields & { shipped: string },
  today: string,
): Promise<void> {
  const { rows: others } = await sql<{ id: number; code: string }>`
    select id, code from obligations where code = any (${[unless, follows].filter((each) => each !== undefined)})`.execute(
    trx,
  )
  const idOf = (wanted: string | undefined) => others.find((other) => other.code === wanted)?.id ?? null
  const { id } = await trx
    .insertInto('obligations')
    .values({ ...fields, code, watched_from: today, unless_id: idOf(unless) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const former = idOf(follows)
  if (former === null) return
  await sql`
    update obligations set responsible_id = former.responsible_id, remind_days = former.remind_days,
      is_active = former.is_active, watched_from = former.watched_from
    from obligations as former where obligations.id = ${id} and former.id = ${former}`.execute(trx)
  await sql`
    insert into obligation_choices (obligation_id, project_id, is_bound)
    select ${id}, project_id, is_bound from obligation_choices where obligation_id = ${former}`.execute(trx)
  await sql`
    insert into duties (obligation_id, project_id, period, starts_on, ends_on, due_on, responsible_id, is_responsible_given)
    select ${id}, project_id, period, starts_on, ends_on, due_on, responsible_id, is_responsible_given
    from duties where obligation_id = ${former} and done_at is null
      and ends_on >= ${fields.holds_since}::date`.execute(trx)
}
