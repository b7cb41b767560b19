import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { findFailingMails } from '../accounts/mails/failed-mails.db.ts'
import { countThrottledAccounts } from '../accounts/throttle/sign-in-throttle.db.ts'
import { lastTimeOf } from '../base/time/cron.ts'
import { installationOf } from '../copies/backup.db.ts'
import { inspectCopies } from '../copies/backup-directory.server.ts'
import { findGaps } from '../log/chain/protect.db.ts'
import { countTexts } from '../reading/reading-state.db.ts'
import type { Database, Trx } from '../server/database/database.ts'
import type { Parts } from '../server/parts.ts'
import type { FileStorage } from '../server/storage/storage.ts'
import { askClamd } from '../server/process/clamd.ts'
import { VERSION } from '../server/process/version.ts'
import { certificateHost, findCertificateEnd } from './certificate.server.ts'
import { findCopyState } from './copy-state.db.ts'
import type { CopyFacts, Facts, JobFacts, Known } from './facts.ts'

export type Watched = Pick<Parts, 'db' | 'storage' | 'bucket' | 'config' | 'secret'> & {
  /** Null for a command, which runs beside Ringbind. */
  startedAt: Date | null
  isDemo: boolean
  /** Called with what could not be found out. */
  complain: (about: { err: unknown; fact: string }) => void
  limitMs?: number
}

/** A page waits no longer than this for any fact. */
const LIMIT_MS = 3_000
const DAY_MS = 86_400_000

/** Finds out how the installation is doing. Each fact has its own time limit, so that none keeps the others waiting. */
export class FactFinder {
  #watched: Watched
  #limitMs: number
  /** Checks that have not answered yet: a hanging directory must not be checked again and again. */
  #isHanging = new Set<string>()

  constructor(watched: Watched) {
    this.#watched = watched
    this.#limitMs = watched.limitMs ?? LIMIT_MS
  }

  async find(): Promise<Facts> {
    const { db, storage, bucket, config, startedAt, isDemo } = this.#watched
    const now = new Date()
    const [
      database,
      logGaps,
      disk,
      store,
      files,
      bucketAnswers,
      mails,
      jobs,
      copies,
      texts,
      throttled,
      certificate,
      scanner,
    ] = await Promise.all([
      this.#query('database', findDatabase),
      this.#query('log', findGaps),
      this.#ask('disk', async () => {
        if (!storage.room) throw new Error('no disk is looked after')
        const { free, left, total } = await storage.room.look()
        return { free, total, isBelowReserve: left < 0 }
      }),
      bucket ? null : this.#ask('store', () => findStoreFault(storage)),
      this.#query('files', countFiles),
      bucket && this.#ask('bucket', () => bucket.check().then(() => true)),
      this.#query('mails', async (trx) => {
        const { failed, failingSince } = await findFailingMails(trx)
        return { failed, failingSince: failingSince?.toISOString() ?? null }
      }),
      this.#query('jobs', listJobs),
      config.backupDir === null ? null : this.#ask('copies', () => this.#inspectCopies(db, now)),
      this.#query('texts', async (trx) => {
        const { waiting, scans, failed } = await countTexts(trx)
        return { waiting, scans, failed }
      }),
      this.#query('throttled', countThrottledAccounts),
      this.#lookAtCertificate(),
      this.#lookAtScanner(),
    ])
    return {
      now: now.toISOString(),
      version: VERSION,
      startedAt: startedAt?.toISOString() ?? null,
      isDemo,
      hasMailServer: config.smtpUrl !== null,
      bucket: bucket && { name: bucket.name, answers: bucketAnswers === true },
      database,
      logGaps,
      disk,
      store,
      files,
      mails,
      jobs,
      copies,
      texts,
      throttled,
      certificate,
      scanner,
    }
  }

  async #ask<Value>(fact: string, look: () => Promise<Value>): Promise<Known<Value>> {
    if (this.#isHanging.has(fact)) return 'unknown'
    const limit = new AbortController()
    const late = sleep(this.#limitMs, undefined, { ref: false, signal: limit.signal }).then(() => {
      this.#isHanging.add(fact)
      throw new Error(`no answer within ${this.#limitMs} ms`)
    })
    const looked = look().finally(() => {
      limit.abort()
      this.#isHanging.delete(fact)
    })
    try {
      return await Promise.race([looked, late])
    } catch (err) {
      this.#watched.complain({ err, fact })
      return 'unknown'
    }
  }

  /** The server stops the query at the limit too, so that its connection is free again. */
  #query<Value>(fact: string, find: (trx: Trx) => Promise<Value>): Promise<Known<Value>> {
    return this.#ask(fact, () =>
      this.#watched.db.transaction().execute(async (trx) => {
        await sql`set local statement_timeout = ${sql.lit(this.#limitMs)}`.execute(trx)
        return find(trx)
      }),
    )
  }

  async #inspectCopies(db: Database, now: Date): Promise<CopyFacts> {
    const { config, secret } = this.#watched
    const { backupDir, backupAt, timeZone } = config
    if (backupDir === null) throw new Error('no copies are made')
    const [state, { newest, ahead, free }] = await Promise.all([
      findCopyState(db),
      inspectCopies(backupDir, installationOf(secret.toString('hex')), now),
    ])
    return {
      newest: newest?.toISOString() ?? null,
      ahead,
      since: (state?.since ?? now).toISOString(),
      failed: state?.failed ? { ...state.failed, at: state.failed.at.toISOString() } : null,
      wasDue: lastTimeOf(backupAt, timeZone, new Date(now.getTime() - DAY_MS))?.toISOString() ?? null,
      free,
    }
  }

  async #lookAtScanner(): Promise<Facts['scanner']> {
    const { clamd } = this.#watched.config
    if (clamd === null) return null
    const [found, waiting] = await Promise.all([
      this.#ask('scanner', () => askClamd(clamd, this.#limitMs)),
      this.#query('scans', countScans),
    ])
    if (found === 'unknown') return { found, waiting }
    return { found: { ...found, signaturesAt: found.signaturesAt?.toISOString() ?? null }, waiting }
  }

  async #lookAtCertificate(): Promise<Facts['certificate']> {
    const place = certificateHost(this.#watched.config.appUrl)
    if (place === null) return null
    const { host, port } = place
    const end = await this.#ask('certificate', () => findCertificateEnd(host, port, this.#limitMs))
    return end === 'unknown' ? end : { host, endsAt: end.toISOString() }
  }
}

/** Writes a file and reads it again, and looks into each of the store's directories: one of them may be closed alone. */
async function findStoreFault(storage: FileStorage): Promise<{ code: string } | null> {
  try {
    await storage.check()
    await storage.checkParts?.()
    return null
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return { code }
  }
}

async function findDatabase(trx: Trx): Promise<Exclude<Facts['database'], 'unknown'>> {
  const { rows } = await sql<Exclude<Facts['database'], 'unknown'>>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
      (select count(*) from pg_stat_activity where datname = current_database()) as connections,
      current_setting('max_connections')::int as "mostConnections"`.execute(trx)
  return rows[0]!
}

async function countScans(trx: Trx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from held_papers where cause = 'scan'`.execute(trx)
  return rows[0]!.count
}

async function countFiles(trx: Trx): Promise<{ count: number; bytes: number }> {
  const { rows } = await sql<{ count: number; bytes: number }>`
    select count(*) as count, coalesce(sum(size), 0)::bigint as bytes from blobs
    where state = 'stored'`.execute(trx)
  return rows[0]!
}

/** Lists the jobs with something to tell: some wait, or have failed within the last day. */
export async function listJobs(trx: Trx): Promise<JobFacts[]> {
  const { rows } = await sql<JobFacts>`
    select name, waiting, failed, failed > 0 and failed_at > coalesce(done_at, '-infinity') as "isFailing"
    from (
      select name, count(*) filter (where state in ('retry', 'active') or (state = 'created' and start_after <= now())) as waiting,
        count(*) filter (where state = 'failed') as failed,
        max(completed_on) filter (where state = 'failed') as failed_at,
        max(completed_on) filter (where state = 'completed') as done_at
      from jobs.job where name not like '\\_\\_pgboss\\_\\_%' group by name
    ) as counted
    where waiting > 0 or failed > 0 order by name`.execute(trx)
  return rows
}
