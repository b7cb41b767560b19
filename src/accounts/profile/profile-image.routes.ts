import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Parts } from '../../server/parts.ts'
import { actorOf } from '../../log/actor.routes.ts'
import { methodOf, receivesImage, takeImage } from '../../server/http/forms/one-file.ts'
import { userOf } from '../../server/http/permit.ts'
import { submit, type Refused } from '../../server/http/forms/submit.ts'
import { wantsJson } from '../../server/http/wants-json.ts'
import { makeSquares } from '../../server/storage/make-image.ts'
import { urls } from '../../urls.ts'
import { imageAddress } from '../users/image-address.ts'
import { removeProfileImage, setProfileImage } from './profile-image.db.ts'

/** Twice the size shown, for screens with two pixels per point. */
const SIDES = { large: 256, small: 72 }

type ShowAgain = (request: FastifyRequest, reply: FastifyReply, refused: Refused) => Promise<FastifyReply>

/** S7.10, S3.6: people set and remove their own image. */
export function addProfileImage(app: FastifyInstance, { db, storage }: Parts, showAgain: ShowAgain): void {
  const receive = { ...receivesImage, config: { ...receivesImage.config, right: 'haveProfile' } } as const

  app.post(urls.profileImage, receive, async (request, reply) => {
    if (wantsJson(request)) return reply.send({ image: await change(request) })
    const work = async () => {
      await change(request)
      return urls.profileAfter('image')
    }
    return submit(request, reply, work, (refused) => showAgain(request, reply, refused))
  })

  async function change(request: FastifyRequest): Promise<string | null> {
    const { id } = userOf(request)
    const actor = actorOf(request)
    if (methodOf(request) === 'DELETE') {
      await removeProfileImage(db, actor, id)
      return null
    }
    const [large, small] = await takeImage(request, storage, (bytes, client) =>
      makeSquares(bytes, [SIDES.large, SIDES.small], client),
    )
    const key = await setProfileImage(db, actor, id, { large: large!, small: small! })
    return imageAddress(id, key)
  }
}
