import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeFile, makeProject, makeUser } from '../../../test/make.ts'
import { propsIn } from '../../../test/page-data.ts'
import { dayOf } from '../../base/time/dates.ts'
import { daysAfter } from '../../base/time/days.ts'
import type { Project } from '../../projects/project/project.ts'
import type { Role } from '../../rights.ts'
import { urls } from '../../urls.ts'
import { dutyTitle, type Duty } from '../../year/obligations/duty.ts'
import type { StartPageProps } from '../start-page.tsx'
import type { OfficeDay } from './office-day.ts'

let test: TestApp
let office: Entered
let project: Project
let folders: Record<string, number>
const today = dayOf(new Date(), 'Europe/Copenhagen')
const inDays = (days: number) => daysAfter(today, days)

beforeEach(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  office = await enter(test, 'employee')
  project = await makeProject(test.db, { name: 'K/S Nordhavn' })
  folders = await foldersByName(test.db, project.id)
  await sql`delete from duties`.execute(test.db) // those of the template's own expectations
})

const titles = (rows: Duty[]) => rows.map(dutyTitle)

/** Expects a paper of a period that ended some days ago, at last some days from now. */
async function expectPaper(
  folder: string,
  period: string,
  { ended = 100, due }: { ended?: number; due: number },
) {
  await sql`
    insert into duties (folder_id, period, project_id, starts_on, ends_on, due_on)
    values (${folders[folder]!}, ${period}, ${project.id}, ${`${period.slice(0, 4)}-12-01`}, ${inDays(-ended)}, ${inDays(due)})`.execute(
    test.db,
  )
}

async function read(who = office): Promise<{ day: OfficeDay | null; body: string }> {
  const { body } = await who.visitor.get('/')
  return { day: propsIn<StartPageProps>(body).day, body }
}

/** Adds a duty with its last day some days from now; with a folder, its paper fulfils it. */
async function addDuty(title: string, due: number, folder?: string) {
  await sql`
    with rule as (insert into obligations (title, due_rule) values (${title}, 'months') returning id)
    insert into duties (obligation_id, project_id, period, starts_on, ends_on, due_on, folder_id, responsible_id)
    select id, ${project.id}, '2025', '2025-01-01', '2025-12-31', ${inDays(due)}, ${folder ? folders[folder]! : null}, ${office.id}
    from rule`.execute(test.db)
}

it('late and next duties are shown, whoever asks for them', async () => {
  await addDuty('Reelle ejere undersøgt', -5)
  await addDuty('Årsrapport indsendt', -3, 'Årsrapport')
  await addDuty('Momsregnskab', 10)
  await addDuty('Udført', -1)
  await sql`update duties set done_at = now() where obligation_id = (select id from obligations where title = 'Udført')`.execute(
    test.db,
  )
  const { day, body } = await read()
  expect([day!.late.total, titles(day!.late.rows)]).toEqual([
    2,
    ['Årsrapport indsendt 2025', 'Reelle ejere undersøgt 2025'],
  ])
  expect(titles(day!.next)).toEqual(['Momsregnskab 2025'])
  expect(body).toContain(`href="${urls.yearList}?state=late"`)
})

describe('papers', () => {
  it('papers are late, next or missing, and counted by kind and month', async () => {
    await expectPaper('Årsrapport', '2025', { due: -3 })
    await expectPaper('Årsrapport', '2024', { due: -400 })
    await expectPaper('Budget', '2026', { due: 0 })
    await expectPaper('Kvartalsrapport', '2026-Q3', { due: 14 })
    await expectPaper('Kvartalsrapport', '2026-Q4', { ended: -40, due: 100 })
    const { day, body } = await read()
    expect([day!.late.total, titles(day!.late.rows)]).toEqual([2, ['Årsrapport 2025', 'Årsrapport 2024']])
    expect(titles(day!.next)).toEqual([
      'Budget 2026',
      'Kvartalsrapport 3. kvartal 2026',
      'Kvartalsrapport 4. kvartal 2026',
    ])
    expect(day!.missing).toEqual({
      rows: [
        { name: 'Budget', count: 1 },
        { name: 'Kvartalsrapport', count: 1 },
      ],
      total: 2,
    })
    expect(day!.months.reduce((sum, { count }) => sum + count, 0)).toBe(4)
    for (const text of ['Forsinket (2)', '3 dage', 'Næste frister', 'I dag', 'Mangler (2)'])
      expect(body).toContain(text)
    expect(body).toContain(`href="${urls.uploadTo(project.id, folders.Årsrapport!)}"`)
  })

  it('papers that are there, drafts or excused are not counted', async () => {
    for (const [folder, isHeldBack] of [
      ['Årsrapport', false],
      ['Budget', true],
    ] as const) {
      await expectPaper(folder, '2025', { due: -3 })
      const { id } = await makeFile(test, folders[folder]!, { name: 'a.pdf', isHeldBack })
      await sql`update files set period = '2025' where id = ${id}`.execute(test.db)
    }
    await expectPaper('Diverse', '2025', { due: -3 })
    await sql`update duties set excuse = 'Solgt', excused_at = now() where folder_id = ${folders.Diverse!}`.execute(
      test.db,
    )
    const { day, body } = await read()
    expect([day!.late, day!.next, day!.missing.total]).toEqual([{ rows: [], total: 0 }, [], 0])
    for (const text of ['Forsinket', 'Næste frister', 'Mangler', 'Venter'])
      expect(body.replace(/<script[\s\S]*/, '')).not.toContain(text)
  })

  it('papers are counted up to 500, and shown up to six', async () => {
    await sql`
      insert into folders (project_id, name, sub_names, visible_to_investors, place)
      select ${project.id}, 'Mappe ' || n, '{}', true, 100 + n from generate_series(1, 60) as n`.execute(
      test.db,
    )
    await sql`
      insert into duties (folder_id, period, project_id, starts_on, ends_on, due_on)
      select folders.id, (2000 + n)::text, ${project.id}, '2020-01-01', '2020-12-31', '2021-06-30'
      from folders cross join generate_series(1, 9) as n where name like 'Mappe %'`.execute(test.db)
    const { day, body } = await read()
    expect([day!.late.total, day!.late.rows.length]).toEqual([501, 6])
    expect(body).toContain('Forsinket (mere end 500)')
  })
})

/** Saves an upload of the reader with one file, and its release. */
async function release(state: string, more: { by?: number; files?: string[]; reached?: number } = {}) {
  const by = more.by ?? office.id
  const { rows } = await sql<{ id: number; submission_id: number }>`
    with saved as (
      insert into submissions (user_id, key, content) values (${by}, ${randomUUID()}, '') returning id
    )
    insert into releases (submission_id, made_by, state, publish_at, published_at, asked_at, reached, announced_at)
    select id, ${by}, ${state}, now(), now(), now(), ${more.reached ?? 0}, now() from saved
    returning id, submission_id`.execute(test.db)
  const { id, submission_id: submissionId } = rows[0]!
  const made = []
  for (const name of more.files ?? ['a.pdf'])
    made.push(
      await makeFile(test, folders.Budget!, {
        name,
        submissionId,
        isHeldBack: state !== 'published',
      }),
    )
  return { id, files: made }
}

describe('what waits', () => {
  it('counts drafts with files, own questions, the inbox and failed mails', async () => {
    const colleague = await enter(test, 'administrator')
    const investor = await enter(test, 'investor')
    await release('draft')
    await release('draft', { by: colleague.id })
    await release('draft', { files: [] })
    await release('waiting')
    await release('waiting', { by: colleague.id })
    const { rows } = await sql<{ id: number }>`
      insert into submissions (user_id, key, content) values (${investor.id}, 'sendt', '') returning id`.execute(
      test.db,
    )
    await makeFile(test, folders.Budget!, {
      fromInvestor: true,
      uploadedBy: investor.id,
      submissionId: rows[0]!.id,
    })
    await sql`
      insert into failed_mails (job_id, user_id, is_final) values (${randomUUID()}, ${investor.id}, true)`.execute(
      test.db,
    )
    const { day, body } = await read()
    expect(day!.waiting).toEqual({
      drafts: 2,
      asked: 1,
      never: 0,
      inbox: { new: 1, mine: 0 },
      receipts: { proposed: 0, misfits: 0 },
      failed_mails: { count: 1, person: investor.id },
      unread: [],
    })
    for (const text of [
      '1 ny i indbakken',
      '1 udsendelse fra dig venter på godkendelse',
      '2 kladder er ikke udgivet',
      '1 mail kunne ikke sendes',
    ])
      expect(body).toContain(`>${text}</a>`)
    expect((await read(colleague)).day!.waiting.asked).toBe(1)
  })

  it('lists releases that somebody has not opened, with how many have', async () => {
    const readers = [await enter(test, 'investor'), await enter(test, 'investor')]
    const { id, files } = await release('published', { reached: 2, files: ['a.pdf', 'b.pdf'] })
    const opens = (who: Entered, file: { id: number }) =>
      sql`insert into file_reads (user_id, file_id) values (${who.id}, ${file.id}), (${office.id}, ${file.id}) on conflict do nothing`.execute(
        test.db,
      )
    await opens(readers[0]!, files[0]!)
    await opens(readers[0]!, files[1]!)
    const { day, body } = await read()
    expect(day!.waiting.unread).toEqual([
      {
        id,
        name: expect.stringMatching(/ · K\/S Nordhavn$/),
        published_at: expect.any(String),
        reached: 2,
        opened: 1,
        is_least: false,
      },
    ])
    expect(body).toContain('1 af 2 har åbnet')
    expect(body).toContain(`href="${urls.unopened(id)}"`)
    await opens(readers[1]!, files[1]!)
    expect((await read()).day!.waiting.unread).toEqual([])
  })
})

describe('who never came', () => {
  it('counts people until they come or are deactivated', async () => {
    const [waiting, gone] = [
      await makeUser(test.db, { passwordHash: null }),
      await makeUser(test.db, { passwordHash: null }),
    ]
    await makeUser(test.db) // has come
    await sql`update users set deactivated_at = now() where id = ${gone.id}`.execute(test.db)
    const { day, body } = await read()
    expect(day!.waiting.never).toBe(1)
    expect(body).toContain('1 person har aldrig logget ind')
    expect(body).toContain(`href="${urls.filteredUsers('?filter=never')}"`)
    await sql`update users set password_hash = 'x' where id = ${waiting.id}`.execute(test.db)
    expect((await read()).day!.waiting.never).toBe(0)
  })
})

it.each(['auditor', 'investor', 'adviser'] satisfies Role[])(
  'the office’s day is not shown to %s',
  async (role) => {
    await expectPaper('Årsrapport', '2025', { due: -3 })
    expect((await read(await enter(test, role))).day).toBeNull()
  },
)
