import { sql } from 'kysely'
import type { Database } from '../../server/database/database.ts'
import { isYoung } from './temporary.db.ts'

type SentFile = { name: string; size: number; type: string; sha256: string; key: string }

/** Finds a file that the person has sent and not saved. */
export async function findSentFile(db: Database, userId: number, hashName: string): Promise<SentFile | null> {
  const { rows } = await sql<SentFile>`
    select temporary_files.name, blobs.size, blobs.type, blobs.sha256, blobs.key
    from temporary_files join blobs on blobs.id = temporary_files.blob_id
    where hash_name = ${hashName} and user_id = ${userId} and blobs.state = 'stored'
      and ${isYoung('temporary_files.created_at')}`.execute(db)
  return rows[0] ?? null
}
