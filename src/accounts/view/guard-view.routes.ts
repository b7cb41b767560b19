import type { FastifyReply, FastifyRequest } from 'fastify'
import { NOBODY_ELSE, VIEWED } from '../../base/own-headers.ts'
import { forbidden } from '../../server/http/errors.ts'
import { clearViewCookie, viewToken } from '../session/session-cookie.routes.ts'

/**
 * Refuses every change while an administrator views as somebody else. Also refuses requests of a page from before or
 * after the view, which would be done or shown as another person. The view itself is found, and ends, in
 * `session/sessions.db.ts`; `log/actor.routes.ts` logs both people; what is read leaves no mark (`viewedBy` in `files/`).
 */
export function guardView(request: FastifyRequest, reply: FastifyReply, https: boolean): void {
  const { user, method, headers, routeOptions } = request
  if (routeOptions.config.whileViewing) return
  const isChange = !['GET', 'HEAD'].includes(method)
  const mark = headers[VIEWED]
  if (user?.viewedBy) {
    if (isChange) throw readOnly(user.name)
    if (mark !== undefined && mark !== String(user.id)) throw viewedElsewhere(user.name)
    return
  }
  const isOver = viewToken(request, https) !== null
  if (isOver) clearViewCookie(reply, https)
  const isOfView = mark !== undefined && mark !== NOBODY_ELSE
  if (user && (isOfView || (isOver && isChange))) throw viewOver()
}

const readOnly = (name: string) =>
  Object.assign(forbidden(`Du ser Ringbind som ${name} og kan ikke ændre noget. Stop visningen først.`), {
    title: 'Intet er ændret',
    help: 'Tryk på Stop visning øverst på siden.',
  })

const viewedElsewhere = (name: string) =>
  forbidden(`Du ser nu Ringbind som ${name} i et andet vindue. Stop visningen, eller genindlæs siden.`)

const viewOver = () =>
  Object.assign(forbidden('Visningen som en anden er slut. Genindlæs siden, før du fortsætter.'), {
    title: 'Visningen er slut',
    help: 'Intet er ændret. Du ser nu Ringbind som dig selv igen.',
  })
