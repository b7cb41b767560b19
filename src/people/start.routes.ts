import type { FastifyInstance } from 'fastify'
import type { Parts } from '../app.ts'
import { EVERYTHING } from '../base/list-query.ts'
import { listProjects } from '../projects/projects.db.ts'
import { userOf } from '../server/permit.ts'
import { urls } from '../urls.ts'

/** So many are at hand; the rest is one click away. */
const MOST_PROJECTS = 8

export function addStartPage(app: FastifyInstance, { db }: Parts): void {
  app.get(urls.start, { config: { right: 'enter' } }, async (request, reply) => {
    const user = userOf(request)
    const newest = { column: 'updated_at', direction: 'desc' } as const
    const { data, meta } = await listProjects(db, user, { ...EVERYTHING, sort: newest })
    return reply.page(
      'start',
      { firstName: user.name.split(' ')[0]!, projects: data.slice(0, MOST_PROJECTS), total: meta.total },
      'Forside',
    )
  })
}
