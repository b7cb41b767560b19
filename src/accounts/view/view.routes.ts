import type { FastifyInstance } from 'fastify'
import { submit } from '../../server/http/forms/submit.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { clearViewCookie, ticketOf } from '../session/session-cookie.routes.ts'
import { endView } from './views.db.ts'

/** Adds the button that ends a view as somebody else. A person's page begins one. */
export function addViewEnd(app: FastifyInstance, { db, https }: Parts): void {
  app.post(urls.stopViewing, { config: { right: 'visit', whileViewing: true } }, (request, reply) =>
    submit(request, reply, async () => {
      const { user } = request
      const ticket = ticketOf(request, https)
      if (ticket) await endView(db, ticket)
      clearViewCookie(reply, https)
      return user?.viewedBy ? urls.user(user.id) : urls.start
    }),
  )
}
