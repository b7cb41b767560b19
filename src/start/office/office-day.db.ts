import type { Reader } from '../../access/reader.ts'
import type { Database } from '../../server/database/database.ts'
import { listDueDuties } from './due-duties.db.ts'
import { mergeDue, monthsAround, type OfficeDay } from './office-day.ts'
import { countOpenPapers, listOpenPapers } from './papers.db.ts'
import { readWaiting } from './waiting.db.ts'

const MOST_DUE = 6

/** Reads what the office's start page says of the day. */
export async function readOfficeDay(db: Database, reader: Reader, today: string): Promise<OfficeDay> {
  const [counts, papers, duties, waiting] = await Promise.all([
    countOpenPapers(db, reader, today),
    listOpenPapers(db, reader, today, MOST_DUE),
    listDueDuties(db, reader, today, MOST_DUE),
    readWaiting(db, reader),
  ])
  return {
    today,
    late: {
      rows: mergeDue(duties.late.rows, papers.late, 'last', MOST_DUE),
      total: counts.late + duties.late.total,
    },
    next: mergeDue(duties.next, papers.next, 'first', MOST_DUE),
    missing: counts.missing,
    months: monthsAround(today, counts.months),
    waiting,
  }
}
