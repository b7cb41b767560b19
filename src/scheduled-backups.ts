import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Parts } from './server/parts.ts'
import { backUp, countStoredBytes, installationOf } from './copies/backup.db.ts'
import { copiesToRemove, isCopyName, nameOfCopy } from './copies/keep.ts'
import { areOnOneDisk, listCopies, removeCopies, removeLeftovers } from './copies/backup-directory.server.ts'
import type { Job } from './server/jobs.ts'
import { openSecret } from './server/database/secret.db.ts'

/** Takes hours with many files. Another process takes it over if this one dies. */
const BACK_UP: Job<object> = { name: 'backup', retryLimit: 1, retrySeconds: 60, mostSeconds: 86_000 }

type Needs = Pick<Parts, 'db' | 'storage' | 'config'>

/** Makes scheduled backups, once for all instances together. */
export async function startBackups(
  parts: Needs & Pick<Parts, 'jobs'>,
  log: FastifyBaseLogger,
): Promise<void> {
  const { jobs, config } = parts
  if (config.backupDir === null) return
  const directory = config.backupDir
  await jobs.repeat(BACK_UP, config.backupAt, async (stopping) => {
    try {
      await refuseToFill(parts, directory)
      await backUpTo(parts, directory, log, stopping)
    } catch (err) {
      if (!stopping.aborted) log.error({ err }, 'backup failed')
      throw err
    }
  })
}

/** Refuses a backup on the data's own disk if it would take the room that the database needs. */
async function refuseToFill({ db, storage, config }: Needs, directory: string): Promise<void> {
  if (await areOnOneDisk(directory, config.dataDir)) await storage.room?.ensure(await countStoredBytes(db))
}

/** Makes a backup, then removes the surplus ones. Returns the names of both. */
export async function backUpTo(
  { db, storage, config }: Needs,
  directory: string,
  log: Pick<FastifyBaseLogger, 'info' | 'error'>,
  signal?: AbortSignal,
): Promise<{ made: string; removed: string[] }> {
  await removeLeftovers(directory, isCopyName)
  const at = new Date()
  let made = nameOfCopy(at, false)
  const { faults, ...counts } = await backUp({ db, storage }, join(directory, made), {
    signal,
    renamed: (found) => join(directory, (made = nameOfCopy(at, found.length > 0))),
  })
  if (faults.length > 0)
    log.error(
      { blobs: faults.map(({ key }) => key) },
      'files are missing or damaged: npm run verify names them',
    )
  const installation = installationOf((await openSecret(db, 'signing')).toString('hex'))
  const removed = copiesToRemove(await listCopies(directory, installation, isCopyName), config.backupKeep)
  await removeCopies(directory, removed)
  log.info({ made, removed, ...counts }, 'backup made')
  return { made, removed }
}
