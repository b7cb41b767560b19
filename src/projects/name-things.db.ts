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
