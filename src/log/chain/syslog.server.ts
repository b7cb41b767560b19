import { once } from 'node:events'
import { connect as connectPlain, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { connect as connectSecurely } from 'node:tls'
import type { SyslogServer } from '../../server/process/setting-kinds.ts'

/** An entry of the log with its place in the chain. */
export type SentEntry = { position: number; hash: string; act: string; at: Date; entry: object }

/** The facility 'log audit' (13) and the severity 'informational' (6). */
const PRIORITY = 13 * 8 + 6
/** A receiver that is silent for this long is down. */
const LIMIT_MS = 20_000

/**
 * Writes an entry in the format of RFC 5424, with its length in front (RFC 5425, 6587), so that no character in it can
 * end the line.
 */
export function syslogLine({ position, hash, act, at, entry }: SentEntry): string {
  // In ASCII only, because receivers differ about other characters, and JSON can escape them.
  const message = JSON.stringify({ position, hash, ...entry }).replace(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const from = hostname().replace(/[^\x21-\x7e]/g, '-') || '-'
  const line = `<${PRIORITY}>1 ${at.toISOString()} ${from} ringbind - ${act.slice(0, 32)} - ${message}`
  return `${line.length} ${line}`
}

/**
 * Sends lines, and waits until the receiver has closed its side too, because then it has read all of them. Syslog has
 * no other answer. Rejects if the receiver is down, or hangs up before.
 */
export async function sendLines(
  server: SyslogServer,
  lines: string[],
  stopping?: AbortSignal,
): Promise<void> {
  const limit = AbortSignal.any([AbortSignal.timeout(LIMIT_MS), ...(stopping ? [stopping] : [])])
  const socket = connect(server)
  const ended = once(socket, 'end', { signal: limit })
  ended.catch(() => undefined) // heard below, or told by the first that fails
  try {
    await once(socket, server.isSecure ? 'secureConnect' : 'connect', { signal: limit })
    socket.resume()
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.end(lines.join(''), resolve)
    })
    await ended
  } finally {
    socket.destroy()
  }
}

function connect({ isSecure, host, port }: SyslogServer): Socket {
  return isSecure ? connectSecurely({ host, port, servername: host }) : connectPlain({ host, port })
}
