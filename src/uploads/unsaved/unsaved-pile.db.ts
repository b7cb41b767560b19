import { sql } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { conflict, invalid } from '../../server/http/errors.ts'
import type { FileStorage } from '../../server/storage/storage.ts'
import { isYoung, removeTemporaryFiles } from '../transport/temporary.db.ts'
import type { FoundFile, FoundPile, PilePublishing, PileChange } from './unsaved-pile.ts'

/** The kept files of a person's form that are still there: sent ones as long as their temporary file, others for a day. */
const stillThere = (reader: Reader, form: string, pile: string | null) => sql`
  kept_piles join kept_files on kept_files.pile_id = kept_piles.id
  left join temporary_files on temporary_files.hash_name = kept_files.hash_name
    and temporary_files.user_id = kept_piles.user_id and ${isYoung('temporary_files.created_at')}
  left join blobs on blobs.id = temporary_files.blob_id and blobs.state = 'stored'
  where kept_piles.user_id = ${reader.id} and kept_piles.form = ${form}
    ${pile === null ? sql`` : sql`and kept_piles.key = ${pile}`}
    and case when kept_files.hash_name is null then ${isYoung('kept_files.created_at')} else blobs.id is not null end`

/** Finds what a person has left in a form; null if none of its files is on the server. */
export async function findUnsavedPile(
  db: Database,
  reader: Reader,
  form: string,
  /** Only this pile. */
  pile: string | null = null,
): Promise<{ files: number; unsent: number; changedAt: Date; piles: string[] } | null> {
  const { rows } = await sql<{
    files: number
    unsent: number
    changed_at: Date | null
    piles: string[] | null
  }>`
    select count(kept_files.hash_name) as files, count(*) filter (where kept_files.hash_name is null) as unsent,
      max(kept_piles.changed_at) as changed_at, array_agg(distinct kept_piles.key) as piles
    from ${stillThere(reader, form, pile)}`.execute(db)
  const { files, unsent, changed_at: changedAt, piles } = rows[0]!
  return files === 0 || !changedAt || !piles ? null : { files, unsent, changedAt, piles }
}

type FoundRow = Omit<FoundFile, 'key'> & { pile: string; id: string; changed_at: Date } & {
  publish: PilePublishing['way']
  publish_day: string | null
  publish_time: string
}

/** Lists the files of the piles that a person has left in a form, as they were added, at most `most` of them. */
export async function listUnsavedFiles(
  db: Database,
  reader: Reader,
  form: string,
  most: number,
  /** Only this pile. */
  only: string | null = null,
): Promise<FoundPile> {
  const { rows } = await sql<FoundRow>`
    select kept_piles.key as pile, kept_files.id, kept_files.name, original, kept_files.size, kept_files.hash_name,
      choice, meaning, kept_files.acknowledged, blobs.type, kept_piles.changed_at, publish, publish_day, publish_time
    from ${stillThere(reader, form, only)}
    order by kept_files.hash_name is null, kept_piles.changed_at desc, kept_files.created_at, length(kept_files.id), kept_files.id
    limit ${most}`.execute(db)
  const files = rows.map(
    ({ pile, id, changed_at: _at, publish: _way, publish_day: _day, publish_time: _time, ...file }) => ({
      key: `${pile}.${id}`,
      ...file,
    }),
  )
  const [newest] = rows
  if (!newest) return { files, publishing: null }
  const { publish: way, publish_day: day, publish_time: time } = newest
  return { files, publishing: { way, day, time } }
}

/** Stores the changes of a page's pile. Leaves out files that are sent but are not the person's, or deleted. */
export async function keepPile(
  db: Database,
  reader: Reader,
  { form, pile, publishing, files, gone }: PileChange,
  /** How many files of all their piles are kept for a person. */
  most: number,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Locks the person, since two pages that take each other's files would deadlock.
    await sql`select from users where id = ${reader.id} for no key update`.execute(trx)
    const { rows } = await sql<{ id: number }>`
      insert into kept_piles (user_id, form, key, publish, publish_day, publish_time)
      values (${reader.id}, ${form}, ${pile}, ${publishing.way}, ${publishing.day}, ${publishing.time})
      on conflict (user_id, key) do update set publish = excluded.publish, publish_day = excluded.publish_day,
        publish_time = excluded.publish_time, changed_at = now()
      where kept_piles.form = excluded.form
      returning id`.execute(trx)
    const mine = rows[0]?.id
    if (mine === undefined) throw conflict('Bunken hører til en anden formular.')
    await removeGone(trx, reader, form, gone)
    await addUnsaved(trx, reader, mine, files)
    const { count } = await trx
      .selectFrom('kept_files')
      .innerJoin('kept_piles', 'kept_piles.id', 'kept_files.pile_id')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', reader.id)
      .executeTakeFirstOrThrow()
    if (count > most) throw invalid({ files: [`Der gemmes højst ${most} filer, som ikke er gemt endnu.`] })
  })
}

async function removeGone(trx: Trx, reader: Reader, form: string, gone: readonly string[]): Promise<void> {
  if (gone.length === 0) return
  const keys = gone.map((each) => each.split('.') as [pile: string, id: string])
  await sql`
    delete from kept_files using kept_piles,
      unnest(${keys.map(([pile]) => pile)}::text[], ${keys.map(([, id]) => id)}::text[]) as gone (pile, id)
    where kept_piles.id = kept_files.pile_id and kept_piles.user_id = ${reader.id} and kept_piles.form = ${form}
      and kept_piles.key = gone.pile and kept_files.id = gone.id`.execute(trx)
}

async function addUnsaved(
  trx: Trx,
  reader: Reader,
  pileId: number,
  files: PileChange['files'],
): Promise<void> {
  const rows = Object.entries(files).map(([id, file]) => ({ ...file, id }))
  if (rows.length === 0) return
  // A file belongs to the pile that named it last.
  await sql`
    delete from kept_files using kept_piles
    where kept_piles.id = kept_files.pile_id and kept_piles.user_id = ${reader.id} and kept_piles.id <> ${pileId}
      and kept_files.hash_name = any (${rows.flatMap(({ hash_name: hashName }) => hashName ?? [])}::text[])`.execute(
    trx,
  )
  await sql`
    insert into kept_files (pile_id, id, name, original, size, hash_name, choice, meaning, acknowledged)
    select ${pileId}, told.id, told.name, told.original, told.size, told.hash_name, told.choice, told.meaning,
      told.acknowledged
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as told (id text, name text, original text, size bigint,
      hash_name text, choice text, meaning text, acknowledged text[])
    where told.hash_name is null or exists (
      select from temporary_files where temporary_files.hash_name = told.hash_name and user_id = ${reader.id}
        and ${isYoung('temporary_files.created_at')})
    on conflict (pile_id, id) do update set name = excluded.name, original = excluded.original, size = excluded.size,
      hash_name = excluded.hash_name, choice = excluded.choice, meaning = excluded.meaning,
      acknowledged = excluded.acknowledged`.execute(trx)
}

/** A page's pile that is being saved, and its files that are left out, with which its person may go on. */
export type SavedPile = { key: string; rest: readonly string[] }

/** Forgets files that are being saved, wherever they are kept, and all but the rest of the pile that they come from. */
export async function forgetSaved(
  trx: Trx,
  userId: number,
  hashNames: readonly string[],
  pile: SavedPile | null,
): Promise<void> {
  const key = pile?.key ?? null
  const saved = sql`kept_files.hash_name = any (${[...hashNames]}::text[])`
  const isRest = sql`kept_files.id = any (${[...(pile?.rest ?? [])]}::text[]) and kept_files.hash_name is not null`
  await sql`
    with gone as (
      delete from kept_files using kept_piles
      where kept_piles.id = kept_files.pile_id and user_id = ${userId}
        and (${saved} or (key = ${key}::text and not (${isRest})))
    )
    delete from kept_piles where user_id = ${userId} and key = ${key}::text
      and not exists (select from kept_files where pile_id = kept_piles.id and ${isRest} and not ${saved})`.execute(
    trx,
  )
}

/** Throws piles away with the files that were sent for them. */
export async function discardPiles(
  { db, storage }: { db: Database; storage: FileStorage },
  reader: Reader,
  form: string,
  piles: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ hash_name: string }>`
    with gone as (
      select hash_name from kept_files join kept_piles on kept_piles.id = kept_files.pile_id
      where user_id = ${reader.id} and form = ${form} and key = any (${[...piles]}::text[])
    ), thrown as (
      delete from kept_piles where user_id = ${reader.id} and form = ${form} and key = any (${[...piles]}::text[])
    )
    select hash_name from gone where hash_name is not null`.execute(db)
  const hashNames = rows.map(({ hash_name: hashName }) => hashName)
  if (hashNames.length > 0) await removeTemporaryFiles({ db, storage }, reader.id, hashNames)
}

/** Forgets what nobody can go on with any more. */
export async function purgeUnsavedPiles(db: Database): Promise<void> {
  await sql`
    delete from kept_files where case when hash_name is null then not ${isYoung('created_at')}
      else not exists (select from temporary_files where temporary_files.hash_name = kept_files.hash_name) end`.execute(
    db,
  )
  // A page that writes to its pile right now has just changed it.
  await sql`
    delete from kept_piles where not ${isYoung('changed_at')}
      and not exists (select from kept_files where pile_id = kept_piles.id)`.execute(db)
}
