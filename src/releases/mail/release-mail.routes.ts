import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { visitOf } from '../../access/visit.routes.ts'
import { editIn } from '../../server/edits.ts'
import { idIn } from '../../server/http/ids.ts'
import { userOf } from '../../server/http/permit.ts'
import { submit, type Refused } from '../../server/http/forms/submit.ts'
import { optionalLines, validate } from '../../server/http/validate.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { readRelease } from '../release/release-list.db.ts'
import { sendSample } from './release-preview.db.ts'
import { MOST_MESSAGE, type ReleaseForm } from '../release/release.ts'
import { writeToOpeners } from './tell-openers.db.ts'
import { writeReleaseMail } from './write-mail.db.ts'

type Address = { Params: { release: string } }
type ShowAgain = (
  request: FastifyRequest<Address>,
  reply: FastifyReply,
  refused: Refused & { form: ReleaseForm },
) => Promise<FastifyReply>

const MailForm = z.object({
  message: optionalLines('Beskeden', MOST_MESSAGE),
  is_for_everybody: z.literal('1', 'Vælg ja eller nej.').optional(),
})

const OpenersForm = z.object({
  message: optionalLines('Beskeden', MOST_MESSAGE).refine((text) => text !== '', {
    error: 'Skriv, hvad de skal vide.',
  }),
})

/** Adds what the office can do with the mails about a release. */
export function addReleaseMail(
  app: FastifyInstance,
  { db, jobs, config: { releaseRegretMinutes, appUrl } }: Parts,
  showAgain: ShowAgain,
): void {
  const change = { config: { right: 'changeFiles' } } as const

  app.post<Address>(urls.releaseAct(':release', 'write'), change, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        const release = idIn(request.params.release)
        const { message, is_for_everybody: box } = validate(MailForm, request.body)
        const mail = { message, is_for_everybody: box !== undefined }
        await writeReleaseMail(db, visitOf(request), release, mail, editIn(request.body))
        return urls.releaseTab(release, 'mails')
      },
      (refused) => showAgain(request, reply, { ...refused, form: 'mail' }),
    ),
  )

  app.post<Address>(urls.releaseAct(':release', 'tell-openers'), change, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        const release = idIn(request.params.release)
        const { message } = validate(OpenersForm, request.body)
        await writeToOpeners(db, visitOf(request), release, message)
        return urls.releaseTab(release, 'mails')
      },
      (refused) => showAgain(request, reply, { ...refused, form: 'openers' }),
    ),
  )

  app.post<Address>(urls.releaseAct(':release', 'sample'), change, (request, reply) =>
    submit(request, reply, async () => {
      const user = userOf(request)
      const release = await readRelease(db, idIn(request.params.release), releaseRegretMinutes)
      await sendSample(db, jobs, release.id, release, user, appUrl)
      return urls.releaseTab(release.id, 'mails')
    }),
  )
}
