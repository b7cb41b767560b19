import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asOwner } from '../../test/database.ts'
import { freshApp, type TestApp } from '../../test/app.ts'
import { enter, type Entered } from '../../test/enter.ts'
import { foldersByName, makeManyFiles, makeProject, makeUser } from '../../test/make.ts'
import type { Page } from '../base/pagination.ts'
import { urls } from '../urls.ts'
import type { ReleasePerson } from './release/release.ts'
import type { ReleasePaper } from './release/release-paper.ts'
import { addRelease } from './steps/releases.db.ts'

let test: TestApp
let office: Entered
let budget: number
let release: number
let files: number[]
let project: { id: number }
let people: { anna: number; bo: number; carl: number }

beforeAll(async () => {
  test = await freshApp({
    hasJobs: false,
    env: { REQUESTS_PER_MINUTE: '100000', TIME_ZONE: 'Europe/Copenhagen' },
  })
  office = await enter(test, 'employee')
})

beforeEach(async () => {
  const make = async (name: string) => (await makeUser(test.db, { name, role: 'investor' })).id
  people = { anna: await make('Anna Ask'), bo: await make('Bo Birk'), carl: await make('=Carl') }
  project = await makeProject(test.db, { members: Object.values(people) })
  budget = (await foldersByName(test.db, project.id)).Budget!
  ;({ release, files } = await publish(budget, ['A.pdf', 'B.pdf']))
})

/** Publishes files in a folder. */
async function publish(folder: number, names: string[]) {
  const { rows } = await sql<{ id: number }>`
    insert into submissions (user_id, key, content) values (${office.id}, ${crypto.randomUUID()}, '')
    returning id`.execute(test.db)
  const submission = rows[0]!.id
  const ids = await makeManyFiles(test.db, folder, names.length)
  for (const [index, id] of ids.entries())
    await sql`update files set submission_id = ${submission}, name = ${names[index]!} where id = ${id}`.execute(
      test.db,
    )
  await test.db.transaction().execute((trx) => addRelease(trx, office.id, submission, { way: 'now' }))
  const made = await sql<{ id: number }>`
    select id from releases where submission_id = ${submission}`.execute(test.db)
  return { release: made.rows[0]!.id, files: ids }
}

const open = (person: number, file: number, at: string) =>
  sql`insert into file_reads (user_id, file_id, at) values (${person}, ${file}, ${at})`.execute(test.db)

const list = async (query = '') =>
  (await office.visitor.get(urls.listReleasePeople(release) + query)).json<Page<ReleasePerson>>()

const namesOf = async (query: string) => (await list(query)).data.map(({ name }) => name)

it('lists people who have opened something, who have not, and whom no mail reached', async () => {
  await open(people.anna, files[0]!, '2026-11-16T09:02:00Z')
  await sql`insert into release_people (release_id, user_id, outcome, reason)
    values (${release}, ${people.bo}, 'failed', '550 No such user')`.execute(test.db)
  expect(await namesOf('')).toEqual(['=Carl', 'Anna Ask', 'Bo Birk'])
  expect(await namesOf('?filter=opened')).toEqual(['Anna Ask'])
  expect(await namesOf('?filter=unopened')).toEqual(['=Carl', 'Bo Birk'])
  expect(await namesOf('?filter=unopened&q=birk')).toEqual(['Bo Birk'])
  expect(await namesOf('?filter=failed')).toEqual(['Bo Birk'])
  expect((await office.visitor.get(`${urls.listReleasePeople(release)}?filter=x`)).statusCode).toBe(422)
  const { body } = await office.visitor.get(`${urls.releaseTab(release, 'recipients')}?filter=opened`)
  expect(body).toContain('Viser kun: Har åbnet')
  expect(body).not.toContain('Bo Birk')
  // Where the people stood before.
  for (const query of ['?filter=opened&q=a', '?sort[column]=opened&sort[direction]=desc']) {
    const old = await office.visitor.get(urls.release(release) + query)
    expect([old.statusCode, old.headers.location]).toEqual([
      302,
      urls.releaseTab(release, 'recipients') + query,
    ])
  }
})

it('lists what each person has opened and when, and what they have not', async () => {
  await open(people.anna, files[1]!, '2026-11-16T09:02:00Z')
  const { data } = await list('?q=anna')
  expect(data[0]!.named).toEqual([
    { id: files[0], name: 'A.pdf', opened_at: null },
    { id: files[1], name: 'B.pdf', opened_at: '2026-11-16T09:02:00.000Z' },
  ])
  const { body } = await office.visitor.get(urls.releaseTab(release, 'recipients'))
  expect(body).toContain('B.pdf: åbnet 16/11/2026 10.02')
  expect(body).toContain('A.pdf: ikke endnu')
})

it('does not list a file that a person never could see, and keeps one that they opened and cannot see now', async () => {
  const other = await makeProject(test.db, { members: [people.bo] })
  const { Budget: theirs } = await foldersByName(test.db, other.id)
  await sql`update files set folder_id = ${theirs!} where id = ${files[1]!}`.execute(test.db)
  await open(people.carl, files[1]!, '2026-11-16T09:02:00Z')
  const { data } = await list()
  const named = Object.fromEntries(data.map((row) => [row.name, row.named.map(({ name }) => name)]))
  expect(named).toEqual({
    'Anna Ask': ['A.pdf'],
    'Bo Birk': ['A.pdf', 'B.pdf'],
    '=Carl': ['A.pdf', 'B.pdf'],
  })
})

it('lists a bounded number of files', async () => {
  ;({ release } = await publish(
    budget,
    Array.from({ length: 45 }, (_, index) => `Bilag ${index + 1}.pdf`),
  ))
  const { data } = await list('?q=anna')
  expect(data[0]!.named).toHaveLength(30)
  const { body } = await office.visitor.get(`${urls.releaseTab(release, 'recipients')}?q=anna`)
  expect(body.replaceAll('<!-- -->', '')).toContain('… og 15 papirer mere')
})

it('a page past the end has the total, and an unknown release is not found', async () => {
  const { data, meta } = await list('?page=7')
  expect(data).toEqual([])
  expect(meta).toMatchObject({ total: 3, current_page: 7, last_page: 1, prev_page: 1 })
  expect((await office.visitor.get(`${urls.releaseTab(release, 'recipients')}?page=7`)).body).toContain(
    'Intet fundet...',
  )
  for (const url of [urls.listReleasePeople(999_999), urls.releasePeopleCsv(999_999)])
    expect((await office.visitor.get(url)).statusCode).toBe(404)
})

it('a CSV has a line for each person and file', async () => {
  await open(people.anna, files[0]!, '2026-11-16T09:02:00Z')
  await asOwner(
    test.db,
    sql`insert into log (act, user_id, file_id, at)
    values ('file-downloaded', ${people.anna}, ${files[0]!}, '2026-11-16T09:05:00Z')`,
  )
  await sql`insert into release_people (release_id, user_id, outcome, told_at)
    values (${release}, ${people.anna}, 'sent', '2026-11-16T08:00:00Z'), (${release}, ${people.bo}, 'failed', null)`.execute(
    test.db,
  )
  const { body, headers } = await office.visitor.get(urls.releasePeopleCsv(release))
  expect(headers['content-disposition']).toContain(`udsendelse-${release}-personer.csv`)
  const lines = body
    .slice(1)
    .split('\r\n')
    .map((line) => line.replaceAll(/[^;]+@[^;]+/g, 'E-mail'))
  expect(lines).toEqual([
    'Navn;E-mail;Fil;Besked;Åbnet første gang;Hentet første gang',
    "'=Carl;E-mail;A.pdf;;Ikke endnu;",
    "'=Carl;E-mail;B.pdf;;Ikke endnu;",
    'Anna Ask;E-mail;A.pdf;16/11/2026 09:00:00;16/11/2026 10:02:00;16/11/2026 10:05:00',
    'Anna Ask;E-mail;B.pdf;16/11/2026 09:00:00;Ikke endnu;',
    'Bo Birk;E-mail;A.pdf;Kom ikke frem;Ikke endnu;',
    'Bo Birk;E-mail;B.pdf;Kom ikke frem;Ikke endnu;',
    '',
  ])
  const found = await office.visitor.get(`${urls.releasePeopleCsv(release)}?filter=opened`)
  expect(found.body.split('\r\n')).toHaveLength(4)
})

describe('the figure of a release elsewhere', () => {
  const text = async (who: Entered, url: string) =>
    (await who.visitor.get(url)).body.replaceAll('<!-- -->', '').replaceAll(/<[^>]+>/g, '')

  const join = (who: Entered) =>
    sql`insert into project_members (project_id, user_id) values (${project.id}, ${who.id})`.execute(test.db)

  it('a project’s page shows who has opened its newest release', async () => {
    await open(people.anna, files[0]!, '2026-11-16T09:02:00Z')
    expect(await text(office, urls.files(project.id))).toMatch(/2 filer \d\d\/\d\d\/\d{4} · 1 af 3 har åbnet/)
    const { release: newer } = await publish(budget, ['C.pdf'])
    expect(await text(office, urls.files(project.id))).toMatch(/1 fil \d\d\/\d\d\/\d{4} · 0 af 3 har åbnet/)
    await office.visitor.post(urls.releaseAct(newer, 'recall'), {}, { script: true })
    expect(await text(office, urls.files(project.id))).toMatch(/2 filer \d\d\/\d\d\/\d{4} · 1 af 3 har åbnet/)
  })

  it('the figure counts only the project’s own files and people', async () => {
    const other = await makeProject(test.db, { members: [people.bo] })
    const { Budget: theirs } = await foldersByName(test.db, other.id)
    await sql`update files set folder_id = ${theirs!} where id = ${files[1]!}`.execute(test.db)
    await open(people.bo, files[1]!, '2026-11-16T09:02:00Z')
    expect(await text(office, urls.files(project.id))).toContain('· 0 af 3 har åbnet')
    expect(await text(office, urls.files(other.id))).toContain('· 1 af 1 har åbnet')
    const empty = await makeProject(test.db)
    expect(await text(office, urls.files(empty.id))).not.toContain('Senest udgivet')
  })

  it('a file’s history shows who has opened that file', async () => {
    await open(people.anna, files[0]!, '2026-11-16T09:02:00Z')
    await open(office.id, files[0]!, '2026-11-16T09:02:00Z')
    const { body } = await office.visitor.get(urls.fileHistory(files[0]!))
    expect(body).toContain('1 af 3 uden for kontoret, der kan se filen, har åbnet den.')
    expect(body).toContain(`href="${urls.release(release)}"`)
    await office.visitor.post(urls.releaseAct(release, 'recall'), {}, { script: true })
    expect((await office.visitor.get(urls.fileHistory(files[0]!))).body).toContain(
      'Ingen uden for kontoret kan se filen nu.',
    )
  })

  it.each(['investor', 'auditor'] as const)('the figure is not shown to an %s', async (role) => {
    const who = await enter(test, role)
    await join(who)
    await open(people.anna, files[0]!, '2026-11-16T09:02:00Z')
    const page = await who.visitor.get(urls.files(project.id))
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('A.pdf')
    expect(page.body).toContain('"release":null')
    expect(page.body).not.toContain('har åbnet')
    expect(page.body).not.toContain('Senest udgivet')
    const listed = await who.visitor.get(urls.listFolders(project.id))
    expect(listed.body).not.toMatch(/reached|opened/)
    for (const url of [
      urls.fileHistory(files[0]!),
      urls.listFileHistory(files[0]!),
      urls.release(release),
      urls.releaseTab(release, 'recipients'),
      urls.releaseTab(release, 'mails'),
      urls.releaseTab(release, 'history'),
      urls.listReleasePapers(release),
      urls.listReleasePeople(release),
      urls.releasePeopleCsv(release),
    ])
      expect((await who.visitor.get(url)).statusCode).toBe(403)
  })
})

it('a release of 184 papers for 288 people is shown in pages', async () => {
  const members = []
  for (let each = 0; each < 288; each++) members.push((await makeUser(test.db, { role: 'investor' })).id)
  const big = await makeProject(test.db, { members })
  const names = Array.from({ length: 184 }, (_, index) => `Bilag ${index + 1}.pdf`)
  const made = await publish((await foldersByName(test.db, big.id)).Budget!, names)
  for (const tab of ['papers', 'recipients', 'mails', 'history'] as const) {
    const { body } = await office.visitor.get(urls.releaseTab(made.release, tab))
    expect(body.match(/<tr/g)?.length ?? 0).toBeLessThanOrEqual(26)
    // The people's files are unfolded by a press, 30 for each.
    expect(body.length).toBeLessThan(tab === 'recipients' ? 300_000 : 120_000)
  }
  const page = (await office.visitor.get(urls.listReleasePapers(made.release))).json<Page<ReleasePaper>>()
  expect(page.meta.total).toBe(184)
  expect(page.data).toHaveLength(25)
  expect(page.data[0]).toMatchObject({ name: 'Bilag 1.pdf', is_version: false, readers: { total: 288 } })
  expect(page.data[0]!.readers.first).toHaveLength(8)
})
