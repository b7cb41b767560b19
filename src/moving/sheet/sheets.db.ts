import { sql } from 'kysely'
import type { ListQuery } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'
import { isOffice } from '../../rights.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { readPage } from '../../server/database/list.db.ts'
import { isFound } from '../../server/database/search.db.ts'
import { notFound } from '../../server/http/errors.ts'
import type { SheetTable } from '../../server/reading/read-tables.ts'
import { placeOf, type CheckedSheet } from './read/checked-sheet.ts'
import { inParts } from '../../server/database/in-parts.ts'
import type { SheetCounts, ShownRow, WaitingSheet } from './import.ts'
import { planNow } from './plan/plan-now.db.ts'
import { ROW_STATES, type Plan, type RowState } from './plan/plan.ts'
import { restOf, type Rest } from './rest-sheet.ts'

/** A person has one waiting sheet: a new one replaces it. */
export const keepSheet = transactional(
  async (
    trx: Trx,
    userId: number,
    name: string,
    checked: CheckedSheet,
    tables: readonly SheetTable[] = [],
  ): Promise<number> => {
    const { plan, hash } = await planNow(trx, checked)
    await trx.deleteFrom('sheets').where('user_id', '=', userId).execute()
    const { id } = await trx
      .insertInto('sheets')
      .values({
        user_id: userId,
        name,
        content: JSON.stringify(checked),
        tables: JSON.stringify(tables),
        plan_hash: hash,
        counts: JSON.stringify(countsOf(plan)),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await keepRows(trx, id, checked, plan)
    return id
  },
)

/** The sheet as it was read; none if an earlier version took it. */
export async function readSheetTables(db: Database, userId: number, id: number): Promise<SheetTable[]> {
  const { rows } = await sql<{ tables: SheetTable[] | null }>`
    select tables from sheets where id = ${id} and user_id = ${userId} and ${isWaiting}`.execute(db)
  const [row] = rows
  if (!row) throw notFound('Arket findes ikke mere. Upload det igen.')
  return row.tables ?? []
}

/** Reads a sheet again with other columns. */
export const keepChoice = transactional(
  async (trx: Trx, userId: number, id: number, checked: CheckedSheet): Promise<void> => {
    await getContent(trx, userId, id)
    await trx
      .updateTable('sheets')
      .set({ content: JSON.stringify(checked) })
      .where('id', '=', id)
      .execute()
    await planAgain(trx, userId, id)
  },
)

/** Compares a sheet again, after something else has changed. */
export const planAgain = transactional(async (trx: Trx, userId: number, id: number): Promise<void> => {
  const { content } = await getContent(trx, userId, id)
  const { plan, hash } = await planNow(trx, content)
  await trx
    .updateTable('sheets')
    .set({ plan_hash: hash, counts: JSON.stringify(countsOf(plan)) })
    .where('id', '=', id)
    .execute()
  await trx.deleteFrom('sheet_rows').where('sheet_id', '=', id).execute()
  await keepRows(trx, id, content, plan)
})

export function countsOf({ rows, ...plan }: Plan): SheetCounts {
  const states = Object.fromEntries(ROW_STATES.map((state) => [state, 0])) as Record<RowState, number>
  for (const { state } of rows) states[state]++
  const changed = rows.filter(({ state }) => state === 'changed')
  return {
    ...states,
    newProjects: plan.newProjects.length,
    changedProjects: plan.changedProjects.length,
    newPeople: plan.newPeople.length,
    changedPeople: changed.filter(({ kind }) => kind === 'people').length,
    employees: plan.newPeople.filter(({ role }) => isOffice(role)).length,
  }
}

/** Wrong rows first, because they need work. */
const ORDER: Record<RowState, number> = { wrong: 0, new: 1, changed: 2, unchanged: 3 }

async function keepRows(trx: Trx, sheet: number, checked: CheckedSheet, { rows }: Plan): Promise<void> {
  const ordered = rows
    .map((row, place) => ({ ...row, place }))
    .toSorted((a, b) => ORDER[a.state] - ORDER[b.state] || a.place - b.place)
  for (const part of inParts(ordered.map((row, place) => ({ ...row, place })))) {
    const written = part.map(({ kind, row, state, key, label, changes, faults, notes, place }) => ({
      place,
      state,
      shown: { place: placeOf(checked, kind, row, null), key, label, changes, faults, notes },
      text: [key, label, ...changes.map(({ after }) => after)].join('\n'),
    }))
    await sql`
      insert into sheet_rows (sheet_id, place, state, shown, search)
      select ${sheet}, place, state, shown, search_key(text)
      from json_to_recordset(${JSON.stringify(written)}::json) as row (place integer, state text, shown jsonb, text text)
      order by place`.execute(trx)
  }
}

type Row = Omit<WaitingSheet, 'created_at' | 'faults' | 'notes'> & {
  created_at: Date
  faults: string[]
  notes: string[]
}

/** The person's own sheet. Another's does not exist for them. */
export async function getSheet(db: Database | Trx, userId: number, id: number): Promise<WaitingSheet> {
  const found = await findSheet(db, userId, id)
  if (!found) throw notFound('Arket findes ikke mere. Upload det igen.')
  return found
}

export async function findSheet(
  db: Database | Trx,
  userId: number,
  id: number | null = null,
): Promise<WaitingSheet | null> {
  const { rows } = await sql<Row>`
    select id, name, created_at, counts, plan_hash, content -> 'faults' as faults, content -> 'notes' as notes,
      coalesce(content -> 'columns', '[]') as columns
    from sheets where user_id = ${userId} and ${isWaiting}${id === null ? sql`` : sql` and id = ${id}`}
    order by id desc limit 1`.execute(db)
  const [row] = rows
  return row ? { ...row, created_at: row.created_at.toISOString() } : null
}

/** A day after it was uploaded, a sheet is gone. */
const isWaiting = sql<boolean>`created_at > now() - interval '1 day'`

/** Locks a sheet, and returns its rows as they were read. */
export async function getContent(
  trx: Trx,
  userId: number,
  id: number,
): Promise<{ name: string; content: CheckedSheet; hash: string }> {
  const { rows } = await sql<{ name: string; content: CheckedSheet; hash: string }>`
    select name, content, plan_hash as hash from sheets
    where id = ${id} and user_id = ${userId} and ${isWaiting} for update`.execute(trx)
  const [row] = rows
  if (!row) throw notFound('Arket findes ikke mere. Upload det igen.')
  return row
}

/** A page of the preview of a sheet that the caller has found to be the reader's own. */
export async function listRows(db: Database, sheet: number, query: ListQuery): Promise<Page<ShownRow>> {
  const { filter } = query
  const isOfState = filter === undefined ? sql`` : sql` and state = ${filter}`
  return readPage(db, query, {
    id: sql<number>`sheet_rows.id`,
    found: sql`from sheet_rows where sheet_id = ${sheet}${isOfState} and ${isFound(sql<string>`sheet_rows.search`, query.q)}`,
    order: sql`place`,
    perPage: 50,
    read: async (ids) => {
      const { rows } = await sql<{ id: number; state: RowState; shown: Omit<ShownRow, 'id' | 'state'> }>`
        select id, state, shown from sheet_rows where id = any (${ids})`.execute(db)
      return rows.map(({ id, state, shown }) => ({ id, state, ...shown }))
    },
  })
}

/** The rows of a sheet that would not be imported now. Only its own person gets them. */
export const readRest = transactional(
  async (trx: Trx, userId: number, id: number): Promise<{ name: string; rest: Rest }> => {
    const { name, content } = await getContent(trx, userId, id)
    const { plan } = await planNow(trx, content)
    return { name, rest: restOf(content, plan) }
  },
)

/** The rows that an import has left out. */
export async function readImportRest(db: Database, id: number): Promise<{ name: string; rest: Rest }> {
  const { rows } = await sql<{ name: string; rest: Rest | null }>`
    select name, rest from sheet_imports where id = ${id}`.execute(db)
  const [found] = rows
  if (!found?.rest) throw notFound('Rækkerne er her ikke mere.')
  return { name: found.name, rest: found.rest }
}

export async function discardSheet(db: Database, userId: number, id: number): Promise<void> {
  await db.deleteFrom('sheets').where('id', '=', id).where('user_id', '=', userId).execute()
}

/** Removes sheets that nobody has confirmed, and the stored changes of imports that can no longer be undone. */
export async function purgeSheets(db: Database, undoDays: number): Promise<void> {
  await sql`delete from sheets where not ${isWaiting}`.execute(db)
  await sql`
    update sheet_imports set rest = null
    where rest is not null and made_at < now() - make_interval(days => ${undoDays})`.execute(db)
  await sql`
    delete from sheet_changes using sheet_imports
    where sheet_imports.id = sheet_changes.import_id
      and made_at < now() - make_interval(days => ${undoDays})`.execute(db)
}
