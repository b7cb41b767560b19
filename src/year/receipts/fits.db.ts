import { sql } from 'kysely'

/** Condition on `receipts`: nobody has used it or put it away. */
export const IS_WAITING = sql<boolean>`(receipts.duty_id is null and not receipts.is_refused)`

/** Two whole years of the calendar: what '2024/25' says. No accounting year is so long. */
const BOTH_YEARS = 600
/** An accounting year may be cut or made longer: then its end is enough. */
const HALF_A_YEAR = 183

/** Condition on `receipts`, `duties`, `obligations` and `projects`: the company, the kind and the period agree. */
export const FITS = sql<boolean>`(projects.cvr = receipts.cvr
  and (obligations.id = receipts.obligation_id or obligations.code = any (receipts.codes))
  and case
    when length(duties.period) = 10 then receipts.received_on >= duties.starts_on
    when receipts.ends_on - receipts.starts_on > ${sql.lit(BOTH_YEARS)} then
      extract(year from duties.starts_on) = extract(year from receipts.starts_on)
      and extract(year from duties.ends_on) = extract(year from receipts.ends_on)
      and duties.ends_on - duties.starts_on > ${sql.lit(HALF_A_YEAR)}
    else duties.ends_on = receipts.ends_on and (
      duties.starts_on = receipts.starts_on
      or receipts.ends_on - receipts.starts_on > ${sql.lit(HALF_A_YEAR)}
        and duties.ends_on - duties.starts_on > ${sql.lit(HALF_A_YEAR)})
  end)`

/** Condition on `duties` and `projects`: a receipt seems to fit. */
export const HAS_RECEIPT = sql<boolean>`exists (
  select from receipts join obligations on obligations.id = duties.obligation_id
  where ${IS_WAITING} and receipts.layout is not null and receipts.fault is null and ${FITS})`
