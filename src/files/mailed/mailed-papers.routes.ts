import type { FastifyInstance } from 'fastify'
import { parametersOf } from '../../base/filter-address.ts'
import { notFound } from '../../server/http/errors.ts'
import { findId } from '../../server/http/ids.ts'
import { userOf } from '../../server/http/permit.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { readPaperIds } from './paper-ids.ts'
import { listPapers } from './mailed-papers.db.ts'

type Address = { Params: { papers: string } }

/** Adds the page that a mail about papers leads to. */
export function addMailedPapers(app: FastifyInstance, { db }: Parts): void {
  app.get<Address>(urls.papers(':papers'), { config: { right: 'enter' } }, async (request, reply) => {
    const ids = readPaperIds(request.params.papers)
    if (!ids) throw notFound()
    const after = findId(parametersOf(request.url).get('after'))
    const listed = await listPapers(db, userOf(request), ids, after)
    const only = ids.length === 1 ? ids[0]! : null
    return reply.page('papers', { ...listed, only }, only === null ? 'Filerne i mailen' : 'Filen i mailen')
  })
}
