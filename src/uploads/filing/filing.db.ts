import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../server/database/database.ts'
import type { Entry } from '../transport/entry.ts'

/**
 * Tells two calls with the same key apart by the names and bytes of their files: a file that is sent again has another
 * `hashName`. `about` is what else the calls say.
 */
export async function contentOfFiles(
  db: Database,
  userId: number,
  entries: Entry[],
  about: Record<string, unknown>,
): Promise<string> {
  const { rows } = await sql<{ hash_name: string; sha256: string }>`
    select hash_name, sha256 from temporary_files join blobs on blobs.id = temporary_files.blob_id
    where user_id = ${userId} and hash_name = any (${entries.map(({ hashName }) => hashName)})`.execute(db)
  const sums = new Map(rows.map((row) => [row.hash_name, row.sha256]))
  const files = entries.map(({ name, hashName }) => [name, sums.get(hashName) ?? hashName])
  return hash('sha256', JSON.stringify([about, files]))
}
