import type { MailboxFault } from '../log/notices/notice.ts'

/** The fields of errors from the mailbox and the network. */
type Told = { code?: unknown; authenticationFailed?: unknown; mailboxMissing?: unknown; message?: unknown }

const UNREACHABLE =
  /^E(?:CONN|TIMEDOUT|TIMEOUT|NOTFOUND|HOST|NET|PIPE|AI)|TIMEOUT$|^NoConnection$|^ClosedAfter/
const INSECURE = /CERT|SSL|TLS|SIGNATURE|MissingServerExtension/i

/** Classifies why a mailbox cannot be read. */
export function mailboxFault(error: unknown): MailboxFault {
  const { code, authenticationFailed, mailboxMissing }: Told = error instanceof Error ? error : {}
  const name = typeof code === 'string' ? code : ''
  if (authenticationFailed === true) return 'no-login'
  if (mailboxMissing === true || name === 'NotFound') return 'no-folder'
  if (INSECURE.test(name)) return 'insecure'
  return UNREACHABLE.test(name) ? 'unreachable' : 'other'
}

const MINUTE_MS = 60_000
const LONGEST_MINUTES = 30

/**
 * Returns how long to wait after this many failures. A refused password is tried rarely, because servers lock out those
 * who repeat it.
 */
export function pauseAfter(failures: number, fault: MailboxFault): number {
  const first = fault === 'no-login' ? 5 : 1
  return Math.min(LONGEST_MINUTES, first * 2 ** (failures - 1)) * MINUTE_MS
}

/** Whether to tell the office. A server that is down for a moment is not worth it. */
export const isWorthTelling = (failures: number, fault: MailboxFault) =>
  failures > 2 || (fault !== 'unreachable' && fault !== 'other')
