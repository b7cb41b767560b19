import { basename, join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Acts } from './jobs.ts'
import type { Parts, WorkTools } from './server/parts.ts'
import { backUp, countStoredBytes, installationOf } from './copies/backup.db.ts'
import { copiesToRemove, goodCopyTime, isAhead, isCopyName, nameOfCopy } from './copies/keep.ts'
import { openSecondPlace, SecondPlaceFailed } from './copies/second-place.server.ts'
import { areOnOneDisk, listCopies, removeCopies, removeLeftovers } from './copies/backup-directory.server.ts'
import { openSecret } from './server/database/secret.db.ts'
import { copyFaultOf, findCopyState, saveCopyEnd, saveSecondEnd } from './watch/copy-state.db.ts'

type Needs = Pick<Parts, 'db' | 'storage' | 'config'>

/** Makes scheduled backups. `jobs.ts` says when, and that a missed one is made up for; `copies/keep.ts` which old ones go. */
export const backupJobs = (parts: Needs, { log }: Pick<WorkTools, 'log'>) =>
  ({
    backup: (stopping) => backUpAsScheduled(parts, log, stopping),
    'copy-on': async (stopping) => {
      const { backupDir } = parts.config
      if (backupDir !== null) await copyOnAgain(parts, backupDir, log, stopping)
    },
  }) satisfies Acts

async function backUpAsScheduled(parts: Needs, log: WorkTools['log'], stopping: AbortSignal): Promise<void> {
  const { db, config } = parts
  if (config.backupDir === null) return
  try {
    await refuseToFill(parts, config.backupDir)
    const { hasFaults } = await backUpTo(parts, config.backupDir, log, stopping)
    await saveCopyEnd(db, hasFaults ? 'files-missing' : null)
  } catch (err) {
    if (!stopping.aborted) {
      log.error({ err }, 'backup failed')
      await saveCopyEnd(db, copyFaultOf(err)).catch(() => undefined) // the copy's own error says more
      if (err instanceof SecondPlaceFailed) return // another try of this job would make another copy here
    }
    throw err
  }
}

/** Tries the second place again, if the newest backup could not be copied there. */
export async function copyOnAgain(
  { db, config }: Needs,
  directory: string,
  log: Pick<FastifyBaseLogger, 'info' | 'error'>,
  signal?: AbortSignal,
): Promise<void> {
  if ((await findCopyState(db))?.failed?.reason.startsWith('second-') !== true) return
  const installation = installationOf((await openSecret(db, 'signing')).toString('hex'))
  const now = new Date()
  const names = await listCopies(directory, installation, (name) => isCopyName(name) && !isAhead(name, now))
  const made = names.toSorted().at(-1)
  if (made === undefined) return
  try {
    await copyOn({ config }, join(directory, made), installation, signal)
  } catch (err) {
    if (!(err instanceof SecondPlaceFailed)) throw err
    return log.error({ err }, 'backup failed')
  }
  await saveSecondEnd(db, goodCopyTime(made) === null ? 'files-missing' : null)
  log.info({ made }, 'backup copied on')
}

/** Refuses a backup on the data's own disk if it would take the room that the database needs. */
async function refuseToFill({ db, storage, config }: Needs, directory: string): Promise<void> {
  if (await areOnOneDisk(directory, config.dataDir)) await storage.room?.ensure(await countStoredBytes(db))
}

/** Copies a backup on to the second place, if there is one, and removes the surplus ones there. */
async function copyOn(
  { config }: Pick<Parts, 'config'>,
  file: string,
  installation: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const second = await openSecondPlace(config, installation)
  if (!second) return
  const made = basename(file)
  try {
    if (!(await second.list(installation)).includes(made)) await second.send(file, made, signal)
    const there = await second.list(installation)
    await second.remove(installation, copiesToRemove(there, config.backupKeep, { made, now: new Date() }))
  } catch (error) {
    signal?.throwIfAborted()
    throw new SecondPlaceFailed(made, error)
  }
}

/** Makes a backup, then removes the surplus ones. Returns the names of both. */
export async function backUpTo(
  { db, storage, config }: Needs,
  directory: string,
  log: Pick<FastifyBaseLogger, 'info' | 'error'>,
  signal?: AbortSignal,
): Promise<{ made: string; removed: string[]; hasFaults: boolean }> {
  await removeLeftovers(directory, isCopyName)
  const at = new Date()
  const installation = installationOf((await openSecret(db, 'signing')).toString('hex'))
  const nameWith = (hasFaults: boolean) =>
    nameOfCopy(at, hasFaults, config.backupKey === null ? undefined : installation)
  let made = nameWith(false)
  const { faults, ...counts } = await backUp({ db, storage }, join(directory, made), {
    signal,
    key: config.backupKey,
    renamed: (found) => join(directory, (made = nameWith(found.length > 0))),
  })
  if (faults.length > 0)
    log.error(
      { blobs: faults.map(({ key }) => key) },
      'files are missing or damaged: npm run verify names them',
    )
  const names = await listCopies(directory, installation, isCopyName)
  if (!names.includes(made)) throw new Error(`${made} was made, but is not there.`)
  const removed = copiesToRemove(names, config.backupKeep, { made, now: new Date() })
  await removeCopies(directory, removed)
  await copyOn({ config }, join(directory, made), installation, signal)
  log.info({ made, removed, ...counts }, 'backup made')
  return { made, removed, hasFaults: faults.length > 0 }
}
