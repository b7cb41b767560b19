import type { FastifyReply, FastifyRequest } from 'fastify'
import { readSigned, sign } from '../../server/http/signed.ts'
import type { Parts } from '../../server/parts.ts'
import { stampOf } from './known-device.routes.ts'

type Key = Pick<Parts, 'secret' | 'https'>
type Account = { id: number; password_hash: string | null }

/** How long the second step may take. */
const MINUTES = 10
const ABOUT = 'second step'

const nameOf = (https: boolean) => (https ? '__Host-step' : 'step')

/** Remembers in the browser that the first step of a sign-in succeeded. It is no session, and shows nothing. */
export function keepFirstStep(reply: FastifyReply, account: Account, key: Key): void {
  const value = [account.id, Date.now() + MINUTES * 60_000, stampOf(account, key)].join('~')
  void reply.setCookie(nameOf(key.https), sign(key.secret, value, ABOUT), {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: key.https,
    maxAge: MINUTES * 60,
  })
}

/** Returns who has taken the first step in this browser. Counts only while their password has this stamp. */
export function readFirstStep(request: FastifyRequest, key: Key): { userId: number; stamp: string } | null {
  const cookie = request.cookies[nameOf(key.https)]
  if (cookie === undefined || cookie.length > 200) return null
  const [id, ends, stamp, ...more] = readSigned(key.secret, cookie, ABOUT)?.split('~') ?? []
  return stamp && more.length === 0 && Number(ends) > Date.now() ? { userId: Number(id), stamp } : null
}

export function clearFirstStep(reply: FastifyReply, { https }: Key): void {
  void reply.clearCookie(nameOf(https), { path: '/', secure: https })
}
