import type { FastifyInstance } from 'fastify'
import { listClients } from '../../access/lenders.db.ts'
import type { Client } from '../../access/lent.ts'
import { parametersOf } from '../../base/filter-address.ts'
import type { YearSum } from '../../files/zip/year-sum.ts'
import { listYearSums } from '../../files/zip/year-sums.db.ts'
import { isLentTo, type Role } from '../../rights.ts'
import { userOf } from '../../server/http/permit.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { readPapersQuery, type PapersQuery } from './papers-query.ts'
import { findPapers, listPaperProjects } from './papers.db.ts'
import type { Packages } from './papers.ts'

/** Adds *Papirer*: everything that an investor has, or that an adviser is lent. */
export function addPapers(app: FastifyInstance, { db }: Parts): void {
  app.get(urls.papersPage, { config: { right: 'seePapers' } }, async (request, reply) => {
    const reader = userOf(request)
    const asked = readPapersQuery(parametersOf(request.url))
    const clients = await listClients(db, reader)
    const query = { ...asked, client: isLentTo(reader.role) ? asked.client : null }
    const scope = packageScope(reader.role, query, clients)
    const [found, projects, sums] = await Promise.all([
      findPapers(db, reader, query),
      listPaperProjects(db, reader, query.client),
      scope === null ? NO_SUMS : listYearSums(db, reader, scope),
    ])
    const packages = scope === null ? null : { of: scope, sums }
    return reply.page('my-papers', { query, ...found, projects, clients, packages }, 'Papirer')
  })
}

const NO_SUMS: YearSum[] = []

/**
 * The scope of the packages that are offered: what the page shows. A package of an adviser has the papers of one client, so
 * an adviser of several gets none of a project, in which more than one may have a part.
 */
function packageScope(
  role: Role,
  { q, project, client }: PapersQuery,
  clients: readonly Client[],
): Packages['of'] | null {
  if (q !== '' || project === 'own') return null
  if (!isLentTo(role)) return project === null ? 'everything' : { project }
  const only = clients.length === 1 ? clients[0]!.id : null
  const lender = client ?? only
  if (project !== null) return lender !== null && lender === only ? { project } : null
  return lender === null ? null : { lender }
}
