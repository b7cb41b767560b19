import { sql } from 'kysely'
import type { Squares } from '../accounts/profile/profile-image.db.ts'
import type { Reader } from '../access/reader.ts'
import { isPersonSeen } from '../access/seen.db.ts'
import { isLentTo } from '../rights.ts'
import type { Database } from '../server/database/database.ts'

/** Returns null if the reader does not see the person, or the person has another image by now. Advisers see only their own. */
export async function findPersonImage(
  db: Database,
  reader: Reader,
  userId: number,
  key: string,
  size: keyof Squares,
): Promise<Buffer | null> {
  if (!/^[0-9a-f]{32}$/.test(key)) return null
  const { rows } = await sql<{ bytes: Buffer }>`
    select profile_images.${sql.ref(size)} as bytes
    from users join profile_images on profile_images.user_id = users.id
    where users.id = ${userId} and users.image_key = ${key} and ${isPersonSeen(reader)}
      and ${isLentTo(reader.role) ? sql`users.id = ${reader.id}` : sql`true`}`.execute(db)
  return rows[0]?.bytes ?? null
}
