import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { BYTE_ORDER_MARK, csvLine } from '../log/csv.ts'
import { idIn } from '../server/http/ids.ts'
import { listIn } from '../server/http/program-call.ts'
import type { Parts } from '../server/parts.ts'
import { urls } from '../urls.ts'
import { checkRelease } from './release/release-list.db.ts'
import { listReleasePeople, readPersonLines } from './release-people.db.ts'
import { PEOPLE_HEAD, personCells } from './people-csv.ts'
import { LIST_RELEASE_PEOPLE } from './release-calls.server.ts'

type Address = { Params: { release: string } }

/** Adds the people of a release, as a list and as a file for a spreadsheet. */
export function addReleasePeople(app: FastifyInstance, { db, config: { timeZone } }: Parts): void {
  const see = { config: { right: 'seeReleases' } } as const

  const list = { config: { ...see.config, program: LIST_RELEASE_PEOPLE } } as const
  app.get<Address>(urls.listReleasePeople(':release'), list, (request) =>
    listReleasePeople(db, idIn(request.params.release), listIn(request, LIST_RELEASE_PEOPLE)),
  )

  app.get<Address>(urls.releasePeopleCsv(':release'), see, async (request, reply) => {
    const id = idIn(request.params.release)
    const query = listIn(request, LIST_RELEASE_PEOPLE)
    await checkRelease(db, id)
    void reply
      .type('text/csv; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="udsendelse-${id}-personer.csv"`)
    async function* lines(): AsyncGenerator<string> {
      yield BYTE_ORDER_MARK + csvLine(PEOPLE_HEAD)
      for await (const some of readPersonLines(db, id, query))
        yield some.map((line) => csvLine(personCells(line, timeZone))).join('')
    }
    return reply.send(Readable.from(lines(), { highWaterMark: 1 }))
  })
}
