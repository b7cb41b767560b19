import { sql } from 'kysely'
import { formatCount } from '../../base/danish/counts.ts'
import { movedName } from '../names/file-name.ts'
import type { FileOwner } from '../../access/reader.ts'
import type { Trx } from '../../server/database/database.ts'
import { countFiles } from '../../projects/folder.ts'
import { KEPT_COLUMNS } from './remember-undo.db.ts'

/** A folder of a project, or a person, who has one folder. */
export type MoveTarget = { project: number; folder: number } | { user: number }

/** '”Budget.pdf”', or '12 filer'. */
export async function nameFiles(trx: Trx, files: number[]): Promise<string> {
  if (files.length !== 1) return countFiles(files.length)
  const { rows } = await sql<{ name: string }>`select name from files where id = ${files[0]}`.execute(trx)
  return rows[0] ? `”${rows[0].name}”` : 'en fil'
}

/** 'Budget i K/S Et', 'Bo Holm'. */
export async function namePlace(trx: Trx, to: MoveTarget): Promise<string> {
  const { rows } =
    'user' in to
      ? await sql<{ name: string }>`select name from users where id = ${to.user}`.execute(trx)
      : await sql<{ name: string }>`
          select folders.name || ' i ' || projects.name as name
          from folders join projects on projects.id = folders.project_id where folders.id = ${to.folder}`.execute(
          trx,
        )
  return rows[0]?.name ?? 'et andet sted'
}

/** Lists the numbers of a place in file names: a project's only number, or a person's. */
async function listNumbers(trx: Trx, owner: FileOwner): Promise<string[]> {
  const { rows } =
    'user' in owner
      ? await sql<{ number: string }>`
          select number from user_numbers where user_id = ${owner.user} order by number collate danish`.execute(
          trx,
        )
      : await sql<{ number: string }>`select number from projects where id = ${owner.project}`.execute(trx)
  return rows.map(({ number }) => number)
}

/** ' som ”Budget (1031).pdf”', or ', og 3 af dem får det nye steds nummer i navnet'. Empty if none gets another name. */
export async function nameRenamed(
  trx: Trx,
  owner: FileOwner,
  files: number[],
  to: MoveTarget,
): Promise<string> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from files where id = any (${files})`.execute(trx)
  const names = await namesThere(trx, owner, to, rows)
  if (names.size === 0) return ''
  return files.length === 1
    ? ` som ”${[...names.values()][0]!}”`
    : `, og ${formatCount(names.size)} af dem får det nye steds nummer i navnet`
}

/** Finds the names that files get if they are renamed for another place. */
export async function namesThere(
  trx: Trx,
  owner: FileOwner,
  to: MoveTarget,
  files: { id: number; name: string }[],
): Promise<Map<number, string>> {
  const [from, there] = [await listNumbers(trx, owner), await listNumbers(trx, to)]
  return new Map(
    files.flatMap(({ id, name }) => {
      const next = movedName(name, from, there)
      return next === null ? [] : [[id, next]]
    }),
  )
}

/** Lists the files of an act that can be undone. */
export async function listUndoFiles(trx: Trx, id: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select item.id from undos, jsonb_to_recordset(undos.files) as item (${KEPT_COLUMNS}) where undos.id = ${id}::uuid`.execute(
    trx,
  )
  return rows.map((row) => row.id)
}
