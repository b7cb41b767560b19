import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { addLoneLogEntry } from '../../log/log.db.ts'
import { addressOf } from '../../server/http/address.ts'
import { invalid, Refusal, tooMany } from '../../server/http/errors.ts'
import { sameText } from '../../server/http/signed.ts'
import { submit, type Refused } from '../../server/http/forms/submit.ts'
import { validate } from '../../server/http/validate.ts'
import { wantsJson } from '../../server/http/wants-json.ts'
import type { Parts } from '../../server/parts.ts'
import { loginTo, safeNext } from '../../next-urls.ts'
import { urls } from '../../urls.ts'
import { knownDevice, knownPerson, stampOf } from '../session/known-device.routes.ts'
import { browserOf, letIn, tellIfNew } from '../session/enter.routes.ts'
import { countTry, NOT_TOLD } from '../throttle/count-try.db.ts'
import { countProviderSignIn } from '../throttle/sign-in-throttle.db.ts'
import { keepChallenge, PROVING, SIGNING_IN, takeChallenge } from './challenge.routes.ts'
import { authenticationOptions, verifyPasskey } from './passkey.server.ts'
import { findPasskey, listPasskeys } from './passkeys.db.ts'
import { relyingPartyOf } from './relying-party.ts'
import { findPendingSignIn, signInByCode, signInByPasskey, type PendingSignIn } from './second-step.db.ts'
import { clearFirstStep, readFirstStep } from '../session/step-cookie.routes.ts'

const WRONG = 'Koden er forkert, eller den er brugt. Prøv igen.'
const STEP_OVER = 'Der gik for lang tid. Log ind igen.'

const MISSING = 'Skriv koden.'
const CodeForm = z.object({
  code: z
    .string({ error: MISSING })
    .max(100, { error: WRONG, abort: true })
    .refine((text) => text.trim() !== '', { error: MISSING }),
})
/** The parts of a passkey's answer are checked together with its signature. */
const PasskeyForm = z.object({
  answer: z.looseObject({ id: z.string().max(1400) }),
  next: z.unknown().optional(),
})

const PASSKEY_BYTES = 20_000

/** Adds the second step of the sign-in, and the sign-in with a passkey, which needs only one. */
export function addSecondStep(app: FastifyInstance, parts: Parts): void {
  const { db, jobs, config, https } = parts
  const visit = { config: { right: 'visit' } } as const
  const party = relyingPartyOf(config.appUrl)

  async function findHalf(request: FastifyRequest): Promise<PendingSignIn | null> {
    const step = readFirstStep(request, parts)
    const account = step && (await findPendingSignIn(db, step.userId))
    return account && sameText(stampOf(account, parts), step.stamp) ? account : null
  }

  const show = (reply: FastifyReply, account: PendingSignIn, next: string, refused?: Refused) =>
    reply.page(
      'second-step',
      {
        next,
        hasApp: account.has_app,
        hasPasskeys: account.has_passkeys && party !== null,
        ...(refused && { refused }),
      },
      'Log ind i to trin',
    )

  app.get<{ Querystring: { next?: unknown } }>(urls.secondStep, visit, async (request, reply) => {
    const next = safeNext(request.query.next)
    if (request.user) return reply.redirect(next, 303)
    const account = await findHalf(request)
    return account ? show(reply, account, next) : reply.redirect(loginTo(next), 303)
  })

  app.post(urls.secondStep, visit, async (request, reply) => {
    const next = safeNext((request.body as { next?: unknown } | undefined)?.next)
    const account = await findHalf(request)
    if (!account && !wantsJson(request)) return reply.redirect(loginTo(next), 303)
    if (!account) throw new Refusal(410, STEP_OVER)
    return submit(
      request,
      reply,
      async () => {
        await answerCode(request, reply, account)
        return next
      },
      (refused) => show(reply, account, next, refused),
    )
  })

  async function answerCode(
    request: FastifyRequest,
    reply: FastifyReply,
    account: PendingSignIn,
  ): Promise<void> {
    const form = validate(CodeForm, request.body)
    const attempt = {
      email: `second step ${account.id}`,
      address: request.ip,
      device: knownDevice(request, account, parts),
    }
    await countTry(parts, attempt, account.id, (err) => request.log.error({ err }, NOT_TOLD))
    const sender = { jobs, vault: parts.vault, newPasswordLink: config.appUrl + urls.forgotPassword }
    const browser = browserOf(request, https)
    const tell = tellIfNew(request, parts, account.id)
    const session = await signInByCode(db, browser, account, attempt, form.code, sender, tell)
    if (!session) {
      await addLoneLogEntry(db, { userId: null, address: addressOf(request) }, 'sign-in-failed', {
        userId: account.id,
        detail: 'code',
      })
      throw invalid({ code: [WRONG] })
    }
    clearFirstStep(reply, parts)
    letIn(reply, session, parts)
  }

  app.post(urls.askPasskey, visit, async (request, reply) => {
    if (!party) throw noPasskeys()
    const person = request.user ?? (await findHalf(request))
    const options = await authenticationOptions(party, person ? await listPasskeys(db, person.id) : [])
    keepChallenge(reply, parts, options.challenge, request.user ? PROVING : SIGNING_IN)
    return reply.send(options)
  })

  app.post(urls.passkeySignIn, { ...visit, bodyLimit: PASSKEY_BYTES }, async (request, reply) =>
    submit(request, reply, async () => {
      if (!party) throw noPasskeys()
      const { answer, next } = validate(PasskeyForm, request.body)
      const challenge = takeChallenge(request, reply, parts, SIGNING_IN)
      if (challenge === null) throw new Refusal(410, STEP_OVER)
      const from = { address: request.ip, person: knownPerson(request, parts) }
      const wait = await countProviderSignIn(db, from)
      if (wait > 0) throw tooMany(wait, 'Der har været for mange forsøg. Vent lidt, og prøv igen.')
      const passkey = await findPasskey(db, answer.id)
      const first = readFirstStep(request, parts)
      const isOther = first !== null && first.userId !== passkey?.userId
      const counter = passkey && !isOther ? await verifyPasskey(party, challenge, answer, passkey) : null
      const browser = browserOf(request, https)
      const session =
        passkey && counter !== null
          ? await signInByPasskey(
              db,
              browser,
              passkey,
              { challenge, counter, from },
              tellIfNew(request, parts, passkey.userId),
            )
          : null
      if (!session) {
        await addLoneLogEntry(db, { userId: null, address: addressOf(request) }, 'sign-in-failed', {
          ...(passkey && { userId: passkey.userId }),
          detail: 'passkey',
        })
        throw new Refusal(422, 'Adgangsnøglen passer ikke til et login her. Log ind med din adgangskode.')
      }
      clearFirstStep(reply, parts)
      letIn(reply, session, parts)
      return safeNext(next)
    }),
  )
}

export const noPasskeys = () => new Refusal(409, 'Adgangsnøgler kræver en adresse med https.')
