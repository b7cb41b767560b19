import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { deactivateUser, endSessions, reactivateUser } from '../accounts/change-user.db.ts'
import { sessionToken } from '../accounts/sign-in/session-cookie.routes.ts'
import { actorOf } from '../log/actor.routes.ts'
import type { Actor } from '../log/log.db.ts'
import { isAdministrator } from '../rights.ts'
import { forbidden, invalid } from '../server/http/errors.ts'
import { idIn } from '../server/http/ids.ts'
import { userOf } from '../server/http/permit.ts'
import { submit } from '../server/http/submit.ts'
import type { Parts } from '../server/parts.ts'
import { urls } from '../urls.ts'
import { inviteAgain, sendLink } from './edit-user.db.ts'
import { keepInvitationLink } from './invitation-link.routes.ts'
import { getUser } from './users.db.ts'
import { showUser, type UserAddress } from './users.routes.ts'

/** Adds the buttons on a person's page that let them in and keep them out. */
export function addUserAccess(app: FastifyInstance, parts: Parts): void {
  const { db } = parts
  const sendsMail = parts.config.smtpUrl !== null

  /** Adds the route of a button on a person's page. The page shows why, if it is refused. */
  const press = (
    address: string,
    act: (
      actor: Actor,
      user: Awaited<ReturnType<typeof getUser>>,
      reply: FastifyReply,
      request: FastifyRequest,
    ) => Promise<void>,
    right: 'editUsers' | 'seeUsers' = 'editUsers',
  ) =>
    app.post<UserAddress>(address, { config: { right } }, async (request, reply) => {
      const user = await getUser(db, userOf(request), idIn(request.params.user))
      return submit(
        request,
        reply,
        async () => {
          await act(actorOf(request), user, reply, request)
          return urls.user(user.id)
        },
        ({ message }) => showUser(parts, request, reply, user.id, message),
      )
    })

  press(urls.deactivateUser(':user'), (actor, user) => deactivateUser(db, actor, user.id))
  press(urls.reactivateUser(':user'), (actor, user) => reactivateUser(db, actor, user.id))
  press(urls.inviteUser(':user'), async (actor, user, reply) => {
    if (user.deactivated) throw invalid({ invite: ['Brugeren er deaktiveret og kan ikke inviteres.'] })
    if (user.access.state === 'accepted')
      throw invalid({ invite: ['Brugeren har allerede valgt en adgangskode.'] })
    keepInvitationLink(reply, parts, user.id, await inviteAgain(db, parts, actor, user))
  })
  press(urls.endSessions(':user'), async (actor, user, _reply, request) => {
    await endSessions(db, actor, user.id, sessionToken(request, parts.https) ?? '')
  })
  press(
    urls.sendPasswordLink(':user'),
    async (actor, user, reply, request) => {
      if (user.deactivated) throw invalid({ link: ['Brugeren er deaktiveret og kan ikke få et link.'] })
      if (user.access.state !== 'accepted')
        throw invalid({
          link: ['Brugeren har ikke valgt en adgangskode endnu. Send en invitation i stedet.'],
        })
      if (!sendsMail && !isAdministrator(userOf(request).role)) throw forbidden()
      keepInvitationLink(reply, parts, user.id, await sendLink(db, parts, actor, user), 'reset')
    },
    'seeUsers',
  )
}
