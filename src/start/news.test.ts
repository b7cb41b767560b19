import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { danishDate } from '../base/time/dates.ts'
import { freshApp, type TestApp } from '../../test/app.ts'
import { enter, type Entered } from '../../test/enter.ts'
import { propsIn } from '../../test/page-data.ts'
import {
  foldersByName,
  makeFile,
  makeManyFiles,
  makeProject,
  makeUserFolder,
  NOBODY,
} from '../../test/make.ts'
import type { Page } from '../base/pagination.ts'
import { deleteFiles, moveFiles } from '../files/change/change.db.ts'
import type { FolderSection, StoredFile } from '../files/file/stored-file.ts'
import { restoreFiles } from '../files/trash/trash.db.ts'
import { changeFolder } from '../projects/folders.db.ts'
import { changeMembers } from '../projects/members.db.ts'
import type { Project, ProjectWithNews } from '../projects/project/project.ts'
import { receiveTemporaryFile } from '../uploads/transport/temporary.db.ts'
import { fileUrls, urls } from '../urls.ts'
import type { StartPageProps } from './start-page.tsx'

let test: TestApp
let office: Entered
let investor: Entered
let auditor: Entered
let other: Entered
let project: Project
let folders: Record<string, number>
let own: number

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  office = await enter(test, 'employee')
})
beforeEach(async () => {
  investor = await enter(test, 'investor')
  auditor = await enter(test, 'auditor')
  other = await enter(test, 'investor')
  project = await makeProject(test.db, { members: [investor.id, auditor.id, other.id] })
  folders = await foldersByName(test.db, project.id)
  own = await makeUserFolder(test.db, investor.id)
})

type ShownFile = { id: number; name: string; path: string }
const OLD = new Date('2020-01-01T00:00:00Z')
const add = (folder = folders.Budget!, more: Parameters<typeof makeFile>[2] = {}) =>
  makeFile(test, folder, more)
const owner = () => ({ project: project.id })
const asOffice = () => ({ id: office.id, role: 'employee' as const })
const open = (who: Entered, file: ShownFile, more = {}) =>
  who.visitor.get(fileUrls.open(owner(), file.path), more)

async function move(file: ShownFile, folder: string): Promise<void> {
  await test.db.transaction().execute((trx) =>
    moveFiles(trx, { actor: NOBODY, reader: asOffice() }, owner(), [file.id], {
      ...owner(),
      folder: folders[folder]!,
    }),
  )
}

const share = (name: string, isShared: boolean, subNames: string[] = []) =>
  test.db.transaction().execute((trx) =>
    changeFolder(trx, NOBODY, project.id, folders[name]!, {
      name,
      sub_names: subNames,
      visible_to_investors: isShared,
    }),
  )

async function start(who: Entered): Promise<StartPageProps> {
  const { body } = await who.visitor.get('/')
  return propsIn<StartPageProps>(body)
}

/** Returns a person's news, and checks that the start page, the lists and the counts agree. */
async function news(who: Entered): Promise<string[]> {
  const { data: projects } = (await who.visitor.get('/api/projects')).json<Page<ProjectWithNews>>()
  const counted = projects.find(({ id }) => id === project.id)?.new_count ?? 0
  const sections = (await who.visitor.get(`/api/projects/${project.id}/folders`)).json<Page<FolderSection>>()
  const listed: string[] = []
  for (const { files, new_files: more, new_count: count } of sections.data) {
    const found = [...files, ...more].filter(({ is_new: isNew }) => isNew).map(({ name }) => name)
    expect(count).toBe(found.length)
    listed.push(...found)
  }
  expect(counted).toBe(listed.length)
  const { news: shown, projects: shownProjects } = await start(who)
  const ofProject = shown?.files.filter((file) => file.project === project.name).map(({ name }) => name) ?? []
  expect(ofProject.sort()).toEqual(listed.sort())
  expect(shownProjects.find(({ id }) => id === project.id)?.new_count ?? 0).toBe(listed.length)
  return listed
}

const newOwn = async (who: Entered) =>
  (await who.visitor.get(`/api/users/${who.id}/files`))
    .json<Page<StoredFile>>()
    .data.filter(({ is_new: isNew }) => isNew)
    .map(({ name }) => name)

type Case = [what: string, act: () => Promise<unknown>, expected: { investor: number; auditor: number }]

describe('new files of a member', () => {
  it.each<Case>([
    ['a file that is added', () => add(), { investor: 1, auditor: 1 }],
    [
      'a file that is older than their membership',
      () => add(undefined, { createdAt: OLD }),
      { investor: 0, auditor: 0 },
    ],
    ['a file in a hidden folder', () => add(folders.Diverse), { investor: 0, auditor: 1 }],
    [
      'a file that they uploaded themselves',
      () => add(undefined, { uploadedBy: investor.id }),
      { investor: 0, auditor: 1 },
    ],
    ['a file that is deleted', async () => remove(await add()), { investor: 0, auditor: 0 }],
    ['a file that is deleted and restored', async () => restore(await add()), { investor: 1, auditor: 1 }],
    [
      'a file of another project',
      async () => add((await foldersByName(test.db, (await makeProject(test.db)).id)).Budget),
      { investor: 0, auditor: 0 },
    ],
    [
      'a file of another person',
      async () => add(await makeUserFolder(test.db, other.id)),
      { investor: 0, auditor: 0 },
    ],
    [
      'an old file that is moved from a hidden folder to a shared one',
      async () => move(await add(folders.Diverse, { createdAt: OLD }), 'Budget'),
      { investor: 1, auditor: 0 },
    ],
    [
      'an old file that is moved between shared folders',
      async () => move(await add(folders.Budget, { createdAt: OLD }), 'Forsikring'),
      { investor: 0, auditor: 0 },
    ],
    [
      'a new file that is moved to a hidden folder',
      async () => move(await add(), 'Diverse'),
      { investor: 0, auditor: 1 },
    ],
    [
      'old files in a folder that is shared later',
      async () => {
        await add(folders.Diverse, { createdAt: OLD })
        await add(folders.Diverse, { createdAt: OLD })
        await share('Diverse', true)
      },
      { investor: 2, auditor: 0 },
    ],
    [
      'files in a folder that is no longer shared',
      async () => {
        await add()
        await share('Budget', false)
      },
      { investor: 0, auditor: 1 },
    ],
    [
      'old files in a shared folder that gets another sub name',
      async () => {
        await add(folders.Budget, { createdAt: OLD })
        await share('Budget', true, ['Budgetter'])
      },
      { investor: 0, auditor: 0 },
    ],
    [
      'files that they have marked as read',
      async () => {
        await add()
        for (const who of [investor, auditor]) await who.visitor.post(`/projects/${project.id}/seen`)
      },
      { investor: 0, auditor: 0 },
    ],
    [
      'files that are added after they marked everything as read',
      async () => {
        for (const who of [investor, auditor]) await who.visitor.post('/seen')
        await add()
      },
      { investor: 1, auditor: 1 },
    ],
    [
      'files from before they became a member again',
      async () => {
        await add()
        const ids = [investor.id, auditor.id]
        for (const change of [{ remove: ids }, { add: ids }])
          await test.db
            .transaction()
            .execute((trx) =>
              changeMembers(trx, NOBODY, project.id, { add: [], remove: [], addByName: '', ...change }),
            )
      },
      { investor: 0, auditor: 0 },
    ],
  ])('%s', async (_what, act, expected) => {
    await act()
    expect({
      investor: (await news(investor)).length,
      auditor: (await news(auditor)).length,
      office: (await news(office)).length,
    }).toEqual({ ...expected, office: 0 })
  })

  const remove = (file: ShownFile) =>
    test.db
      .transaction()
      .execute((trx) => deleteFiles(trx, { actor: NOBODY, reader: asOffice() }, owner(), [file.id]))
  async function restore(file: ShownFile): Promise<void> {
    await remove(file)
    await test.db
      .transaction()
      .execute((trx) => restoreFiles(trx, { actor: NOBODY, reader: asOffice() }, owner(), [file.id]))
  }

  it('counts new files up to 99, and shows more as 99+', async () => {
    await makeManyFiles(test.db, folders.Budget!, 120)
    await makeManyFiles(test.db, folders.Forsikring!, 3)
    const { projects, news: all } = await start(investor)
    expect([projects[0]!.new_count, all!.files.length]).toEqual([100, 8])
    expect((await investor.visitor.get('/')).body).toContain('99+ nye')
  })

  it('new files are shown in their folder, wherever they are in it, with and without JavaScript', async () => {
    for (let each = 1; each <= 9; each++) await add(undefined, { name: `Gammel ${each}.pdf`, createdAt: OLD })
    for (let each = 1; each <= 7; each++) await add(undefined, { name: `Frisk ${each}.pdf` })
    const budget = async (who: Entered) =>
      (await who.visitor.get(`/api/projects/${project.id}/folders`))
        .json<Page<FolderSection>>()
        .data.find(({ name }) => name === 'Budget')!
    for (const who of [investor, auditor]) {
      const { files, new_files: more } = await budget(who)
      expect(files.map(({ name }) => name)).toEqual([1, 2, 3, 4, 5].map((each) => `Gammel ${each}.pdf`))
      expect(more.map(({ name }) => name)).toEqual([1, 2, 3, 4, 5, 6, 7].map((each) => `Frisk ${each}.pdf`))
      const { body } = await who.visitor.get(`/projects/${project.id}/uploads`)
      expect(body).toContain('>Frisk 7.pdf</a>')
      expect(body).toContain('Viser 12 af 16')
      expect(body).not.toContain('>Gammel 6.pdf</a>')
    }
    expect((await budget(office)).new_files).toEqual([])
  })

  it('shows at most 50 new files in the folders of a page, and offers ”Vis alle filer” for the rest', async () => {
    await makeManyFiles(test.db, folders.Budget!, 3000)
    const { body } = await investor.visitor.get(`/projects/${project.id}/uploads`)
    const inFolders = body.slice(body.indexOf('id="folder-'))
    expect(inFolders.match(/>Bilag \d+\.pdf<\/a>/g)).toHaveLength(50)
    expect(body).toContain('Vis alle filer')
  })

  it('folders share the new files that a page shows, so that a phone’s page ends', async () => {
    const named = [folders.Budget!, folders.Forsikring!, folders.Årsrapport!, folders.Kvartalsrapport!]
    for (const folder of named) await makeManyFiles(test.db, folder, 60)
    const listed = await investor.visitor.get(`/api/projects/${project.id}/folders`)
    const { data } = listed.json<Page<FolderSection>>()
    const shown = data.flatMap(({ files, new_files: more }) => (files.length > 0 ? [more.length] : []))
    expect(shown).toEqual(named.map(() => 7))
    expect(data.map(({ new_count: count }) => count).filter(Boolean)).toEqual(named.map(() => 60))
  })

  it('”Vis alle filer” is not offered if all files of a folder are new', async () => {
    for (let each = 1; each <= 8; each++) await add()
    const { body } = await investor.visitor.get(`/projects/${project.id}/uploads`)
    expect(body).not.toContain('Vis alle filer')
  })

  it('a project with new files comes first, before the one that changed last', async () => {
    const [second, third] = [
      await makeProject(test.db, { members: [investor.id] }),
      await makeProject(test.db, { members: [investor.id] }),
    ]
    await add()
    const theirs = await foldersByName(test.db, third.id)
    await add(theirs.Budget, { uploadedBy: investor.id })
    const { projects } = await start(investor)
    expect(projects.map(({ id }) => id)).toEqual([project.id, third.id, second.id])
  })
})

it('S9.7 the start page shows the date', async () => {
  const { now } = await start(investor)
  const today = danishDate(now, 'Europe/Copenhagen')
  expect((await investor.visitor.get('/')).body).toContain(`>${today}</time>`)
})

describe('reading', () => {
  it.each([
    ['opening', 'open', {}],
    ['downloading', 'download', {}],
    ['opening a part of it', 'open', { headers: { range: 'bytes=0-3' } }],
  ] as const)('%s marks the file as read, for that reader only', async (_what, way, more) => {
    const file = await add()
    const { statusCode } = await investor.visitor.get(fileUrls[way](owner(), file.path), more)
    expect(statusCode).toBeLessThan(300)
    expect([await news(investor), await news(other)]).toEqual([[], [file.name]])
    await open(investor, file) // again
  })

  it('HEAD, 304 and 416 do not mark a file as read', async () => {
    const file = await add()
    expect((await open(investor, file, { headers: { 'if-none-match': '*' } })).statusCode).toBe(304)
    await open(investor, file, { method: 'HEAD' })
    await open(investor, file, { headers: { range: 'bytes=9999-' } })
    expect(await news(investor)).toEqual([file.name])
  })

  it('a moved file stays read', async () => {
    const file = await add()
    await open(investor, file)
    await move(file, 'Diverse')
    await move(file, 'Budget')
    expect(await news(investor)).toEqual([])
  })

  it('a file opens even if its mark cannot be written', async () => {
    const file = await add()
    await sql`alter table file_reads rename to gone`.execute(test.db)
    try {
      expect((await open(investor, file)).statusCode).toBe(200)
    } finally {
      await sql`alter table gone rename to file_reads`.execute(test.db)
    }
    expect(test.logged()).toContain('a file could not be marked as read')
    expect(await news(investor)).toEqual([file.name])
  })

  it('opening a file does not wait for a transaction that has locked it', async () => {
    const file = await add()
    await test.db.transaction().execute(async (trx) => {
      await sql`select from files where id = ${file.id} for update`.execute(trx)
      const began = performance.now()
      expect((await open(investor, file)).statusCode).toBe(200)
      expect(performance.now() - began).toBeLessThan(3000)
    })
    await expect.poll(() => news(investor)).toEqual([])
  })
})

describe('a person’s own files', () => {
  it('own files from the office are new until they are opened or marked as read', async () => {
    const [first, second] = [await add(own, { uploadedBy: office.id }), await add(own)]
    await add(own, { uploadedBy: investor.id })
    expect(await newOwn(investor)).toEqual([first.name, second.name])
    expect((await start(investor)).news!.files.map(({ name }) => name)).toEqual([second.name, first.name])
    await investor.visitor.get(fileUrls.open({ user: investor.id }, first.path))
    expect(await newOwn(investor)).toEqual([second.name])
    await investor.visitor.post('/my-files/seen')
    expect([await newOwn(investor), (await start(investor)).news!.total]).toEqual([[], 0])
  })

  it('own files older than the person’s account are not new', async () => {
    await add(own, { createdAt: OLD })
    expect(await newOwn(investor)).toEqual([])
  })
})

describe('marking everything as read', () => {
  it('marking everything as read counts for one person only, and for one project if asked', async () => {
    const second = await makeProject(test.db, { members: [investor.id] })
    await add()
    await add((await foldersByName(test.db, second.id)).Budget)
    const { statusCode, headers } = await investor.visitor.post(`/projects/${project.id}/seen`)
    expect([statusCode, headers.location]).toEqual([303, `/projects/${project.id}/uploads`])
    expect([(await start(investor)).news!.total, (await news(other)).length]).toEqual([1, 1])
    const all = await investor.visitor.post('/seen')
    expect([all.statusCode, all.headers.location]).toEqual([303, '/'])
    expect([(await start(investor)).news!.total, (await news(other)).length]).toEqual([0, 1])
  })

  it('marking everything as read leaves out files that were added after the page was made', async () => {
    const seen = await add()
    const { until } = (await start(investor)).news!
    const later = await add()
    await investor.visitor.post('/seen', { until })
    expect(await news(investor)).toEqual([later.name])
    expect(seen.name).not.toBe(later.name)
  })

  it('marking as read is not undone by an older page, and does not cover the future', async () => {
    await add()
    await investor.visitor.post('/seen')
    await investor.visitor.post('/seen', { until: '2020-01-01T00:00:00.000000Z' })
    expect(await news(investor)).toEqual([])
    await investor.visitor.post('/seen', { until: '2999-01-01T00:00:00.000000Z' })
    await add()
    expect(await news(investor)).toHaveLength(1)
  })

  it.each([
    'i går',
    '2026-01-01',
    '0000-01-01T00:00:00.000000Z',
    `2026-01-01T00:00:00.${'0'.repeat(300)}Z`,
    '9',
  ])('marking as read answers 422 for the time %s', async (until) => {
    await add()
    const answer = await investor.visitor.post('/seen', { until }, { script: true })
    expect([answer.statusCode, Object.keys(answer.json<{ errors: object }>().errors)]).toEqual([
      422,
      ['until'],
    ])
    expect(await news(investor)).toHaveLength(1)
  })

  it.each([
    ['investor', 'somebody else’s project', 404],
    ['auditor', 'somebody else’s project', 404],
    ['employee', 'a project', 403],
    ['administrator', 'a project', 403],
  ] as const)('%s marking %s as read gets %d', async (role, _what, status) => {
    await add()
    const { visitor } = await enter(test, role)
    expect((await visitor.post(`/projects/${project.id}/seen`)).statusCode).toBe(status)
    expect(await news(investor)).toHaveLength(1)
  })

  it.each([
    ['auditor', '/my-files/seen', 403],
    ['employee', '/seen', 403],
    ['investor', '/projects/0/seen', 404],
    ['investor', '/projects/x/seen', 404],
  ] as const)('%s posting to %s gets %d', async (role, address, status) => {
    const { visitor } = await enter(test, role)
    expect((await visitor.post(address)).statusCode).toBe(status)
  })
})

describe('a file that an investor sends', () => {
  async function send(who: Entered, name: string): Promise<string | undefined> {
    const bytes = Readable.from([Buffer.from(`%PDF-1.7 ${name}`)])
    const { hash_name: data } = await receiveTemporaryFile(test, who.id, name, bytes, 1e6)
    const answer = await who.visitor.post('/my-files', { files: { a: { name, data } } }, { script: true })
    return answer.json<{ redirect?: string }>().redirect
  }
  const received = async (who: Entered) =>
    (await start(who)).received!.files.filter(({ sender }) => sender?.id === investor.id)

  it('the office sees an investor’s file with its sender, and it is new until someone in the office has taken it', async () => {
    const colleague = await enter(test, 'administrator', { name: 'Mette Holm' })
    expect(await send(investor, 'Pas.pdf')).toBe('/my-files')
    const [file] = await received(office)
    expect(file).toMatchObject({
      name: 'Pas.pdf',
      is_new: true,
      from_investor: true,
      owner: { user: investor.id },
    })
    await colleague.visitor.get(fileUrls.open(file!.owner, file!.path))
    expect((await received(office))[0]!.is_new).toBe(true)
    const { rows } = await sql<{ id: number }>`
      select submission_id as id from files where id = ${file!.id}`.execute(test.db)
    await colleague.visitor.post(urls.inboxAct(rows[0]!.id, 'take'))
    expect((await received(office))[0]).toMatchObject({
      is_new: false,
      inbox: { state: 'taken', by: { id: colleague.id, name: 'Mette Holm' } },
    })
    expect((await office.visitor.get('/')).body).toContain('Taget af Mette Holm')
    expect((await colleague.visitor.get('/')).body).toContain('Taget af dig')
  })

  it('only the sender sees a sent file marked as their own', async () => {
    await send(investor, 'Pas.pdf')
    const files = (await investor.visitor.get(`/api/users/${investor.id}/files`)).json<Page<StoredFile>>()
      .data
    expect(files).toMatchObject([{ from_investor: true, is_new: false }])
    expect((await start(investor)).received).toBeNull()
    expect((await start(auditor)).received).toBeNull()
    // Pretends that the office moved it to another person.
    await sql`
      update files set folder_id = ${await makeUserFolder(test.db, other.id)}, shown_at = now()
      where folder_id = ${own}`.execute(test.db)
    expect((await start(other)).news!.files).toMatchObject([
      { from_investor: false, is_new: true, sender: null },
    ])
  })

  it('a sent file leads back to the list and comes first there', async () => {
    await makeManyFiles(test.db, own, 30)
    expect(await send(investor, 'Pas.pdf')).toBe('/my-files')
    const { data } = (await investor.visitor.get(`/api/users/${investor.id}/files`)).json<Page<StoredFile>>()
    expect(data[0]!.name).toBe('Pas.pdf')
  })

  it('a sent file comes first until someone in the office has taken it; up to 25 are shown', async () => {
    await sql`update files set deleted_at = now() where from_investor`.execute(test.db)
    const shown = async () => (await start(office)).received!
    expect(await shown()).toEqual({ files: [], total: 0, new_count: 0 })
    const ids = await makeManyFiles(test.db, own, 30)
    await sql`
      update files set from_investor = true, uploaded_by = ${investor.id},
        created_at = now() - make_interval(mins => array_position(${ids}::bigint[], id::bigint))
      where id = any (${ids})`.execute(test.db)
    await sql`
      with sent as (
        insert into submissions (user_id, key, content) select ${investor.id}, 'nr-' || id, '' from unnest(${ids}::bigint[]) as id
        returning id, substr(key, 4)::bigint as file_id
      ), linked as (
        update files set submission_id = sent.id from sent where files.id = sent.file_id
      )
      insert into inbox (submission_id, files_count) select id, 1 from sent`.execute(test.db)
    const all = await shown()
    expect(all.files.map(({ id }) => id)).toEqual(ids.slice(0, 25))
    expect([all.total, all.new_count]).toEqual([30, 30])
    expect((await office.visitor.get('/')).body).toContain('Der er flere nye i indbakken.')
    await sql`
      update inbox set state = 'done', changed_by = ${office.id}, changed_at = now()
      from files where files.submission_id = inbox.submission_id and files.id = any (${ids.slice(0, 28)})`.execute(
      test.db,
    )
    const left = await shown()
    expect(left.files.map(({ id }) => id)).toEqual([...ids.slice(28), ...ids.slice(0, 6)])
    expect(left.files.map(({ is_new: isNew }) => isNew)).toEqual(left.files.map((_, index) => index < 2))
    expect([left.total, left.new_count]).toEqual([30, 2])
    expect((await office.visitor.get('/')).body).toContain('Viser 8 af dem.')
  })

  it('a file that the office uploaded is not listed as received', async () => {
    await add(own, { uploadedBy: office.id })
    expect(await received(office)).toEqual([])
  })
})
