import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { actorOf } from '../../log/actor.routes.ts'
import { ROLES, type Role } from '../../rights.ts'
import { editIn } from '../../server/edits.ts'
import { requireFreshProof } from '../../server/http/fresh-proof.ts'
import { submit, type Refused } from '../../server/http/forms/submit.ts'
import { flag, validate } from '../../server/http/validate.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { MOST_GRACE_DAYS } from './demand.ts'
import { listDemands, setDemands } from './demands.db.ts'

const DAYS = `Skriv et helt antal dage fra 0 til ${MOST_GRACE_DAYS}.`

const Form = z.object({
  ...(Object.fromEntries(ROLES.map((role) => [role, flag])) as Record<Role, typeof flag>),
  days: z
    .string({ error: DAYS })
    .regex(/^\s*\d{1,3}\s*$/, { error: DAYS, abort: true })
    .transform(Number)
    .refine((days) => days <= MOST_GRACE_DAYS, { error: DAYS }),
})

/** Adds the page where an administrator sets the rules of signing in. */
export function addSignInRules(app: FastifyInstance, { db }: Parts): void {
  const edit = { config: { right: 'editOffice' } } as const

  const show = async (reply: FastifyReply, refused?: Refused) =>
    reply.page('sign-in-rules', { demands: await listDemands(db), ...(refused && { refused }) }, 'Login')

  app.get(urls.signInRules, edit, (_request, reply) => show(reply))

  app.post(urls.signInRules, edit, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        const form = validate(Form, request.body)
        requireFreshProof(request)
        const roles = ROLES.filter((role) => form[role])
        await setDemands(db, actorOf(request), roles, form.days, editIn(request.body))
        return urls.signInRules
      },
      (refused) => show(reply, refused),
    ),
  )
}
