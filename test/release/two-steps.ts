import { sql } from 'kysely'
import type { Database, Trx } from '../../src/server/database/database.ts'

/** One part of a schema: 'column users.name', 'function search_key(text)'. */
type Thing = {
  id: string
  /** The table that it belongs to; null for functions, views and types. */
  on: string | null
  definition: string
  /** Whether a row that does not name this column gets a value that it may have. */
  isFilled: boolean
  /** Its place on the disk, which stays unless the table is rewritten. */
  place: number
  isRetired: boolean
  /** The table that a foreign key without `on delete` holds on to. */
  holds: string | null
}

export type Schema = Map<string, Thing>

/** Reads everything of the schema that an instance could depend on. */
export async function readSchema(db: Database | Trx): Promise<Schema> {
  const { rows } = await sql<Thing>`
    with tables as (
      select oid, relname::text as name, relkind, relfilenode::bigint as place
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
        and relname <> 'migrations' and not exists (
          select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('e', 'i'))
    ), functions as (
      select oid, oid::regprocedure::text as name from pg_proc
      where pronamespace = 'public'::regnamespace and prokind in ('f', 'p')
        and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
    )
    select 'table ' || name as id, case when relkind in ('r', 'p') then name end as "on",
      case when relkind in ('v', 'm') then pg_get_viewdef(oid) else relkind::text end as definition,
      true as "isFilled", case when relkind = 'r' then place else 0 end as place,
      coalesce(obj_description(oid, 'pg_class') = 'retired', false) as "isRetired", null as holds
    from tables
    union all
    select 'column ' || name || '.' || attname, name,
      format_type(atttypid, atttypmod) || ' ' || attcollation || case when attnotnull then ' not null' else '' end ||
        case when atthasdef or attidentity <> '' then ' filled' else '' end,
      not attnotnull or atthasdef or attidentity <> '', 0,
      coalesce(col_description(tables.oid, attnum) = 'retired', false), null
    from tables join pg_attribute on attrelid = tables.oid
    where relkind in ('r', 'p') and attnum > 0 and not attisdropped
    union all
    select case when contype in ('p', 'u', 'x') then 'unique ' else 'constraint ' end || name || '.' || conname, name,
      pg_get_constraintdef(pg_constraint.oid), true, 0, false,
      case when contype = 'f' and confdeltype in ('a', 'r') then confrelid::regclass::text end
    from tables join pg_constraint on conrelid = tables.oid where contype <> 'n'
    union all
    select case when indisunique then 'unique ' else 'index ' end || name || '.' || indexrelid::regclass::text, name,
      pg_get_indexdef(indexrelid), true, 0, false, null
    from tables join pg_index on indrelid = tables.oid
    where not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
    union all
    select 'trigger ' || name || '.' || tgname, name, pg_get_triggerdef(pg_trigger.oid), true, 0, false, null
    from tables join pg_trigger on tgrelid = tables.oid where not tgisinternal
    union all
    select 'function ' || name, null, pg_get_functiondef(oid), true, 0,
      coalesce(obj_description(oid, 'pg_proc') = 'retired', false), null
    from functions
    union all
    select 'type ' || typname, null, coalesce((select string_agg(enumlabel, ',' order by enumsortorder)
      from pg_enum where enumtypid = pg_type.oid), typtype::text), true, 0, false, null
    from pg_type where typnamespace = 'public'::regnamespace and typtype in ('e', 'd', 'r')`.execute(db)
  return new Map(rows.map((thing) => [thing.id, thing]))
}

/**
 * A change by a migration that may break instances of the last release.
 * - `refused`: it does.
 * - `removes`: it does not if they do not use it, which the mark 'retired' in their own schema says.
 * - `judged`: somebody must think about it.
 */
export type Change = { kind: 'refused' | 'removes' | 'judged'; id: string; because: string }

/** Compares the schema before and after a migration, as far as it was there in the last release. */
export function listChanges(released: Schema, before: Schema, after: Schema): Change[] {
  const isOld = ({ id, on }: Thing) => (on === null ? released.has(id) : released.has(`table ${on}`))
  const changes: Change[] = []
  for (const thing of before.values()) {
    if (!isOld(thing)) continue
    const now = after.get(thing.id)
    if (now) changes.push(...changesOf(thing, now))
    else if (!isPartOfRemoved(thing, after)) changes.push(...removalOf(thing))
  }
  for (const thing of after.values()) {
    if (before.has(thing.id)) continue
    if (isOld(thing)) changes.push(...additionOf(thing))
    else if (thing.holds && released.has(`table ${thing.holds}`))
      changes.push({
        kind: 'judged',
        id: thing.id,
        because: `rows of ${thing.holds} cannot be deleted any more`,
      })
    else if (isNewForm(thing, released))
      changes.push({
        kind: 'judged',
        id: thing.id,
        because: 'there is one of that name with other arguments',
      })
  }
  return changes
}

const isPartOfRemoved = ({ id, on }: Thing, after: Schema) =>
  on !== null && id !== `table ${on}` && !after.has(`table ${on}`)

function removalOf({ id, isRetired }: Thing): Change[] {
  const [kind] = id.split(' ')
  if (kind === 'index' || kind === 'constraint') return [] // whatever was written may still be written
  if (kind === 'trigger') return [{ kind: 'judged', id, because: 'the trigger is gone' }]
  if (kind === 'unique') return [{ kind: 'judged', id, because: '`on conflict` may have needed it' }]
  return isRetired
    ? [{ kind: 'removes', id, because: 'it is gone' }]
    : [{ kind: 'refused', id, because: 'it is gone, and was not retired in the last release' }]
}

function changesOf(before: Thing, now: Thing): Change[] {
  const { id } = before
  if (before.place !== now.place) return [{ kind: 'judged', id, because: 'the whole table is written anew' }]
  if (before.definition === now.definition) return []
  if (id.startsWith('column ')) {
    const loosened = before.definition.replace(' not null', '')
    if (now.definition === loosened)
      return [{ kind: 'judged', id, because: 'it may be null, where it was never read as null' }]
    return [{ kind: 'refused', id, because: `it was ${before.definition}, and becomes ${now.definition}` }]
  }
  return [{ kind: 'judged', id, because: 'it is another one' }]
}

function additionOf({ id, isFilled }: Thing): Change[] {
  const [kind] = id.split(' ')
  if (kind === 'column')
    return isFilled ? [] : [{ kind: 'refused', id, because: 'it is not null, and has no default' }]
  if (kind === 'index') return [{ kind: 'judged', id, because: 'nobody can write while it is built' }]
  return [{ kind: 'judged', id, because: 'it may refuse what was written until now, or do something more' }]
}

function isNewForm({ id }: Thing, released: Schema): boolean {
  const name = id.split('(')[0]!
  return id.startsWith('function ') && [...released.keys()].some((other) => other.startsWith(`${name}(`))
}

/**
 * Reads the notes of a migration: `-- judged: trigger blobs.kept: why it is all right`, `-- removes: column
 * users.note`.
 */
export function readSaid(text: string): { judged: Set<string>; removes: Set<string> } {
  const judged = [...text.matchAll(/^-- judged: (.+?): \S.*$/gm)].map(([, id]) => id!)
  const removes = [...text.matchAll(/^-- removes: (.+)$/gm)].map(([, id]) => id!.trim())
  return { judged: new Set(judged), removes: new Set(removes) }
}

/** Returns the faults of a migration, a sentence each. */
export function listFaults(changes: Change[], text: string): string[] {
  const said = readSaid(text)
  const faults = changes.flatMap(({ kind, id, because }) => {
    if (kind === 'refused') return [`${id}: ${because}. The last release cannot live with that.`]
    if (kind === 'removes')
      return said.removes.has(id) ? [] : [`${id}: ${because}. Say so in the file: -- removes: ${id}`]
    return said.judged.has(id)
      ? []
      : [`${id}: ${because}. Say why the last release can live with it: -- judged: ${id}: …`]
  })
  const known = new Set(changes.map(({ id }) => id))
  const idle = [...said.judged, ...said.removes].filter((id) => !known.has(id))
  return [...faults, ...idle.map((id) => `${id}: the file speaks of it, and does nothing to it.`)]
}

/** Removes what the schema marks as retired, so that tests show that nothing of this version uses it. */
export async function dropRetired(db: Database): Promise<void> {
  for (const { id, isRetired } of (await readSchema(db)).values()) {
    if (!isRetired) continue
    const [kind, name] = [id.slice(0, id.indexOf(' ')), id.slice(id.indexOf(' ') + 1)]
    const [table, column] = name.split('.')
    await (
      kind === 'column'
        ? sql`alter table ${sql.table(table!)} drop column ${sql.ref(column!)}`
        : kind === 'function'
          ? sql`drop function ${sql.raw(name)} cascade` // its triggers too
          : sql`drop table ${sql.table(table!)}`
    ).execute(db)
  }
}
