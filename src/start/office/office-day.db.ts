import type { Reader } from '../../access/reader.ts'
import type { Database } from '../../server/database/database.ts'
import { listNearest } from '../../year/due/due.db.ts'
import { monthsAround, type OfficeDay } from './office-day.ts'
import { countOpenPapers } from './papers.db.ts'
import { readWaiting } from './waiting.db.ts'

const MOST_DUE = 6

/** Reads what the office's start page says of the day. */
export async function readOfficeDay(db: Database, reader: Reader, today: string): Promise<OfficeDay> {
  const [{ missing, months }, due, waiting] = await Promise.all([
    countOpenPapers(db, reader, today),
    listNearest(db, reader, today, MOST_DUE),
    readWaiting(db, reader),
  ])
  return { today, ...due, missing, months: monthsAround(today, months), waiting }
}
