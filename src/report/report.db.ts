import { sql, type RawBuilder } from 'kysely'
import type { Reader, Visit } from '../access/reader.ts'
import { isReportSeen } from '../access/seen.db.ts'
import { addLogEntry, type Actor } from '../log/log.db.ts'
import { hasOwnFiles, isOffice, may, rolesThat } from '../rights.ts'
import type { Database, Trx } from '../server/database/database.ts'
import { conflict, invalid, notFound } from '../server/http/errors.ts'
import type { SentReport } from './company/check-companies.ts'
import { companyFor, type CompanyReport } from './company/company.ts'
import { planChanges, type StoredRow, type Plan } from './company/plan-changes.ts'

/** Returns the report's owner if there is a report and the reader may see it. */
export async function getReportOwner(
  db: Database,
  reader: Reader,
  userId: number,
): Promise<{ id: number; name: string }> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from users
    where id = ${userId} and ${isReportSeen(reader)}
      and (role = any (${rolesThat(hasOwnFiles)}) or exists (select from reports where user_id = users.id and version > 0))`.execute(
    db,
  )
  const [owner] = rows
  if (!owner) throw notFound('Rapporten findes ikke.')
  return owner
}

/** Counts the companies in a person's report; null if they have no report to fill in. */
export async function countCompanies(db: Database, userId: number): Promise<number | null> {
  const { rows } = await sql<{ count: number; is_investor: boolean }>`
    select (select count(*) from report_companies where user_id = users.id) as count, role = any (${rolesThat(hasOwnFiles)}) as is_investor
    from users where id = ${userId}`.execute(db)
  const [row] = rows
  return row && (row.is_investor || row.count > 0) ? row.count : null
}

/** Returns a person's report for the reader. Call `getReportOwner` first: it checks access. */
export async function readReport(db: Database, reader: Reader, userId: number): Promise<CompanyReport> {
  return reportFor(reader, await readRows(db, userId))
}

/** Logs who has read another person's report: once per person, report and act in 10 minutes. */
export async function addReportRead(
  db: Database,
  actor: Actor,
  act: 'report-opened' | 'report-downloaded',
  userId: number,
): Promise<void> {
  if (actor.userId === userId) return
  await db.transaction().execute(async (trx) => {
    // Two pages opened at the same moment would not see each other's entry.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`report of ${userId}`}, 0))`.execute(trx)
    const { rows } = await sql`
      select from log where subject_user_id = ${userId} and user_id = ${actor.userId} and act = ${act}
        and as_user_id is not distinct from ${actor.asUserId ?? null}
        and at > clock_timestamp() - interval '10 minutes' limit 1`.execute(trx)
    if (rows.length === 0) await addLogEntry(trx, actor, act, { userId })
  })
}

type StoredReport = { version: number; rows: StoredRow[] }

function reportFor(reader: Reader, { version, rows }: StoredReport): CompanyReport {
  const companies = rows.map((row) => companyFor(row, isOffice(reader.role)))
  if (may(reader.role, 'changeReports')) return { version, companies }
  return { version, companies: companies.map((row) => ({ ...row, editable: [], deletable: false })) }
}

/** Reads the version and its rows in one statement, so that no save comes between. */
async function readRows(db: Database, userId: number): Promise<StoredReport> {
  const { rows } = await sql<StoredReport>`
    select version, coalesce((
      select json_agg(json_build_object('id', id, 'name', name, 'cvr', cvr, 'share', share, 'year', year,
        'contribution', contribution, 'liability', liability, 'equity', equity, 'debt', debt, 'result', result,
        'place', place, 'locked', locked) order by place)
      from report_companies where user_id = reports.user_id), '[]') as rows
    from reports where user_id = ${userId}`.execute(db)
  return rows[0] ?? { version: 0, rows: [] }
}

/**
 * Saves the whole table or nothing, in a handful of statements no matter how many rows. Refuses a save based on
 * another version, with the present table in the answer.
 */
export async function saveReport(
  db: Database,
  { actor, reader }: Visit,
  userId: number,
  { version, rows, faults: found }: SentReport,
): Promise<CompanyReport> {
  if (Number.isNaN(version)) throw invalid(found)
  return db.transaction().execute(async (trx) => {
    await sql`insert into reports (user_id) values (${userId}) on conflict do nothing`.execute(trx)
    await sql`select from reports where user_id = ${userId} for update`.execute(trx)
    const now = await readRows(trx, userId)
    if (version !== now.version) throw changedMeanwhile(reportFor(reader, now))
    const faults = { ...found }
    const plan = planChanges(now.rows, rows, isOffice(reader.role), faults)
    if (Object.keys(faults).length > 0) throw invalid(faults)
    if (!plan.isOther && !plan.isLocking && !plan.isUnlocking) return reportFor(reader, now)
    await write(trx, userId, plan)
    await sql`
      update reports set version = version + 1, saved_at = now(), saved_by = ${actor.userId}
      where user_id = ${userId}`.execute(trx)
    if (plan.isOther) await addLogEntry(trx, actor, 'report-saved', { userId })
    if (plan.isLocking) await addLogEntry(trx, actor, 'report-row-locked', { userId })
    if (plan.isUnlocking) await addLogEntry(trx, actor, 'report-row-unlocked', { userId })
    return readReport(trx, reader, userId)
  })
}

const changedMeanwhile = (report: CompanyReport) =>
  Object.assign(conflict('Rapporten er ændret, siden du åbnede den. Dine ændringer er ikke gemt.'), {
    more: { report },
  })

async function write(trx: Trx, userId: number, { added, changed, removed }: Plan): Promise<void> {
  if (removed.length > 0)
    await sql`delete from report_companies where user_id = ${userId} and id = any (${removed})`.execute(trx)
  if (changed.length > 0)
    await sql`
      update report_companies as kept
      set (place, locked, name, cvr, share, year, contribution, liability, equity, debt, result) =
        (sent.place, sent.locked, sent.name, sent.cvr, sent.share, sent.year, sent.contribution, sent.liability,
          sent.equity, sent.debt, sent.result)
      from ${recordsOf(changed)} where kept.user_id = ${userId} and kept.id = sent.id`.execute(trx)
  if (added.length > 0)
    await sql`
      insert into report_companies (user_id, place, locked, name, cvr, share, year, contribution, liability, equity,
        debt, result)
      select ${userId}, place, locked, name, cvr, share, year, contribution, liability, equity, debt, result
      from ${recordsOf(added)} order by place`.execute(trx)
}

/** One JSON parameter: a thousand rows would need more parameters than a statement can have. */
const recordsOf = (rows: object[]): RawBuilder<unknown> => sql`
  json_to_recordset(${JSON.stringify(rows)}::json) as sent (id bigint, place integer, locked boolean, name text,
    cvr text, share numeric, year integer, contribution bigint, liability bigint, equity bigint, debt bigint,
    result bigint)`
