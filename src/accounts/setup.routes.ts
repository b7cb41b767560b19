import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Parts } from '../app.ts'
import { addressOf } from '../server/address.ts'
import { invalid, notFound } from '../server/errors.ts'
import { clientOf } from '../server/answer-turns.ts'
import { hashPassword } from '../server/password-hash.ts'
import { submit, type Refused } from '../server/submit.ts'
import { email, line, password, validate } from '../server/validate.ts'
import { urls } from '../urls.ts'
import { isSetupToken } from './link-tokens.db.ts'
import { newPasswordFault } from './new-password.routes.ts'
import { addFirstAdministrator } from './setup.db.ts'
import { openSession } from './sign-in.routes.ts'
import { hasUsers } from './users.db.ts'

const Form = z.object({ name: line('Navn'), email, password })

export function addSetup(app: FastifyInstance, parts: Parts): void {
  const { db } = parts

  const show = (reply: FastifyReply, token: string, refused?: Refused) =>
    reply.page('setup', { token, ...(refused && { refused }) }, 'Kom i gang')

  /** Without the link from the terminal there is nothing here. */
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
        const actor = { userId: null, address: addressOf(request) }
        await db.transaction().execute(async (trx) => {
          const { name, email: address } = form
          const user = await addFirstAdministrator(trx, actor, token, { name, email: address, passwordHash })
          await openSession(trx, parts, request, reply, user.id)
        })
        return urls.start
      },
      (refused) => show(reply, token, refused),
    )
  })
}
