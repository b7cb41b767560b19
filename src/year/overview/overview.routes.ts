import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parametersOf } from '../../base/filter-address.ts'
import { FIRST_PAGE } from '../../base/pagination.ts'
import { dayOf } from '../../base/time/dates.ts'
import { readPeriod, periodKeyText } from '../../base/time/period.ts'
import { contentDisposition } from '../../files/content/content.ts'
import { listYearSums } from '../../files/zip/year-sums.db.ts'
import { findOffice } from '../../office/office.db.ts'
import { XLSX } from '../../report/workbook.ts'
import { zip } from '../../report/zip.server.ts'
import { isLentTo, isOffice, may, seesSharedFoldersOnly } from '../../rights.ts'
import { notFound } from '../../server/http/errors.ts'
import { idIn } from '../../server/http/ids.ts'
import { userOf } from '../../server/http/permit.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { readChoices } from '../due/due.db.ts'
import { ALL_DUTIES, readDutyQuery, usualYear, writeDutyQuery } from '../obligations/duty.ts'
import { readPapersQuery, writePapersQuery } from '../papers/papers-query.ts'
import { readOverview, type Asked } from './overview.db.ts'
import { overviewSheet } from './overview-sheet.ts'
import { getPaper, type PaperKey } from './paper.db.ts'

type Address = { Params: { folder: string; period: string } }

/** Adds the grid of a year, and the page of one of its papers. */
export function addOverview(app: FastifyInstance, { db, config }: Parts): void {
  const see = { config: { right: 'seeOverview' } } as const
  const today = () => dayOf(new Date(), config.timeZone)

  for (const address of [urls.oldOverview, urls.year])
    app.get(address, see, async (request, reply) => {
      const reader = userOf(request)
      if (may(reader.role, 'seePapers')) {
        const { year, client, ...rest } = readPapersQuery(parametersOf(request.url))
        return reply.redirect(
          urls.papersPage + writePapersQuery({ ...rest, q: '', project: null, year, client }),
          303,
        )
      }
      const asked = askedBy(request)
      if (address !== urls.year) return reply.redirect(urls.year + oldQuery(request.url), 303)
      const { client: _client, today: _today, ...query } = asked
      const [packages, overview, choices] = await Promise.all([
        may(reader.role, 'takeYears') ? listYearSums(db, reader, 'everything') : [],
        readOverview(db, reader, asked),
        readChoices(db, reader, asked, asked.today),
      ])
      const { last_page: last } = overview.meta
      if (query.page > last) return reply.redirect(urls.year + writeDutyQuery({ ...query, page: last }), 303)
      return reply.page('overview', { query, choices, overview, packages }, `Året ${query.year}`)
    })

  app.get(urls.yearSheet, { ...see, compress: false }, async (request, reply) => {
    const { role } = userOf(request)
    const asked: Asked = { ...askedBy(request), page: FIRST_PAGE, all: true }
    const overview = await readOverview(db, userOf(request), asked)
    const title = `${seesSharedFoldersOnly(role) ? 'Papirer' : 'Året'} ${asked.year}`
    const { name: office } = await findOffice(db)
    return reply
      .type(XLSX)
      .header('content-disposition', contentDisposition('attachment', `${title}.xlsx`))
      .header('cache-control', 'private, no-store')
      .send(await zip(overviewSheet(overview, { title, office, isOurs: isOffice(role) })))
  })

  app.get<Address>(
    urls.paper(':folder', ':period'),
    { config: { right: 'changeFiles' } },
    async (request, reply) => {
      const paper = await getPaper(db, userOf(request), keyIn(request), today())
      const { name, period, crosses_new_year: crosses } = paper.cell
      return reply.page('paper', { paper }, `${name} ${periodKeyText(period, crosses)}`)
    },
  )

  /** Other filters than the year and the paper are the office's alone, clients an adviser's. */
  function askedBy(request: FastifyRequest): Asked {
    const { role } = userOf(request)
    const address = parametersOf(request.url)
    const read = readDutyQuery(address)
    const { year, rule, page } = read
    return {
      ...(isOffice(role) ? read : { ...ALL_DUTIES, rule, page }),
      year: year ?? usualYear(today()),
      client: isLentTo(role) ? readPapersQuery(address).client : null,
      today: today(),
    }
  }
}

/** What the filters of the old address are called now. */
function oldQuery(address: string): string {
  const asked = parametersOf(address)
  for (const [before, now] of [
    ['folder', 'rule'],
    ['status', 'state'],
  ] as const)
    if (asked.has(before)) asked.set(now, asked.get(before)!)
  return writeDutyQuery(readDutyQuery(asked))
}

function keyIn({ params }: FastifyRequest<Address>): PaperKey {
  if (readPeriod(params.period) === null) throw notFound()
  return { folder: idIn(params.folder), period: params.period }
}
