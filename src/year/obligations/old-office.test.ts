import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { freshDatabase } from '../../../test/database.ts'
import { foldersByName, makeProject, makeUser } from '../../../test/make.ts'
import { listMigrations, migrateWithin } from '../../server/database/migrate.ts'
import { addShipped } from './add-shipped.db.ts'

const TODAY = '2026-11-17'

/** What 1.0.0 shipped, as far as it matters here. */
const REPORT =
  'Årsrapporten skal være modtaget i Erhvervsstyrelsen senest 6 måneder efter regnskabsårets afslutning, hvis kommanditselskabets komplementarer er kapitalselskaber. Er selskabet undtaget, indsendes en undtagelseserklæring inden for samme frist.'

it('an office of 1.0.0 keeps what was done, given and changed, and gets the law as it is now', async () => {
  const { db } = await freshDatabase({ migrated: false })
  const names = await listMigrations()
  await db.transaction().execute((trx) => migrateWithin(trx, undefined, names.indexOf('0079_law.sql')))
  const { id: mette } = await makeUser(db, { role: 'employee' })
  const { id: project } = await makeProject(db)
  const { id: sold } = await makeProject(db)
  await sql`update projects set held_from = '2024-01-01'`.execute(db)
  await sql`update projects set status = 'sold', sold_on = '2026-06-30' where id = ${sold}`.execute(db)
  const report = sql`${REPORT}`
  await sql`
    insert into obligations (code, title, explanation, source, source_url, holds_since, watched_from, due_rule, due_months,
      due_day, due_month, reach, more_than, folder_name, responsible_id) values
    ('annual-report', 'Årsrapport', ${report}, 'Vores revisor', '', '2021-12-31', '2026-01-01', 'months', 6, 1, 1,
      'fitting', null, 'Årsrapport', null),
    ('general-meeting', 'Generalforsamling', '', 'Selskabets vedtægter', '', null, '2026-06-15', 'months', 6, 1, 1,
      'fitting', null, 'Generalforsamling', null),
    ('beneficial-owners', 'Reelle ejere undersøgt', '', '', '', '2020-01-10', '2026-06-15', 'months', 3, 1, 1, 'fitting',
      null, '', null),
    ('tax-statement', 'Skatteoplysninger til ejere og Skattestyrelsen', '', '', '', '2019-01-01', '2026-06-15', 'day', 6, 15,
      4, 'fitting', 10, 'Skatteoplysninger', null),
    ('crs-fatca', 'CRS- og FATCA-indberetning', '', '', '', '2019-01-01', '2026-06-15', 'day', 6, 1, 5, 'chosen', null, '',
      ${mette})`.execute(db)
  await sql`
    insert into obligation_choices (obligation_id, project_id, is_bound)
    select id, ${project}, true from obligations where code = 'crs-fatca'`.execute(db)
  const duty = (
    code: string,
    period: string,
    due: string,
    { isDone = false, person = null as number | null } = {},
  ) =>
    sql`
      insert into duties (obligation_id, project_id, period, starts_on, ends_on, due_on, done_at, is_by_paper, responsible_id,
        is_responsible_given)
      select id, ${project}, ${period}, ${`${period}-01-01`}::date, ${`${period}-12-31`}::date, ${due}::date,
        ${isDone ? '2026-03-01' : null}::timestamptz, ${isDone}, ${person}::bigint, ${person !== null}
      from obligations where code = ${code}`.execute(db)
  await duty('annual-report', '2025', '2026-06-30', { isDone: true })
  await duty('general-meeting', '2025', '2026-06-30', { person: mette })
  await duty('tax-statement', '2026', '2027-04-15')
  await duty('crs-fatca', '2026', '2027-05-01', { person: mette })

  await db.transaction().execute((trx) => migrateWithin(trx, undefined))
  await addShipped(db, TODAY)
  await addShipped(db, TODAY)

  const { rows } = await sql<Record<string, unknown>>`
    select code || ' ' || period as what, duties.due_on::text as due, done_at is not null as done, is_by_paper as paper,
      duties.responsible_id = ${mette} as hers
    from duties join obligations on obligations.id = duties.obligation_id
    where project_id = ${project} and code in ('annual-report', 'general-meeting', 'tax-statement', 'crs-fatca', 'crs-2026',
      'fatca') order by what`.execute(db)
  expect(rows).toEqual([
    { what: 'annual-report 2025', due: '2026-06-30', done: true, paper: false, hers: null },
    { what: 'annual-report 2026', due: '2027-06-30', done: false, paper: false, hers: null },
    { what: 'crs-2026 2026', due: '2027-05-01', done: false, paper: false, hers: true },
    { what: 'fatca 2026', due: '2027-05-01', done: false, paper: false, hers: true },
    // Its new last day is before those that are watched, so it keeps the old one.
    { what: 'general-meeting 2025', due: '2026-06-30', done: false, paper: false, hers: true },
    { what: 'general-meeting 2026', due: '2027-05-31', done: false, paper: false, hers: null },
    { what: 'tax-statement 2026', due: '2027-04-15', done: false, paper: false, hers: null },
  ])
  const { rows: rules } = await sql<Record<string, unknown>>`
    select code, source = 'Vores revisor' as ours, due_months as months, reach, is_filing as filing, folder_name as folder
    from obligations where code in ('annual-report', 'beneficial-owners', 'tax-statement') order by code`.execute(
    db,
  )
  expect(rules).toEqual([
    { code: 'annual-report', ours: true, months: 6, reach: 'fitting', filing: true, folder: '' },
    // The office had said three months.
    { code: 'beneficial-owners', ours: false, months: 3, reach: 'fitting', filing: false, folder: '' },
    { code: 'tax-statement', ours: false, months: 6, reach: 'chosen', filing: true, folder: '' },
  ])
  const { rows: owed } = await sql<{ what: string }>`
    select code || ' ' || period as what from duties join obligations on obligations.id = duties.obligation_id
    where project_id = ${sold} and code in ('annual-report', 'general-meeting') order by what`.execute(db)
  expect(owed.map(({ what }) => what)).toEqual([
    'annual-report 2025',
    'annual-report 2026',
    'general-meeting 2026',
  ])
})

it('an office of 1.0.0 keeps its expected papers as duties: what was there, a draft, excused or asked for twice', async () => {
  const { db } = await freshDatabase({ migrated: false })
  const names = await listMigrations()
  await db.transaction().execute((trx) => migrateWithin(trx, undefined, names.indexOf('0083_one_duty.sql')))
  const { id: mette } = await makeUser(db, { role: 'employee' })
  const { id: project } = await makeProject(db)
  const { Budget } = await foldersByName(db, project)
  const cell = (period: string, due: string, files: number, shown: number, excuse: string | null = null) =>
    sql`
      insert into year_cells (folder_id, project_id, period, starts_on, ends_on, due_on, files_count, shown_count, excuse,
        excused_by, excused_at)
      values (${Budget}, ${project}, ${period}, ${`${period}-01-01`}, ${`${period}-12-31`}, ${due}, ${files}, ${shown}, ${excuse},
        case when ${excuse}::text is not null then ${mette}::bigint end, case when ${excuse}::text is not null then now() end)`.execute(
      db,
    )
  await cell('2021', '2022-06-30', 0, 0, 'Ingen drift')
  await cell('2022', '2023-06-30', 1, 1)
  await cell('2023', '2024-06-30', 1, 0)
  await cell('2024', '2025-06-30', 0, 0)
  await sql`
    with rule as (
      insert into obligations (title, due_rule, folder_name) values ('Budget vedtaget', 'months', 'Budget') returning id)
    insert into duties (obligation_id, project_id, period, starts_on, ends_on, due_on, folder_id, responsible_id,
      is_responsible_given)
    select id, ${project}, '2024', '2024-01-01', '2024-12-31', '2025-08-31', ${Budget}, ${mette}, true from rule`.execute(
    db,
  )
  await db.transaction().execute((trx) => migrateWithin(trx, undefined))

  const read = async () => {
    const { rows } = await sql<Record<string, unknown>>`
      select period, due_on::text as due, obligation_id is not null as ruled, done_at is not null as done, is_drafted as draft,
        excuse, excused_by = ${mette} as by_her, responsible_id = ${mette} as hers
      from duties where project_id = ${project} order by period`.execute(db)
    return rows
  }
  const plain = { ruled: false, done: false, draft: false, excuse: null, by_her: null, hers: null }
  const kept = [
    { ...plain, period: '2021', due: '2022-06-30', excuse: 'Ingen drift', by_her: true },
    { ...plain, period: '2022', due: '2023-06-30', done: true },
    { ...plain, period: '2023', due: '2024-06-30', draft: true },
    { ...plain, period: '2024', due: '2025-06-30', ruled: true, hers: true },
  ]
  expect(await read()).toEqual(kept)

  // An instance of 1.0.0 that still runs excuses what it knows, and reads what is excused here.
  await sql`
    update year_cells set excuse = 'Solgt', excused_by = ${mette}, excused_at = now() where period = '2024'`.execute(
    db,
  )
  expect((await read())[3]).toMatchObject({ excuse: 'Solgt', by_her: true })
  await sql`update duties set excuse = null, excused_by = null, excused_at = null where period = '2021'`.execute(
    db,
  )
  const { rows } = await sql<{ excuse: string | null }>`
    select excuse from year_cells where period = '2021'`.execute(db)
  expect(rows).toEqual([{ excuse: null }])
})
