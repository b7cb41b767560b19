import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { periodKeyText } from '../../base/time/period.ts'
import type { Edit, FieldWords } from '../../server/edits.ts'
import type { FileOwner, Visit } from '../../access/reader.ts'
import { changingFiles, lockFiles } from '../../files/change/lock.db.ts'
import { ownerLogFields } from '../../files/file/owner.db.ts'
import { rememberUndo, type Undoable } from '../../files/change/remember-undo.db.ts'
import { loggedBy } from '../../log/log.db.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { prepare } from '../../server/database/prepared.ts'
import { settle } from '../../server/edits.ts'
import { periodInName } from '../../files/names/file-name.ts'

/**
 * Gives a file another period: null for none, 'as-named' for what its name says. Returns the id to take it back by; null if
 * nothing changes.
 */
export const changePeriod = changingFiles(changePeriodWithin)

async function changePeriodWithin(
  trx: Trx,
  { actor, reader }: Visit,
  owner: FileOwner,
  fileId: number,
  wanted: string | null,
  edit: Edit | null,
): Promise<{ undo: string | null; period: string | null; is_period_given: boolean }> {
  const {
    files: [file],
  } = await lockFiles(trx, reader, owner, [fileId])
  const named = periodInName(file!.name)
  const { period } = settle(
    edit,
    PERIOD_WORDS,
    { period: wanted === 'as-named' ? named : wanted },
    await readPeriodOf(trx, fileId),
  )
  const isGiven = period !== named
  const undo = randomUUID()
  const changed = await periodQuery(trx, {
    ...loggedBy(actor, ownerLogFields(owner)),
    undo,
    file: fileId,
    period,
    is_given: isGiven,
  })
  return { undo: changed.length > 0 ? undo : null, period, is_period_given: isGiven }
}

const PERIOD_WORDS: FieldWords<{ period: string | null }> = {
  period: { label: 'Periode', say: (period) => periodKeyText(period) },
}

const readPeriodOf = (trx: Trx, file: number) =>
  trx.selectFrom('files').select('period').where('id', '=', file).executeTakeFirstOrThrow()

type Period = Undoable & { file: number; period: string | null; is_given: boolean }

const periodQuery = prepare<Period, { id: number }>(
  (slots) => sql`
    with was as materialized (
      select id, folder_id, period, is_period_given from files where id = ${slots.file}::bigint
    ), changed as (
      update files set period = ${slots.period}::text, is_period_given = ${slots.is_given}::boolean from was
      where files.id = was.id
        and (was.period is distinct from ${slots.period}::text or was.is_period_given <> ${slots.is_given}::boolean)
      returning files.id, files.folder_id, files.name, files.period, files.is_period_given,
        was.folder_id as was_folder_id, was.period as was_period, was.is_period_given as was_given
    ), entry as (
      insert into log (act, user_id, token_id, address, subject_user_id, project_id, folder_id, file_id, detail)
      select 'file-period-changed', ${slots.actor}::bigint, ${slots.token}::bigint, ${slots.address}::inet,
        ${slots.on_user}::bigint, ${slots.on_project}::bigint, folder_id, id, concat(was_period, '>', period) from changed
    ), undo as (${rememberUndo('period', slots)})
    select id from changed`,
)

const AT_A_TIME = 500

/** Picks the periods out of the names of files that an earlier version stored. Returns how many it read. */
export async function fillPeriods(db: Database, signal?: AbortSignal): Promise<number> {
  let filled = 0
  for (;;) {
    signal?.throwIfAborted()
    const some = await fillSome(db)
    filled += some
    if (some === 0) return filled
  }
}

const fillSome = transactional(async (trx: Trx): Promise<number> => {
  const { rows: waiting } = await sql<{ id: number; folder_id: number | null }>`
    select file_id as id, folder_id from unread_periods left join files on files.id = file_id
    order by file_id limit ${AT_A_TIME}`.execute(trx)
  if (waiting.length === 0) return 0
  // Counts by period are kept under the lock of the folder.
  await sql`
    select id from folders where id = any (${waiting.map((file) => file.folder_id)}::bigint[]) order by id for update`.execute(
    trx,
  )
  const { rows: files } = await sql<{ id: number; name: string }>`
    select files.id, files.name
    from unnest(${waiting.map(({ id }) => id)}::bigint[], ${waiting.map((file) => file.folder_id)}::bigint[])
      as waiting (id, folder_id) join files on files.id = waiting.id and files.folder_id = waiting.folder_id
    where period is null and not is_period_given order by files.id for no key update of files`.execute(trx)
  await sql`
    update files set period = found.period
    from unnest(${files.map(({ id }) => id)}::bigint[],
      ${files.map(({ name }) => periodInName(name))}::text[]) as found (id, period)
    where files.id = found.id and found.period is not null`.execute(trx)
  // Files that somebody has moved meanwhile come with their new folder the next time.
  await sql`
    delete from unread_periods
    using unnest(${waiting.map(({ id }) => id)}::bigint[], ${waiting.map((file) => file.folder_id)}::bigint[])
      as waiting (id, folder_id)
    where file_id = waiting.id and not exists (
      select from files where files.id = waiting.id and files.folder_id <> waiting.folder_id)`.execute(trx)
  return waiting.length
})
