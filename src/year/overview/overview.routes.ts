import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parametersOf } from '../../base/filter-address.ts'
import { dayOf } from '../../base/time/dates.ts'
import { readPeriod, periodKeyText } from '../../base/time/period.ts'
import { contentDisposition } from '../../files/content/content.ts'
import { findOffice } from '../../office/office.db.ts'
import { XLSX } from '../../report/workbook.ts'
import { zip } from '../../report/zip.server.ts'
import { isLentTo, isOffice, may } from '../../rights.ts'
import { notFound } from '../../server/http/errors.ts'
import { idIn } from '../../server/http/ids.ts'
import { userOf } from '../../server/http/permit.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import {
  readOverviewQuery,
  usualYear,
  WHOLE_OVERVIEW,
  writeOverviewQuery,
  type OverviewQuery,
} from './overview-address.ts'
import { listYears, readOverview } from './overview.db.ts'
import { overviewSheet } from './overview-sheet.ts'
import { overviewTitle } from './overview-title.ts'
import { getPaper, type PaperKey } from './paper.db.ts'

type Address = { Params: { folder: string; period: string } }

/** Adds the overview of a year's papers, and the page of one of them. */
export function addOverview(app: FastifyInstance, { db, config }: Parts): void {
  const see = { config: { right: 'seeOverview' } } as const
  const change = { config: { right: 'changeFiles' } } as const
  const today = () => dayOf(new Date(), config.timeZone)

  app.get(urls.overview, see, async (request, reply) => {
    const reader = userOf(request)
    const query = readOverviewQuery(parametersOf(request.url))
    if (may(reader.role, 'seePapers'))
      return reply.redirect(
        urls.papersPage + writeOverviewQuery({ ...WHOLE_OVERVIEW, year: query.year, client: query.client }),
        303,
      )
    const asked = askedOf(reader.role, query, today())
    const [overview, years] = await Promise.all([
      readOverview(db, reader, asked, query.all ? 'all' : 'page'),
      listYears(db, reader, asked.today),
    ])
    const { last_page: last } = overview.meta
    if (query.page > last)
      return reply.redirect(urls.overview + writeOverviewQuery({ ...query, page: last }), 303)
    const { year } = asked
    return reply.page(
      'overview',
      { query: { ...query, status: asked.status, client: asked.client }, year, years, overview },
      overviewTitle(reader.role, year),
    )
  })

  app.get(urls.overviewSheet, { ...see, compress: false }, async (request, reply) => {
    const reader = userOf(request)
    const asked = askedOf(reader.role, readOverviewQuery(parametersOf(request.url)), today())
    const overview = await readOverview(db, reader, asked, 'all')
    const title = overviewTitle(reader.role, asked.year)
    const { name: office } = await findOffice(db)
    return reply
      .type(XLSX)
      .header('content-disposition', contentDisposition('attachment', `${title}.xlsx`))
      .header('cache-control', 'private, no-store')
      .send(await zip(overviewSheet(overview, { title, office, isOurs: isOffice(reader.role) })))
  })

  app.get<Address>(urls.paper(':folder', ':period'), change, async (request, reply) => {
    const paper = await getPaper(db, userOf(request), keyIn(request), today())
    const back = writeOverviewQuery(readOverviewQuery(parametersOf(request.url)))
    const { name, period, crosses_new_year: crosses } = paper.cell
    return reply.page('paper', { paper, back }, `${name} ${periodKeyText(period, crosses)}`)
  })
}

/** Statuses are the office's alone, clients an adviser's. */
function askedOf(role: Parameters<typeof isOffice>[0], query: OverviewQuery, today: string) {
  return {
    ...query,
    year: query.year ?? usualYear(today),
    status: isOffice(role) ? query.status : null,
    client: isLentTo(role) ? query.client : null,
    today,
  }
}

function keyIn({ params }: FastifyRequest<Address>): PaperKey {
  if (readPeriod(params.period) === null) throw notFound()
  return { folder: idIn(params.folder), period: params.period }
}
