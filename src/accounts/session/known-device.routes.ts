import { createHmac } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { newSecret } from '../../server/http/secret.ts'
import { sameText } from '../../server/http/signed.ts'

const YEAR = 365 * 24 * 3600
/** At most this many people are remembered on a shared computer. */
const MOST_PEOPLE = 8
/** The longest cookie that is read. One with eight people is shorter. */
const MOST_LETTERS = 1000

type Key = { secret: Buffer; https: boolean }
type Account = { id: number; password_hash: string | null }
type Entry = { userId: number; stamp: string; signature: string }
type Device = { mark: string; entries: Entry[] }

const nameOf = (https: boolean) => (https ? '__Host-device' : 'device')

/**
 * Returns the browser's mark if this person has signed in from it with their present password. Signing out keeps it. A
 * new password ends it, so that somebody who knew the old one gets no counter of their own.
 */
export function knownDevice(request: FastifyRequest, account: Account, key: Key): string | null {
  const device = readDevice(request, key)
  const entry = device?.entries.find(({ userId }) => userId === account.id)
  if (!device || !entry || !isOurs(device.mark, entry, key)) return null
  return sameText(entry.stamp, stampOf(account, key)) ? device.mark : null
}

/** Whether this person has ever signed in from this browser, also with an earlier password. */
export function isOwnBrowser(request: FastifyRequest, userId: number, key: Key): boolean {
  const device = readDevice(request, key)
  const entry = device?.entries.find((each) => each.userId === userId)
  return Boolean(device && entry && isOurs(device.mark, entry, key))
}

/** How many cookies are remembered with their person, at most. */
const MOST_REMEMBERED = 1000
const remembered = new WeakMap<Buffer, Map<string, number | null>>()

/**
 * Returns the person who last signed in from this browser, or null. Called by every request, so it costs no query, and
 * one signature only for a cookie that was not seen before.
 */
export function knownPerson(request: FastifyRequest, key: Key): number | null {
  const text = request.cookies[nameOf(key.https)]
  if (!text || text.length > MOST_LETTERS) return null
  const known = remembered.get(key.secret) ?? new Map<string, number | null>()
  remembered.set(key.secret, known)
  const before = known.get(text)
  if (before !== undefined) return before
  const device = readDevice(request, key)
  const [latest] = device?.entries ?? []
  const person = device && latest && isOurs(device.mark, latest, key) ? latest.userId : null
  if (known.size >= MOST_REMEMBERED) known.clear()
  known.set(text, person)
  return person
}

/** Remembers that a person has signed in from this browser, and keeps the others who have. */
export function rememberDevice(reply: FastifyReply, account: Account, key: Key): void {
  const before = readDevice(reply.request, key)
  const kept = before?.entries.filter((entry) => isOurs(before.mark, entry, key)) ?? []
  const mark = kept.length > 0 ? before!.mark : newSecret(16)
  const stamp = stampOf(account, key)
  const own: Entry = { userId: account.id, stamp, signature: signatureOf(mark, account.id, stamp, key) }
  const entries = [own, ...kept.filter(({ userId }) => userId !== account.id)].slice(0, MOST_PEOPLE)
  const texts = entries.map(({ userId, stamp: of, signature }) => [userId, of, signature].join('~'))
  void reply.setCookie(nameOf(key.https), [mark, ...texts].join('.'), {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: key.https,
    maxAge: YEAR,
  })
}

/** Reads the cookie without checking the signatures. */
function readDevice(request: FastifyRequest, { https }: Key): Device | null {
  const text = request.cookies[nameOf(https)]
  if (!text || text.length > MOST_LETTERS) return null
  const [mark = '', ...texts] = text.split('.')
  if (!/^[\w-]{16,32}$/.test(mark)) return null
  const entries = texts.slice(0, MOST_PEOPLE).map((entry) => {
    const [userId = '', stamp = '', signature = ''] = entry.split('~')
    return { userId: Number(userId), stamp, signature }
  })
  return { mark, entries }
}

const isOurs = (mark: string, { userId, stamp, signature }: Entry, key: Key) =>
  sameText(signature, signatureOf(mark, userId, stamp, key))

/** A value that changes with the password. */
export const stampOf = ({ password_hash: hash }: Account, { secret }: Key) =>
  hmac(secret, `password stamp\0${hash ?? ''}`).slice(0, 12)

const signatureOf = (mark: string, userId: number, stamp: string, { secret }: Key) =>
  hmac(secret, `device\0${mark}\0${userId}\0${stamp}`)

const hmac = (secret: Buffer, text: string) => createHmac('sha256', secret).update(text).digest('base64url')
