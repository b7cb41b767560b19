import { randomInt } from 'node:crypto'
import type { Trx } from '../../server/database/database.ts'
import { hashOfSecret } from '../../server/http/secret.ts'
import {
  cleanRecoveryCode,
  CODE_LENGTH,
  LETTERS,
  RECOVERY_CODES,
  shownRecoveryCode,
} from './recovery-code.ts'

/** Gives a person new codes instead of those they had. Returns them as they are shown; only their hashes are stored. */
export async function replaceRecoveryCodes(trx: Trx, userId: number): Promise<string[]> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  const codes = Array.from({ length: RECOVERY_CODES }, newCode)
  await trx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ hash: hashOf(userId, code), user_id: userId })))
    .execute()
  return codes.map(shownRecoveryCode)
}

/** Uses up a code. Returns false if it is not one of the person's, or was used before. */
export async function takeRecoveryCode(trx: Trx, userId: number, typed: string): Promise<boolean> {
  const code = cleanRecoveryCode(typed)
  if (code === null) return false
  const { numDeletedRows } = await trx
    .deleteFrom('recovery_codes')
    .where('hash', '=', hashOf(userId, code))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

const newCode = () => Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]!).join('')

const hashOf = (userId: number, code: string) => hashOfSecret(`${userId} ${code}`)
