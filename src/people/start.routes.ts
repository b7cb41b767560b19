import type { FastifyInstance } from 'fastify'
import type { Parts } from '../app.ts'
import { EVERYTHING } from '../base/list-query.ts'
import { listUserFiles } from '../files/files.db.ts'
import { listProjects } from '../projects/projects.db.ts'
import { may } from '../rights.ts'
import { userOf } from '../server/permit.ts'
import { urls } from '../urls.ts'

/** So many are at hand; the rest is one click away. */
const MOST_PROJECTS = 8
const MOST_FILES = 5

export function addStartPage(app: FastifyInstance, { db }: Parts): void {
  app.get(urls.start, { config: { right: 'enter' } }, async (request, reply) => {
    const user = userOf(request)
    const newest = { column: 'updated_at', direction: 'desc' } as const
    const { data, meta } = await listProjects(db, user, { ...EVERYTHING, sort: newest })
    const files = may(user.role, 'haveOwnFiles') ? await listUserFiles(db, user, user.id, EVERYTHING) : null
    return reply.page(
      'start',
      {
        firstName: user.name.split(' ')[0]!,
        projects: data.slice(0, MOST_PROJECTS),
        total: meta.total,
        ownFiles: files && {
          userId: user.id,
          files: files.data.slice(0, MOST_FILES),
          total: files.meta.total,
        },
      },
      'Forside',
    )
  })
}
