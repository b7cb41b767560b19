import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { cleanRecoveryCode, RECOVERY_CODES, shownRecoveryCode } from './recovery-code.ts'

const COOKIE = 'codes'
/** How long the cookie lives: long enough to load the next page. */
const SECONDS = 60

const optionsFor = (https: boolean) =>
  ({ path: urls.factors, httpOnly: true, sameSite: 'strict', secure: https }) as const

/** Passes new codes to the next page, which shows them once: in a cookie, so that they are in no address and no log. */
export function keepRecoveryCodes(reply: FastifyReply, { https }: Parts, codes: string[]): void {
  void reply.setCookie(COOKIE, codes.join('.'), { ...optionsFor(https), maxAge: SECONDS })
}

/** Returns the codes that were just made in this browser, once. */
export function takeShownCodes(
  request: FastifyRequest,
  reply: FastifyReply,
  { https }: Parts,
): string[] | null {
  const text = request.cookies[COOKIE]
  if (text === undefined || text.length > 400) return null
  void reply.clearCookie(COOKIE, optionsFor(https))
  const codes = text.split('.').flatMap((code) => cleanRecoveryCode(code) ?? [])
  return codes.length === RECOVERY_CODES ? codes.map(shownRecoveryCode) : null
}
