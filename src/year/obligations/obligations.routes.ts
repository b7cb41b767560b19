import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { visitOf } from '../../access/visit.routes.ts'
import { dayOf } from '../../base/time/dates.ts'
import { parametersOf } from '../../base/filter-address.ts'
import { listRuleCounts, readChoices } from '../due/due.db.ts'
import { editIn } from '../../server/edits.ts'
import { idIn } from '../../server/http/ids.ts'
import { userOf } from '../../server/http/permit.ts'
import { submit, type Refused } from '../../server/http/forms/submit.ts'
import { validate } from '../../server/http/validate.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { listLayouts } from '../receipts/layouts.db.ts'
import { readDutyQuery } from './duty.ts'
import { obligationForm } from './obligation-form.server.ts'
import {
  addObligation,
  changeObligation,
  getObligation,
  listColleagues,
  listFolderNames,
  listOthers,
  removeObligation,
} from './obligations.db.ts'

type Address = { Params: { obligation: string } }

/** Adds the pages where an administrator says what the office's duties come from. */
export function addObligations(app: FastifyInstance, { db, config }: Parts): void {
  const edit = { config: { right: 'editObligations' } } as const
  const today = () => dayOf(new Date(), config.timeZone)

  const see = { config: { right: 'seeObligations' } } as const
  app.get(urls.oldRules, see, (_request, reply) => reply.redirect(urls.yearRules, 303))
  app.get(urls.yearRules, see, async (request, reply) => {
    const query = readDutyQuery(parametersOf(request.url))
    const [rules, choices, layouts] = await Promise.all([
      listRuleCounts(db, userOf(request), query, today()),
      readChoices(db, userOf(request), query, today()),
      listLayouts(db),
    ])
    return reply.page('obligations', { query, choices, ...rules, layouts }, 'Året')
  })

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    id: number | null,
    refused?: Refused,
  ): Promise<FastifyReply> => {
    const obligation = id === null ? null : await getObligation(db, userOf(request), id)
    const props = {
      obligation,
      people: await listColleagues(db),
      folders: await listFolderNames(db),
      others: await listOthers(db, id),
      ...(refused && { refused }),
    }
    return reply.page('edit-obligation', props, obligation ? obligation.title : 'Ny pligt')
  }

  app.get(urls.newObligation, edit, (request, reply) => show(request, reply, null))

  app.post(urls.newObligation, edit, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        const { fields, choices } = validate(obligationForm(today()), request.body)
        await addObligation(db, visitOf(request), fields, choices, today())
        return urls.yearRules
      },
      (refused) => show(request, reply, null, refused),
    ),
  )

  app.get<Address>(urls.editObligation(':obligation'), edit, (request, reply) =>
    show(request, reply, idIn(request.params.obligation)),
  )

  app.post<Address>(urls.editObligation(':obligation'), edit, (request, reply) => {
    const id = idIn(request.params.obligation)
    return submit(
      request,
      reply,
      async () => {
        await getObligation(db, userOf(request), id)
        const { fields, choices } = validate(obligationForm(today()), request.body)
        const opened = editIn(request.body)
        await changeObligation(db, visitOf(request), id, fields, opened, choices, today())
        return urls.yearRules
      },
      (refused) => show(request, reply, id, refused),
    )
  })

  app.post<Address>(urls.removeObligation(':obligation'), edit, (request, reply) =>
    submit(request, reply, async () => {
      await removeObligation(db, visitOf(request), idIn(request.params.obligation))
      return urls.yearRules
    }),
  )
}
