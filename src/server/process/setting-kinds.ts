import { isIP } from 'node:net'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { ClamdAddress } from './clamd.ts'

/** One setting. */
type Entry<T> = {
  variable: string
  /** One sentence for the table of settings. */
  says: string
  /** Describes a valid value; ends the error message for a wrong one. */
  takes: string
  /** The default, which is read like a value from the environment; empty for none. */
  byDefault: string
  /** The default as the table of settings shows it, if that is not `byDefault`. */
  shown?: string
  /** Its value is never shown. */
  isSecret?: true
  /** Returns undefined for a wrong value. */
  read: (text: string) => T | undefined
}

export const entry = <T>(from: Entry<T>) => from

// Each function reads a setting's text and returns undefined for a wrong one.

export function wholeNumber(least: number, most: number) {
  return (text: string): number | undefined => {
    const number = /^\d+$/.test(text) ? Number(text) : NaN
    return number >= least && number <= most ? number : undefined
  }
}

export function address(...protocols: string[]) {
  return (text: string): string | undefined =>
    URL.canParse(text) && protocols.includes(new URL(text).protocol) && /:\/\/[^/]/.test(text)
      ? text
      : undefined
}

/** A folder of a mailbox, and who reads it. */
export type MailboxAddress = {
  host: string
  port: number
  /** Whether the connection is secure from the start; otherwise it becomes so before anything is sent. */
  isSecure: boolean
  user: string
  password: string
  folder: string
  /** Where read mails are moved to; null if they stay. */
  moveTo: string | null
}

/** Reads 'imaps://user:password@host/INBOX?move-to=Archive'. */
export function mailbox(text: string): MailboxAddress | undefined {
  if (text.length > 2000 || !URL.canParse(text)) return undefined
  const { protocol, hostname, port, username, password, pathname, searchParams, hash } = new URL(text)
  const isSecure = protocol === 'imaps:'
  const folder = decoded(pathname.slice(1)) || 'INBOX'
  const moveTo = searchParams.get('move-to')
  const isMailbox = ['imaps:', 'imap:'].includes(protocol) && hostname !== '' && hash === ''
  const isKnown = [...searchParams.keys()].every((key) => key === 'move-to')
  const [user, secret] = [decoded(username), decoded(password)]
  if (!isMailbox || !isKnown || !user || !secret) return undefined
  if (moveTo === '' || moveTo === folder || /\p{Cc}/u.test(`${folder}${moveTo}`)) return undefined
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (isSecure ? 993 : 143),
    isSecure,
    user,
    password: secret,
    folder,
    moveTo,
  }
}

/** An address such as tls://logs.example.dk:6514, in parts. */
export type SyslogServer = { isSecure: boolean; host: string; port: number }

/** Reads 'tls://host:6514' or 'tcp://host:601'. */
export function syslogServer(text: string): SyslogServer | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname: host, port, pathname, search, hash, username } = new URL(text)
  if ((protocol !== 'tls:' && protocol !== 'tcp:') || host === '') return undefined
  if (`${pathname}${search}${hash}${username}`.replace('/', '') !== '') return undefined
  const isSecure = protocol === 'tls:'
  return { isSecure, host: host.replace(/^\[|\]$/g, ''), port: Number(port) || (isSecure ? 6514 : 601) }
}

/** Reads where ClamAV's daemon listens: '/run/clamav/clamd.ctl', or 'tcp://127.0.0.1:3310'. */
export function clamd(text: string): ClamdAddress | undefined {
  if (/^\/[^\0]{1,100}$/.test(text)) return { path: text }
  const [, host, port] = /^tcp:\/\/([\w.-]{1,253}|\[[\da-f:.]+\]):(\d{1,5})$/i.exec(text) ?? []
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) return undefined
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}

/** Returns undefined for a percent sign that encodes nothing. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

export function origin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const plain = ['http:', 'https:'].includes(url.protocol) && url.href === `${url.origin}/`
  return plain ? url.origin : undefined
}

export function proxies(
  text: string,
): boolean | string[] | ((address: string, hop: number) => boolean) | undefined {
  if (text === 'true' || text === 'false') return text === 'true'
  if (/^\d+$/.test(text)) return (_address, hop) => hop < Number(text)
  return networks(text)
}

/** Addresses and networks, separated by commas. */
export function networks(text: string): string[] | undefined {
  const addresses = text.split(',').map((part) => part.trim())
  return addresses.every(isNetwork) ? addresses : undefined
}

/** An address, or a network such as 10.0.0.0/8. */
function isNetwork(text: string): boolean {
  const [base, bits, ...more] = text.split('/')
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(base!)]!
  return (
    more.length === 0 &&
    longest > 0 &&
    (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= longest))
  )
}

export function directory(text: string): string | undefined {
  return text.includes('\0') ? undefined : resolve(text)
}

export function directoryOrBucket(text: string): string | undefined {
  if (!text.startsWith('s3:')) return directory(text)
  return /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[^?#]*)?$/.test(text) ? text : undefined
}

export function hostName(text: string): string | undefined {
  return isIP(text) !== 0 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text) ? text : undefined
}

export function timeZone(text: string): string | undefined {
  try {
    Intl.DateTimeFormat('en-GB', { timeZone: text })
    return text
  } catch {
    return undefined
  }
}

export function trueOrFalse(text: string): boolean | undefined {
  return text === 'true' || text === 'false' ? text === 'true' : undefined
}

/** `03:00` becomes '0 3 * * *'. */
export function cronLine(text: string): string | undefined {
  const time = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text)
  if (time) return `${Number(time[2])} ${Number(time[1])} * * *`
  const fields = text.split(/\s+/)
  const isRight =
    fields.length === CRON.length && fields.every((field, index) => isCronField(field, CRON[index]!))
  return isRight ? fields.join(' ') : undefined
}

/** The range of minutes, hours, days, months and days of the week. */
const CRON: [number, number][] = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
]

function isCronField(field: string, [least, most]: [number, number]): boolean {
  return field.split(',').every((part) => {
    const match = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part)
    if (!match) return false
    const [from = least, to = from, step = 1] = match
      .slice(1)
      .map((digits) => digits && Number(digits)) as number[]
    return from >= least && to <= most && from <= to && step > 0
  })
}

/** 'mitid, entra' becomes ['mitid', 'entra']. A key is part of variables, addresses and the log. */
export function providerKeys(text: string): string[] | undefined {
  const keys = text.split(',').map((part) => part.trim())
  const isRight = keys.length <= 8 && keys.every((key) => /^[a-z][a-z\d]{0,19}$/.test(key))
  return isRight && new Set(keys).size === keys.length ? keys : undefined
}

/** The address of an OpenID provider: https, or http on this computer. */
export function issuer(text: string): string | undefined {
  if (text.length > 500 || !URL.canParse(text)) return undefined
  const { protocol, hostname, username, password, search, hash } = new URL(text)
  if (username || password || search || hash) return undefined
  const isHere = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isHere) ? text : undefined
}

/** A secret that a program sends in a header. */
export function bearerToken(text: string): string | undefined {
  return /^[\w.~+/-]{16,200}=*$/.test(text) ? text : undefined
}

/** A text of one line. */
export function lineOf(most: number) {
  return (text: string): string | undefined =>
    text.length <= most && !/\p{Cc}/u.test(text) ? text : undefined
}

export function standardDataDir(): string {
  if (process.geteuid?.() === 0) return '/var/lib/ringbind'
  const home = findHome()
  if (process.platform === 'darwin') return home && join(home, 'Library/Application Support/Ringbind')
  const shared = process.env.XDG_DATA_HOME || (home && join(home, '.local/share'))
  return shared && join(shared, 'ringbind')
}

/** Empty for a user that the system does not know and that has no HOME. */
function findHome(): string {
  try {
    return homedir()
  } catch {
    return ''
  }
}
