import type { FastifyInstance } from 'fastify'
import type { Parts } from '../app.ts'
import { actorOf } from '../log/actor.routes.ts'
import { isOffice } from '../rights.ts'
import { Refusal } from '../server/errors.ts'
import { FORM_BYTES } from '../server/form-body.ts'
import { idIn } from '../server/ids.ts'
import { userOf } from '../server/permit.ts'
import { submit } from '../server/submit.ts'
import { urls } from '../urls.ts'
import { checkReport, rowsOf } from './check-companies.ts'
import { MOST_COMPANIES } from './company.ts'
import { getReportOwner, readReport, saveReport } from './report.db.ts'

type Address = { Params: { user: string } }

/** An investor's external companies: read, saved as a whole, and taken along as a spreadsheet. */
export function addReport(app: FastifyInstance, { db }: Parts): void {
  const see = { config: { right: 'seeReports' } } as const

  app.get<Address>(urls.report(':user'), see, async (request, reply) => {
    const reader = userOf(request)
    const user = await getReportOwner(db, reader, idIn(request.params.user))
    const report = await readReport(db, reader, user.id)
    return reply.page('report', { user, report, mayLock: isOffice(reader.role) }, `Rapport: ${user.name}`)
  })

  app.get<Address>(urls.readReport(':user'), see, async (request, reply) => {
    const reader = userOf(request)
    const { id } = await getReportOwner(db, reader, idIn(request.params.user))
    return reply.send(await readReport(db, reader, id))
  })

  // As large in JSON as otherwise.
  app.post<Address>(urls.report(':user'), { ...see, bodyLimit: FORM_BYTES }, async (request, reply) => {
    const reader = userOf(request)
    const { id } = await getReportOwner(db, reader, idIn(request.params.user))
    return submit(request, reply, async () => {
      const report = await saveReport(db, actorOf(request), reader, id, readForm(request.body))
      return { redirect: urls.report(id), report }
    })
  })
}

function readForm(body: unknown) {
  const form = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  if (rowsOf(form.companies).length > MOST_COMPANIES)
    throw new Refusal(413, 'Der kan højst være 1.000 selskaber i en rapport.')
  return checkReport(form)
}
