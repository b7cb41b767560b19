import { countLostApps, lostApps } from '../accounts/factor/sealed-apps.db.ts'
import { areOnOneDisk } from '../copies/backup-directory.server.ts'
import type { Installation } from '../copies/open-installation.server.ts'
import type { Config } from '../config.ts'
import { sendLines } from '../log/chain/syslog.server.ts'
import { listNotices } from '../log/notices/notices.db.ts'
import { openSecret } from '../server/database/secret.db.ts'
import { findProgram } from '../server/process/find-program.ts'
import { findVault } from '../server/process/vault.ts'
import { tryMailServer } from '../server/try-mail.ts'
import { findTroubles } from './attention.ts'
import { factLines, gapLine, NOTICE_LINES, troubleLine } from './english.ts'
import { FactFinder } from './facts.db.ts'

type Findings = { facts: string[]; wrong: string[]; advice: string[] }

/** Looks at an open installation, as the status page does. */
export async function examineInstallation({ config, dataDir, db, storage }: Installation): Promise<Findings> {
  const finder = new FactFinder({
    config,
    db,
    storage,
    bucket: storage.bucket,
    secret: await openSecret(db, 'signing'),
    startedAt: null,
    isDemo: false,
    complain: () => undefined,
    limitMs: 10_000,
  })
  const facts = await finder.find()
  const notices = await listNotices(db, 'administrator')
  const lost = await countLostApps(db, await findVault(config.secretsKey, dataDir))
  const gaps = facts.logGaps === 'unknown' ? [] : facts.logGaps.map(gapLine)
  // The operator of the database server decides; where that is Ringbind, or where it was decided, a gap is a fault.
  const isToBeProtected = config.databaseUrl === null || config.databaseOwnerUrl !== null
  return {
    facts: factLines(facts),
    advice: isToBeProtected || gaps.length === 0 ? [] : [...gaps, PROTECT_LOG],
    wrong: [
      ...findTroubles(facts).map(troubleLine),
      ...(isToBeProtected ? gaps : []),
      ...(lost > 0 ? [lostApps(lost)] : []),
      ...notices.flatMap(({ kind }) => NOTICE_LINES[kind] ?? []),
    ],
  }
}

const PROTECT_LOG = 'docs/drift.md says how a PostgreSQL server protects the log (DATABASE_OWNER_URL).'

/** Checks whether the settings work on this computer: what they name answers, and the programs exist. */
export async function examineSettings(config: Config): Promise<{ wrong: string[]; advice: string[] }> {
  const wrong: string[] = []
  const advice: string[] = []
  if (config.smtpUrl !== null) {
    const { kind, answer } = await tryMailServer(config.smtpUrl)
    if (kind !== 'accepted')
      wrong.push(`The mail server in SMTP_URL is no use: ${[kind, answer].filter(Boolean).join(', ')}.`)
  }
  if (config.syslogUrl !== null)
    await sendLines(config.syslogUrl, []).catch((error: unknown) =>
      wrong.push(`The syslog server in SYSLOG_URL is no use: ${textOf(error)}.`),
    )
  if (config.backupDir !== null && (await areOnOneDisk(config.backupDir, config.dataDir).catch(() => false)))
    advice.push(
      'The copies are on the disk of the data: if it breaks, both are lost. Set BACKUP_DIR to another one.',
    )
  if (config.appUrl.startsWith('http:') && !OWN_HOSTS.has(new URL(config.appUrl).hostname))
    advice.push('APP_URL is not https: passwords and papers can be read on the way.')
  for (const { program, isWanted, what } of PROGRAMS)
    if (isWanted(config) && (await findProgram(program)) === null)
      advice.push(`${program} is not installed: ${what}.`)
  return { wrong, advice }
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const OWN_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])

const PROGRAMS: { program: string; isWanted: (config: Config) => boolean; what: string }[] = [
  {
    program: 'pdftoppm',
    isWanted: ({ thumbnails }) => thumbnails,
    what: 'PDFs have no small pictures (THUMBNAILS)',
  },
  {
    program: 'pdftotext',
    isWanted: ({ readDocuments }) => readDocuments,
    what: 'PDFs are read slowly (READ_DOCUMENTS)',
  },
  {
    program: 'tesseract',
    isWanted: ({ readDocuments, readScans }) => readDocuments && readScans,
    what: 'scanned pages are not read (READ_SCANS)',
  },
]
