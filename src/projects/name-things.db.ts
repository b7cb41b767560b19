import { listed, withRest } from '../base/danish/listed.ts'
import { sql } from 'kysely'
import type { Trx } from '../server/database/database.ts'

/** Returns a project's name for a sentence. */
export async function nameProject(trx: Trx, id: number): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from projects where id = ${id}`.execute(trx)
  return rows[0]?.name ?? 'et projekt'
}

/** Returns a folder's name for a sentence. */
export async function nameFolder(trx: Trx, id: number): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from folders where id = ${id}`.execute(trx)
  return rows[0]?.name ?? 'en mappe'
}

const MOST_NAMED = 5
/** ': nye medlemmer Bo Holm og Ida Lund; fjern Per Dam', or '' if the members stay. */
export async function nameMembers(
  trx: Trx,
  { add, remove, addByName }: { add: number[]; remove: number[]; addByName: string },
): Promise<string> {
  const said = async (before: string, ids: number[], typed: string) => {
    const { rows } = await sql<{ name: string }>`
      select name from users where id = any (${ids}::bigint[]) order by name collate danish, id`.execute(trx)
    const names = [...rows.map(({ name }) => name), ...(typed === '' ? [] : [typed])]
    if (names.length === 0) return []
    return [before + listed(withRest(names, MOST_NAMED))]
  }
  const parts = [...(await said('nye medlemmer ', add, addByName)), ...(await said('fjern ', remove, ''))]
  return parts.length === 0 ? '' : `: ${parts.join('; ')}`
}
