import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { actorOf } from '../../log/actor.routes.ts'
import { userOf } from '../../server/http/permit.ts'
import { submit, type Refused } from '../../server/http/forms/submit.ts'
import { flag, validate } from '../../server/http/validate.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { MAIL_RATES } from '../users/mail-rate.ts'
import { changeMailRate, changeWarnings } from './profile.db.ts'

const MailsForm = z.object({ mail_rate: z.enum(MAIL_RATES, { error: 'Vælg en af mulighederne.' }) })
const WarningsForm = z.object({ is_warned: flag, is_told_of_troubles: flag })

type ShowAgain = (
  request: FastifyRequest,
  reply: FastifyReply,
  refused: Refused & { form: 'mails' | 'warnings' },
) => Promise<FastifyReply>

/** Adds the forms in which people choose the mails that they get. */
export function addProfileMails(app: FastifyInstance, { db }: Parts, showAgain: ShowAgain): void {
  app.post(urls.profileMails, { config: { right: 'haveProfile' } }, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        const { mail_rate: rate } = validate(MailsForm, request.body)
        await changeMailRate(db, actorOf(request), userOf(request).id, rate)
        return urls.profileAfter('mails')
      },
      (refused) => showAgain(request, reply, { ...refused, form: 'mails' }),
    ),
  )

  app.post(urls.profileWarnings, { config: { right: 'editUsers' } }, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        const { is_warned: ofGuessing, is_told_of_troubles: ofTroubles } = validate(
          WarningsForm,
          request.body,
        )
        await changeWarnings(db, actorOf(request), userOf(request).id, { ofGuessing, ofTroubles })
        return urls.profileAfter('mails')
      },
      (refused) => showAgain(request, reply, { ...refused, form: 'warnings' }),
    ),
  )
}
