import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Parts } from '../../server/parts.ts'
import { greetedName } from '../../base/person-name.ts'
import { addressOf } from '../../server/http/address.ts'
import { invalid, Refusal, tooMany } from '../../server/http/errors.ts'
import { clientOf } from '../../server/http/answer-turns.ts'
import { hashPassword } from '../passwords/password-hash.server.ts'
import { submit, type Refused } from '../../server/http/forms/submit.ts'
import { email, password, validate } from '../../server/http/validate.ts'
import { wantsJson } from '../../server/http/wants-json.ts'
import { secondStepTo } from '../../next-urls.ts'
import { urls } from '../../urls.ts'
import { askForNewLink, askForReset } from '../links/link-mail.db.ts'
import { findLinkUser } from '../links/link-tokens.db.ts'
import { findOffice } from '../../office/office.db.ts'
import { passwordChangedMail } from '../mails/mails.ts'
import { relyingPartyOf } from '../factor/relying-party.ts'
import { problemIn } from '../oidc/problem.routes.ts'
import { buttonsOf } from '../oidc/provider.ts'
import { newPasswordFault } from '../passwords/new-password.server.ts'
import { choosePasswordByLink } from './sign-in.db.ts'
import { browserOf, enter } from '../session/enter.routes.ts'
import { countLinkRequest } from '../throttle/sign-in-throttle.db.ts'

const ResetForm = z.object({ email })
const PasswordForm = z.object({ password })

type TokenRoute = { Params: { token: string } }

export function addPasswords(app: FastifyInstance, parts: Parts): void {
  const { db, jobs, config } = parts
  const visit = { config: { right: 'visit' } } as const

  const showForgot = (reply: FastifyReply, sent: boolean, refused?: Refused) =>
    reply.page('forgot-password', { sent, ...(refused && { refused }) }, 'Glemt adgangskode')

  async function refuseTooMany(request: FastifyRequest): Promise<void> {
    const wait = await countLinkRequest(db, request.ip)
    if (wait > 0) throw tooMany(wait, 'Der er bedt om for mange links. Prøv igen om lidt.')
  }

  app.get<{ Querystring: { sent?: unknown } }>(urls.forgotPassword, visit, (request, reply) =>
    showForgot(reply, request.query.sent !== undefined),
  )

  app.post(urls.forgotPassword, visit, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        const form = validate(ResetForm, request.body)
        await refuseTooMany(request)
        const actor = { userId: null, address: addressOf(request) }
        await askForReset(db, jobs, actor, form.email)
        return `${urls.forgotPassword}?sent`
      },
      (refused) => showForgot(reply, false, refused),
    ),
  )

  const links = [
    {
      kind: 'reset',
      address: urls.resetPassword(':token'),
      again: urls.newReset,
      title: 'Vælg ny adgangskode',
    },
    {
      kind: 'invitation',
      address: urls.invitation(':token'),
      again: urls.newInvitation,
      title: 'Velkommen til Ringbind',
    },
  ] as const

  const elsewhereFor = (request: FastifyRequest<TokenRoute>, refused?: Refused) => ({
    token: request.params.token,
    providers: buttonsOf(config.providers),
    problem: refused ? null : problemIn(request, config.providers),
  })

  for (const { kind, address, again, title } of links) {
    const showDead = (request: FastifyRequest<TokenRoute>, reply: FastifyReply, refused?: Refused) => {
      const isSent = !refused && request.url.endsWith('?sent')
      const props = { kind, again: again(encodeURIComponent(request.params.token)), isSent }
      return reply.code(410).page('dead-link', { ...props, ...(refused && { refused }) }, DEAD)
    }

    app.post<TokenRoute>(again(':token'), visit, (request, reply) =>
      submit(
        request,
        reply,
        async () => {
          const { token } = request.params
          await refuseTooMany(request)
          await askForNewLink(db, jobs, { userId: null, address: addressOf(request) }, token)
          return `${address.replace(':token', encodeURIComponent(token))}?sent`
        },
        (refused) => showDead(request, reply, refused),
      ),
    )

    const show = async (request: FastifyRequest<TokenRoute>, reply: FastifyReply, refused?: Refused) => {
      const user = await findLinkUser(db, kind, request.params.token)
      if (!user) return showDead(request, reply)
      const { name, email: own } = user
      const elsewhere = kind === 'invitation' ? elsewhereFor(request, refused) : null
      return reply.page(
        'set-password',
        { kind, greeted: greetedName(name), email: own, elsewhere, ...(refused && { refused }) },
        title,
      )
    }

    app.get<TokenRoute>(address, visit, (request, reply) => show(request, reply))

    app.post<TokenRoute>(address, visit, async (request, reply) => {
      const { token } = request.params
      const user = await findLinkUser(db, kind, token)
      if (!user && !wantsJson(request)) return show(request, reply)
      if (!user) throw deadLink()
      return submit(
        request,
        reply,
        async () => {
          const form = validate(PasswordForm, request.body)
          const fault = newPasswordFault(form.password, user, parts)
          if (fault) throw invalid({ password: [fault] })
          const passwordHash = await hashPassword(form.password, clientOf(request))
          const mail =
            kind === 'reset'
              ? passwordChangedMail(await findOffice(db), user, config.appUrl + urls.forgotPassword)
              : null
          const use = { kind, token, userId: user.id, passwordHash, mail }
          const session = await choosePasswordByLink(db, jobs, browserOf(request, parts.https), use)
          if (!session) throw deadLink()
          const account = { id: user.id, password_hash: passwordHash }
          if (enter(reply, session, account, parts) !== 'in') return secondStepTo(urls.start)
          return kind === 'invitation' && relyingPartyOf(config.appUrl) ? urls.firstPasskey : urls.start
        },
        (refused) => show(request, reply, refused),
      )
    })
  }
}

const DEAD = 'Linket virker ikke længere'

const deadLink = () => new Refusal(410, 'Linket virker ikke længere. Bed om et nyt.')
