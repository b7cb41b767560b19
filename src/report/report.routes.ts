import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findOffice } from '../office/office.db.ts'
import type { Parts } from '../server/parts.ts'
import { visitOf } from '../access/visit.routes.ts'
import { actorOf } from '../log/actor.routes.ts'
import { dayOf } from '../base/time/dates.ts'
import { contentDisposition } from '../files/content/content.ts'
import { isOffice, may } from '../rights.ts'
import { inTurns } from '../server/process/breather.ts'
import { Refusal } from '../server/http/errors.ts'
import { FORM_BYTES } from '../server/http/forms/form-body.ts'
import { idIn } from '../server/http/ids.ts'
import { userOf } from '../server/http/permit.ts'
import { submit } from '../server/http/forms/submit.ts'
import { XLSX } from './workbook.ts'
import { zip } from './zip.server.ts'
import { urls } from '../urls.ts'
import { checkReport, rowsOf, type SentReport } from './company/check-companies.ts'
import { MOST_COMPANIES, COLUMNS } from './company/company.ts'
import { addReportRead, getReportOwner, readReport, saveReport } from './report.db.ts'
import { READ_REPORT } from './report-calls.server.ts'
import { spreadsheetName, spreadsheetOf } from './spreadsheet.ts'

type Address = { Params: { user: string } }

/** Routes to read an investor's external companies, save them as a whole, and download them as a spreadsheet. */
export function addReport(app: FastifyInstance, { db, config }: Parts): void {
  const see = { config: { right: 'seeReports' } } as const
  const read = { config: { ...see.config, program: READ_REPORT } } as const
  // A row has a field for each column, its id and its lock. A multipart form needs 150 bytes for each field.
  const fields = MOST_COMPANIES * (COLUMNS.length + 2)
  const save = {
    config: { right: 'changeReports', mostFields: fields + MOST_COMPANIES + 100 },
    bodyLimit: 200 * fields + FORM_BYTES,
  } as const

  /** A failing log does not keep anybody from their report. */
  async function logRead(
    request: FastifyRequest,
    act: 'report-opened' | 'report-downloaded',
    owner: number,
  ): Promise<void> {
    if (request.method === 'HEAD') return
    try {
      await addReportRead(db, actorOf(request), act, owner)
    } catch (err) {
      app.log.error({ err, report: owner }, 'the reading of a report could not be written')
    }
  }

  app.get<Address>(urls.report(':user'), see, async (request, reply) => {
    const reader = userOf(request)
    const user = await getReportOwner(db, reader, idIn(request.params.user))
    const report = await readReport(db, reader, user.id)
    await logRead(request, 'report-opened', user.id)
    const { role } = reader
    return reply.page(
      'report',
      { user, report, mayEdit: may(role, 'changeReports'), mayLock: isOffice(role) },
      `Rapport: ${user.name}`,
    )
  })

  app.get<Address>(urls.readReport(':user'), read, async (request, reply) => {
    const reader = userOf(request)
    const { id } = await getReportOwner(db, reader, idIn(request.params.user))
    const report = await readReport(db, reader, id)
    await logRead(request, 'report-opened', id)
    return reply.send(report)
  })

  app.get<Address>(urls.reportFile(':user'), { ...see, compress: false }, async (request, reply) => {
    const reader = userOf(request)
    const { id, name } = await getReportOwner(db, reader, idIn(request.params.user))
    const { companies } = await readReport(db, reader, id)
    const office = await findOffice(db)
    await logRead(request, 'report-downloaded', id)
    const today = dayOf(new Date(), config.timeZone)
    return reply
      .type(XLSX)
      .header('content-disposition', contentDisposition('attachment', spreadsheetName(name, today)))
      .header('cache-control', 'private, no-store')
      .send(await zip(spreadsheetOf(name, companies, office.name)))
  })

  app.post<Address>(urls.report(':user'), save, async (request, reply) => {
    const reader = userOf(request)
    const { id } = await getReportOwner(db, reader, idIn(request.params.user))
    return submit(request, reply, async () => {
      const report = await saveReport(db, visitOf(request), id, await readForm(request.body))
      return { redirect: urls.report(id), report }
    })
  })
}

function readForm(body: unknown): Promise<SentReport> {
  const form = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  if (rowsOf(form.companies).length > MOST_COMPANIES)
    throw new Refusal(413, 'Der kan højst være 1.000 selskaber i en rapport.')
  return inTurns(checkReport(form))
}
