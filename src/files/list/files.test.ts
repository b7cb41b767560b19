import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter } from '../../../test/enter.ts'
import { foldersByName, makeFile, makeProject, makeUserFolder } from '../../../test/make.ts'
import { Visitor } from '../../../test/visitor.ts'
import type { Page } from '../../base/pagination.ts'
import type { Role } from '../../rights.ts'
import type { FolderLink, FolderSection, StoredFile } from '../file/stored-file.ts'

let test: TestApp
const people = new Map<Role, { id: number; visitor: Visitor }>()
let project: number
let folders: Record<string, number>

const as = (role: Role) => people.get(role)!.visitor

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  for (const role of ['administrator', 'employee', 'auditor', 'investor'] as const)
    people.set(role, await enter(test, role))
})

beforeEach(async () => {
  const members = [people.get('auditor')!.id, people.get('investor')!.id]
  project = (await makeProject(test.db, { members })).id
  folders = await foldersByName(test.db, project)
})

const put = (folder: string, name: string) => makeFile(test, folders[folder]!, { name })
const putMany = async (folder: string, count: number) => {
  const made = []
  for (let number = 1; number <= count; number++)
    made.push(await put(folder, `${folder} (${project}) ${number}.pdf`))
  return made
}

type Sections = Page<FolderSection> & { folders: FolderLink[] }
const listOf = async (visitor: Visitor, query = '', of = project) =>
  (await visitor.get(`/api/projects/${of}/folders${query}`)).json<Sections>()
const section = ({ data }: Sections, name: string) => data.find((each) => each.name === name)!

describe('the folders of a project', () => {
  it('S3.1 folders have id, name and files; files have id, name, path, size and created_at', async () => {
    const { id, path, name } = await put('Budget', 'Budget (1024) 2024.pdf')
    const list = await listOf(as('employee'))
    expect(section(list, 'Budget')).toEqual({
      id: folders.Budget,
      name: 'Budget',
      visible_to_investors: true,
      files_count: 1,
      new_count: 0,
      new_files: [],
      files: [
        {
          id,
          name,
          path,
          size: 31,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
          year: 2024,
          period: '2024',
          is_period_given: false,
          mime: 'application/pdf',
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
          is_new: false,
          is_version: false,
          from_investor: false,
          held: null,
          waiting: null,
          is_asked: false,
        },
      ],
    })
    expect(path).toMatch(/^[0-9a-f]{32}\/Budget \(1024\) 2024\.pdf$/)
  })

  it('S9.2 each folder comes with its first 5 files, in order, and the number of all', async () => {
    const made = await putMany('Budget', 7)
    const { files, files_count: count } = section(await listOf(as('employee')), 'Budget')
    expect([files.map(({ id }) => id), count]).toEqual([made.slice(0, 5).map(({ id }) => id), 7])
  })

  it('lists 20 folders per page, with links to all folders and their pages', async () => {
    for (let number = 1; number <= 10; number++)
      await as('administrator').post(`/projects/${project}/folders`, { name: `Ekstra ${number}` })
    const first = await listOf(as('employee'))
    const second = await listOf(as('employee'), '?page=2')
    expect([first.data.length, second.data.length, first.meta.total]).toEqual([20, 3, 23])
    expect(second.data.map(({ name }) => name)).toEqual(['Ekstra 8', 'Ekstra 9', 'Ekstra 10'])
    expect(first.folders.map(({ page }) => page)).toEqual([...Array(20).fill(1), 2, 2, 2])
  })

  it('does not list or count deleted files', async () => {
    const [one, two] = await putMany('Budget', 2)
    await as('employee').post(
      `/api/projects/${project}/file/${one!.id}`,
      {},
      { script: true, method: 'DELETE' },
    )
    const budget = section(await listOf(as('employee')), 'Budget')
    expect([budget.files.map(({ id }) => id), budget.files_count]).toEqual([[two!.id], 1])
  })

  it.each([
    ['administrator', 13],
    ['employee', 13],
    ['auditor', 13],
    ['investor', 10],
  ] as const)('an %s sees %d folders, and no links to others', async (role, count) => {
    await put('Diverse', 'Hemmeligt.pdf')
    const list = await listOf(as(role))
    expect([list.data.length, list.folders.length, list.meta.total]).toEqual([count, count, count])
    const page = await as(role).get(`/projects/${project}/uploads`)
    expect(page.body.includes('Hemmeligt')).toBe(role !== 'investor')
  })

  it.each(['auditor', 'investor'] as const)(
    'answers 404 to an %s for the folders of another project',
    async (role) => {
      const { id } = await makeProject(test.db)
      for (const url of [`/api/projects/${id}/folders`, `/projects/${id}/uploads`])
        expect((await as(role).get(url)).statusCode).toBe(404)
    },
  )

  it.each(['0', 'x', '99999999', '1e3', '-1', '9'.repeat(30)])(
    'answers 404 for the folders of the project %s',
    async (id) => {
      expect((await as('administrator').get(`/api/projects/${id}/folders`)).statusCode).toBe(404)
    },
  )

  it.each(['?page=0', '?page=x', '?sort[column]=name', `?q=${'x'.repeat(201)}`])(
    'answers 422 to %s, and the page ignores it',
    async (query) => {
      expect((await as('employee').get(`/api/projects/${project}/folders${query}`)).statusCode).toBe(422)
      expect((await as('employee').get(`/projects/${project}/uploads${query}`)).statusCode).toBe(200)
    },
  )
})

describe('a search in a project', () => {
  beforeEach(async () => {
    await put('Årsrapport', 'Årsrapport (1024) 2023.pdf')
    await put('Årsrapport', 'Årsrapport (1024) 2024.pdf')
    await put('Budget', 'Budget (1024) 2023.pdf')
    await put('Diverse', 'Brev 2023.pdf')
  })
  const found = ({ data }: Sections) =>
    Object.fromEntries(data.map(({ name, files, files_count: count }) => [name, [files.length, count]]))

  it.each([
    ['2023', { Årsrapport: [1, 1], Budget: [1, 1], Diverse: [1, 1] }],
    ['ÅRSRAPPORT 2024', { Årsrapport: [1, 1] }],
    ['aarsrapport', { Årsrapport: [2, 2] }],
    ['budg', { Budget: [1, 1] }],
    ['lejekontr', { Lejekontrakter: [0, 0] }],
    ['100%', {}],
    ['findes ikke', {}],
  ])('a search for %s finds files and folders', async (q, expected) => {
    const list = await listOf(as('employee'), `?q=${encodeURIComponent(q)}`)
    expect(found(list)).toEqual(expected)
    expect(list.folders.map(({ name }) => name)).toEqual(Object.keys(expected))
  })

  it('a search finds only what the reader may see', async () => {
    expect(Object.keys(found(await listOf(as('investor'), '?q=2023')))).toEqual(['Årsrapport', 'Budget'])
  })

  it('a search narrows the files of one folder, unless it finds the folder’s name', async () => {
    const list = async (q: string) =>
      (await as('employee').get(`/api/projects/${project}/folder/${folders.Årsrapport}/files?q=${q}`)).json<
        Page<StoredFile>
      >()
    await put('Årsrapport', 'Påtegning.pdf')
    expect((await list('2023')).meta.total).toBe(1)
    expect((await list('rapport')).meta.total).toBe(3)
  })
})

describe('the files of a folder', () => {
  it('lists 25 files per page, in order', async () => {
    const made = await putMany('Budget', 27)
    const list = async (page: number) =>
      (await as('auditor').get(`/api/projects/${project}/folder/${folders.Budget}/files?page=${page}`)).json<
        Page<StoredFile>
      >()
    const pages = [await list(1), await list(2), await list(3)]
    expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(made.map(({ id }) => id))
    expect(pages[1]!.meta).toMatchObject({ from: 26, to: 27, total: 27, last_page: 2 })
  })

  it('answers 404 for a folder that is hidden, of another project, or missing', async () => {
    const other = await makeProject(test.db)
    const theirs = await foldersByName(test.db, other.id)
    const status = async (role: Role, folder: unknown) =>
      (await as(role).get(`/api/projects/${project}/folder/${String(folder)}/files`)).statusCode
    expect(await status('investor', folders.Budget)).toBe(200)
    expect(await status('investor', folders.Diverse)).toBe(404)
    expect(await status('employee', theirs.Budget)).toBe(404)
    expect(await status('employee', 'x')).toBe(404)
    for (const role of ['auditor', 'investor'] as const) {
      const url = `/api/projects/${other.id}/folder/${theirs.Budget}/files`
      expect((await as(role).get(url)).statusCode).toBe(404)
    }
  })

  it('without JavaScript, the page of a folder lists all its files, 100 at a time', async () => {
    await putMany('Budget', 101)
    const page = async (query: string) =>
      (await as('employee').get(`/projects/${project}/uploads?open=${folders.Budget}${query}`)).body
    expect(await page('')).toContain(`Budget (${project}) 100.pdf`)
    expect(await page('')).not.toContain(`Budget (${project}) 101.pdf`)
    expect(await page('&files=2')).toContain(`Budget (${project}) 101.pdf`)
    expect(await page('&files=x')).toContain(`Budget (${project}) 1.pdf`)
  })
})

describe('a person’s files', () => {
  it('a person’s files are the same list for the office and the person, and for no one else', async () => {
    const investor = people.get('investor')!
    await makeFile(test, await makeUserFolder(test.db, investor.id), { name: 'Min opgørelse.pdf' })
    const status = async (visitor: Visitor, user: number) =>
      (await visitor.get(`/api/users/${user}/files`)).statusCode
    for (const visitor of [as('employee'), investor.visitor]) {
      const { data } = (await visitor.get(`/api/users/${investor.id}/files`)).json<Page<StoredFile>>()
      expect(data.map(({ name }) => name)).toEqual(['Min opgørelse.pdf'])
    }
    const stranger = await enter(test, 'investor')
    expect(await status(stranger.visitor, investor.id)).toBe(404)
    expect(await status(stranger.visitor, stranger.id)).toBe(200)
    expect(await status(as('auditor'), investor.id)).toBe(403)
    expect(await status(as('employee'), 99_999_999)).toBe(404)
  })

  it('a person’s files are in a folder that belongs to no project and not to the template', async () => {
    await makeUserFolder(test.db, people.get('investor')!.id)
    const { id } = await makeProject(test.db)
    expect(Object.keys(await foldersByName(test.db, id))).toHaveLength(13)
    expect((await as('administrator').get('/settings/folders')).body).not.toContain('"Filer"')
  })
})

describe('the page of a project', () => {
  const open = async (role: Role, of = project) => (await as(role).get(`/projects/${of}/uploads`)).body

  it('a project’s page shows its number, CVR-nr. and status to everyone, and its members to the office only', async () => {
    const investor = await enter(test, 'investor', { name: 'Ida Medlem', numbers: ['2077'] })
    const made = await makeProject(test.db, {
      cvr: '12345674',
      status: 'closing',
      members: [investor.id, ...[...people.values()].slice(2).map(({ id }) => id)],
    })
    for (const role of ['administrator', 'employee', 'auditor', 'investor'] as const) {
      const body = await open(role, made.id)
      for (const fact of [`Projekt ${made.number}`, '12345674', 'Under afvikling'])
        expect([role, body.includes(fact)]).toEqual([role, true])
      const isOfOffice = role === 'administrator' || role === 'employee'
      for (const text of ['Medlemmer', 'Ida Medlem', '2077', '2 investorer og 1 revisor'])
        expect([role, text, body.includes(text)]).toEqual([role, text, isOfOffice])
      expect(body.includes(`href="/projects/${made.id}/edit"`)).toBe(role === 'administrator')
    }
  })

  it('names who sees a folder, with the auditor if the project has one, but not to investors', async () => {
    const { id: without } = await makeProject(test.db)
    const said = async (role: Role, of: number) => {
      const body = await open(role, of)
      return ['Deles med investorer', 'Kontoret og revisor', 'Kun kontoret'].filter((text) =>
        body.includes(text),
      )
    }
    expect(await said('employee', project)).toEqual(['Deles med investorer', 'Kontoret og revisor'])
    expect(await said('auditor', project)).toEqual(['Deles med investorer', 'Kontoret og revisor'])
    expect(await said('investor', project)).toEqual([])
    expect(await said('employee', without)).toEqual(['Deles med investorer', 'Kun kontoret'])
    expect((await as('administrator').get(`/projects/${project}/folders`)).body).toContain(
      'Kontoret og revisor',
    )
  })

  it('a project that the reader may not see looks the same as a missing one, and offers a way on', async () => {
    const { id: others } = await makeProject(test.db)
    const answers = []
    for (const of of [others, 99_999_999]) {
      const { statusCode, body } = await as('investor').get(`/projects/${of}/uploads`)
      expect(statusCode).toBe(404)
      expect(body).toContain('Projektet findes ikke, eller du har ikke længere adgang til det.')
      expect(body).toMatch(/<a href="\/papers"[^>]*>Til mine papirer<\/a>/)
      answers.push(
        body
          .replaceAll(`/projects/${of}/`, '/projects/N/')
          .replaceAll(/"requestId":"\w+"|nonce="[^"]*"/g, ''),
      )
    }
    expect(answers[0]).toBe(answers[1])
  })
})

it('the office, and no one else, can list every folder that a file can be moved to', async () => {
  const url = `/api/projects/${project}/folder-options`
  const { data, meta } = (await as('employee').get(url)).json<Page<unknown>>()
  expect(data).toHaveLength(13)
  expect(meta).toEqual({
    current_page: 1,
    prev_page: null,
    next_page: null,
    first_page: 1,
    last_page: 1,
    from: 1,
    to: 13,
    per_page: 13,
    total: 13,
  }) // S7.4
  expect(data[4]).toEqual({
    id: folders.Bestyrelsesmøder,
    name: 'Bestyrelsesmøder',
    visible_to_investors: false,
  })
  expect((await as('investor').get(url)).statusCode).toBe(403)
  expect((await as('employee').get('/api/projects/99999/folder-options')).statusCode).toBe(404)
})
