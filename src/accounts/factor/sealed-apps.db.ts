import { sql } from 'kysely'
import type { Database } from '../../server/database/database.ts'
import { KEY_FILE, type Vault } from '../../server/process/vault.ts'
import { SECRET_BYTES } from './code-app.server.ts'
import { openApp, sealApp } from './sealed-app.server.ts'

/**
 * Seals secrets that were stored before sealing existed. Not done at the start, so that an instance of the previous
 * version can let people in until it is replaced.
 */
export async function sealOldApps(db: Database, vault: Vault): Promise<void> {
  const old = await db
    .selectFrom('code_apps')
    .select(['user_id', 'secret'])
    .where(sql<boolean>`octet_length(secret) = ${sql.lit(SECRET_BYTES)}`)
    .execute()
  for (const { user_id: userId, secret } of old)
    await db
      .updateTable('code_apps')
      .set({ secret: sealApp(vault, userId, secret) })
      .where('user_id', '=', userId)
      .where('secret', '=', secret)
      .execute()
}

/** Counts apps whose secrets this key does not open; without a key, all that are sealed. */
export async function countLostApps(db: Database, vault: Vault | null): Promise<number> {
  const apps = await db.selectFrom('code_apps').select(['user_id', 'secret']).execute()
  const isLost = (userId: number, secret: Buffer) =>
    vault ? openApp(vault, userId, secret) === null : secret.length !== SECRET_BYTES
  return apps.filter(({ user_id: userId, secret }) => isLost(userId, secret)).length
}

export const lostApps = (many: number) =>
  `The codes of ${many} people's apps cannot be checked: their secrets were encrypted with another key. Put back the key of the place they come from (${KEY_FILE} in DATA_DIR, or SECRETS_KEY). Without it those people sign in with a passkey or a recovery code, or an administrator resets their second factor (npm run let-in for the last administrator).`
