import { sql, type RawBuilder } from 'kysely'

// The year of a paper is that of its period, in which its accounting year ends. It is stored nowhere else.

/** The year of a period that is a column: 2025 of '2025-Q3', null of null. */
export const yearOf = (period: RawBuilder<unknown>) => sql<number | null>`left(${period}, 4)::integer`

/** Column of `files`: the year that a file is of; null if it has no period. */
export const FILE_YEAR = yearOf(sql`files.period`)

/** Condition on a column of periods: it lies in these years. Periods are compared as texts, which an index of them can do. */
export const isBetweenYears = (period: RawBuilder<unknown>, from: number, to: number) =>
  sql<boolean>`(${period} >= ${String(from)} and ${period} < ${String(to + 1)})`

/** Condition on `files`: is of the year. */
export const isFileOfYear = (year: number) => isBetweenYears(sql`files.period`, year, year)
