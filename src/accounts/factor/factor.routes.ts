import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { encode } from 'uqr'
import { z } from 'zod'
import { actorOf } from '../../log/actor.routes.ts'
import { findOffice } from '../../office/office.db.ts'
import { invalid, Refusal } from '../../server/http/errors.ts'
import { requireFreshProof } from '../../server/http/fresh-proof.ts'
import { idIn } from '../../server/http/ids.ts'
import { userOf } from '../../server/http/permit.ts'
import { submit, type Refused } from '../../server/http/forms/submit.ts'
import { line, validate } from '../../server/http/validate.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { deviceName } from '../session/device-name.ts'
import { sessionToken } from '../session/session-cookie.routes.ts'
import { keepChallenge, takeChallenge } from './challenge.routes.ts'
import { appAddress, secretFor, secretText, stepOf } from './code-app.server.ts'
import { factorMail, type FactorNews } from './factor-mail.ts'
import type { FactorForm, SecondFactorPageProps } from './second-factor-page.tsx'
import {
  addCodeApp,
  addPasskey,
  countChanges,
  findFactors,
  makeRecoveryCodes,
  removeCodeApp,
  removePasskey,
  type FactorChange,
} from './factors.db.ts'
import { readNewPasskey, registrationOptions } from './passkey.server.ts'
import { listPasskeys } from './passkeys.db.ts'
import { keepRecoveryCodes, takeShownCodes } from './recovery-codes.routes.ts'
import { relyingPartyOf } from './relying-party.ts'
import { noPasskeys } from './second-step.routes.ts'

const WRONG = 'Koden passer ikke. Prøv den næste. Går telefonens ur rigtigt?'
const MISSING = 'Skriv de seks cifre fra appen.'

const AppForm = z.object({
  code: z
    .string({ error: MISSING })
    .max(50, { error: WRONG, abort: true })
    .refine((text) => text.trim() !== '', { error: MISSING }),
})
const PasskeyForm = z.object({ name: line('Navnet', 60), answer: z.looseObject({}) })
const PASSKEY_BYTES = 20_000

/** Adds the page where people keep their second factor. */
export function addFactors(app: FastifyInstance, parts: Parts): void {
  const { db, jobs, config, https, secret: key } = parts
  // Open to those who must add a factor before they may do anything else.
  const own = { config: { right: 'haveProfile', isOpenWithoutFactor: true } } as const
  const party = relyingPartyOf(config.appUrl)
  const secretOf = async (request: FastifyRequest) => {
    const { id } = userOf(request)
    return secretFor(key, id, sessionToken(request, https) ?? '', await countChanges(db, id))
  }
  const aboutPasskey = (request: FastifyRequest) => `new of ${userOf(request).id}`

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    refused?: Refused & { form: FactorForm },
  ) => {
    const user = userOf(request)
    const factors = await findFactors(db, user.id)
    // The secret is shown only after a fresh proof, and never in a view as somebody else.
    const maySee = factors.app === null && user.isFresh && user.viewedBy === null
    return reply.page(
      'second-factor',
      {
        factors,
        newApp: maySee ? describeApp(await secretOf(request), user.email, (await findOffice(db)).name) : null,
        takesPasskeys: party !== null,
        isOffered: request.url === urls.firstPasskey && party !== null && factors.passkeys.length === 0,
        device: deviceName(request.headers['user-agent'] ?? ''),
        newCodes: takeShownCodes(request, reply, parts),
        ...(refused && { refused }),
      },
      'Totrinslogin',
    )
  }

  async function changeOf(request: FastifyRequest, news: FactorNews): Promise<FactorChange> {
    const user = userOf(request)
    const office = await findOffice(db)
    const link = config.appUrl + urls.forgotPassword
    return {
      actor: actorOf(request),
      userId: user.id,
      session: sessionToken(request, https) ?? '',
      jobs,
      news: { kind: news, to: user.email, compose: (times) => factorMail(office, user, news, link, times) },
    }
  }

  /** Adds the route of a form on the page, which is shown again with its faults if it is refused. */
  const press = (
    address: string,
    form: FactorForm,
    act: (request: FastifyRequest, reply: FastifyReply) => Promise<string[] | null | void>,
    bodyLimit?: number,
  ) =>
    app.post(address, { ...own, ...(bodyLimit && { bodyLimit }) }, (request, reply) =>
      submit(
        request,
        reply,
        async () => {
          requireFreshProof(request)
          const codes = await act(request, reply)
          if (codes) keepRecoveryCodes(reply, parts, codes)
          return urls.factors
        },
        (refused) => show(request, reply, { ...refused, form }),
      ),
    )

  app.get(urls.factors, own, (request, reply) => show(request, reply))

  press(urls.codeApp, 'app', async (request) => {
    const form = validate(AppForm, request.body)
    const secret = await secretOf(request)
    const step = stepOf(secret, form.code, Date.now())
    if (step === null) throw invalid({ code: [WRONG] })
    return addCodeApp(db, parts.vault, await changeOf(request, 'app-added'), secret, step)
  })

  press(urls.removeCodeApp, 'app', async (request) =>
    removeCodeApp(db, await changeOf(request, 'app-removed')),
  )

  app.post(urls.askNewPasskey, own, async (request, reply) => {
    requireFreshProof(request)
    if (!party) throw noPasskeys()
    const user = userOf(request)
    const { name: office } = await findOffice(db)
    const options = await registrationOptions(party, office, user, await listPasskeys(db, user.id))
    keepChallenge(reply, parts, options.challenge, aboutPasskey(request))
    return reply.send(options)
  })

  press(
    urls.passkeys,
    'passkey',
    async (request, reply) => {
      if (!party) throw noPasskeys()
      const { name, answer } = validate(PasskeyForm, request.body)
      const challenge = takeChallenge(request, reply, parts, aboutPasskey(request))
      const made = challenge === null ? null : await readNewPasskey(party, challenge, answer)
      if (!made) throw new Refusal(422, 'Adgangsnøglen blev ikke tilføjet. Prøv igen.')
      return addPasskey(db, await changeOf(request, 'passkey-added'), { ...made, name })
    },
    PASSKEY_BYTES,
  )

  press(urls.removePasskey(':passkey'), 'passkey', async (request) => {
    const { passkey } = request.params as { passkey: string }
    await removePasskey(db, await changeOf(request, 'passkey-removed'), idIn(passkey))
  })

  press(urls.recoveryCodes, 'codes', async (request) =>
    makeRecoveryCodes(db, await changeOf(request, 'codes-made')),
  )
}

/** The QR code and the text that add an app. */
function describeApp(
  secret: Buffer,
  email: string,
  office: string,
): NonNullable<SecondFactorPageProps['newApp']> {
  const address = appAddress(secret, email, office)
  const { size, data } = encode(address, { ecc: 'M', border: 0 })
  return { text: secretText(secret), address, squares: { size, path: pathOf(data) } }
}

/** Draws the dark squares of a QR code as one path; neighbours in a row are one stroke. */
function pathOf(rows: boolean[][]): string {
  return rows
    .flatMap((row, y) =>
      [
        ...row
          .map((isDark) => (isDark ? '1' : '0'))
          .join('')
          .matchAll(/1+/g),
      ].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
    )
    .join('')
}
