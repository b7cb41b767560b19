import { sql } from 'kysely'
import { dayOf } from '../../base/time/dates.ts'
import { hasOwnFiles, rolesThat } from '../../rights.ts'
import { readAccountingYears } from '../../projects/expected/cells.db.ts'
import { folderKey } from '../../projects/folder.ts'
import type { Status } from '../../projects/project/project.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { binds, type ObligationRule } from './obligation.ts'
import { wantedDuties, watchedSince } from './wanted-duties.ts'

/** This many projects are refreshed at a time. */
const AT_A_TIME = 100

/**
 * Makes the duties of projects be those that the obligations give them now, of one obligation or of all. What somebody has
 * done stays, also if it is no longer asked for, and so does what a sold project still owes. Duties that a file being
 * saved settles just now are left to it: two that wait for each other would end the saving.
 */
export async function refreshDuties(
  trx: Trx,
  projects: number[] | 'all',
  today: string,
  obligation: number | null = null,
): Promise<void> {
  // Locked until the transaction ends, so that the first to read the rules is not the last to write.
  await sql`select pg_advisory_xact_lock(hashtextextended('duties', 0))`.execute(trx)
  const rules = await readRules(trx, obligation)
  const ids = await listIds(trx, projects)
  for (let at = 0; at < ids.length; at += AT_A_TIME)
    await refreshSome(trx, ids.slice(at, at + AT_A_TIME), rules, today)
}

async function listIds(trx: Trx, projects: number[] | 'all'): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from projects where ${projects === 'all' ? sql`true` : sql`id = any (${projects})`} order by id`.execute(
    trx,
  )
  return rows.map(({ id }) => id)
}

type Rule = ObligationRule & {
  id: number
  is_active: boolean
  is_filing: boolean
  unless_id: number | null
  folder_name: string
  responsible_id: number | null
}

type Rules = {
  all: ReadonlyMap<number, Rule>
  /** Those that are refreshed: all, or one and what depends on whom it binds. */
  these: Rule[]
}

async function readRules(trx: Trx, obligation: number | null): Promise<Rules> {
  const { rows } = await sql<Rule>`
    select id, rhythm, holds_since::text as holds_since, holds_until::text as holds_until,
      watched_from::text as watched_from, due_rule, due_months, due_day, due_month, due_days, due_on::text as due_on,
      after_days, reach, statuses, more_than, folder_name, is_filing, unless_id, responsible_id, is_active
    from obligations`.execute(trx)
  return {
    all: new Map(rows.map((rule) => [rule.id, rule])),
    these: rows.filter(
      ({ id, unless_id: unless }) => obligation === null || [id, unless].includes(obligation),
    ),
  }
}

type Bound = {
  id: number
  status: Status
  added_on: string
  investors: number
  choices: Record<string, boolean>
  folders: Record<string, number>
  events: { rule: number; on: string }[]
}

async function refreshSome(trx: Trx, ids: number[], rules: Rules, today: string): Promise<void> {
  const { rows: projects } = await sql<Bound>`
    select id, status, created_at::date::text as added_on, (
      select count(*)::integer from project_members join users on users.id = project_members.user_id
      where project_members.project_id = projects.id and users.role = any (${rolesThat(hasOwnFiles)})
        and users.deactivated_at is null
    ) as investors,
    (select coalesce(json_object_agg(obligation_id, is_bound), '{}') from obligation_choices
      where project_id = projects.id) as choices,
    (select coalesce(json_object_agg(key, folder_id), '{}') from folder_names where project_id = projects.id) as folders,
    (select coalesce(json_agg(json_build_object('rule', obligation_id, 'on', period)), '[]') from duties
      where project_id = projects.id and done_at is null and length(period) = 10) as events
    from projects where id = any (${ids})`.execute(trx)
  const years = await readAccountingYears(trx, ids)
  const wanted = projects.flatMap(({ id, status, investors, added_on: addedOn, choices, folders, events }) =>
    rules.these.flatMap((rule) => {
      const facts = { status, investors, isElsewhere: false }
      const isBound = (other: Rule | undefined) =>
        other?.is_active === true && binds(other, { ...facts, choice: choices[other.id] ?? null })
      const project = {
        ...facts,
        addedOn,
        choice: choices[rule.id] ?? null,
        isElsewhere: rule.unless_id !== null && isBound(rules.all.get(rule.unless_id)),
        years: years.get(id)!,
        events: events.filter((event) => event.rule === rule.id).map(({ on }) => on),
      }
      return wantedDuties(rule, project, today).map((duty) => ({
        obligation_id: rule.id,
        project_id: id,
        period: duty.period,
        starts_on: duty.startsOn,
        ends_on: duty.endsOn,
        due_on: duty.dueOn,
        kept_since: duty.isOnlyKept ? watchedSince(rule, project, today) : null,
        folder_id: rule.is_filing ? null : (folders[folderKey(rule.folder_name)] ?? null),
        responsible_id: rule.responsible_id,
      }))
    }),
  )
  const theirs: Theirs = { projects: ids, obligations: rules.these.map(({ id }) => id) }
  await keepFiled(trx, theirs)
  await write(trx, theirs, wanted)
  await settle(trx, ids)
}

type Theirs = { projects: number[]; obligations: number[] }

const isOf = ({ projects, obligations }: Theirs) =>
  sql<boolean>`(duties.project_id = any (${projects}) and duties.obligation_id = any (${obligations}))`

/** A paper in a folder is no filing. What it ended before the obligation was one stays done, without anybody's name. */
async function keepFiled(trx: Trx, theirs: Theirs): Promise<void> {
  await sql`
    update duties set is_by_paper = false, folder_id = null,
      note = case when note = '' then 'Udført af sig selv, da papiret lå i mappen.' else note end
    where id in (
      select duties.id from duties join obligations on obligations.id = duties.obligation_id
      where ${isOf(theirs)} and duties.is_by_paper and obligations.is_filing
      for update of duties skip locked)`.execute(trx)
}

async function write(trx: Trx, theirs: Theirs, wanted: object[]): Promise<void> {
  const list = sql`json_to_recordset(${JSON.stringify(wanted)}::json) as wanted (obligation_id bigint, project_id bigint,
    period text, starts_on date, ends_on date, due_on date, kept_since date, folder_id bigint, responsible_id bigint)`
  await sql`
    delete from duties where id in (
      select id from duties where ${isOf(theirs)} and (done_at is null or is_by_paper)
        and not exists (
          select from ${list} where (wanted.obligation_id, wanted.project_id, wanted.period)
            = (duties.obligation_id, duties.project_id, duties.period)
            and (wanted.kept_since is null or duties.due_on >= wanted.kept_since))
      for update skip locked)`.execute(trx)
  await sql`
    insert into duties (obligation_id, project_id, period, starts_on, ends_on, due_on, folder_id, responsible_id)
    select obligation_id, project_id, period, starts_on, ends_on, due_on, folder_id, responsible_id from ${list}
    where kept_since is null and not exists (
      select from duties where (duties.obligation_id, duties.project_id, duties.period)
        = (wanted.obligation_id, wanted.project_id, wanted.period))
    order by obligation_id, project_id, period
    on conflict (obligation_id, project_id, period) do nothing`.execute(trx)
  // A new last day or responsible is mailed again.
  await sql`
    update duties set starts_on = now_wanted.starts_on, ends_on = now_wanted.ends_on, due_on = now_wanted.due_on,
      folder_id = now_wanted.folder_id, responsible_id = now_wanted.given_id,
      told_on = case when duties.due_on = now_wanted.due_on
        and duties.responsible_id is not distinct from now_wanted.given_id then duties.told_on end
    from (
      select duties.id, wanted.starts_on, wanted.ends_on, wanted.folder_id,
        case when wanted.kept_since is null then wanted.due_on else duties.due_on end as due_on,
        case when duties.is_responsible_given or duties.done_at is not null and not duties.is_by_paper
          then duties.responsible_id else wanted.responsible_id end as given_id
      from duties join ${list} on (duties.obligation_id, duties.project_id, duties.period)
        = (wanted.obligation_id, wanted.project_id, wanted.period)
      for update of duties skip locked
    ) as now_wanted
    where duties.id = now_wanted.id
      and (duties.starts_on, duties.ends_on, duties.due_on, duties.folder_id, duties.responsible_id) is distinct from
        (now_wanted.starts_on, now_wanted.ends_on, now_wanted.due_on, now_wanted.folder_id, now_wanted.given_id)`.execute(
    trx,
  )
}

/** Condition on `duties`: its paper is there and shown. */
const HAS_PAPER = sql<boolean>`exists (
  select from year_cells where year_cells.folder_id = duties.folder_id and year_cells.period = duties.period
    and year_cells.shown_count > 0)`

/**
 * Ends the duties whose paper is there, and reopens those whose paper is deleted. A trigger does the same when files
 * change.
 */
async function settle(trx: Trx, ids: number[]): Promise<void> {
  // Locked first, so that the statement after it sees what those who held them have done.
  await sql`
    select from duties where project_id = any (${ids}) and folder_id is not null and (done_at is null or is_by_paper)
    order by id for update skip locked`.execute(trx)
  await sql`
    update duties set done_at = case when duties.is_by_paper then null else now() end, is_by_paper = not duties.is_by_paper
    from (
      select id from duties where project_id = any (${ids}) and (done_at is null or is_by_paper)
        and is_by_paper <> ${HAS_PAPER}
      for update skip locked
    ) as changed where duties.id = changed.id`.execute(trx)
}

/** Refreshes all projects, since a day may have begun another accounting year. */
export const refreshAllDuties = transactional((trx: Trx, today: string) => refreshDuties(trx, 'all', today))

/** Looks at the projects that have changed since the last time. */
export async function refreshStaleDuties(db: Database, timeZone: string): Promise<void> {
  const { rows } = await sql`select from stale_duties limit 1`.execute(db)
  if (rows.length > 0) await refreshStale(db, dayOf(new Date(), timeZone))
}

const refreshStale = transactional(async (trx: Trx, today: string): Promise<void> => {
  const { rows } = await sql<{ project_id: number }>`
    with taken as (delete from stale_duties returning project_id) select distinct project_id from taken`.execute(
    trx,
  )
  await refreshDuties(
    trx,
    rows.map((row) => row.project_id),
    today,
  )
})
