import type { FastifyInstance } from 'fastify'
import type { SendArchive } from '../files/zip/archive-sender.routes.ts'
import type { Parts } from '../server/parts.ts'
import { addCalendar } from './calendar/calendar.routes.ts'
import { addDuties } from './due/duties.routes.ts'
import { addObligations } from './obligations/obligations.routes.ts'
import { addOverview } from './overview/overview.routes.ts'
import { addReceipts } from './receipts/receipts.routes.ts'
import { addPapers } from './papers/papers.routes.ts'
import { addYearPackages } from './package/packages.routes.ts'

/** Adds the routes of the year. */
export function addYearRoom(app: FastifyInstance, parts: Parts, sendArchive: SendArchive): void {
  addYearPackages(app, parts, sendArchive)
  addPapers(app, parts)
  addOverview(app, parts)
  addDuties(app, parts)
  addObligations(app, parts)
  addReceipts(app, parts)
  addCalendar(app, parts)
}
