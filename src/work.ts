import type { FastifyBaseLogger } from 'fastify'
import { watchMails } from './accounts/mails/failed-mails.db.ts'
import { stopMailsUrl } from './accounts/profile/stop-mails.routes.ts'
import { accountsJobs, accountsPurges } from './accounts/room.jobs.ts'
import type { Config } from './config.ts'
import { filesJobs, filesPurges } from './files/room.jobs.ts'
import { inboxJobs } from './inbox/room.jobs.ts'
import { intakeJobs, intakePurges } from './intake/room.jobs.ts'
import { LOOPS, PURGES, QUEUES, REPEATED, type Acts, type Purges } from './jobs.ts'
import { openClock } from './log/machine/clock-notice.db.ts'
import { endNotice } from './log/notices/notices.db.ts'
import { logJobs, logPurges } from './log/room.jobs.ts'
import { movingJobs, movingPurges } from './moving/room.jobs.ts'
import { officeJobs, officePurges } from './office/room.jobs.ts'
import { programsJobs, programsPurges } from './programs/room.jobs.ts'
import { readingJobs } from './reading/room.jobs.ts'
import { releasesJobs, releasesPurges } from './releases/room.jobs.ts'
import { backupJobs } from './scheduled-backups.ts'
import { searchJobs } from './search/room.jobs.ts'
import type { Mailer } from './server/mail.ts'
import type { Parts, WorkTools } from './server/parts.ts'
import { startLoop } from './server/work/loop.ts'
import { beginReading } from './uploads/held/begin-reading.db.ts'
import { uploadsJobs, uploadsPurges } from './uploads/room.jobs.ts'
import { setCopiesWanted } from './watch/copy-state.db.ts'
import { watchJobs } from './watch/room.jobs.ts'
import { yearJobs, yearPurges } from './year/room.jobs.ts'

/** Starts all background work that `jobs.ts` names. */
export async function startWork(parts: Parts, mailer: Mailer, log: FastifyBaseLogger): Promise<void> {
  const { db, jobs, config, secret } = parts
  await jobs.bringBack()
  const clock = await openClock(parts, log)
  await followSettings(parts)
  const mails = {
    db,
    mailer,
    appUrl: config.appUrl,
    stopPath: (userId: number) => stopMailsUrl(secret, userId),
    watch: watchMails(db),
  }
  await startRows(parts, { clock, log }, actsOf(parts, { mails, clock, log }))
}

/** Starts what the table names, as it says. */
export async function startRows(
  { jobs, config }: Pick<Parts, 'jobs' | 'config'>,
  { clock, log }: Pick<WorkTools, 'clock' | 'log'>,
  acts: Required<Acts>,
): Promise<void> {
  for (const [name] of wanted(QUEUES, config)) await acts[name]()
  for (const [name, { at, needsClock, ...row }] of wanted(REPEATED, config))
    await jobs.repeat({ name, ...row }, typeof at === 'string' ? at : at(config), async (stopping) => {
      if (!needsClock || clock.isRight()) await acts[name](stopping)
    })
  for (const [name, row] of wanted(LOOPS, config)) {
    const complain = (err: unknown) =>
      'error' in row ? log.error({ err }, row.error) : log.warn({ err }, row.warning)
    await startLoop(jobs, { ...row, complain }, async (stopping) => {
      const isRight = row.clock === 'now' ? await clock.see() : row.clock !== 'seen' || clock.isRight()
      if (isRight) await acts[name](stopping)
    })
  }
}

/** Lists those rows of a table that are done with these settings. */
function wanted<Name extends string, Row extends { if?: (config: Config) => boolean }>(
  rows: Readonly<Record<Name, Row>>,
  config: Config,
): [Name, Row][] {
  const all = Object.entries(rows) as [Name, Row][]
  return all.filter(([, row]) => row.if?.(config) ?? true)
}

/** Ends and begins what changed settings do. */
async function followSettings({ db, config }: Parts): Promise<void> {
  await beginReading(db, config.readDocuments) // before anything is published
  if (config.trustProxy !== false) await endNotice(db, 'untrusted-proxy')
  if (config.intakeDir === null) {
    await endNotice(db, 'intake-away')
    await endNotice(db, 'intake-left')
  }
  if (config.imapUrl === null) await endNotice(db, 'mailbox-away')
  await setCopiesWanted(db, config.backupDir !== null)
}

function actsOf(parts: Parts, tools: WorkTools) {
  return {
    ...logJobs(parts),
    ...officeJobs(parts, tools),
    ...accountsJobs(parts, tools),
    ...readingJobs(parts, tools),
    ...filesJobs(parts, tools),
    ...releasesJobs(parts, tools),
    ...uploadsJobs(parts, tools),
    ...intakeJobs(parts, tools),
    ...inboxJobs(parts, tools),
    ...searchJobs(parts, tools),
    ...yearJobs(parts, tools),
    ...watchJobs(parts, tools),
    ...movingJobs(parts),
    ...programsJobs(parts, tools),
    ...backupJobs(parts, tools),
    'house-keeping': async () => {
      if (await tools.clock.see()) tools.log.info(await keepHouse(parts), 'house-keeping done')
      else tools.log.warn('nothing is deleted, since the clock has jumped')
    },
  } satisfies Required<Acts>
}

/** Deletes everything that has expired. */
export async function keepHouse(parts: Parts): Promise<{ files: number; blobs: number; addresses: number }> {
  const purges = {
    ...logPurges(parts),
    ...officePurges(parts),
    ...accountsPurges(parts),
    ...filesPurges(parts),
    ...releasesPurges(parts),
    ...uploadsPurges(parts),
    ...intakePurges(parts),
    ...yearPurges(parts),
    ...movingPurges(parts),
    ...programsPurges(parts),
  } satisfies Required<Purges>
  const gone = new Map<string, unknown>()
  for (const name of PURGES) gone.set(name, await purges[name]())
  const count = (name: (typeof PURGES)[number]) => Number(gone.get(name))
  return { addresses: count('log-addresses'), files: count('trash'), blobs: count('blobs') }
}
