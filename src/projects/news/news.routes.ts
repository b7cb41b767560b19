import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Parts } from '../../server/parts.ts'
import { idIn } from '../../server/http/ids.ts'
import { userOf } from '../../server/http/permit.ts'
import { submit } from '../../server/http/forms/submit.ts'
import { validate } from '../../server/http/validate.ts'
import { urls } from '../../urls.ts'
import { markAllSeen, markLenderSeen, markOwnSeen, markProjectSeen } from './news.db.ts'

const WRONG = 'Tidspunktet kan ikke læses.'
const Form = z.object({
  /** When the page was made. The user has not seen later files. */
  until: z.iso
    .datetime({ precision: 6, error: WRONG })
    .refine((until) => until >= '2000', { error: WRONG })
    .optional(),
})

type Address = { Params: { project: string } }

/** Adds the routes that mark everything as read: in a project, among the user's own files, or both. */
export function addNews(app: FastifyInstance, { db }: Parts): void {
  const have = { config: { right: 'haveNews' } } as const

  app.post(urls.seen, have, (request, reply) =>
    submit(request, reply, async () => {
      await markAllSeen(db, userOf(request), validate(Form, request.body).until)
      return urls.start
    }),
  )

  app.post<Address>(urls.projectSeen(':project'), have, (request, reply) =>
    submit(request, reply, async () => {
      const project = idIn(request.params.project)
      await markProjectSeen(db, userOf(request), project, validate(Form, request.body).until)
      return urls.files(project)
    }),
  )

  app.post<{ Params: { user: string } }>(
    urls.lenderSeen(':user'),
    { config: { right: 'seeLenders' } },
    (request, reply) =>
      submit(request, reply, async () => {
        const lender = idIn(request.params.user)
        await markLenderSeen(db, userOf(request), lender, validate(Form, request.body).until)
        return urls.user(lender)
      }),
  )

  app.post(urls.myFilesSeen, { config: { right: 'haveOwnFiles' } }, (request, reply) =>
    submit(request, reply, async () => {
      await markOwnSeen(db, userOf(request), validate(Form, request.body).until)
      return urls.myFiles
    }),
  )
}
