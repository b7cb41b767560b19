import { sql } from 'kysely'
import { transactional, type Trx } from '../../server/database/database.ts'
import { lockChain } from './seal.db.ts'

/** Deletes people's former names after the same time as IP addresses: both are personal data. Their marks stay in the chain. */
export const forgetNames = transactional(async (trx: Trx, months: number): Promise<void> => {
  await lockChain(trx)
  await sql`
    with forgotten as (
      delete from log_names using log
      where log.id = log_names.log_id and log.act in ('user-changed', 'user-removed', 'profile-changed')
        and log.at < now() - make_interval(months => ${months})
      returning log_names.log_id
    )
    update log_chain set names_salt = null from forgotten where log_chain.log_id = forgotten.log_id`.execute(
    trx,
  )
})

/** Deletes the IP addresses of entries older than this. Returns how many. */
export const forgetAddresses = transactional(async (trx: Trx, months: number): Promise<number> => {
  await lockChain(trx)
  const { rows } = await sql<{ many: number }>`
    with forgotten as (
      update log set address = null
      where address is not null and at < now() - make_interval(months => ${months})
      returning id
    ), salts as (
      update log_chain set address_salt = null from forgotten where log_id = forgotten.id
    )
    select count(*)::integer as many from forgotten`.execute(trx)
  return rows[0]!.many
})
