import { toldBy } from '../jobs.ts'
import type { CopyFacts, CopyFault, Facts } from './facts.ts'

/** A trouble that needs attention, with the facts for its sentence. */
export type Trouble =
  | { kind: 'copy-failed'; at: string; reason: CopyFault }
  | { kind: 'copy-old'; newest: string | null; since: string }
  | { kind: 'disk-low'; free: number; total: number; isBelowReserve: boolean }
  | { kind: 'store-closed'; code: string }
  | { kind: 'mails-failing'; since: string; count: number }
  | { kind: 'certificate-ending'; host: string; endsAt: string }
  | { kind: 'bucket-away'; name: string }
  | { kind: 'scanner-away'; waiting: number | null }
  | { kind: 'signatures-old'; at: string | null }
  | { kind: 'copies-away' }
  | { kind: 'copies-ahead'; names: string[] }
  | { kind: 'jobs-failing'; names: string[] }
  | { kind: 'no-copies' }
  | { kind: 'no-mail' }

type TroubleKind = Trouble['kind']
type TroubleOf<Kind extends TroubleKind> = Extract<Trouble, { kind: Kind }>

/** The troubles that administrators are mailed about: each once, and again if it comes back after a day (`troubles.db.ts`). */
export const MAILED = [
  'copy-failed',
  'copy-old',
  'disk-low',
  'store-closed',
  'mails-failing',
  'certificate-ending',
] as const satisfies TroubleKind[]
export type MailedKind = (typeof MAILED)[number]
export type MailedTrouble = TroubleOf<MailedKind>

export const isMailed = (trouble: Trouble): trouble is MailedTrouble =>
  MAILED.some((kind) => kind === trouble.kind)

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A copy that is older is too old, if another one was due since. */
const COPY_MS = 2 * DAY_MS
const CERTIFICATE_MS = 14 * DAY_MS
/**
 * Since the first mail that failed its first tries, with none sent after it (`accounts/mails/failed-mails.db.ts`). The mail
 * about it leaves when mails do again; until then the start page and `/metrics` say it.
 */
const MAILS_MS = HOUR_MS
/** New ones come each day. */
const SIGNATURES_MS = 7 * DAY_MS

/** Returns what needs attention, the most urgent first. What is unknown is no trouble. */
export function findTroubles(facts: Facts): Trouble[] {
  return [
    ...copyTroubles(facts),
    ...diskTroubles(facts),
    ...storeTroubles(facts),
    ...bucketTroubles(facts),
    ...scannerTroubles(facts),
    ...mailTroubles(facts),
    ...certificateTroubles(facts),
    ...jobTroubles(facts),
    ...missingTroubles(facts),
  ]
}

/** Returns the kinds that these facts do not cover: such a trouble neither begins nor ends. */
export function unknownKinds({ copies, disk, store, mails, certificate }: Facts): MailedKind[] {
  return [
    ...(copies === 'unknown' ? (['copy-failed', 'copy-old'] as const) : []),
    ...(disk === 'unknown' ? (['disk-low'] as const) : []),
    ...(store === 'unknown' ? (['store-closed'] as const) : []),
    ...(mails === 'unknown' ? (['mails-failing'] as const) : []),
    ...(certificate === 'unknown' ? (['certificate-ending'] as const) : []),
  ]
}

const since = (from: string, { now }: Facts) => Date.parse(now) - Date.parse(from)

function copyTroubles(facts: Facts): Trouble[] {
  const { copies } = facts
  if (copies === null) return []
  if (copies === 'unknown') return [{ kind: 'copies-away' }]
  const { failed, newest, ahead } = copies
  return [
    ...(failed ? [{ kind: 'copy-failed' as const, ...failed }] : []),
    ...(isTooOld(copies, facts) ? [{ kind: 'copy-old' as const, newest, since: copies.since }] : []),
    ...(ahead.length > 0 ? [{ kind: 'copies-ahead' as const, names: ahead }] : []),
  ]
}

/** Where copies are made on weekdays or once a week, an older one is recent enough. */
function isTooOld({ newest, since: begun, wasDue }: CopyFacts, facts: Facts): boolean {
  const from = newest ?? begun
  return since(from, facts) > COPY_MS && wasDue !== null && Date.parse(wasDue) > Date.parse(from)
}

/** The reserve is DISK_RESERVE_BYTES: `server/storage/disk-room.ts`. */
function diskTroubles({ disk }: Facts): Trouble[] {
  if (disk === 'unknown') return []
  const isLow = disk.isBelowReserve || disk.free < disk.total / 10
  return isLow ? [{ kind: 'disk-low', ...disk }] : []
}

function storeTroubles({ store }: Facts): Trouble[] {
  return store === null || store === 'unknown' ? [] : [{ kind: 'store-closed', ...store }]
}

function bucketTroubles({ bucket }: Facts): Trouble[] {
  return bucket && !bucket.answers ? [{ kind: 'bucket-away', name: bucket.name }] : []
}

/** An unknown scanner counts as a trouble, since nothing is published until it answers. */
function scannerTroubles(facts: Facts): Trouble[] {
  const { scanner } = facts
  if (scanner === null) return []
  if (scanner.found === 'unknown')
    return [{ kind: 'scanner-away', waiting: scanner.waiting === 'unknown' ? null : scanner.waiting }]
  const { signaturesAt: at } = scanner.found
  return at === null || since(at, facts) > SIGNATURES_MS ? [{ kind: 'signatures-old', at }] : []
}

function mailTroubles(facts: Facts): Trouble[] {
  if (facts.mails === 'unknown') return []
  const { failingSince, failed } = facts.mails
  if (failingSince === null || since(failingSince, facts) < MAILS_MS) return []
  return [{ kind: 'mails-failing', since: failingSince, count: failed }]
}

function certificateTroubles(facts: Facts): Trouble[] {
  const { certificate } = facts
  if (certificate === null || certificate === 'unknown') return []
  const left = -since(certificate.endsAt, facts)
  return left < CERTIFICATE_MS ? [{ kind: 'certificate-ending', ...certificate }] : []
}

/** Leaves out failing mails and copies, which have their own troubles. */
function jobTroubles({ jobs }: Facts): Trouble[] {
  if (jobs === 'unknown') return []
  const names = jobs
    .filter(({ name, isFailing }) => isFailing && toldBy(name) === undefined)
    .map(({ name }) => name)
  return names.length > 0 ? [{ kind: 'jobs-failing', names }] : []
}

function missingTroubles({ copies, hasMailServer, isDemo }: Facts): Trouble[] {
  if (isDemo) return []
  return [
    ...(copies === null ? [{ kind: 'no-copies' as const }] : []),
    ...(hasMailServer ? [] : [{ kind: 'no-mail' as const }]),
  ]
}
