import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { redirectToWaiting, type Gate } from '../../access/gate.ts'
import { visitOf } from '../../access/visit.routes.ts'
import { actorOf } from '../../log/actor.routes.ts'
import { getProject } from '../../projects/project/projects.db.ts'
import { regretText } from '../../releases/mailings/mailing.ts'
import { countPeople } from '../../releases/release/release.ts'
import { conflict, invalid } from '../../server/http/errors.ts'
import { submit } from '../../server/http/forms/submit.ts'
import { idIn } from '../../server/http/ids.ts'
import { userOf } from '../../server/http/permit.ts'
import { id } from '../../server/http/validate.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { ADD_MEMBERS_ACT } from './add-members.server.ts'
import { chosenIn } from './chosen.server.ts'
import { findChosen } from './find-chosen.db.ts'
import { inviteMany, regretInvitations } from './invite-many.db.ts'
import { skippedText, sortOut, whyNotAdd } from './why-not.ts'

const NO_PROJECT = { project: ['Vælg et projekt.'] }
const ToProject = z.object({ project: id })

/** Adds the acts on many people of the list. */
export function addActsOnMany(app: FastifyInstance, parts: Parts, gate: Gate): void {
  const { db, config } = parts
  const edit = { config: { right: 'editUsers' } } as const

  app.post(urls.inviteMany, edit, (request, reply) =>
    submit(request, reply, async () => {
      // Without mail each link is shown once, on the person's own page.
      if (config.smtpUrl === null)
        throw conflict('Der er ikke sat en mailserver op. Inviter fra personens side.')
      const { chosen, back } = chosenIn(request.body)
      const { taken, skipped } = await inviteMany(db, visitOf(request), chosen)
      const leaving = { minutes: config.releaseRegretMinutes, sendsMail: true }
      const said =
        `Invitation til ${countPeople(taken.length)}. ${regretText(leaving)} ${skippedText(skipped)}`.trim()
      return { redirect: back, said }
    }),
  )

  app.post<{ Params: { mailing: string } }>(urls.regretInvitations(':mailing'), edit, (request, reply) =>
    submit(request, reply, async () => {
      await regretInvitations(db, actorOf(request), idIn(request.params.mailing))
      return urls.users
    }),
  )

  app.post(urls.addToProject, edit, (request, reply) =>
    submit(request, reply, async () => {
      const { chosen, back } = chosenIn(request.body)
      const sent = ToProject.safeParse(request.body)
      if (!sent.success) throw invalid(NO_PROJECT)
      const { project } = sent.data
      const { name } = await getProject(db, userOf(request), project)
      const { taken, skipped } = sortOut(await findChosen(db, userOf(request), chosen, project), whyNotAdd)
      if (taken.length === 0) throw conflict(`Der er ingen at tilføje. ${skippedText(skipped)}`)
      const users = taken.map((person) => person.id)
      const { asked } = await gate.carryOut(visitOf(request), ADD_MEMBERS_ACT, { project, users })
      if (asked) return redirectToWaiting(asked)
      const said = `${countPeople(taken.length)} er tilføjet til ${name}. ${skippedText(skipped)}`.trim()
      return { redirect: back, said }
    }),
  )
}
