import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isOffice } from '../../rights.ts'
import { idIn } from '../../server/http/ids.ts'
import { listQueryOf, pageQueryOf } from '../../server/http/list-query.ts'
import { userOf } from '../../server/http/permit.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { getUser } from '../user/users.db.ts'
import { getThing, listReaders, listSeenFiles, listSeenProjects } from './readers.db.ts'

type Address = { Params: { id: string } }
type Call = FastifyRequest<Address>

/** Adds the pages that say who sees a project, a folder or a file, and what a person sees. */
export function addReaders(app: FastifyInstance, { db }: Parts): void {
  const see = { config: { right: 'seeReaders' } } as const

  for (const kind of ['project', 'folder', 'file'] as const) {
    app.get<Address>(urls.listReaders(kind, ':id'), see, (request) => {
      const id = idIn(request.params.id)
      const query = listQueryOf(request, [])
      return getThing(db, userOf(request), kind, id).then(() => listReaders(db, kind, id, query))
    })

    app.get<Address>(urls.readers(kind, ':id'), see, async (request, reply) => {
      const id = idIn(request.params.id)
      const thing = await getThing(db, userOf(request), kind, id)
      const query = pageQueryOf(request, [])
      const page = await listReaders(db, kind, id, query)
      return reply.page('readers', { kind, id, thing, query, page }, `Hvem kan se ${thing.name}?`)
    })
  }

  /** Finds the person as a reader, and whether they see anything at all. */
  async function personOf(request: Call) {
    const { id, name, role, deactivated } = await getUser(db, userOf(request), idIn(request.params.id))
    const sees = deactivated
      ? ('nothing' as const)
      : isOffice(role)
        ? ('everything' as const)
        : ('some' as const)
    return { id, name, role, sees }
  }

  app.get<Address>(urls.listSeen(':id'), see, (request) => {
    const query = listQueryOf(request, [])
    return personOf(request).then((person) => listSeenProjects(db, person, query))
  })

  app.get<Address>(urls.seenBy(':id'), see, async (request, reply) => {
    const person = await personOf(request)
    const query = pageQueryOf(request, [])
    return reply.page(
      'seen-by',
      {
        person,
        query,
        page: await listSeenProjects(db, person, query),
        files: person.sees === 'some' ? await listSeenFiles(db, person) : [],
      },
      `Hvad kan ${person.name} se?`,
    )
  })
}
