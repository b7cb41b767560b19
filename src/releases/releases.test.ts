import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { enter, type Entered } from '../../test/enter.ts'
import { foldersByName, makeProject, makeUser, makeUserFolder } from '../../test/make.ts'
import { propsIn } from '../../test/page-data.ts'
import { receiveTemporaryFile } from '../uploads/transport/temporary.db.ts'
import { fileUrls, urls } from '../urls.ts'
import type { ReleasePageProps } from './release-page.tsx'
import type { Opening, Reach, ReleasePerson, ReleaseRow } from './release/release.ts'
import { publishPlanned } from './steps/publish-planned.db.ts'

let test: TestApp
let office: Entered
let investor: Entered
let auditor: Entered
let project: { id: number; number: string; name: string }
let folders: Record<string, number>

beforeAll(async () => {
  test = await freshApp({
    hasJobs: false,
    env: { REQUESTS_PER_MINUTE: '100000', TIME_ZONE: 'Europe/Copenhagen' },
  })
  office = await enter(test, 'employee')
})

beforeEach(async () => {
  investor = await enter(test, 'investor')
  auditor = await enter(test, 'auditor')
  project = await makeProject(test.db, { members: [investor.id, auditor.id] })
  folders = await foldersByName(test.db, project.id)
})

const json = async <Body>({ visitor }: Entered, url: string) => (await visitor.get(url)).json<Body>()

const nameOf = (what: string) => `Budget (${project.number}) ${what}.pdf`

/** Saves files in a folder, as the form does, and returns the release. */
async function save(names: string[], more: Record<string, string> = {}, folder = 'Budget') {
  const files: Record<string, object> = {}
  for (const [index, name] of names.entries()) {
    const bytes = Readable.from([Buffer.from(`%PDF-1.7 ${name} ${Math.random()}`)])
    const { hash_name: data } = await receiveTemporaryFile(test, office.id, name, bytes, 1e6)
    files[`f${index}`] = { name, data, mime: 'application/pdf' }
  }
  const reply = await office.visitor.post(
    urls.uploadTo(project.id, folders[folder]!),
    { files, ...more },
    { script: true },
  )
  if (reply.statusCode !== 200)
    return { status: reply.statusCode, errors: reply.json<{ errors: object }>().errors }
  const { rows } = await sql<{ id: number }>`select max(id) as id from releases`.execute(test.db)
  return { status: 200, release: rows[0]!.id }
}

const act = async (release: number, what: string, fields: Record<string, string> = {}, who = office) => {
  const reply = await who.visitor.post(urls.releaseAct(release, what), fields, { script: true })
  return { status: reply.statusCode, ...reply.json<{ message?: string; errors?: object }>() }
}

const stateOf = async (release: number) => {
  const { rows } = await sql<{ state: string }>`select state from releases where id = ${release}`.execute(
    test.db,
  )
  return rows[0]!.state
}

/** The names that somebody finds in a folder, and the count shown to them. */
async function seenBy(who: Entered, folder = 'Budget') {
  const { data, meta } = await json<{ data: { name: string; path: string }[]; meta: { total: number } }>(
    who,
    fileUrls.list({ project: project.id }, folders[folder]!),
  )
  return { names: data.map(({ name }) => name), total: meta.total, paths: data.map(({ path }) => path) }
}

const rowOf = async (release: number) => {
  const { data } = await json<{ data: ReleaseRow[] }>(office, urls.listReleases)
  return data.find(({ id }) => id === release)
}

async function propsOf(release: number) {
  const { body } = await office.visitor.get(urls.releaseTab(release, 'history'))
  return propsIn<ReleasePageProps>(body)
}

async function openingsOf(release: number): Promise<Opening[]> {
  const { part } = await propsOf(release)
  return part.tab === 'history' ? part.openings.data : []
}

it('does not promise a mail if none can be sent', async () => {
  const { release } = await save([nameOf('Uden mail')])
  const page = async () => (await office.visitor.get(urls.release(release!))).body.replaceAll('<!-- -->', '')
  expect(await page()).toContain('Ingen får mail, for der er ingen mailserver.')
  await sql`update releases set announced_at = now() where id = ${release!}`.execute(test.db)
  await sql`insert into release_people (release_id, user_id, outcome, told_at)
    values (${release!}, ${investor.id}, 'sent', now())`.execute(test.db)
  expect(await page()).not.toContain('har fået mail')
  // A reminder would be no mail either.
  expect(await page()).not.toContain('Send påmindelse')
  expect(await page()).toContain('Ingen får mail eller påmindelse, for der er ingen mailserver.')
  await sql`insert into mailings (kind, release_id, user_ids, message, asked_by)
    values ('reminder', ${release!}, array[${investor.id}]::bigint[], '', ${office.id})`.execute(test.db)
  const mails = await office.visitor.get(urls.releaseTab(release!, 'mails'))
  expect(mails.body.replaceAll('<!-- -->', '')).toContain('1 person lægges på serveren, ikke sendt, tidligst')
})

it('the page of a release has one word for its papers, in each state', async () => {
  const { release } = await save([nameOf('Ord')], { publish: 'draft' })
  for (const step of [null, 'publish', 'recall'] as const) {
    if (step !== null) expect(await act(release!, step)).toMatchObject({ status: 200 })
    for (const tab of ['papers', 'recipients', 'history'] as const) {
      const { body } = await office.visitor.get(urls.releaseTab(release!, tab))
      const [main = ''] = /<main.*<\/main>/s.exec(body) ?? []
      expect(main).toMatch(/papirer/i)
      expect(main.replaceAll(/<[^>]*>/g, ' ')).not.toMatch(/(?<![\p{L}])filer(ne)?(?!\p{L})/iu)
    }
  }
})

it('a release is named after its papers until the office gives it a name, in the list, on its page and to a search', async () => {
  const { release } = await save([
    `Budget (${project.number}) 2027.pdf`,
    `Budget (${project.number}) 2027 b.pdf`,
  ])
  const made = `Budget 2027 · ${project.name}`
  const now = async () => [(await rowOf(release!))?.name, (await propsOf(release!)).release.name]
  expect(await now()).toEqual([made, made])

  expect(await act(release!, 'name', { name: ' Årets  budget ' })).toMatchObject({ status: 200 })
  expect(await now()).toEqual(['Årets budget', 'Årets budget'])
  const found = await json<{ data: ReleaseRow[] }>(office, `${urls.listReleases}?q=Årets`)
  expect(found.data.map(({ id }) => id)).toEqual([release])

  expect(await act(release!, 'name', { name: 'x'.repeat(121) })).toMatchObject({ status: 422 })
  expect(await act(release!, 'name', { name: 'Mit' }, investor)).toMatchObject({ status: 403 })
  await sql`update files set deleted_at = now() where submission_id = (select submission_id from releases where id = ${release!})`.execute(
    test.db,
  )
  for (const name of ['', made]) {
    await act(release!, 'name', { name })
    expect(await now()).toEqual([made, made])
  }
})

describe('a form that is published at once', () => {
  it('files published at once are shown to everybody who sees the folder, and the release says whom it reached', async () => {
    const { release } = await save([nameOf('A'), nameOf('B')])
    expect((await seenBy(investor)).names).toHaveLength(2)
    expect(await rowOf(release!)).toMatchObject({ state: 'published', files_count: 2, reached: 2, opened: 0 })
  })

  it('a form published at once is not listed if nobody outside the office can see it', async () => {
    const { release } = await save([nameOf('A')], {}, 'Bestyrelsesmøder')
    expect(await rowOf(release!)).toMatchObject({ reached: 1 }) // the auditor
    await sql`delete from project_members where project_id = ${project.id}`.execute(test.db)
    const { release: hidden } = await save([nameOf('B')], {}, 'Bestyrelsesmøder')
    expect(await rowOf(hidden!)).toBeUndefined()
  })
})

describe('a draft', () => {
  it('only the office sees a draft, in lists, counts, by address, and among the news', async () => {
    await save([nameOf('gammel')])
    const before = await seenBy(investor)
    const listed = async (who: Entered) =>
      (
        await json<{ data: { id: number; files_count: number; new_count: number; updated_at: string }[] }>(
          who,
          urls.listProjects,
        )
      ).data.find(({ id }) => id === project.id)!
    const was = { investor: await listed(investor), auditor: await listed(auditor) }
    const { release } = await save([nameOf('kladde')], { publish: 'draft' })
    const own = await seenBy(office)
    expect(own.names).toEqual([nameOf('kladde'), nameOf('gammel')])
    expect(await seenBy(investor)).toEqual(before)
    expect(await seenBy(auditor)).toEqual(before)
    expect({ investor: await listed(investor), auditor: await listed(auditor) }).toEqual(was)
    expect((await listed(office)).files_count).toBe(2)
    for (const who of [investor, auditor])
      for (const way of ['open', 'download'] as const) {
        const { statusCode } = await who.visitor.get(fileUrls[way]({ project: project.id }, own.paths[0]!))
        expect(statusCode).toBe(404)
      }
    expect(await rowOf(release!)).toMatchObject({ state: 'draft', reached: null })
  })

  it('a draft becomes new to its readers when it is published, not when it was uploaded', async () => {
    const { release } = await save([nameOf('kladde')], { publish: 'draft' })
    for (const who of [investor, auditor]) await who.visitor.post(urls.seen, {}, { script: true })
    expect(await act(release!, 'publish')).toMatchObject({ status: 200 })
    for (const who of [investor, auditor]) {
      const { data } = await json<{ data: { id: number; new_count: number }[] }>(who, urls.listProjects)
      expect(data.find(({ id }) => id === project.id)).toMatchObject({ new_count: 1 })
    }
    expect(await rowOf(release!)).toMatchObject({ state: 'published', reached: 2 })
    const { rows } = await sql<{ act: string }>`
      select act || coalesce(' ' || detail, '') as act from log join files on files.id = log.file_id
      where files.name = ${nameOf('kladde')} order by log.id`.execute(test.db)
    expect(rows.map((row) => row.act)).toEqual(['file-added draft', 'file-published'])
  })

  it('a draft does not warn of sharing, and the same files published at once are another form', async () => {
    const key = `noegle-${Math.random()}`.replaceAll('.', '')
    expect(await save([nameOf('A')], { publish: 'draft', shared: '', submission: key })).toMatchObject({
      status: 200,
    })
    expect(await save([nameOf('A')], { shared: '', submission: key })).toMatchObject({ status: 409 })
  })

  it('a draft never hides an investor’s own paper, and its bytes are not revealed to them', async () => {
    const folder = await makeUserFolder(test.db, investor.id)
    const name = 'Skat 2026.pdf'
    const upload = async (who: Entered, url: string, more: object) => {
      const { hash_name: data } = await receiveTemporaryFile(
        test,
        who.id,
        name,
        Readable.from([Buffer.from('%PDF-1.7 de samme bytes')]),
        1e6,
      )
      return (
        await who.visitor.post(url, { files: { a: { name, data } }, keep: '', ...more }, { script: true })
      ).statusCode
    }
    expect(await upload(office, urls.uploadToUser(investor.id), { publish: 'draft' })).toBe(200)
    expect(await upload(investor, urls.myFiles, {})).toBe(200)
    const { rows } = await sql`
      select from files where folder_id = ${folder} and from_investor and not is_held_back`.execute(test.db)
    expect(rows).toHaveLength(1)
  })

  it('a draft does not give a person their first folder, and shows the day it was published', async () => {
    const files = { a: { name: 'Brev.pdf', data: '' } }
    const bytes = Readable.from([Buffer.from('%PDF-1.7 brev')])
    files.a.data = (await receiveTemporaryFile(test, office.id, 'Brev.pdf', bytes, 1e6)).hash_name
    const own = () => json<{ data: { id: number }[] }>(investor, urls.listUserFolders(investor.id))
    const before = await own()
    await office.visitor.post(urls.uploadToUser(investor.id), { files, publish: 'draft' }, { script: true })
    expect(await own()).toEqual(before)
    const folder = await makeUserFolder(test.db, investor.id)
    const list = fileUrls.list({ user: investor.id }, folder)
    expect((await investor.visitor.get(list)).statusCode).toBe(404)
    await sql`update files set created_at = '2020-01-01' where folder_id = ${folder}`.execute(test.db)
    const { rows } = await sql<{ id: number }>`select max(id) as id from releases`.execute(test.db)
    await act(rows[0]!.id, 'publish')
    const { data } = await json<{ data: { created_at: string }[] }>(investor, list)
    expect(new Date(data[0]!.created_at).getUTCFullYear()).toBeGreaterThan(2020)
  })

  it('a draft’s state is hidden from a former employee, and it is no duplicate of what is published at once', async () => {
    const former = await enter(test, 'employee')
    const upload = async (more: Record<string, string>) => {
      const bytes = Readable.from([Buffer.from('%PDF-1.7 altid de samme')])
      const { hash_name: data } = await receiveTemporaryFile(test, former.id, 'Ens.pdf', bytes, 1e6)
      const fields = { files: { a: { name: 'Ens.pdf', data } }, keep: '', ...more }
      return former.visitor.post(urls.uploadTo(project.id, folders.Budget!), fields, { script: true })
    }
    await upload({ publish: 'draft', submission: 'tidligere-ansat' })
    await upload({})
    expect((await seenBy(investor)).names).toEqual(['Ens.pdf'])
    await sql`update users set role = 'investor' where id = ${former.id}`.execute(test.db)
    const { body } = await former.visitor.get(urls.uploadResult('tidligere-ansat'))
    expect(body).toContain('"release":null')
  })

  it('a draft can be deleted as a whole', async () => {
    const { release } = await save([nameOf('A'), nameOf('B')], { publish: 'draft' })
    expect(await act(release!, 'discard')).toMatchObject({ status: 200 })
    expect((await seenBy(office)).names).toEqual([])
    expect(await rowOf(release!)).toBeUndefined()
    const { meta } = await json<{ meta: { total: number } }>(office, fileUrls.trash({ project: project.id }))
    expect(meta.total).toBe(2)
  })
})

describe('a planned release', () => {
  const plan = { publish: 'later', publish_day: '2027-06-01', publish_time: '09.00' }

  it('a planned release is published at its time, not before, in its maker’s name', async () => {
    const { release } = await save([nameOf('A')], plan)
    await publishPlanned(test.db, test.jobs)
    expect(await stateOf(release!)).toBe('planned')
    expect((await seenBy(investor)).names).toEqual([])
    await sql`update releases set publish_at = now() where id = ${release!}`.execute(test.db)
    expect(
      await Promise.all([publishPlanned(test.db, test.jobs), publishPlanned(test.db, test.jobs)]),
    ).toContain(1)
    expect((await seenBy(investor)).names).toEqual([nameOf('A')])
    const { rows } = await sql`
      select from releases where id = ${release!} and published_by = ${office.id} and state = 'published'`.execute(
      test.db,
    )
    expect(rows).toHaveLength(1)
  })

  it('a planned release can get another time, become a draft, and be published at once', async () => {
    const { release } = await save([nameOf('A')], plan)
    const later = { publish_day: '02/06/2027', publish_time: '10' }
    expect(await act(release!, 'plan', later)).toMatchObject({ status: 200 })
    expect((await propsOf(release!)).release.publish_at).toBe('2027-06-02T08:00:00.000Z')
    expect(await act(release!, 'hold')).toMatchObject({ status: 200 })
    const { rows } = await sql<{ act: string }>`
      select act from log where detail = ${String(release!)} and act like 'release-%' order by id`.execute(
      test.db,
    )
    expect(rows.map((row) => row.act)).toEqual(['release-planned', 'release-held'])
    expect(await stateOf(release!)).toBe('draft')
    expect(await act(release!, 'publish')).toMatchObject({ status: 200 })
    expect(await act(release!, 'plan', later)).toMatchObject({ status: 409 })
  })

  it.each([
    [{ publish_day: '01/01/2020', publish_time: '09.00' }, 'publish_day'],
    [{ publish_day: '', publish_time: '09.00' }, 'publish_day'],
    [{ publish_day: '01/06/2027', publish_time: '25.00' }, 'publish_time'],
    [{ publish_day: '28/03/2027', publish_time: '02.30' }, 'publish_time'],
    [{ publish_day: 'x'.repeat(1000), publish_time: '09.00' }, 'publish_day'],
  ])('a plan for %o is refused at its field, and nothing is stored', async (time, field) => {
    const saved = await save([nameOf('A')], { ...plan, ...time })
    expect(saved).toMatchObject({ status: 422, errors: { [field]: [expect.any(String)] } })
    expect((await seenBy(office)).names).toEqual([])
    const { release } = await save([nameOf('A')], { publish: 'draft' })
    expect(await act(release!, 'plan', time)).toMatchObject({
      status: 422,
      errors: { [field]: [expect.any(String)] },
    })
    expect(await stateOf(release!)).toBe('draft')
  })
})

it('counts a paper that is held for two reasons once', async () => {
  const { release } = await save([nameOf('A')], { publish: 'draft' })
  await sql`
    insert into held_papers (blob_id, cause, found) select blob_id, cause, '[]' from files, unnest('{doubt,scan}'::text[]) as cause
    where submission_id = (select submission_id from releases where id = ${release!})`.execute(test.db)
  expect((await propsOf(release!)).held).toMatchObject({ papers: 1, reading: 1, total: 1 })
  const { body } = await office.visitor.get(urls.release(release!))
  expect(body).toContain('bliver 0 papirer udgivet med det samme. 1 papir er holdt tilbage')
})

it('a new version that waits has its own accepted warnings, and no openings yet', async () => {
  const { release: first } = await save([nameOf('A')])
  const owner = { project: project.id }
  await investor.visitor.get(fileUrls.open(owner, (await seenBy(investor)).paths[0]!))
  await expect.poll(async () => (await openingsOf(first!)).length).toBe(1)
  const { rows: files } = await sql<{ id: number }>`
    select id from files where submission_id = (select submission_id from releases where id = ${first!})`.execute(
    test.db,
  )
  const file = files[0]!.id
  const bytes = Readable.from([Buffer.from(`%PDF-1.7 ny ${Math.random()}`)])
  const { hash_name: data } = await receiveTemporaryFile(test, office.id, 'Ny.pdf', bytes, 1e6)
  const fields = { files: { f0: { name: 'Ny.pdf', data, mime: 'application/pdf' } }, publish: 'draft' }
  const replaced = await office.visitor.post(fileUrls.replace(owner, file), fields, { script: true })
  expect(replaced.statusCode).toBe(200)
  const { rows: drafts } = await sql<{ id: number }>`select max(id) as id from releases`.execute(test.db)
  const second = drafts[0]!.id
  expect([await openingsOf(second), (await openingsOf(first!)).length]).toEqual([[], 1])
  await sql`
    insert into log (act, user_id, file_id, detail) values ('contradiction-accepted', ${office.id}, ${file}, 'year')`.execute(
    test.db,
  )
  const accepted = async (release: number) => (await propsOf(release)).doubts.accepted.length
  expect([await accepted(first!), await accepted(second)]).toEqual([0, 1])
})

describe('a recall', () => {
  it('a recall hides every file at once, shows who had opened what, and can be undone', async () => {
    const { release } = await save([nameOf('A'), nameOf('B')])
    const { paths } = await seenBy(investor)
    const url = fileUrls.open({ project: project.id }, paths[0]!)
    expect((await investor.visitor.get(url)).statusCode).toBe(200)
    await expect.poll(async () => (await openingsOf(release!)).length).toBe(1)
    expect(await act(release!, 'recall')).toMatchObject({ status: 200 })
    expect((await seenBy(investor)).names).toEqual([])
    expect((await investor.visitor.get(url)).statusCode).toBe(404)
    expect((await auditor.visitor.get(url)).statusCode).toBe(404)
    expect((await office.visitor.get(url)).statusCode).toBe(200)
    const { counts } = await propsOf(release!)
    expect(await openingsOf(release!)).toMatchObject([{ file: paths[0]!.split('/')[1], is_download: false }])
    expect(counts).toMatchObject({ reached: 2, opened: 1 })
    const csv = await office.visitor.get(urls.releaseOpenings(release!))
    expect(csv.body.split('\r\n')[1]).toContain(`${paths[0]!.split('/')[1]};Åbnet`)
    expect(await act(release!, 'recall')).toMatchObject({ status: 409 })
    expect(await act(release!, 'undo-recall')).toMatchObject({ status: 200 })
    expect((await investor.visitor.get(url)).statusCode).toBe(200)
    expect((await seenBy(investor)).total).toBe(2)
  })

  it('a recall also covers a file in the trash, when that is restored', async () => {
    const { release } = await save([nameOf('A')])
    const { rows } = await sql<{ id: number }>`select id from files where name = ${nameOf('A')}`.execute(
      test.db,
    )
    const owner = { project: project.id }
    await office.visitor.post(fileUrls.file(owner, rows[0]!.id), {}, { script: true, method: 'DELETE' })
    await act(release!, 'recall')
    await office.visitor.post(fileUrls.restore(owner, rows[0]!.id), {}, { script: true })
    expect((await seenBy(office)).names).toEqual([nameOf('A')])
    expect((await seenBy(investor)).names).toEqual([])
    // Its history says why.
    const { rows: acts } = await sql<{ act: string }>`
      select act from log where file_id = ${rows[0]!.id} order by id`.execute(test.db)
    expect(acts.map((row) => row.act)).toEqual([
      'file-added',
      'file-deleted',
      'file-recalled',
      'file-restored',
    ])
  })
})

describe('who has opened what', () => {
  it('lists people by name or by who has not opened anything, and finds them by name', async () => {
    const { release } = await save([nameOf('A')])
    const { paths } = await seenBy(auditor)
    await auditor.visitor.get(fileUrls.download({ project: project.id }, paths[0]!))
    const list = async (query = '') =>
      (await json<{ data: ReleasePerson[] }>(office, `${urls.listReleasePeople(release!)}${query}`)).data
    await expect
      .poll(async () => (await list()).map(({ opened }) => opened).toSorted((a, b) => a - b))
      .toEqual([0, 1])
    const first = await list('?sort[column]=opened&sort[direction]=asc')
    expect(first.map(({ id, opened }) => [id, opened])).toEqual([
      [investor.id, 0],
      [auditor.id, 1],
    ])
    expect(await list('?q=findes+ikke')).toEqual([])
    expect(await rowOf(release!)).toMatchObject({ opened: 1, reached: 2 })

    // The list counts as the page does: with those who came later.
    const { id } = await makeUser(test.db)
    await sql`insert into project_members (project_id, user_id) values (${project.id}, ${id})`.execute(
      test.db,
    )
    expect(await rowOf(release!)).toMatchObject({ opened: 1, reached: 3 })
    expect((await propsOf(release!)).counts).toMatchObject({ opened: 1, reached: 3 })
  })

  it('says before saving whom files reach: people of the folder and of own files, each once', async () => {
    const other = await makeUser(test.db, { name: 'Åge Uindbudt', passwordHash: null })
    const gone = await makeUser(test.db)
    await sql`update users set deactivated_at = now() where id = ${gone.id}`.execute(test.db)
    const ask = async (folderNames: string[], users: number[] = []) =>
      (
        await office.visitor.post(
          urls.findReach,
          { folders: folderNames.map((name) => folders[name]), users },
          { script: true },
        )
      ).json<Reach>()
    expect(await ask(['Budget', 'Årsrapport'])).toMatchObject({ people: 2, never_in: 0 })
    expect(await ask(['Bestyrelsesmøder'])).toMatchObject({ people: 1 })
    expect(await ask(['Bestyrelsesmøder'], [other.id, investor.id, gone.id])).toMatchObject({
      people: 3,
      never_in: 1,
    })
    await sql`update users set mail_rate = 'never' where id = ${investor.id}`.execute(test.db)
    await sql`update users set mail_rate = 'weekly' where id = ${auditor.id}`.execute(test.db)
    expect(await ask(['Budget'], [other.id])).toMatchObject({ people: 3, no_mail: 1, later: 1 })
    expect(await ask([])).toEqual({
      people: 0,
      never_in: 0,
      no_mail: 0,
      uninvited: 0,
      sends_mail: false,
      later: 0,
      names: [],
      needs_approval: false,
    })
  })

  it('who has opened what is closed to those outside the office, and an unknown release is not found', async () => {
    const { release } = await save([nameOf('A')])
    for (const who of [investor, auditor]) {
      expect((await who.visitor.get(urls.release(release!))).statusCode).toBe(403)
      expect(await act(release!, 'recall', {}, who)).toMatchObject({ status: 403 })
    }
    expect((await office.visitor.get(urls.release(999_999))).statusCode).toBe(404)
    expect(await act(999_999, 'publish')).toMatchObject({ status: 404 })
  })
})
