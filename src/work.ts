import type { FastifyBaseLogger } from 'fastify'
import { sendLinks } from './accounts/link-mail.db.ts'
import { purgeLinkTokens } from './accounts/link-tokens.db.ts'
import { purgeSessions } from './accounts/sessions.db.ts'
import { purgeFailures } from './accounts/slow-down.db.ts'
import type { Parts } from './app.ts'
import { readByNight, tellOfDamage } from './files/damage.db.ts'
import { purgeTrash } from './files/trash.db.ts'
import { forgetAddresses } from './log/log.db.ts'
import { startBackups } from './scheduled-backups.ts'
import { purgeBlobs } from './server/blobs.db.ts'
import { deliverMail, type Mailer } from './server/mail.ts'
import { checkStores } from './server/stores.db.ts'
import { workDirect } from './uploads/direct.db.ts'
import { purgeTemporaryFiles } from './uploads/temporary.db.ts'

/** Starts doing everything that is done behind the pages. */
export async function startWork(parts: Parts, mailer: Mailer, log: FastifyBaseLogger): Promise<void> {
  const { db, jobs, config } = parts
  await deliverMail(jobs, mailer)
  await sendLinks(jobs, db, mailer, config.appUrl)
  await workDirect(jobs, parts)
  await jobs.repeat({ name: 'house-keeping', retryLimit: 0, retrySeconds: 0 }, '17 * * * *', async () => {
    log.info(await keepHouse(parts), 'house-keeping done')
  })
  await jobs.repeat(
    { name: 'read-by-night', retryLimit: 0, retrySeconds: 0, mostSeconds: 3600 },
    '41 2 * * *',
    async (signal) => {
      await checkStores(db, config) // who does not have the bucket would miss what is in it
      log.info(await readByNight(parts, { mostBytes: config.nightlyCheckBytes, signal }), 'stored files read')
    },
  )
  await startBackups(parts, log)
}

/** Everything that has outlived its time goes. */
export async function keepHouse({
  db,
  storage,
  config,
}: Parts): Promise<{ files: number; blobs: number; addresses: number }> {
  await purgeSessions(db, { idleHours: config.sessionIdleHours, maxDays: config.sessionMaxDays })
  await purgeLinkTokens(db)
  await purgeFailures(db)
  const addresses = await forgetAddresses(db, config.logAddressMonths)
  const files = await purgeTrash(db)
  await purgeTemporaryFiles(db)
  await tellOfDamage(db) // what was damaged may be gone since
  await checkStores(db, config) // who does not have the bucket would forget what is in it
  return { addresses, files, blobs: await purgeBlobs(db, storage) }
}
