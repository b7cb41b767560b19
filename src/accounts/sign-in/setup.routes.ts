import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Parts } from '../../server/parts.ts'
import { invalid, notFound } from '../../server/http/errors.ts'
import { clientOf } from '../../server/http/answer-turns.ts'
import { hashPassword } from '../passwords/password-hash.server.ts'
import { submit, type Refused } from '../../server/http/forms/submit.ts'
import { email, line, password, validate } from '../../server/http/validate.ts'
import { urls } from '../../urls.ts'
import { isSetupToken } from '../links/link-tokens.db.ts'
import { newPasswordFault } from '../passwords/new-password.server.ts'
import { addFirstAdministrator } from './setup.db.ts'
import { browserOf, letIn } from '../session/enter.routes.ts'
import { hasUsers } from '../users/users.db.ts'

const Form = z.object({ name: line('Navn'), email, password })

export function addSetup(app: FastifyInstance, parts: Parts): void {
  const { db } = parts

  const show = (reply: FastifyReply, token: string, refused?: Refused) =>
    reply.page('setup', { token, ...(refused && { refused }) }, 'Kom i gang')

  /** Answers 404 without the link from the terminal. */
  const checkToken = async (token: unknown): Promise<string> => {
    if (typeof token === 'string' && !(await hasUsers(db)) && (await isSetupToken(db, token))) return token
    throw notFound()
  }

  app.get<{ Querystring: { token?: unknown } }>(
    urls.setup,
    { config: { right: 'visit' } },
    async (request, reply) => show(reply, await checkToken(request.query.token)),
  )

  app.post(urls.setup, { config: { right: 'visit' } }, async (request, reply) => {
    const token = await checkToken((request.body as { token?: unknown } | undefined)?.token)
    return submit(
      request,
      reply,
      async () => {
        const form = validate(Form, request.body)
        const fault = newPasswordFault(form.password, form, parts)
        if (fault) throw invalid({ password: [fault] })
        const passwordHash = await hashPassword(form.password, clientOf(request))
        const user = { name: form.name, email: form.email, passwordHash }
        letIn(reply, await addFirstAdministrator(db, browserOf(request, parts.https), token, user), parts)
        return urls.start
      },
      (refused) => show(reply, token, refused),
    )
  })
}
