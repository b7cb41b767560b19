import { sql, type RawBuilder } from 'kysely'
import { sheetDetail, type Act } from '../../log/words/act.ts'
import { addLogEntries, renamed, type Actor, type On } from '../../log/log.db.ts'
import type { Trx } from '../../server/database/database.ts'
import { Refusal } from '../../server/http/errors.ts'
import { inParts } from '../../server/database/in-parts.ts'

/** The import that writes, for the log. */
export type Writing = { trx: Trx; actor: Actor; sheet: number }

/** Something to be changed has changed since it was compared. */
export class Stale extends Refusal {
  constructor() {
    super(409, 'Noget er ændret siden forhåndsvisningen, så intet er gemt. Genindlæs siden.')
  }
}

const listOf = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)))

/** Adds rows. Returns their ids by `key`, a column that no two rows share. */
export async function addRows(
  trx: Trx,
  table: RawBuilder<unknown>,
  columns: readonly string[],
  key: string,
  added: readonly object[],
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const part of inParts(added)) {
    const { rows } = await sql<{ id: number; known: string }>`
      insert into ${table} (${listOf(columns)})
      select ${listOf(columns)} from jsonb_populate_recordset(null::${table}, ${JSON.stringify(part)}::jsonb)
      on conflict (${sql.ref(key)}) do nothing returning id, ${sql.ref(key)} as known`.execute(trx)
    if (rows.length < part.length) throw new Stale()
    for (const { id, known } of rows) ids.set(known, id)
  }
  return ids
}

type Changed<Values> = { id: number; before: Values; after: Values }

/** Writes `after`, and `also`, to rows that still have the values in `before`. Throws `Stale` if one has not. */
export async function changeRows(
  trx: Trx,
  table: RawBuilder<unknown>,
  columns: readonly string[],
  changed: readonly Changed<object>[],
  also = sql``,
): Promise<void> {
  for (const part of inParts(changed)) {
    const { rows } = await sql`
      update ${table} set (${listOf(columns)}) = (
        select ${listOf(columns)} from jsonb_populate_record(${table}, wanted.after))${also}
      from json_to_recordset(${JSON.stringify(part)}::json) as wanted (id bigint, before jsonb, after jsonb)
      where ${table}.id = wanted.id and ${table} = jsonb_populate_record(${table}, wanted.before)
      returning wanted.id`.execute(trx)
    if (rows.length < part.length) throw new Stale()
  }
}

/** Takes changes back. */
export const reversed = <Each extends Changed<object>>(changed: readonly Each[]) =>
  changed.map((each) => ({ ...each, before: each.after, after: each.before }))

/** Logs what the import has done to many things. */
export async function logEach({ trx, actor, sheet }: Writing, act: Act, on: readonly On[]): Promise<void> {
  const detail = sheetDetail(sheet)
  const entries = on.map((each) => ({ detail, ...each }))
  for (const part of inParts(entries)) await addLogEntries(trx, actor, act, part)
}

/** The old and new name, if a row changes it. */
export const renamedBy = ({ before, after }: Changed<{ name?: string }>) =>
  renamed(before.name ?? '', after.name ?? before.name ?? '')
