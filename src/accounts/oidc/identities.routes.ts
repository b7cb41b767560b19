import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { actorOf } from '../../log/actor.routes.ts'
import { requireFreshProof } from '../../server/http/fresh-proof.ts'
import { idIn } from '../../server/http/ids.ts'
import { userOf } from '../../server/http/permit.ts'
import { submit, type Refused } from '../../server/http/forms/submit.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { findPasswordHash } from '../users/users.db.ts'
import { listIdentities, unlinkIdentity } from './identities.db.ts'
import { problemIn } from './problem.routes.ts'
import { buttonsOf } from './provider.ts'

type ShowAgain = (request: FastifyRequest, reply: FastifyReply, refused: Refused) => Promise<FastifyReply>

/** Adds removing a login at a provider from one's profile. */
export function addIdentities(app: FastifyInstance, { db, jobs, config }: Parts, showAgain: ShowAgain): void {
  const own = { config: { right: 'haveProfile' } } as const
  app.post<{ Params: { identity: string } }>(urls.unlinkIdentity(':identity'), own, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        requireFreshProof(request)
        const tools = { jobs, appUrl: config.appUrl }
        const id = idIn(request.params.identity)
        await unlinkIdentity(db, tools, actorOf(request), userOf(request), id, config.providers)
        return urls.profileAfter('identity-unlinked')
      },
      (refused) => showAgain(request, reply, refused),
    ),
  )
}

/** Reads what the profile shows of the ways in which its person signs in. */
export async function readIdentities(request: FastifyRequest, { db, config: { providers } }: Parts) {
  const { id } = userOf(request)
  return {
    hasPassword: (await findPasswordHash(db, id)) !== null,
    identities: await listIdentities(db, id, providers),
    providers: buttonsOf(providers),
    problem: problemIn(request, providers),
  }
}
