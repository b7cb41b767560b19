import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirectToWaiting, type Gate, type GatedAct } from '../access/gate.ts'
import { visitOf } from '../access/visit.routes.ts'
import { endSessions } from '../accounts/change-user.db.ts'
import { sessionToken, setViewCookie } from '../accounts/session/session-cookie.routes.ts'
import { startView } from '../accounts/view/views.db.ts'
import { actorOf } from '../log/actor.routes.ts'
import type { Actor } from '../log/log.db.ts'
import { needsTwo } from '../office/office.db.ts'
import { isAdministrator, isOffice, type Role } from '../rights.ts'
import { forbidden, invalid } from '../server/http/errors.ts'
import { requireFreshProof } from '../server/http/fresh-proof.ts'
import { idIn } from '../server/http/ids.ts'
import { userOf } from '../server/http/permit.ts'
import { submit } from '../server/http/forms/submit.ts'
import type { Parts } from '../server/parts.ts'
import { urls } from '../urls.ts'
import { inviteAgain, sendLink } from './edit-user.db.ts'
import { keepInvitationLink } from './user/invitation-link.routes.ts'
import { DEACTIVATE_ACT, REACTIVATE_ACT, RESET_FACTORS_ACT, UNLINK_ACT } from './user-acts.server.ts'
import { getUser } from './user/users.db.ts'
import { showUser, type UserAddress } from './users.routes.ts'

type Led = string | { redirect: string }

/** Adds the buttons on a person's page that let them in and keep them out. */
export function addUserAccess(app: FastifyInstance, parts: Parts, gate: Gate): void {
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
    ) => Promise<Led | void>,
    right: 'editUsers' | 'seeUsers' = 'editUsers',
  ) =>
    app.post<UserAddress>(address, { config: { right } }, async (request, reply) => {
      const user = await getUser(db, userOf(request), idIn(request.params.user))
      return submit(
        request,
        reply,
        async () => {
          return (await act(actorOf(request), user, reply, request)) ?? urls.user(user.id)
        },
        ({ message }) => showUser(parts, request, reply, user.id, message),
      )
    })

  /** Does what a colleague may have to approve. */
  const carryOut = async <Params>(
    request: FastifyRequest,
    act: GatedAct<Params, void>,
    params: Params,
  ): Promise<Led | void> => {
    const { asked } = await gate.carryOut(visitOf(request), act, params)
    return asked ? redirectToWaiting(asked) : undefined
  }

  /** With a colleague's link one person could act as two where two have to. */
  const refuseToActAsTwo = async (
    request: FastifyRequest,
    user: { id: number; role: Role },
    field: string,
  ) => {
    if (sendsMail || !isOffice(user.role) || user.id === userOf(request).id) return
    if (await needsTwo(db))
      throw invalid({
        [field]: [
          'En kollega skal godkende her, og uden mail ville du få kollegaens link. Bed den, der driver serveren, om at lave det (ringbind let-in).',
        ],
      })
  }

  press(urls.deactivateUser(':user'), (_actor, user, _reply, request) =>
    carryOut(request, DEACTIVATE_ACT, { user: user.id }),
  )
  press(urls.reactivateUser(':user'), (_actor, user, _reply, request) =>
    carryOut(request, REACTIVATE_ACT, { user: user.id }),
  )
  press(urls.inviteUser(':user'), async (actor, user, reply, request) => {
    if (user.deactivated) throw invalid({ invite: ['Personen er deaktiveret og kan ikke inviteres.'] })
    if (user.access.state === 'accepted')
      throw invalid({ invite: ['Personen har allerede taget imod invitationen.'] })
    if (isAdministrator(user.role)) requireFreshProof(request)
    await refuseToActAsTwo(request, user, 'invite')
    keepInvitationLink(reply, parts, user.id, await inviteAgain(db, parts, actor, user))
  })
  press(urls.viewAs(':user'), async (actor, user, reply, request) => {
    requireFreshProof(request)
    const token = await startView(db, actor, sessionToken(request, parts.https) ?? '', user.id)
    setViewCookie(reply, token, parts.https)
    return urls.start
  })
  press(urls.endSessions(':user'), async (actor, user, _reply, request) => {
    await endSessions(db, actor, user.id, sessionToken(request, parts.https) ?? '')
  })
  press(urls.unlinkOthers(':user', ':identity'), async (actor, user, _reply, request) => {
    requireFreshProof(request)
    if (user.id === actor.userId)
      throw invalid({ identity: ['Dine egne tilknyttede login fjerner du på Min profil.'] })
    const { identity } = request.params as { identity: string }
    return carryOut(request, UNLINK_ACT, {
      user: { id: user.id, name: user.name, email: user.email, role: user.role },
      identity: idIn(identity),
    })
  })
  press(urls.resetFactors(':user'), async (actor, user, _reply, request) => {
    requireFreshProof(request)
    if (user.id === actor.userId)
      throw invalid({ factor: ['Dit eget totrinslogin ændrer du på Min profil.'] })
    const { id, name, email } = user
    return carryOut(request, RESET_FACTORS_ACT, { user: id, name, email })
  })
  press(
    urls.sendPasswordLink(':user'),
    async (actor, user, reply, request) => {
      if (user.deactivated) throw invalid({ link: ['Personen er deaktiveret og kan ikke få et link.'] })
      if (user.access.state !== 'accepted')
        throw invalid({
          link: ['Personen har ikke taget imod invitationen endnu. Send en ny i stedet.'],
        })
      if (!sendsMail && !isAdministrator(userOf(request).role)) throw forbidden()
      // The link signs anybody in as the administrator.
      if (!sendsMail && isAdministrator(user.role)) requireFreshProof(request)
      await refuseToActAsTwo(request, user, 'link')
      keepInvitationLink(reply, parts, user.id, await sendLink(db, parts, actor, user), 'reset')
    },
    'seeUsers',
  )
}
