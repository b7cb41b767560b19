import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { PROOF_PREFIX } from '../../base/prove.ts'
import { clientOf } from '../../server/http/answer-turns.ts'
import { passwordCalled, validate } from '../../server/http/validate.ts'
import type { Parts } from '../../server/parts.ts'
import { PROVING, takeChallenge } from '../factor/challenge.routes.ts'
import { takeCodeAlone } from '../factor/factors.db.ts'
import { verifyPasskey } from '../factor/passkey.server.ts'
import { findPasskey, usePasskeyAlone } from '../factor/passkeys.db.ts'
import { relyingPartyOf } from '../factor/relying-party.ts'
import { isPassword } from '../passwords/password-hash.server.ts'

/** The person who has to prove who they are. */
type Account = { id: number; password_hash: string | null; has_factor: boolean }

type Faults = Record<string, string[]>
type Asked = { parts: Parts; account: Account; request: FastifyRequest; reply: FastifyReply }

/**
 * A way for a signed-in person to prove who they are. `check` reads the fields of the question, and returns faults by
 * field, or null if the proof is right. `isStrong` means that the way has a second factor.
 */
type Way = { isStrong: boolean; check: (asked: Asked) => Promise<Faults | null> }

const PASSWORD = `${PROOF_PREFIX}password`
const CODE = `${PROOF_PREFIX}code`
const PASSKEY = `${PROOF_PREFIX}passkey`
const PasswordForm = z.object({ [PASSWORD]: passwordCalled('Adgangskoden') })
const CodeForm = z.object({ [CODE]: passwordCalled('Koden') })
const PasskeyForm = z.object({ [PASSKEY]: z.looseObject({ id: z.string().max(1400) }) })

const password: Way = {
  isStrong: false,
  async check({ account, request }) {
    const { [PASSWORD]: typed = '' } = validate(PasswordForm, request.body)
    return (await isPassword(typed, account.password_hash, clientOf(request)))
      ? null
      : { [PASSWORD]: ['Adgangskoden er forkert.'] }
  },
}

/** A code of the app, or a recovery code. */
const code: Way = {
  isStrong: true,
  async check({ parts, account, request }) {
    const { [CODE]: typed = '' } = validate(CodeForm, request.body)
    return (await takeCodeAlone(parts.db, parts.vault, account.id, typed))
      ? null
      : { [CODE]: ['Koden er forkert, eller den er brugt. Prøv igen.'] }
  },
}

const passkey: Way = {
  isStrong: true,
  async check({ parts, account, request, reply }) {
    const { [PASSKEY]: answer } = validate(PasskeyForm, request.body)
    const party = relyingPartyOf(parts.config.appUrl)
    const challenge = takeChallenge(request, reply, parts, PROVING)
    const found = await findPasskey(parts.db, answer.id)
    const isTheirs = found?.userId === account.id
    const counter =
      party && challenge !== null && found && isTheirs
        ? await verifyPasskey(party, challenge, answer, found)
        : null
    const isUsed = counter !== null && (await usePasskeyAlone(parts.db, found!, challenge!, counter))
    return isUsed ? null : { [CODE]: ['Adgangsnøglen passer ikke. Prøv igen, eller brug en kode.'] }
  },
}

/** Returns the way that a form names. A person with a second factor must use it; others use their password. */
export function wayOf({ has_factor: hasFactor }: Account, body: unknown): Way {
  if (!hasFactor) return password
  const { [`${PROOF_PREFIX}way`]: name } = (body ?? {}) as Record<string, unknown>
  return name === 'passkey' ? passkey : code
}
