import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeFile, makeProject, makeUserFolder } from '../../../test/make.ts'
import type { Project } from '../../projects/project/project.ts'

let test: TestApp
let office: Entered
let project: Project
let folders: Record<string, number>
let root: string
let number = 7000

beforeAll(async () => {
  test = await freshApp({
    hasJobs: false,
    env: { REQUESTS_PER_MINUTE: '100000', MAX_FILE_BYTES: '1000000', MAX_FILES_PER_SUBMIT: '20' },
  })
  office = await enter(test, 'employee')
  await test.app.listen({ port: 0, host: '127.0.0.1' })
  root = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`
})
beforeEach(async () => {
  project = await makeProject(test.db)
  folders = await foldersByName(test.db, project.id)
})

type Sent = [name: string, bytes?: string]
type Filed = {
  upload: string
  files: {
    id: number
    name: string
    held: string | null
    folder: { id: number }
    project: { id: number } | null
  }[]
  skipped: { name: string; twin: string }[]
  deleted: number
  release: { id: number; state: string } | null
  code?: string
  errors?: Record<string, string[]>
  message?: string
  contradictions?: Record<string, { kind: string }[]>
}
type FilingAnswer = { status: number; replayed: string | null; body: Filed }
type More = { who?: Entered; fields?: Record<string, string>; headers?: Record<string, string> }

async function call(
  url: string,
  body: FormData | string,
  { who = office, headers = {} }: More,
): Promise<FilingAnswer> {
  await who.visitor.get('/findes-ikke')
  const { cookies } = who.visitor
  const answer = await fetch(root + url, {
    method: 'POST',
    body,
    headers: {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'x-xsrf-token': decodeURIComponent(cookies.get('XSRF-TOKEN')!),
      ...headers,
    },
  })
  const replayed = answer.headers.get('idempotent-replayed')
  return { status: answer.status, replayed, body: (await answer.json()) as Filed }
}

/** Sends files in one step, as `curl -F` does. The fields come last, which is the hard way. */
function send(url: string, files: Sent[], more: More = {}): Promise<FilingAnswer> {
  const form = new FormData()
  for (const [name, bytes = `%PDF-1.7 ${name}`] of files) form.append('file', new Blob([bytes]), name)
  for (const [name, value] of Object.entries(more.fields ?? {})) form.append(name, value)
  return call(url, form, more)
}

const names = async (folder: number) => {
  const { rows } = await sql<{ name: string }>`
    select name from files where folder_id = ${folder} order by name`.execute(test.db)
  return rows.map(({ name }) => name)
}

const waiting = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from temporary_files`.execute(test.db)
  return rows[0]!.count
}

const toFolder = (name: string) => `/api/projects/${project.id}/folder/${folders[name]}/files`

describe('files that a program sends in one step', () => {
  it('files of a program go where their names lead, as drafts', async () => {
    const budget = `Budget (${project.number}) 2025.pdf`
    const { status, body } = await send('/api/uploads', [
      [budget],
      [`Årsrapport (${project.number}) 2025.pdf`],
    ])
    expect(status).toBe(201)
    expect(body.files.map(({ name, held, folder }) => [name, held, folder.id])).toEqual([
      [`Årsrapport (${project.number}) 2025.pdf`, 'draft', folders.Årsrapport],
      [budget, 'draft', folders.Budget],
    ])
    expect([body.skipped, body.deleted, body.release?.state]).toEqual([[], 0, 'draft'])
    expect([await names(folders.Budget!), await waiting()]).toEqual([[budget], 0])
  })

  it('files of a program are published at once if it says so', async () => {
    const { status, body } = await send(toFolder('Budget'), [['a.pdf']], { fields: { publish: 'now' } })
    expect([status, body.files[0]!.held, body.release!.state]).toEqual([201, null, 'published'])
  })

  it('files of a program go into the folder of the address, whatever their names', async () => {
    const { status, body } = await send(toFolder('Budget'), [['Hvad som helst.txt', 'tekst']])
    expect([status, body.files[0]!.project!.id]).toEqual([201, project.id])
    expect(await names(folders.Budget!)).toEqual(['Hvad som helst.txt'])
  })

  it('files whose bytes the folder has are not stored, unless the program wants that', async () => {
    await makeFile(test, folders.Budget!, { name: 'Der.pdf', bytes: '%PDF-1.7 ens' })
    const again = await send(toFolder('Budget'), [['Igen.pdf', '%PDF-1.7 ens']], {
      fields: { publish: 'now' },
    })
    expect([again.status, again.body.files, again.body.skipped]).toMatchObject([
      201,
      [],
      [{ name: 'Igen.pdf', twin: 'Der.pdf' }],
    ])
    await send(toFolder('Budget'), [['Igen.pdf', '%PDF-1.7 ens']], { fields: { keep_identical: 'true' } })
    expect(await names(folders.Budget!)).toEqual(['Der.pdf', 'Igen.pdf'])
  })

  it('a file becomes a new version of the file that the program names', async () => {
    const { id } = await makeFile(test, folders.Budget!, { name: 'Budget.pdf' })
    const { status, body } = await send(toFolder('Budget'), [['Budget.pdf', '%PDF-1.7 ny']], {
      fields: { replaces: String(id), publish: 'now' },
    })
    expect([status, body.files.map((file) => file.id)]).toEqual([201, [id]])
    expect(await names(folders.Budget!)).toEqual(['Budget.pdf'])
  })

  it('files that an investor’s program sends go to the office as the investor’s own', async () => {
    const investor = await enter(test, 'investor', { numbers: [String(++number)] })
    const { status, body } = await send(`/api/users/${investor.id}/files`, [['Mit: bilag.pdf']], {
      who: investor,
    })
    expect([status, body.release]).toEqual([201, null])
    expect(await names(await makeUserFolder(test.db, investor.id))).toHaveLength(1)
  })

  it('files that a program sends to an investor come from the office', async () => {
    const investor = await enter(test, 'investor', { numbers: [String(++number)] })
    const { status } = await send(`/api/users/${investor.id}/files`, [['Opgørelse.pdf']])
    expect(status).toBe(201)
    expect(await names(await makeUserFolder(test.db, investor.id))).toEqual(['Opgørelse.pdf'])
  })
})

describe('a refused call stores nothing', () => {
  const refused = async (
    url: string,
    files: Sent[],
    more: More,
    status: number,
    code: string,
    fields: string[],
  ): Promise<void> => {
    const told = await send(url, files, more)
    expect([told.status, told.body.code, Object.keys(told.body.errors ?? {})]).toEqual([status, code, fields])
    expect([await names(folders.Budget!), await waiting()]).toEqual([[], 0])
  }

  it('refuses names that lead nowhere, with all faults at their files', () =>
    refused(
      '/api/uploads',
      [[`Budget (${project.number}) 2025.pdf`], ['scan0001.pdf'], ['Ferie (1).pdf']],
      {},
      422,
      'invalid',
      ['files.1.name', 'files.2.name'],
    ))
  it('refuses a call without files', () =>
    refused(toFolder('Budget'), [], { fields: { publish: 'now' } }, 422, 'invalid', ['files']))
  it('refuses an empty file', () =>
    refused(toFolder('Budget'), [['a.pdf', '']], {}, 422, 'invalid', ['files.0']))
  it('refuses a file that is too large', () =>
    refused(toFolder('Budget'), [['a.pdf', 'x'.repeat(1_000_001)]], {}, 422, 'invalid', ['files.0']))
  it('refuses a wrong field', () =>
    refused(
      toFolder('Budget'),
      [['a.pdf'], ['b.pdf']],
      { fields: { publish: 'engang', replaces: '1' } },
      422,
      'invalid',
      ['publish', 'replaces'],
    ))
  it('refuses a field that is too long', () =>
    refused(toFolder('Budget'), [['a.pdf']], { fields: { publish_day: 'x'.repeat(2000) } }, 422, 'invalid', [
      'publish_day',
    ]))
  it('refuses a day that has passed', () =>
    refused(
      toFolder('Budget'),
      [['a.pdf']],
      { fields: { publish: 'later', publish_day: '01/01/2020', publish_time: '9' } },
      422,
      'invalid',
      ['publish_day'],
    ))
  it('refuses to replace a file that is somewhere else', async () => {
    const other = await makeFile(test, folders.Årsrapport!, { name: 'a.pdf' })
    await refused(
      toFolder('Budget'),
      [['a.pdf']],
      { fields: { replaces: String(other.id) } },
      422,
      'invalid',
      ['files.0.replaces'],
    )
  })
  it('refuses a folder of another project', async () => {
    const other = await makeProject(test.db)
    await refused(
      `/api/projects/${other.id}/folder/${folders.Budget}/files`,
      [['a.pdf']],
      {},
      404,
      'not_found',
      [],
    )
  })
  it('refuses an investor’s file for somebody else, or one that is no PDF', async () => {
    const [one, two] = [await enter(test, 'investor'), await enter(test, 'investor')]
    await refused(`/api/users/${two.id}/files`, [['a.pdf']], { who: one }, 404, 'not_found', [])
    await refused(`/api/users/${one.id}/files`, [['a.pdf', 'tekst']], { who: one }, 422, 'invalid', [
      'files.0',
    ])
    await refused('/api/uploads', [['a.pdf']], { who: one }, 403, 'forbidden', [])
  })
  it('refuses a body that is neither a form with files nor JSON', async () => {
    const told = await call(toFolder('Budget'), 'x', { headers: { 'content-type': 'text/plain' } })
    expect([told.status, told.body.code]).toEqual([415, 'unsupported_type'])
    const broken = await call(toFolder('Budget'), '{"files":', {
      headers: { 'content-type': 'application/json' },
    })
    expect([broken.status, broken.body.code]).toEqual([400, 'malformed'])
  })
})

describe('files that were sent before', () => {
  const json = (body: object, headers: Record<string, string> = {}) =>
    call(toFolder('Budget'), JSON.stringify(body), {
      headers: { 'content-type': 'application/json', ...headers },
    })

  async function temporary(name: string): Promise<string> {
    const form = new FormData()
    form.append('files[0]', new Blob([`%PDF-1.7 ${name}`]), name)
    const { body } = await call('/api/temp/upload', form, {})
    return (body as unknown as { hash_name: string }[])[0]!.hash_name
  }

  it('files that were sent before are filed by their names', async () => {
    const files = [{ name: 'Nyt navn.pdf', hash_name: await temporary('a.pdf') }]
    const headers = { 'idempotency-key': 'ny-1' }
    const first = await json({ files, publish: 'now' }, headers)
    expect([first.status, first.replayed, first.body.files[0]!.name]).toEqual([201, null, 'Nyt navn.pdf'])
    const second = await json({ files, publish: 'now' }, headers)
    expect([second.status, second.replayed, second.body]).toEqual([201, 'true', first.body])
    expect(await names(folders.Budget!)).toEqual(['Nyt navn.pdf'])
  })

  it('refuses files sent before that are gone or wrong, at their fields', async () => {
    const gone = await json({ files: [{ name: 'a.pdf', hash_name: '0'.repeat(32) }] })
    expect([gone.status, Object.keys(gone.body.errors!)]).toEqual([422, ['files.0.hash_name']])
    const wrong = await json({ files: [{ name: 'a/b.pdf', hash_name: '0'.repeat(32) }, { hash_name: 'x' }] })
    expect(Object.keys(wrong.body.errors!)).toEqual(['files.1.name', 'files.1.hash_name'])
    const many = await json({
      files: Array.from({ length: 201 }, () => ({ name: 'a', hash_name: '0'.repeat(32) })),
    })
    expect([many.status, Object.keys(many.body.errors!)]).toEqual([422, ['files']])
  })
})

describe('Idempotency-Key', () => {
  const key = (text: string) => ({ headers: { 'idempotency-key': text } })

  it('a call with an idempotency key is stored once, and answered the same again', async () => {
    const first = await send(toFolder('Budget'), [['a.pdf'], ['b.pdf']], key('K-1'))
    const second = await send(toFolder('Budget'), [['a.pdf'], ['b.pdf']], key('K-1'))
    expect([second.status, second.replayed, second.body]).toEqual([201, 'true', first.body])
    expect([await names(folders.Budget!), await waiting()]).toEqual([['a.pdf', 'b.pdf'], 0])
  })

  it('a call sent four times at once with one key is stored once', async () => {
    const told = await Promise.all([1, 2, 3, 4].map(() => send(toFolder('Budget'), [['a.pdf']], key('K-2'))))
    expect(told.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(told.map(({ body }) => body.files[0]!.id)).size).toBe(1)
    expect(told.filter(({ replayed }) => replayed === null)).toHaveLength(1)
    expect([await names(folders.Budget!), await waiting()]).toEqual([['a.pdf'], 0])
  })

  it.each<[string, Sent[], More]>([
    ['other bytes', [['a.pdf', '%PDF-1.7 andet']], {}],
    ['another name', [['b.pdf', '%PDF-1.7 a.pdf']], {}],
    ['one more file', [['a.pdf'], ['b.pdf']], {}],
    ['another choice', [['a.pdf']], { fields: { publish: 'now' } }],
  ])('refuses %s under the same idempotency key', async (_what, files, more) => {
    const own = key(`K-3-${project.id}`)
    await send(toFolder('Budget'), [['a.pdf']], own)
    const told = await send(toFolder('Budget'), files, { ...more, ...own })
    expect([told.status, told.body.code]).toEqual([422, 'idempotency_key_reused'])
    expect(Object.keys(told.body.errors!)).toEqual(['Idempotency-Key'])
    expect([await names(folders.Budget!), await waiting()]).toEqual([['a.pdf'], 0])
  })

  it('refuses another address under the same idempotency key', async () => {
    await send(toFolder('Budget'), [['a.pdf']], key('K-4'))
    expect((await send(toFolder('Årsrapport'), [['a.pdf']], key('K-4'))).status).toBe(422)
  })

  it('idempotency keys are per user', async () => {
    const colleague = await enter(test, 'administrator')
    await send(toFolder('Budget'), [['a.pdf']], key('K-5'))
    const theirs = await send(toFolder('Budget'), [['b.pdf']], { who: colleague, ...key('K-5') })
    expect([theirs.status, theirs.replayed]).toEqual([201, null])
  })

  it('an idempotency key is free again after a refusal', async () => {
    expect((await send(toFolder('Budget'), [['a.pdf', '']], key('K-6'))).status).toBe(422)
    expect((await send(toFolder('Budget'), [['a.pdf']], key('K-6'))).status).toBe(201)
  })

  it.each(['', 'x'.repeat(256), 'to ord'])('refuses the idempotency key %j', async (text) => {
    const told = await send(toFolder('Budget'), [['a.pdf']], key(text))
    expect([told.status, Object.keys(told.body.errors ?? {})]).toEqual([422, ['Idempotency-Key']])
  })
})

it('reports a paper that contradicts its name, and stores it once somebody has seen that', async () => {
  const bytes = '%PDF-1.7 modsigelse'
  await makeFile(test, folders.Årsrapport!, { name: 'Før.pdf', bytes })
  await sql`
    with read as (
      insert into texts (sha256, kind, state, pages) select sha256, 'pdf', 'read', 1 from blobs join files on files.blob_id = blobs.id
      where files.folder_id = ${folders.Årsrapport} on conflict (sha256) do update set state = 'read', pages = 1 returning id
    )
    insert into paper_facts (text_id, pages, facts)
    select id, 1, ${JSON.stringify({ projects: [], people: [], year: { year: 2023, all: [2023], isCertain: true, page: 1, quarter: null }, cprPage: null })}::jsonb
    from read`.execute(test.db)
  const refused = await send(toFolder('Budget'), [['Budget 2025.pdf', bytes]])
  expect([refused.status, refused.body.code]).toEqual([409, 'contradictions'])
  expect(refused.body.contradictions).toMatchObject({ '0': [{ kind: 'year', named: 2025, found: 2023 }] })
  const seen = await send(toFolder('Budget'), [['Budget 2025.pdf', bytes]], {
    fields: { acknowledged: '0:year' },
  })
  expect(seen.status).toBe(201)
})
