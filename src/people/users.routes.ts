import type { FastifyInstance } from 'fastify'
import type { Parts } from '../app.ts'
import { listQueryOf, pageQueryOf } from '../server/list-query.ts'
import { urls } from '../urls.ts'
import { USER_COLUMNS } from './user-row.ts'
import { listUsers } from './users.db.ts'

export function addUsers(app: FastifyInstance, { db }: Parts): void {
  const see = { config: { right: 'seeUsers' } } as const

  app.get(urls.listUsers, see, (request) => listUsers(db, listQueryOf(request, USER_COLUMNS)))

  app.get(urls.users, see, async (request, reply) => {
    const query = pageQueryOf(request, USER_COLUMNS)
    return reply.page('users', { query, page: await listUsers(db, query) }, 'Brugere')
  })
}
