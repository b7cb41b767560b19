import { sql } from 'kysely'
import { dayOf } from '../../base/time/dates.ts'
import { hasOwnFiles, rolesThat } from '../../rights.ts'
import { readAccountingYears } from '../../projects/expected/accounting-years.db.ts'
import { folderKey } from '../../projects/folder.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import type { Obligation } from './obligation.ts'
import { ruledDuties, type ExpectingFolder, type RuledDuty, type RuledProject } from './wanted-duties.ts'

/** The columns of `obligations`, with days as texts. */
export const OBLIGATION = sql`
  obligations.id, obligations.code, obligations.title, obligations.explanation, obligations.source, obligations.source_url,
  obligations.rhythm, obligations.holds_since::text as holds_since, obligations.holds_until::text as holds_until,
  obligations.watched_from::text as watched_from, obligations.due_rule, obligations.due_months, obligations.due_day,
  obligations.due_month, obligations.due_days, obligations.due_on::text as due_on, obligations.after_days,
  obligations.reach, obligations.statuses, obligations.more_than, obligations.folder_name, obligations.is_filing,
  obligations.unless_id, obligations.responsible_id, obligations.remind_days, obligations.is_active`

/** This many projects are refreshed at a time. */
const AT_A_TIME = 100

/**
 * Makes the duties of projects be those that obligations and folders give them now: all, or those of one obligation and the
 * folders that it names. What somebody has said of a duty stays, also if it is no longer asked for, and so does what a sold
 * project still owes. Duties that a file being saved settles just now are left to it: two that wait for each other would end
 * the saving.
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

async function listIds(trx: Database | Trx, projects: number[] | 'all'): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from projects where ${projects === 'all' ? sql`true` : sql`id = any (${projects})`} order by id`.execute(
    trx,
  )
  return rows.map(({ id }) => id)
}

type Rules = {
  all: ReadonlyMap<number, Obligation>
  /** Those that are refreshed: all, or one and what depends on whom it binds. */
  these: Obligation[]
  isWhole: boolean
}

async function readRules(trx: Trx, obligation: number | null): Promise<Rules> {
  const { rows } = await sql<Obligation>`select ${OBLIGATION} from obligations`.execute(trx)
  return {
    all: new Map(rows.map((rule) => [rule.id, rule])),
    these: rows.filter(
      ({ id, unless_id: unless }) => obligation === null || [id, unless].includes(obligation),
    ),
    isWhole: obligation === null,
  }
}

type Bound = Omit<RuledProject, 'years' | 'expecting'>

async function refreshSome(trx: Trx, ids: number[], rules: Rules, today: string): Promise<void> {
  const { rows: projects } = await sql<Bound>`
    select id, status, created_at::date::text as "addedOn", (
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
  const folders = await readFolders(trx, ids, rules)
  const expecting = Map.groupBy(folders, ({ project_id: id }) => id)
  const wanted = projects.flatMap((project) =>
    ruledDuties(
      { ...project, years: years.get(project.id)!, expecting: expecting.get(project.id) ?? [] },
      rules.these,
      rules.all,
      today,
    ),
  )
  const theirs: Theirs = {
    projects: ids,
    obligations: rules.these.map(({ id }) => id),
    folders: folders.map(({ id }) => id),
  }
  await keepFiled(trx, theirs)
  await write(trx, theirs, wanted)
  await settle(trx, ids)
}

/** Reads what the folders of projects expect: of all, or of those that a rule is about, or was. */
async function readFolders(trx: Trx, ids: number[], { these, isWhole }: Rules) {
  const rules = these.map(({ id }) => id)
  const isAbout = isWhole
    ? sql`true`
    : sql`(folders.id in (select folder_id from folder_names where project_id = any (${ids})
        and key = any (${these.map(({ folder_name: name }) => folderKey(name))}))
      or folders.id in (select folder_id from duties where project_id = any (${ids}) and obligation_id = any (${rules})))`
  const { rows } = await sql<ExpectingFolder & { project_id: number }>`
    select folders.id, folders.project_id, expects as rhythm, expects_from as "from", expects_to as "to",
      due_months as "dueMonths", left(least(
        (select min(period) from year_cells where folder_id = folders.id and files_count > 0),
        (select min(period) from duties where folder_id = folders.id and length(period) < 10)), 4) as first
    from folders where folders.project_id = any (${ids}) and ${isAbout}`.execute(trx)
  return rows
}

type Theirs = { projects: number[]; obligations: number[]; folders: number[] }

/** Condition on `duties`: of what is refreshed. */
const isOf = ({ projects, obligations, folders }: Theirs) =>
  sql<boolean>`(duties.project_id = any (${projects}) and (duties.obligation_id = any (${obligations})
    or duties.obligation_id is null and duties.folder_id = any (${folders})))`

/** A duty that became a filing while it was done by a paper stays done, without anybody's name. */
async function keepFiled(trx: Trx, theirs: Theirs): Promise<void> {
  await sql`
    update duties set is_by_paper = false, folder_id = null,
      note = case when note = '' then 'Udført af sig selv, da papiret lå i mappen.' else note end
    where id in (
      select duties.id from duties join obligations on obligations.id = duties.obligation_id
      where ${isOf(theirs)} and duties.is_by_paper and obligations.is_filing
      for update of duties skip locked)`.execute(trx)
}

/** What a duty is known by: its obligation or its folder, its project and its period. */
const keyOf = (table: string) => {
  const [obligation, folder, project, period] = ['obligation_id', 'folder_id', 'project_id', 'period'].map(
    (column) => sql.ref(`${table}.${column}`),
  )
  return sql`(coalesce(${obligation}, 0), case when ${obligation} is null then ${folder} else 0 end, ${project}, ${period})`
}

async function write(trx: Trx, theirs: Theirs, wanted: RuledDuty[]): Promise<void> {
  const list = sql`json_to_recordset(${JSON.stringify(wanted)}::json) as wanted (obligation_id bigint, project_id bigint,
    period text, starts_on date, ends_on date, due_on date, kept_since date, folder_id bigint, responsible_id bigint)`
  const isWanted = sql`exists (
    select from ${list} where ${keyOf('wanted')} = ${keyOf('duties')}
      and (wanted.kept_since is null or duties.due_on >= wanted.kept_since))`
  // The same paper is asked for by another rule now: it is the same duty, with all that was said of it.
  await sql`
    update duties set obligation_id = taken.rule
    from (
      select duties.id, wanted.rule from duties
      join (
        select distinct on (folder_id, period) wanted.*, obligation_id as rule from ${list}
        where folder_id is not null and kept_since is null order by folder_id, period, obligation_id
      ) as wanted using (folder_id, period)
      where ${isOf(theirs)} and not ${isWanted} and (duties.obligation_id is null or duties.done_by is null)
        and not exists (select from duties as other where ${keyOf('other')} = ${keyOf('wanted')})
      for update of duties skip locked
    ) as taken where duties.id = taken.id`.execute(trx)
  await sql`
    delete from duties where id in (
      select id from duties where ${isOf(theirs)} and (done_at is null or is_by_paper) and excuse is null and not ${isWanted}
      for update skip locked)`.execute(trx)
  await sql`
    insert into duties (obligation_id, project_id, period, starts_on, ends_on, due_on, folder_id, responsible_id)
    select obligation_id, project_id, period, starts_on, ends_on, due_on, folder_id, responsible_id from ${list}
    where kept_since is null and not exists (select from duties where ${keyOf('duties')} = ${keyOf('wanted')})
      and (obligation_id is not null or not exists (
        select from duties where (duties.folder_id, duties.period) = (wanted.folder_id, wanted.period)))
    order by obligation_id, project_id, period, folder_id
    on conflict do nothing`.execute(trx)
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
      from duties join ${list} on ${keyOf('duties')} = ${keyOf('wanted')}
      where ${isOf(theirs)}
      for update of duties skip locked
    ) as now_wanted
    where duties.id = now_wanted.id
      and (duties.starts_on, duties.ends_on, duties.due_on, duties.folder_id, duties.responsible_id) is distinct from
        (now_wanted.starts_on, now_wanted.ends_on, now_wanted.due_on, now_wanted.folder_id, now_wanted.given_id)`.execute(
    trx,
  )
}

/** Condition on `year_cells`: counts the papers of the duty. */
const OF_DUTY = sql`year_cells.folder_id = duties.folder_id and year_cells.period = duties.period`

/**
 * Ends the duties whose paper is there, reopens those whose paper is deleted, and notes drafts. A trigger does the same when
 * files change.
 */
export async function settle(trx: Trx, ids: number[]): Promise<void> {
  // Locked first, so that the statement after it sees what those who held them have done.
  await sql`
    select from duties where project_id = any (${ids}) and folder_id is not null and (done_at is null or is_by_paper)
    order by id for update skip locked`.execute(trx)
  await sql`
    update duties set is_by_paper = is_there, is_drafted = has_draft, done_at = case when is_there then coalesce((
      select max(shown_at) from files where files.folder_id = duties.folder_id and files.period = duties.period
        and deleted_at is null and not is_held_back), now()) end
    from (
      select duties.id, paper.is_there, paper.has_draft from duties cross join lateral (
        select coalesce(bool_or(shown_count > 0), false) as is_there,
          coalesce(bool_or(files_count > 0 and shown_count = 0), false) as has_draft
        from year_cells where ${OF_DUTY}) as paper
      where project_id = any (${ids}) and (done_at is null or is_by_paper)
        and (is_by_paper, is_drafted) is distinct from (paper.is_there, paper.has_draft)
      for update of duties skip locked
    ) as changed where duties.id = changed.id`.execute(trx)
}

/** Refreshes all projects, since a day may have begun another accounting year; each batch by itself, so that nobody waits long. */
export async function refreshAllDuties(db: Database, today: string, signal?: AbortSignal): Promise<void> {
  const ids = await listIds(db, 'all')
  for (let at = 0; at < ids.length; at += AT_A_TIME) {
    signal?.throwIfAborted()
    await refreshBatch(db, ids.slice(at, at + AT_A_TIME), today)
  }
}

const refreshBatch = transactional(refreshDuties)

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
