import { periodText, readPeriod } from '../../base/time/period.ts'
import { accountingYears, type AccountingYears } from './accounting-year.ts'

/** Calls a kept period as its project does: '2025-Q3' is '3. kvartal 2025', or '3. kvartal 2024/25' where the year crosses New Year. */
export function periodName(key: string | null, years: AccountingYears | null): string {
  const period = key === null ? null : readPeriod(key)
  if (!period) return ''
  const [from, to] = [`${period.year}-01-01`, `${period.year}-12-31`]
  const span = years && accountingYears(years, { from, to }).find((each) => each.period.year === period.year)
  return periodText(period, span?.crossesNewYear ?? false)
}
