import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { visitOf } from '../access/visit.routes.ts'
import type { ListQuery } from '../base/list-query.ts'
import type { FindNotes } from '../files/file/paper-note.ts'
import { notFound } from '../server/http/errors.ts'
import { findId, idIn } from '../server/http/ids.ts'
import { pageQueryOf } from '../server/http/list-query.ts'
import { userOf } from '../server/http/permit.ts'
import { listIn } from '../server/http/program-call.ts'
import { submit } from '../server/http/forms/submit.ts'
import { id, validate } from '../server/http/validate.ts'
import type { Parts } from '../server/parts.ts'
import { ownPath } from '../next-urls.ts'
import { urls } from '../urls.ts'
import { LIST_INBOX } from './inbox-calls.server.ts'
import { changeItem, sortItem } from './inbox.db.ts'
import { countInbox, listInbox, readItems } from './inbox-list.db.ts'
import { INBOX_ACTS, INBOX_FILTERS, MOST_KEPT, type InboxFilter } from './inbox.ts'

type Filtered = { Params: { filter: string } }
type Address = { Params: { item: string } }

const Act = z.object({ next: z.unknown().optional() })
const TakeOver = Act.extend({ from: id })

/** Adds the office's inbox: what investors have sent, and who takes care of it. */
export function addInbox(
  app: FastifyInstance,
  { db, config: { timeZone } }: Parts,
  findNotes: FindNotes,
): void {
  const see = { config: { right: 'seeInbox' } } as const

  const list = async (request: FastifyRequest, filter: InboxFilter, query: ListQuery) => {
    const [page, counts] = await Promise.all([
      listInbox(db, userOf(request), filter, query),
      countInbox(db, userOf(request)),
    ])
    return { ...page, counts }
  }
  const read = { config: { ...see.config, program: LIST_INBOX } } as const
  app.get<Filtered>(urls.listInbox(':filter'), read, (request) =>
    list(request, filterIn(request), listIn(request, LIST_INBOX)),
  )
  app.get<{ Querystring: { ids?: unknown } }>(urls.readInbox, see, (request) =>
    readItems(db, userOf(request), idsIn(request.query.ids)),
  )
  const show = async (request: FastifyRequest, filter: InboxFilter) => {
    const query = pageQueryOf(request, [])
    const page = await list(request, filter, query)
    const ids = page.data.map((item) => item.id)
    return { filter, query, page, notes: await findNotes(userOf(request), 'items', ids) }
  }
  app.get(urls.inbox('all'), see, async (request, reply) =>
    reply.page('inbox', await show(request, 'all'), 'Indbakke'),
  )
  app.get<Filtered>(urls.inbox(':filter'), see, async (request, reply) =>
    reply.page('inbox', await show(request, filterIn(request)), 'Indbakke'),
  )

  for (const act of INBOX_ACTS)
    app.post<Address>(urls.inboxAct(':item', act), see, (request, reply) =>
      submit(request, reply, async () => {
        const { next, from } = {
          from: undefined,
          ...validate(act === 'take-over' ? TakeOver : Act, request.body ?? {}),
        }
        const item = await changeItem(
          db,
          visitOf(request),
          idIn(request.params.item),
          { act, from },
          timeZone,
        )
        return {
          redirect: next === undefined ? urls.inbox('all') : ownPath(next),
          item,
          counts: await countInbox(db, userOf(request)),
        }
      }),
    )

  app.post<Address>(urls.inboxAct(':item', 'sort'), { config: { right: 'changeFiles' } }, (request, reply) =>
    submit(request, reply, () => sortItem(db, visitOf(request), idIn(request.params.item), timeZone)),
  )
}

/** Reads '7,12'. What is no id is left out. */
function idsIn(text: unknown): number[] {
  if (typeof text !== 'string') return []
  return text
    .split(',', MOST_KEPT)
    .map(findId)
    .filter((each) => each !== null)
}

function filterIn({ params }: FastifyRequest<Filtered>): InboxFilter {
  const filter = INBOX_FILTERS.find((each) => each === params.filter)
  if (!filter) throw notFound()
  return filter
}
