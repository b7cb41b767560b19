import { sql } from 'kysely'
import type { Database } from '../server/database/database.ts'

type IntakeContent = {
  id: number
  name: string
  size: number
  type: string
  sha256: string
  key: string
}

/** Finds a file that still waits in the inbox; null if it is filed, removed, or of another intake. */
export async function findIntakeContent(
  db: Database,
  intake: number,
  file: number,
): Promise<IntakeContent | null> {
  const { rows } = await sql<IntakeContent>`
    select intake_files.id, intake_files.name, blobs.size, blobs.type, blobs.sha256, blobs.key
    from intake_files
    join inbox on inbox.submission_id = intake_files.submission_id
    join blobs on blobs.id = intake_files.blob_id and blobs.state = 'stored'
    where intake_files.id = ${file} and intake_files.submission_id = ${intake}`.execute(db)
  return rows[0] ?? null
}
