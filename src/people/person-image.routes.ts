import type { FastifyInstance } from 'fastify'
import type { Parts } from '../server/parts.ts'
import { notFound } from '../server/http/errors.ts'
import { idIn } from '../server/http/ids.ts'
import { userOf } from '../server/http/permit.ts'
import { urls } from '../urls.ts'
import { findPersonImage } from './person-image.db.ts'

type Address = { Params: { user: string; key: string }; Querystring: { size?: unknown } }

/** Adds the route of a person's image, for everyone who sees the person. */
export function addPersonImage(app: FastifyInstance, { db }: Parts): void {
  app.get<Address>(
    urls.userImage(':user', ':key'),
    { config: { right: 'haveProfile', isOpenWithoutFactor: true }, compress: false },
    async (request, reply) => {
      const { user, key } = request.params
      const size = request.query.size === 'large' ? 'large' : 'small'
      const bytes = await findPersonImage(db, userOf(request), idIn(user), key, size)
      if (!bytes) throw notFound()
      return reply
        .headers({
          'content-type': 'image/webp',
          'content-security-policy': `default-src 'none'; frame-ancestors 'none'`,
          'x-content-type-options': 'nosniff',
          // A new image gets a new key.
          'cache-control': 'private, max-age=31536000, immutable',
        })
        .send(bytes)
    },
  )
}
