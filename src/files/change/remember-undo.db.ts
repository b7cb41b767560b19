import { sql, type RawBuilder } from 'kysely'
import type { Logged } from '../../log/log.db.ts'
import type { Database } from '../../server/database/database.ts'
import type { Slots } from '../../server/database/prepared.ts'
import { UNDO_HOURS } from '../file/stored-file.ts'

/** The kind of an act, which decides how it is undone. */
export type UndoKind = 'move' | 'order' | 'delete' | 'restore' | 'rename' | 'period'

/** The values of a prepared query that can be undone. `undo` is the new id. */
export type Undoable = Logged & { undo: string }

/**
 * The stored facts of each file besides its folders: `was_…` is its state before the act. All of it comes from the part
 * `changed`, because PostgreSQL does not know how many files there are, and would join two parts by comparing each with
 * each.
 */
const KEPT: Record<UndoKind, RawBuilder<unknown>> = {
  move: sql`'position', was_position, 'new_position', position, 'shown_at', was_shown_at, 'new_shown_at', shown_at,
    'was_shared', was_shared, 'name', was_name, 'new_name', new_name`,
  order: sql`'position', was_position, 'new_position', position`,
  delete: sql`'new_deleted_at', deleted_at`,
  restore: sql`'deleted_at', was_deleted_at, 'deleted_by', was_deleted_by`,
  rename: sql`'name', was_name, 'new_name', name, 'period', was_period`,
  period: sql`'new_name', name, 'period', was_period, 'new_period', period, 'is_given', was_given,
    'new_is_given', is_period_given`,
}

/** The columns of `undos.files`, for `jsonb_to_recordset`. */
export const KEPT_COLUMNS = sql`id bigint, folder_id bigint, new_folder_id bigint, position text, new_position text,
  shown_at timestamptz, new_shown_at timestamptz, was_shared boolean, deleted_at timestamptz, new_deleted_at timestamptz,
  deleted_by bigint, name text, new_name text, period text, new_period text,
  is_given boolean, new_is_given boolean`

/**
 * Part of a prepared query: stores what the part `changed` has changed. Stores nothing for an act of nobody, or one
 * that changes nothing.
 */
export function rememberUndo(kind: UndoKind, slots: Slots<Undoable>): RawBuilder<unknown> {
  return sql`
    insert into undos (id, user_id, kind, folders, files)
    select ${slots.undo}::uuid, ${slots.actor}::bigint, ${sql.lit(kind)},
      array(select was_folder_id from changed union select folder_id from changed),
      jsonb_agg(jsonb_build_object('id', id, 'folder_id', was_folder_id, 'new_folder_id', folder_id, ${KEPT[kind]}))
    from changed having count(*) > 0 and ${slots.actor}::bigint is not null`
}

/** Condition on `undos`: not undone yet, and not too old. */
export const IS_PENDING = sql<boolean>`(undone_at is null
  and made_at > now() - make_interval(hours => ${sql.lit(UNDO_HOURS)}))`

/** Removes what can no longer be undone, an hour late, so that nobody is working on it. */
export async function purgeUndos(db: Database): Promise<void> {
  await sql`delete from undos where made_at < now() - make_interval(hours => ${UNDO_HOURS + 1})`.execute(db)
}

/** Returns the old places in a folder to which files may return, between two positions. Null means an end of the folder. */
export async function listOldPlaces(
  db: Database,
  folderId: number,
  lower: string | null,
  upper: string | null,
): Promise<string[]> {
  const { rows } = await sql<{ position: string }>`
    select distinct item.position collate "C" as position
    from undos, jsonb_to_recordset(undos.files) as item (${KEPT_COLUMNS})
    where folders @> array[${folderId}::bigint] and ${IS_PENDING} and item.folder_id = ${folderId}
      and item.position is not null and (${lower}::text is null or item.position collate "C" > ${lower})
      and (${upper}::text is null or item.position collate "C" < ${upper})`.execute(db)
  return rows.map(({ position }) => position)
}

/** Gives the remembered places of a folder new keys when its files get new keys. */
export async function renewOldPlaces(
  db: Database,
  folderId: number,
  keys: { old: string; renewed: string }[],
): Promise<void> {
  await sql`
    with renewed as materialized (
      select * from unnest(${keys.map(({ old }) => old)}::text[], ${keys.map((key) => key.renewed)}::text[])
        as renewed (old, renewed)
    ), known as materialized (
      select id from undos where folders @> array[${folderId}::bigint] and ${IS_PENDING} order by id for update
    )
    update undos set files = (
      select jsonb_agg(item || jsonb_strip_nulls(
        jsonb_build_object('position', was.renewed, 'new_position', became.renewed)) order by number)
      from jsonb_array_elements(files) with ordinality as each (item, number)
      left join renewed as was on was.old = item ->> 'position' and (item ->> 'folder_id')::bigint = ${folderId}
      left join renewed as became
        on became.old = item ->> 'new_position' and (item ->> 'new_folder_id')::bigint = ${folderId}
    )
    from known where undos.id = known.id and kind in ('move', 'order')`.execute(db)
}
