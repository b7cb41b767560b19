import sharp from 'sharp'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { enter, type Entered } from '../../test/enter.ts'
import { foldersByName, makeFile, makeProject, makeUser, makeUserFolder } from '../../test/make.ts'
import { Visitor } from '../../test/visitor.ts'

// Tests how much others see of Tove. The auditor and the investor are members of Tove's project; the stranger is not.
const TOVE = { name: 'Tove Hemmelig', email: 'tove@hemmelig.example', numbers: ['HEM-7001'] }
const PAPER = 'Toves kapitalkonto.pdf'
const SECRETS = [TOVE.name, TOVE.email, TOVE.numbers[0]!, PAPER, 'Toves gamle brev.pdf']

type Who = 'administrator' | 'employee' | 'auditor' | 'investor' | 'stranger' | 'tove' | 'nobody'

let test: TestApp
let tove: Entered
const people = {} as Record<Who, Visitor>
const facts = { project: 0, folder: 0, file: 0, deleted: 0, path: '', image: '', submission: '' }

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  tove = await enter(test, 'investor', TOVE)
  people.tove = tove.visitor
  people.nobody = new Visitor(test.app)
  const members = [tove.id]
  for (const role of ['administrator', 'employee', 'auditor', 'investor'] as const) {
    const { id, visitor } = await enter(test, role, {
      name: `En ${role}`,
      numbers: role === 'investor' ? ['7002'] : [],
    })
    people[role] = visitor
    if (role === 'auditor' || role === 'investor') members.push(id)
  }
  people.stranger = (await enter(test, 'investor', { numbers: ['7003'] })).visitor
  facts.project = (await makeProject(test.db, { members })).id
  await makeFile(test, (await foldersByName(test.db, facts.project)).Årsrapport!, { uploadedBy: tove.id })
  facts.folder = await makeUserFolder(test.db, tove.id)
  const file = await makeFile(test, facts.folder, { name: PAPER })
  facts.file = file.id
  facts.path = encodeURIComponent(file.path.split('/')[0]!) + '/' + encodeURIComponent(PAPER)
  facts.deleted = (await makeFile(test, facts.folder, { name: 'Toves gamle brev.pdf' })).id
  await people.employee.post(
    `/api/users/${tove.id}/file/${facts.deleted}`,
    { _method: 'DELETE' },
    { script: true },
  )
  const squares = await sharp({ create: { width: 72, height: 72, channels: 3, background: 'red' } })
    .webp()
    .toBuffer()
  facts.image = 'f'.repeat(32)
  await sql`update users set image_key = ${facts.image} where id = ${tove.id}`.execute(test.db)
  await sql`insert into profile_images values (${tove.id}, ${squares}, ${squares})`.execute(test.db)
})

const at = {
  'the list of users': () => '/users',
  'the list of users, as JSON': () => '/api/users?q=Tove',
  'the user’s page': () => `/users/${tove.id}`,
  'the form that edits the user': () => `/users/${tove.id}/edit`,
  'the own files, as a list': () => `/api/users/${tove.id}/files`,
  'the own files, as a section': () => `/api/users/${tove.id}/folders`,
  'the own files, of their folder': () => `/api/users/${tove.id}/folder/${facts.folder}/files`,
  'the own folder, called a project’s': () => `/api/projects/${facts.project}/folder/${facts.folder}/files`,
  'an own file, opened': () => `/users/${tove.id}/uploads/${facts.path}`,
  'an own file, downloaded': () => `/users/${tove.id}/uploads/download/${facts.path}`,
  'an own file, called a project’s': () => `/projects/${facts.project}/uploads/${facts.path}`,
  'the trash': () => `/users/${tove.id}/trash`,
  'the trash, as JSON': () => `/api/users/${tove.id}/trash`,
  'the image': () => `/users/${tove.id}/image/${facts.image}`,
  'the report': () => `/users/${tove.id}/report`,
  'the report, as JSON': () => `/api/users/${tove.id}/report`,
  'the report, as a spreadsheet': () => `/users/${tove.id}/report.xlsx`,
  'the log of what they did': () => `/log?person=${tove.id}`,
  'the log, as JSON': () => `/api/log?person=${tove.id}`,
  'the log of a file': () => `/log?file=${facts.file}`,
  'the history of a file': () => `/files/${facts.file}/history`,
  'the history of a file, as JSON': () => `/api/files/${facts.file}/history`,
  'the log, as CSV': () => `/log.csv?person=${tove.id}`,
} satisfies Record<string, () => string>

const ORDER: Who[] = ['administrator', 'employee', 'auditor', 'investor', 'stranger', 'tove', 'nobody']

describe('another person’s', () => {
  // 303 leads to the sign-in, or to the reader's own page that shows it.
  it.each<[keyof typeof at, ...number[]]>([
    //                                       admin empl audit inve stra tove nobody
    ['the list of users', /*             */ 200, 200, 403, 403, 403, 403, 303],
    ['the list of users, as JSON', /*    */ 200, 200, 403, 403, 403, 403, 401],
    ['the user’s page', /*               */ 200, 200, 403, 404, 404, 303, 303],
    ['the form that edits the user', /*  */ 200, 403, 403, 403, 403, 403, 303],
    ['the own files, as a list', /*      */ 200, 200, 403, 404, 404, 200, 401],
    ['the own files, as a section', /*   */ 200, 200, 403, 404, 404, 200, 401],
    ['the own files, of their folder', /**/ 200, 200, 403, 404, 404, 200, 401],
    ['the own folder, called a project’s', 404, 404, 404, 404, 404, 404, 401],
    ['an own file, opened', /*           */ 200, 200, 403, 404, 404, 200, 303],
    ['an own file, downloaded', /*       */ 200, 200, 403, 404, 404, 200, 303],
    ['an own file, called a project’s', /**/ 404, 404, 404, 404, 404, 404, 303],
    ['the trash', /*                     */ 200, 200, 403, 403, 403, 403, 303],
    ['the trash, as JSON', /*            */ 200, 200, 403, 403, 403, 403, 401],
    ['the image', /*                     */ 200, 200, 404, 404, 404, 200, 303],
    ['the report', /*                    */ 200, 200, 403, 404, 404, 200, 303],
    ['the report, as JSON', /*           */ 200, 200, 403, 404, 404, 200, 401],
    ['the report, as a spreadsheet', /*  */ 200, 200, 403, 404, 404, 200, 303],
    ['the log of what they did', /*      */ 200, 403, 403, 403, 403, 403, 303],
    ['the log, as JSON', /*              */ 200, 403, 403, 403, 403, 403, 401],
    ['the log of a file', /*             */ 200, 403, 403, 403, 403, 403, 303],
    ['the history of a file', /*         */ 200, 200, 403, 403, 403, 403, 303],
    ['the history of a file, as JSON', /**/ 200, 200, 403, 403, 403, 403, 401],
    ['the log, as CSV', /*               */ 200, 403, 403, 403, 403, 403, 303],
  ])('who may open %s', async (what, ...statuses) => {
    const seen = await Promise.all(
      ORDER.map(async (who) => [who, (await people[who].get(at[what]())).statusCode] as const),
    )
    expect(Object.fromEntries(seen)).toEqual(
      Object.fromEntries(ORDER.map((who, index) => [who, statuses[index]])),
    )
  })

  // No page that they can open mentions Tove.
  it.each(['auditor', 'investor', 'stranger'] as const)(
    'a person’s name, e-mail, number and papers are not shown to the %s',
    async (who) => {
      const pages = [
        '/',
        '/projects',
        '/api/projects',
        '/profile',
        '/my-files',
        `/projects/${facts.project}/uploads`,
      ]
      const calls = [
        `/api/projects/${facts.project}/folders`,
        `/api/projects/${facts.project}/folders?q=Tove`,
      ]
      const refused = Object.values(at).map((address) => address())
      for (const address of [...pages, ...calls, ...refused]) {
        const { body } = await people[who].get(address)
        for (const secret of SECRETS)
          expect([address, secret, body.includes(secret)]).toEqual([address, secret, false])
      }
    },
  )

  it.each(['auditor', 'investor', 'stranger', 'nobody'] as const)(
    'a person’s data cannot be changed by the %s',
    async (who) => {
      const acts: [string, Record<string, unknown>?][] = [
        [`/api/users/${tove.id}/file/${facts.file}/move-up`],
        [`/api/users/${tove.id}/file/${facts.file}`, { _method: 'DELETE' }],
        [`/api/users/${tove.id}/file/${facts.deleted}/restore`],
        [`/api/users/${tove.id}/trash/${facts.deleted}`, { _method: 'DELETE' }],
        [`/api/users/${tove.id}/folder/${facts.folder}/update-order`, { newOrder: [facts.file] }],
        [`/api/users/${tove.id}/move-file`, { file_id: facts.file, user_id: 1 }],
        [`/users/${tove.id}/edit`, { name: 'Ny', email: 'ny@example.dk', role: 'administrator' }],
        [`/users/${tove.id}/invite`],
        [`/users/${tove.id}/deactivate`],
        [`/users/${tove.id}/reactivate`],
        ['/users/new', { name: 'Ny', email: 'ny2@example.dk', role: 'administrator' }],
      ]
      const before = await everything()
      for (const [address, fields] of acts)
        expect([address, (await people[who].post(address, fields, { script: true })).statusCode]).toEqual([
          address,
          who === 'nobody' ? 401 : 403,
        ])
      expect(await everything()).toEqual(before)
    },
  )
})

const everything = async () => [
  (await sql`select * from users order by id`.execute(test.db)).rows,
  (await sql`select * from files order by id`.execute(test.db)).rows,
]

it('a member who is removed from a project no longer sees anything of it, including counts and news', async () => {
  const { id } = await makeProject(test.db, { name: 'K/S Forladt', members: [tove.id] })
  await makeFile(test, (await foldersByName(test.db, id)).Årsrapport!, { name: 'Kom bagefter.pdf' })
  const start = async () => (await people.tove.get('/')).body
  expect(await start()).toContain('Kom bagefter.pdf')
  await people.administrator.post(
    `/projects/${id}/edit`,
    { number: `F${id}`, name: 'K/S Forladt', remove_members: [tove.id] },
    { script: true },
  )
  expect(await start()).not.toMatch(/Kom bagefter|K\/S Forladt/)
  for (const address of [`/projects/${id}/uploads`, `/api/projects/${id}/folders`])
    expect((await people.tove.get(address)).statusCode).toBe(404)
  expect((await people.tove.post(`/projects/${id}/seen`, {}, { script: true })).statusCode).toBe(404)
})

it('S5.4 a number finds its person until it is taken from them', async () => {
  const bo = await makeUser(test.db, { name: 'Bo', numbers: ['7777'] })
  const ask = async () =>
    (
      await people.employee.post(
        '/api/upload/resolve',
        { folders: ['Brev'], keys: ['7777', '8888'] },
        { script: true },
      )
    ).json() as {
      users: Record<string, { name: string }>
    }
  expect(Object.entries((await ask()).users).map(([number, { name }]) => [number, name])).toEqual([
    ['7777', 'Bo'],
  ])
  await people.administrator.post(
    `/users/${bo.id}/edit`,
    { name: 'Bo', email: bo.email, role: 'auditor', numbers: [] },
    { script: true },
  )
  expect((await ask()).users).toEqual({})
})
