import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter } from '../../../test/enter.ts'
import { foldersByName, makeProject, makeUser, PASSWORD } from '../../../test/make.ts'
import { Visitor } from '../../../test/visitor.ts'
import { receiveTemporaryFile } from './temporary.db.ts'

let test: TestApp
let office: { id: number; visitor: Visitor }
let project: number
let folders: Record<string, number>

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000', MAX_FILES_PER_SUBMIT: '4' } })
  office = await enter(test, 'employee')
})
beforeEach(async () => {
  await sql`delete from temporary_files`.execute(test.db)
  project = (await makeProject(test.db)).id
  folders = await foldersByName(test.db, project)
})

const sendAs = async (userId: number, name: string, bytes = `%PDF-1.7 ${name}`) =>
  (await receiveTemporaryFile(test, userId, name, Readable.from([Buffer.from(bytes)]), 1e6)).hash_name

type Files = Record<string, Record<string, unknown>>
const post = (files: Files | undefined, more: Record<string, unknown> = {}, folder = folders.Budget) =>
  office.visitor.post(`/projects/${project}/uploads/folder/${folder}`, { files, ...more }, { script: true })

const stored = async (folder = 'Budget') => {
  const { rows } = await sql<{ name: string; period: string | null; key: string; uploaded_by: number }>`
    select files.name, files.period, blobs.key, uploaded_by from files join blobs on blobs.id = files.blob_id
    where folder_id = ${folders[folder]} order by position`.execute(test.db)
  return rows
}
const waiting = async () => (await test.db.selectFrom('temporary_files').selectAll().execute()).length

describe('the manual form', () => {
  it('S3.4 the manual form stores the sent files in its folder, in order, under the given names, without copying bytes', async () => {
    const [a, b] = [await sendAs(office.id, 'a.pdf'), await sendAs(office.id, 'b.pdf')]
    const reply = await post({
      f1: { name: 'Brev 2021.pdf', mime: 'text/html', data: a },
      f2: { name: 'Å.pdf'.normalize('NFD'), mime: '', data: b },
    })
    expect([reply.statusCode, reply.json()]).toEqual([
      200,
      { redirect: `/projects/${project}/uploads?open=${folders.Budget}#folder-${folders.Budget}` },
    ])
    const files = await stored()
    expect(files.map(({ name, period, uploaded_by: by }) => [name, period, by])).toEqual([
      ['Brev 2021.pdf', '2021', office.id],
      ['Å.pdf', null, office.id],
    ])
    expect((await buffer(await test.storage.open(files[0]!.key))).toString()).toBe('%PDF-1.7 a.pdf')
    expect(await waiting()).toBe(0)
  })

  it('a form sent several times with one submission is stored once', async () => {
    const a = await sendAs(office.id, 'a.pdf')
    const form = { f1: { name: 'a.pdf', mime: '', data: a } }
    const replies = await Promise.all([1, 2, 3].map(() => post(form, { submission: `en-gang-${project}` })))
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(await stored()).toHaveLength(1)
    const entries = await test.db
      .selectFrom('log')
      .select('id')
      .where('act', '=', 'file-added')
      .where('project_id', '=', project)
      .execute()
    expect(entries).toHaveLength(1)
  })

  it('refuses a submission that comes again with other files, which are not reported as saved', async () => {
    const [a, b] = [await sendAs(office.id, 'a.pdf'), await sendAs(office.id, 'b.pdf')]
    const submission = `igen-og-igen-${project}`
    await post({ f1: { name: 'a.pdf', data: a } }, { submission })
    const again = await post(
      { f1: { name: 'a.pdf', data: a }, f2: { name: 'b.pdf', data: b } },
      { submission },
    )
    expect([again.statusCode, again.json<{ saved: boolean }>().saved]).toEqual([409, true])
    expect((await stored()).map(({ name }) => name)).toEqual(['a.pdf'])
    expect(await waiting()).toBe(1)
  })

  it('refuses a submission that comes to another form, or to a person with the same id as the folder', async () => {
    const a = await sendAs(office.id, 'a.pdf')
    const submission = `en-anden-${project}`
    const files = { f1: { name: 'a.pdf', data: a } }
    expect((await post(files, { submission })).statusCode).toBe(200)
    for (const address of ['/upload', '/users/upload', `/projects/${project}/upload`])
      for (const to of [{ folder_id: folders.Budget }, { user_id: folders.Budget }]) {
        const sent = { files: { f1: { ...files.f1, ...to } }, submission }
        expect((await office.visitor.post(address, sent, { script: true })).statusCode).toBe(409)
      }
    expect((await post(files, { submission })).statusCode).toBe(200)
  })

  it('a fault names the file whose name cannot be used', async () => {
    const data = '0'.repeat(32)
    const reply = await post({ f1: { name: 'a/b.pdf', data }, f2: { name: 'c\u0085d.pdf', data } })
    expect(reply.json<{ errors: unknown }>().errors).toEqual({
      'files.f1.name': ['Filnavnet ”a/b.pdf” må ikke indeholde skråstreger eller styretegn.'],
      'files.f2.name': ['Filnavnet ”c d.pdf” må ikke indeholde skråstreger eller styretegn.'],
    })
  })

  it('the manual form accepts any id for a file', async () => {
    const data = await sendAs(office.id, 'a.pdf')
    await office.visitor.get('/findes-ikke')
    const reply = await office.visitor.get(`/projects/${project}/uploads/folder/${folders.Budget}`, {
      method: 'POST',
      payload: `files[constructor][name]=a.pdf&files[constructor][data]=${data}`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-requested-with': 'XMLHttpRequest',
        'x-xsrf-token': decodeURIComponent(office.visitor.cookies.get('XSRF-TOKEN')!),
        cookie: [...office.visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
    })
    expect(reply.statusCode).toBe(200)
    expect((await stored()).map(({ name }) => name)).toEqual(['a.pdf'])
  })

  it('the manual form stores all files or none, with the fault at each file', async () => {
    const mine = await sendAs(office.id, 'a.pdf')
    const theirs = await sendAs((await enter(test, 'investor')).id, 'b.pdf')
    const reply = await post({
      f1: { name: 'a.pdf', data: mine },
      f2: { name: 'b.pdf', data: theirs },
      f3: { name: 'c.pdf', data: 'f'.repeat(32) },
      f4: { name: 'd.pdf', data: mine },
    })
    expect([reply.statusCode, reply.json<{ errors: unknown }>().errors]).toEqual([
      422,
      {
        'files.f2.data': ['b.pdf er ikke længere på serveren. Send filen igen.'],
        'files.f3.data': ['c.pdf er ikke længere på serveren. Send filen igen.'],
        'files.f4.data': ['d.pdf er med to gange.'],
      },
    ])
    expect(await stored()).toEqual([])
    expect((await post({ f1: { name: 'a.pdf', data: mine } })).statusCode).toBe(200)
    const used = await post({ f1: { name: 'a.pdf', data: mine } })
    expect(used.statusCode).toBe(422)
  })

  it.each([
    ['no files', undefined, 'files'],
    ['no files', {}, 'files'],
    ['a slash in the name', { f1: { name: 'a/b.pdf', data: '0'.repeat(32) } }, 'files.f1.name'],
    ['a backslash', { f1: { name: 'a\\b.pdf', data: '0'.repeat(32) } }, 'files.f1.name'],
    ['a line break', { f1: { name: 'a\nb.pdf', data: '0'.repeat(32) } }, 'files.f1.name'],
    ['two dots', { f1: { name: '..', data: '0'.repeat(32) } }, 'files.f1.name'],
    ['no name', { f1: { data: '0'.repeat(32) } }, 'files.f1.name'],
    ['an invisible name', { f1: { name: '\u200b', data: '0'.repeat(32) } }, 'files.f1.name'],
    ['invalid data', { f1: { name: 'a.pdf', data: '../x' } }, 'files.f1.data'],
    ['no data', { f1: { name: 'a.pdf' } }, 'files.f1.data'],
    ['an odd id', { 'F-1': { name: 'a.pdf', data: '0'.repeat(32) } }, 'files.F-1'],
    [
      'too many',
      Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`f${n}`, { name: 'a.pdf', data: '0'.repeat(32) }])),
      'files',
    ],
  ] as [string, Files | undefined, string][])(
    'the manual form reports the fault of %s',
    async (_what, files, field) => {
      const reply = await post(files)
      expect([reply.statusCode, Object.keys(reply.json<{ errors: object }>().errors)]).toEqual([422, [field]])
    },
  )

  it('the manual form answers 404 for a folder of another project, and is only for the office', async () => {
    const other = await foldersByName(test.db, (await makeProject(test.db)).id)
    expect((await post({}, {}, other.Budget)).statusCode).toBe(404)
    const address = `/projects/${project}/uploads/folder/${folders.Budget}`
    expect((await office.visitor.get(address)).statusCode).toBe(200)
    expect((await office.visitor.get(`/projects/${project}/uploads/folder/${other.Budget}`)).statusCode).toBe(
      404,
    )
    expect((await (await enter(test, 'investor')).visitor.get(address)).statusCode).toBe(403)
    expect((await (await enter(test, 'auditor')).visitor.get(address)).statusCode).toBe(403)
  })

  it('a form whose folder is removed meanwhile is stored whole or not at all', async () => {
    const a = await sendAs(office.id, 'a.pdf')
    const administrator = new Visitor(test.app)
    const { email } = await makeUser(test.db, { role: 'administrator' })
    await administrator.signIn(email, PASSWORD)
    const [sent, removed] = await Promise.all([
      post({ f1: { name: 'a.pdf', data: a } }, {}, folders.Vurderinger),
      administrator.post(`/projects/${project}/folders/${folders.Vurderinger}/remove`, {}, { script: true }),
    ])
    expect([
      [200, 409],
      [404, 200],
      [422, 200],
    ]).toContainEqual([sent.statusCode, removed.statusCode])
    expect(await waiting()).toBe(sent.statusCode === 200 ? 0 : 1)
  })
})
