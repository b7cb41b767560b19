import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { visitOf } from '../../access/visit.routes.ts'
import { parametersOf } from '../../base/filter-address.ts'
import { FIRST_PAGE } from '../../base/pagination.ts'
import { dayOf } from '../../base/time/dates.ts'
import { readDay } from '../../base/time/days.ts'
import { contentDisposition } from '../../files/content/content.ts'
import { findOffice } from '../../office/office.db.ts'
import { XLSX } from '../../report/workbook.ts'
import { zip } from '../../report/zip.server.ts'
import { editIn } from '../../server/edits.ts'
import { invalid, notFound } from '../../server/http/errors.ts'
import { idIn } from '../../server/http/ids.ts'
import { userOf } from '../../server/http/permit.ts'
import { submit, type Refused } from '../../server/http/forms/submit.ts'
import { id, line, lines, optionalLine, validate } from '../../server/http/validate.ts'
import type { Parts } from '../../server/parts.ts'
import { ownPath } from '../../next-urls.ts'
import { urls } from '../../urls.ts'
import {
  addEvent,
  finishDuty,
  giveDuty,
  excuseDuty,
  listEventTitles,
  isDuty,
  readDuties,
  reopenDuty,
  withdrawEvent,
} from '../obligations/duties.db.ts'
import { listDuties, readChoices } from './due.db.ts'
import { leftOutText } from './due.ts'
import { listSheet } from './list-sheet.ts'
import { giveDuties } from './give-duties.db.ts'
import {
  ALL_DUTIES,
  MOST_IN_EXCUSE,
  MOST_IN_NOTE,
  readDutyQuery,
  writeDutyQuery,
} from '../obligations/duty.ts'
import { listMisfits, listOfDuties } from '../receipts/receipts.db.ts'

type RefusedDuty = Refused & { duty: number }

type Address = { Params: { duty: string } }

const ActForm = z.object({ next: z.unknown().optional() })
const DoneForm = ActForm.extend({
  note: optionalLine(
    'Bemærkningen skal være en tekst.',
    MOST_IN_NOTE,
    `Bemærkningen må højst være på ${MOST_IN_NOTE} tegn.`,
  ).default(''),
})
const ExcuseForm = ActForm.extend({ excuse: lines('Begrundelsen', MOST_IN_EXCUSE) })
const ResponsibleForm = ActForm.extend({
  responsible_id: z
    .union([z.literal('').transform(() => null), id], { error: 'Vælg en på kontoret.' })
    .default(null),
})

const WRONG = 'Genindlæs siden.'

/** All that the filters find, and how many the page said they are. */
const GiveForm = ResponsibleForm.extend({
  filters: z.string(WRONG).max(1000, WRONG),
  count: z
    .string(WRONG)
    .regex(/^\d{1,9}$/, WRONG)
    .transform(Number),
})

const EventForm = z.object({
  obligation: z.preprocess((value) => (value === '' ? undefined : value), id),
  number: line('Projektnummeret', 50),
  on: line('Datoen', 40).transform((text, context) => {
    const read = readDay(text)
    if ('day' in read && read.day !== null) return read.day
    context.addIssue({ code: 'custom', message: 'fault' in read ? read.fault : 'Skriv datoen.' })
    return ''
  }),
})

/** Adds the list of the office's duties, and what can be done about one. */
export function addDuties(app: FastifyInstance, { db, config }: Parts): void {
  const see = { config: { right: 'seeObligations' } } as const

  app.get(urls.yearList, see, (request, reply) => show(request, reply, request.url))
  app.get(urls.oldDuties, see, (request, reply) =>
    reply.redirect(urls.yearList + writeDutyQuery(readDutyQuery(parametersOf(request.url))), 303),
  )

  /** Shows the list that an address asks for. */
  async function show(request: FastifyRequest, reply: FastifyReply, address: string, refused?: RefusedDuty) {
    const today = dayOf(new Date(), config.timeZone)
    const reader = userOf(request)
    const query = readDutyQuery(parametersOf(address))
    const [page, choices, events, misfits] = await Promise.all([
      listDuties(db, reader, query, today),
      readChoices(db, reader, query, today),
      listEventTitles(db),
      listMisfits(db, reader),
    ])
    const receipts = await listOfDuties(
      db,
      reader,
      page.data.map((duty) => duty.id),
    )
    const props = { query, choices, page, events, receipts, misfits, today, ...(refused && { refused }) }
    return reply.page('duties', props, 'Året')
  }

  app.get(urls.yearListSheet, { ...see, compress: false }, async (request, reply) => {
    const query = { ...readDutyQuery(parametersOf(request.url)), page: FIRST_PAGE, all: true }
    const { data } = await listDuties(db, userOf(request), query, dayOf(new Date(), config.timeZone))
    const { name: office } = await findOffice(db)
    return reply
      .type(XLSX)
      .header('content-disposition', contentDisposition('attachment', 'Året.xlsx'))
      .header('cache-control', 'private, no-store')
      .send(await zip(listSheet(data, { office })))
  })

  /** Adds an act on one duty, which leads back to the page that it was done on. */
  const act = <Form extends z.ZodType<{ next?: unknown }>>(
    name: Parameters<typeof urls.dutyAct>[1],
    form: Form,
    change: (request: FastifyRequest, duty: number, fields: z.infer<Form>) => Promise<void>,
  ) =>
    app.post<Address>(urls.dutyAct(':duty', name), see, (request, reply): Promise<FastifyReply> =>
      submit(
        request,
        reply,
        async () => {
          const fields = validate(form, request.body)
          await change(request, idIn(request.params.duty), fields)
          return fields.next === undefined ? urls.yearList : ownPath(fields.next)
        },
        async (refused) => {
          if (!refused.clash) throw invalid(refused.errors)
          const duty = Number(request.params.duty)
          return show(request, reply, await addressOf(request, duty), { ...refused, duty })
        },
      ),
    )

  /** The filters that find a duty. */
  async function addressOf(request: FastifyRequest, wanted: number): Promise<string> {
    const today = dayOf(new Date(), config.timeZone)
    const [duty] = await readDuties(db, userOf(request), isDuty(wanted), today)
    if (!duty) throw notFound()
    const { state, period, title: rule, project } = duty
    return writeDutyQuery({ ...ALL_DUTIES, state, year: Number(period.slice(0, 4)), rule, q: project.number })
  }

  app.post(urls.dutyEvents, see, (request, reply) =>
    submit(request, reply, async () => {
      const event = validate(EventForm, request.body)
      await addEvent(db, visitOf(request), event, dayOf(new Date(), config.timeZone))
      return urls.yearList + writeDutyQuery({ ...ALL_DUTIES, q: event.number })
    }),
  )

  app.post(urls.dutiesResponsible, see, (request, reply) =>
    submit(request, reply, async () => {
      const { filters, count, responsible_id: person } = validate(GiveForm, request.body)
      const query = readDutyQuery(new URLSearchParams(filters))
      const today = dayOf(new Date(), config.timeZone)
      const left = await giveDuties(db, visitOf(request), { query, count, person }, today)
      return {
        // Those that are left out are not the new one's.
        redirect:
          urls.yearList +
          writeDutyQuery({
            ...query,
            person: left > 0 ? query.person : (person ?? 'none'),
            page: FIRST_PAGE,
          }),
        ...(left > 0 && { said: leftOutText(left) }),
      }
    }),
  )

  act('withdraw', ActForm, (request, duty) => withdrawEvent(db, visitOf(request), duty))
  act('done', DoneForm, (request, duty, { note }) => finishDuty(db, visitOf(request), duty, note))
  act('excuse', ExcuseForm, (request, duty, { excuse }) =>
    excuseDuty(db, visitOf(request), duty, excuse, editIn(request.body)),
  )
  act('expect', ActForm, (request, duty) => excuseDuty(db, visitOf(request), duty, null, null))
  act('reopen', ActForm, (request, duty) => reopenDuty(db, visitOf(request), duty))
  act('responsible', ResponsibleForm, (request, duty, { responsible_id: person }) =>
    giveDuty(db, visitOf(request), duty, person, editIn(request.body)),
  )
}
