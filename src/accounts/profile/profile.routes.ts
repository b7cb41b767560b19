import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Parts } from '../../server/parts.ts'
import { actorOf } from '../../log/actor.routes.ts'
import { addLoneLogEntry } from '../../log/log.db.ts'
import { editIn } from '../../server/edits.ts'
import { invalid, notFound } from '../../server/http/errors.ts'
import { idIn } from '../../server/http/ids.ts'
import { clientOf } from '../../server/http/answer-turns.ts'
import { hashPassword, isPassword } from '../passwords/password-hash.server.ts'
import { userOf, type SignedIn } from '../../server/http/permit.ts'
import { submit, type Refused } from '../../server/http/forms/submit.ts'
import { line, passwordCalled, validate } from '../../server/http/validate.ts'
import { isAdministrator } from '../../rights.ts'
import { urls } from '../../urls.ts'
import { countTry, NOT_TOLD } from '../throttle/count-try.db.ts'
import { knownDevice, rememberDevice } from '../session/known-device.routes.ts'
import { findOffice, mayMakeTokens } from '../../office/office.db.ts'
import { passwordChangedMail } from '../mails/mails.ts'
import { newPasswordFault } from '../passwords/new-password.server.ts'
import { addIdentities, readIdentities } from '../oidc/identities.routes.ts'
import { addProfileImage } from './profile-image.routes.ts'
import { addProfileMails } from './profile-mails.routes.ts'
import type { ProfileForm } from './profile-page.tsx'
import { changeName, changePassword, endOtherSessions, endSession, findChoices } from './profile.db.ts'
import { findPasswordHash } from '../users/users.db.ts'
import { expiryOf } from '../session/session-expiry.ts'
import { sessionToken } from '../session/session-cookie.routes.ts'
import { listSessions } from '../session/sessions.db.ts'
import { forgetFailures } from '../throttle/sign-in-throttle.db.ts'

const NameForm = z.object({ name: line('Navnet') })
const PasswordForm = z.object({
  current_password: passwordCalled('Den nuværende adgangskode'),
  password: passwordCalled('Den nye adgangskode'),
})

const WRONG = 'Den nuværende adgangskode er forkert.'

/** Routes where people of every role change their own data. */
export function addProfile(app: FastifyInstance, parts: Parts): void {
  const { db, jobs, config, https } = parts
  const own = { config: { right: 'haveProfile' } } as const
  const expiry = expiryOf(config)

  const tokenOf = (request: FastifyRequest) => sessionToken(request, https) ?? ''
  const sessionsOf = (request: FastifyRequest) =>
    listSessions(db, userOf(request).id, tokenOf(request), expiry)

  const choicesOf = async ({ id, role }: SignedIn) => {
    const { warnings, hasTokens, ...choices } = await findChoices(db, id)
    const hasPrograms = hasTokens || (await mayMakeTokens(db, role))
    return { ...choices, hasPrograms, warnings: isAdministrator(role) ? warnings : null }
  }

  type RefusedProfile = Refused & { form: ProfileForm }
  const show = async (request: FastifyRequest, reply: FastifyReply, refused?: RefusedProfile) => {
    const { done } = request.query as { done?: unknown }
    return reply.page(
      'profile',
      {
        sessions: await sessionsOf(request),
        ...(await choicesOf(userOf(request))),
        ...(await readIdentities(request, parts)),
        done: typeof done === 'string' ? done : null,
        ...(refused && { refused }),
      },
      'Min profil',
    )
  }

  app.get(urls.profile, own, (request, reply) => show(request, reply))

  app.post(urls.profile, own, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        const { name: wanted } = validate(NameForm, request.body)
        const { id } = userOf(request)
        const name = await changeName(db, actorOf(request), id, wanted, editIn(request.body))
        return { redirect: urls.profileAfter('name'), name }
      },
      (refused) => show(request, reply, { ...refused, form: 'name' }),
    ),
  )

  app.post(urls.profilePassword, own, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        await choosePassword(request, reply)
        return { redirect: urls.profileAfter('password'), sessions: await sessionsOf(request) }
      },
      (refused) => show(request, reply, { ...refused, form: 'password' }),
    ),
  )

  /** Throttled like the sign-in: somebody who finds an open browser could try passwords here. */
  async function choosePassword(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const user = userOf(request)
    const actor = actorOf(request)
    const form = validate(PasswordForm, request.body)
    const old = await findPasswordHash(db, user.id)
    const device = knownDevice(request, { id: user.id, password_hash: old }, parts)
    const attempt = { email: user.email, address: request.ip, device }
    await countTry(parts, attempt, user.id, (err) => request.log.error({ err }, NOT_TOLD))
    const isRight = await isPassword(form.current_password, old, clientOf(request))
    const isSame = isRight && form.password === form.current_password
    const fault =
      newPasswordFault(form.password, user, parts) ?? (isSame ? 'Vælg en anden end den nuværende.' : null)
    if (!isRight) {
      await addLoneLogEntry(db, actor, 'password-change-failed')
      throw invalid({ current_password: [WRONG], ...(fault && { password: [fault] }) })
    }
    await forgetFailures(db, attempt)
    if (fault) throw invalid({ password: [fault] })
    const hash = { old, new: await hashPassword(form.password, clientOf(request)) }
    const mail = passwordChangedMail(await findOffice(db), user, config.appUrl + urls.forgotPassword)
    if (!(await changePassword(db, jobs, actor, user.id, hash, tokenOf(request), mail)))
      throw invalid({ current_password: [WRONG] })
    rememberDevice(reply, { id: user.id, password_hash: hash.new }, parts)
  }

  app.post<{ Params: { session: string } }>(urls.endSession(':session'), own, (request, reply) =>
    submit(request, reply, async () => {
      const id = idIn(request.params.session)
      if (!(await endSession(db, actorOf(request), userOf(request).id, id, tokenOf(request))))
        throw notFound('Enheden er allerede logget ud.')
      return { redirect: urls.profileAfter('session'), sessions: await sessionsOf(request) }
    }),
  )

  app.post(urls.endOtherSessions, own, (request, reply) =>
    submit(request, reply, async () => {
      await endOtherSessions(db, actorOf(request), userOf(request).id, tokenOf(request))
      return { redirect: urls.profileAfter('sessions'), sessions: await sessionsOf(request) }
    }),
  )

  addIdentities(app, parts, (request, reply, refused) =>
    show(request, reply, { ...refused, form: 'identity' }),
  )
  addProfileMails(app, parts, show)
  addProfileImage(app, parts, (request, reply, refused) =>
    show(request, reply, { ...refused, form: 'image' }),
  )
}
