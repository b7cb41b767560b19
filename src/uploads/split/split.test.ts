import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { PDFDocument } from '@cantoo/pdf-lib'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pdfOfMany } from '../../../demo/papers/writing/pdf.ts'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { HOSTILE_PDFS } from '../../../test/files/hostile-pdfs.ts'
import { writePdf } from '../../../test/files/pdf.ts'
import { foldersByName, makeProject, makeUser, makeUserFolder } from '../../../test/make.ts'
import { countUp } from '../../../test/counter.ts'
import type { User } from '../../accounts/users/user.ts'
import type { Project } from '../../projects/project/project.ts'
import { findPageDrawer } from '../../server/storage/thumbnail.ts'
import { receiveTemporaryFile } from '../transport/temporary.db.ts'
import type { SplitReading } from './split.ts'

let test: TestApp
let office: Entered
let project: Project
let folders: Record<string, number>
let people: (User & { number: string })[]
/** Fails the nth time that bytes are stored, if it is set. */
let failsAt = Infinity

beforeAll(async () => {
  test = await freshApp({
    hasJobs: false,
    env: { REQUESTS_PER_MINUTE: '100000', MAX_SPLIT_PAGES: '40' },
    storageOf: (opened) => {
      const put = opened.put.bind(opened)
      opened.put = (key, bytes) =>
        --failsAt === 0 ? Promise.reject(new Error('Injected.')) : put(key, bytes)
      return opened
    },
  })
  office = await enter(test, 'employee')
  project = await makeProject(test.db)
  folders = await foldersByName(test.db, project.id)
})
beforeEach(async () => {
  failsAt = Infinity
  people = []
  for (const first of ['Anna', 'Bente', 'Carl']) {
    const number = String(700_000 + countUp())
    people.push({
      ...(await makeUser(test.db, { name: `${first} Prøve${number}`, numbers: [number] })),
      number,
    })
  }
})

const page = (...lines: string[]) => ({ title: 'Årsopgørelse', from: 'Revisor', reference: '', lines })
/** Two pages for the first person, one for the second, one for nobody. */
const paper = () =>
  pdfOfMany('Alle', [
    { ...page(`Til ${people[0]!.name}`), lines: [`Til ${people[0]!.name}`, { newPage: true }, 'Noter'] },
    page(`Investornr. ${people[1]!.number}`),
    page('Bemærkninger'),
  ])

async function send(bytes: Buffer, who = office, name = 'Årsopgørelser 2025.pdf'): Promise<string> {
  return (await receiveTemporaryFile(test, who.id, name, Readable.from([bytes]), 1e8)).hash_name
}

async function read(file: string, who = office) {
  const reply = await who.visitor.post('/api/upload/split', { file }, { script: true })
  return { status: reply.statusCode, body: reply.json<SplitReading & { message?: string }>() }
}

const part = (person: User, pages: string) => ({ user_id: person.id, pages })

/** The form as the page sends it for `paper`. */
const formOf = (file: string, more: Record<string, unknown> = {}) => ({
  submission: randomUUID(),
  file,
  pages: 4,
  pattern: 'Årsopgørelse ({nummer}) 2025.pdf',
  left_out: '4',
  parts: { a: part(people[0]!, '1-2'), b: part(people[1]!, '3') },
  ...more,
})

async function save(fields: Record<string, unknown>, who = office) {
  const reply = await who.visitor.post('/upload/split', fields, { script: true })
  return {
    status: reply.statusCode,
    body: reply.json<{
      redirect?: string
      message?: string
      errors?: Record<string, string[]>
      shared?: number[]
    }>(),
  }
}

async function filesOf(person: User): Promise<{ name: string; key: string; is_held_back: boolean }[]> {
  const folder = await makeUserFolder(test.db, person.id)
  const { rows } = await sql<{ name: string; key: string; is_held_back: boolean }>`
    select files.name, blobs.key, is_held_back from files join blobs on blobs.id = files.blob_id
    where folder_id = ${folder} and deleted_at is null order by files.id`.execute(test.db)
  return rows
}
const namesOf = async (person: User) => (await filesOf(person)).map(({ name }) => name)

/** How much there is of everything that saving changes. */
async function everything() {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from files)::integer as files, (select count(*) from submissions)::integer as submissions,
      (select count(*) from releases)::integer as releases, (select count(*) from temporary_files)::integer as temporary,
      (select count(*) from log)::integer as log,
      (select count(*) from blobs where state = 'stored')::integer as stored`.execute(test.db)
  return rows[0]!
}

describe('reading', () => {
  it('proposes whose each page is', async () => {
    const { status, body } = await read(await send(paper()))
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: 'Årsopgørelser 2025.pdf', is_signed: false })
    expect(body.pages.map(({ person, sureness, reason }) => [person, sureness, reason.kind])).toEqual([
      [people[0]!.id, 'sure', 'name'],
      [people[0]!.id, 'sure', 'follows'],
      [people[1]!.id, 'sure', 'number'],
      [null, 'unsure', 'nobody'],
    ])
    expect(body.people).toEqual(people.slice(0, 2).map(({ id, name, number }) => ({ id, name, number })))
    expect(body.pages[0]!.words).toContain(`Til ${people[0]!.name}`)
  })

  it('recognises people by their companies, but not by a project of the office', async () => {
    const [own, same] = [`Særeje ${countUp()} ApS`, (await makeProject(test.db)).name]
    await sql`insert into reports (user_id) values (${people[2]!.id})`.execute(test.db)
    for (const name of [own, same])
      await sql`insert into report_companies (user_id, place, name) values (${people[2]!.id}, ${countUp()}, ${name})`.execute(
        test.db,
      )
    const { body } = await read(await send(pdfOfMany('Alle', [page(`Vedr. ${own}`), page(`Vedr. ${same}`)])))
    expect(body.pages.map(({ person }) => person)).toEqual([people[2]!.id, null])
  })

  it.each<[what: string, bytes: () => Buffer, message: RegExp]>([
    ['a text', () => Buffer.from('Ikke en PDF'), /er ikke en PDF/],
    [
      'a locked PDF',
      () => HOSTILE_PDFS.find(([what]) => what === 'a password')![1](),
      /låst eller beskyttet/,
    ],
    ['a damaged PDF', () => paper().subarray(0, 300), /beskadiget/],
    ['too many pages', () => writePdf({ pages: 41 }), /har 41 sider. Der kan højst deles 40 sider/],
    ['10,000 pages', () => writePdf({ pages: 10_000 }), /har 10.000 sider/],
  ])('refuses %s with a message', async (_what, bytes, message) => {
    const { status, body } = await read(await send(bytes()))
    expect(status).toBe(422)
    expect(body.message).toMatch(message)
  })

  it('does not read, draw or divide a PDF that somebody else has sent', async () => {
    const other = await enter(test, 'administrator')
    const file = await send(paper(), other)
    expect((await read(file)).status).toBe(422)
    expect((await office.visitor.get(`/api/upload/split/${file}/pages?from=1&to=1`)).statusCode).toBe(404)
    const before = await everything()
    const { status, body } = await save(formOf(file))
    expect([status, body.errors]).toEqual([
      422,
      { file: [expect.stringContaining('ikke længere på serveren')] },
    ])
    expect(await everything()).toEqual(before)
    expect((await read(file, other)).status).toBe(200)
  })
})

describe('pictures', () => {
  it('pictures of pages come a few at a time', async () => {
    const file = await send(paper())
    const reply = await office.visitor.get(`/api/upload/split/${file}/pages?from=2&to=3`)
    expect(reply.statusCode).toBe(200)
    const { pictures } = reply.json<{ pictures: Record<string, string> }>()
    if (await findPageDrawer()) expect(Object.keys(pictures)).toEqual(['2', '3'])
    for (const each of Object.values(pictures)) expect(each).toMatch(/^data:image\/jpeg;base64,/)
  })

  it.each([
    'from=1&to=25',
    'from=3&to=2',
    'from=0&to=1',
    'from=1',
    'from=1&to=999999',
    'from=1&to=2&size=large',
    'from=a&to=b',
  ])('refuses pictures for %s', async (query) => {
    const file = await send(writePdf())
    expect((await office.visitor.get(`/api/upload/split/${file}/pages?${query}`)).statusCode).toBe(422)
  })
})

describe('saving', () => {
  it('everybody gets a file with their own pages, in one submission with a release', async () => {
    const file = await send(paper())
    const form = formOf(file)
    const { status, body } = await save(form)
    expect([status, body.redirect]).toEqual([200, `/upload/result/${form.submission}`])
    expect(await namesOf(people[0]!)).toEqual([`Årsopgørelse (${people[0]!.number}) 2025.pdf`])
    expect(await namesOf(people[2]!)).toEqual([])
    const [own] = await filesOf(people[1]!)
    const stored = await PDFDocument.load(await buffer(await test.storage.open(own!.key)))
    expect(stored.getPageCount()).toBe(1)
    const { rows } = await sql<{ files: number; state: string }>`
      select count(*)::integer as files, min(releases.state) as state from submissions
      join releases on releases.submission_id = submissions.id join files on files.submission_id = submissions.id
      where submissions.key = ${form.submission}`.execute(test.db)
    expect(rows).toEqual([{ files: 2, state: 'published' }])
    const { rows: left } =
      await sql`select from temporary_files where user_id = ${office.id} and hash_name = ${file}`.execute(
        test.db,
      )
    expect(left).toEqual([])
    expect((await office.visitor.get(body.redirect!)).body).toContain('2 filer er gemt hos 2 personer')
  })

  it('the parts are a draft, and the PDF itself is stored in a folder', async () => {
    const file = await send(paper())
    expect((await save(formOf(file, { publish: 'draft', original: folders.Diverse }))).status).toBe(200)
    expect((await filesOf(people[0]!)).map((each) => each.is_held_back)).toEqual([true])
    const { rows } = await sql<{ name: string }>`
      select name from files where folder_id = ${folders.Diverse} order by id desc limit 1`.execute(test.db)
    expect(rows).toEqual([{ name: 'Årsopgørelser 2025.pdf' }])
  })

  it('asks before the PDF itself goes into a folder that is shared by now', async () => {
    const file = await send(paper())
    const before = await everything()
    const form = formOf(file, { original: folders.Budget, shared: '' })
    const { status, body } = await save(form)
    expect([status, body.shared]).toEqual([409, [folders.Budget]])
    expect(await everything()).toEqual(before)
    expect((await save({ ...form, shared: String(folders.Budget) })).status).toBe(200)
  })

  it('a form sent several times is saved once', async () => {
    const form = formOf(await send(paper()))
    const answers = await Promise.all([save(form), save(form)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await save(form)).status).toBe(200)
    expect(await namesOf(people[0]!)).toHaveLength(1)
    const { rows } =
      await sql`select from temporary_files where user_id = ${office.id} and name like 'Årsopgørelse (%'`.execute(
        test.db,
      )
    expect(rows).toEqual([])
    expect((await save({ ...form, pattern: '{navn}.pdf' })).status).toBe(409)
  })

  it('does not give the same pages to the same person twice', async () => {
    const bytes = paper()
    await save(formOf(await send(bytes)))
    await save(formOf(await send(bytes)))
    expect(await namesOf(people[0]!)).toHaveLength(1)
  })

  it.each<
    [
      what: string,
      change: (form: ReturnType<typeof formOf>) => Record<string, unknown>,
      errors: Record<string, unknown>,
    ]
  >([
    ['a page twice', () => ({ left_out: '3-4' }), { left_out: ['Side 3 er givet to gange.'] }],
    [
      'a page forgotten',
      () => ({ left_out: '' }),
      { parts: ['Side 4 er hverken givet til nogen eller udeladt.'] },
    ],
    ['a page beyond the end', () => ({ left_out: '4-5' }), { left_out: ["PDF'en har kun 4 sider."] }],
    [
      'another number of pages',
      () => ({ pages: 5, left_out: '4-5' }),
      { file: ["PDF'en er beskadiget, så den kan ikke deles."] },
    ],
    ['nonsense for pages', () => ({ left_out: '4;rm' }), { left_out: ['Siderne kan ikke læses.'] }],
    ['no part', () => ({ parts: {}, left_out: '1-4' }), { parts: ['Giv mindst én side til en investor.'] }],
    [
      'a part without pages',
      ({ parts }) => ({ parts: { ...parts, c: part(people[2]!, '') } }),
      { 'parts.c.pages': ['Der er ingen sider i denne del.'] },
    ],
    [
      'a person twice',
      ({ parts }) => ({ left_out: '', parts: { ...parts, c: part(people[0]!, '4') } }),
      { 'parts.c.user_id': ['Investoren er med to gange.'] },
    ],
    [
      'a pattern with slashes',
      () => ({ pattern: '../{nummer}.pdf' }),
      { pattern: [expect.stringContaining('skråstreger')] },
    ],
    [
      'a pattern for all',
      () => ({ pattern: 'Alle.pdf' }),
      { pattern: [expect.stringContaining('{nummer} eller {navn}')] },
    ],
    [
      'somebody who is not there',
      () => ({ parts: { a: { user_id: 99_999_999, pages: '1-3' } } }),
      { 'parts.a.user_id': ['Der kan kun gives sider til investorer.'] },
    ],
    [
      'somebody of the office',
      () => ({ parts: { a: { user_id: office.id, pages: '1-3' } } }),
      { 'parts.a.user_id': ['Der kan kun gives sider til investorer.'] },
    ],
    ['a folder that is not there', () => ({ original: 99_999_999 }), { original: ['Mappen findes ikke.'] }],
    [
      'a day that is none',
      () => ({ publish: 'later', publish_day: 'i morgen' }),
      { publish_day: [expect.any(String)] },
    ],
  ])('refuses %s, and changes nothing', async (_what, change, errors) => {
    const file = await send(paper())
    const form = formOf(file)
    const before = await everything()
    const { status, body } = await save({ ...form, ...change(form) })
    expect(status).toBe(422)
    expect(body.errors).toMatchObject(errors)
    expect(await everything()).toEqual(before)
  })

  it('refuses a person’s folder for the PDF itself', async () => {
    const folder = await makeUserFolder(test.db, people[2]!.id)
    const { body } = await save(formOf(await send(paper()), { original: folder }))
    expect(body.errors).toEqual({ original: ['Mappen findes ikke.'] })
  })

  it('saves nothing if one of the people was deactivated meanwhile', async () => {
    const file = await send(paper())
    await read(file)
    await sql`update users set deactivated_at = now() where id = ${people[1]!.id}`.execute(test.db)
    const before = await everything()
    const { status, body } = await save(formOf(file))
    expect([status, body.errors]).toEqual([
      422,
      {
        'parts.b.user_id': [`${people[1]!.name} er deaktiveret. Giv siderne til en anden, eller udelad dem.`],
      },
    ])
    expect(await everything()).toEqual(before)
    const { body: again } = await read(file)
    expect(again.pages[2]!.reason).toEqual({ kind: 'inactive', said: people[1]!.name })
  })
})

describe('a fault on the way', () => {
  it('nothing is left if storing bytes fails anywhere, and the next try stores all', async () => {
    const file = await send(paper())
    const form = formOf(file)
    const before = await everything()
    for (const at of [1, 2]) {
      failsAt = at
      expect((await save(form)).status).toBe(500)
      expect(await everything()).toEqual(before)
    }
    failsAt = Infinity
    expect((await save(form)).status).toBe(200)
    expect(await namesOf(people[1]!)).toHaveLength(1)
  })

  it('nothing is left if the transaction fails anywhere', async () => {
    const form = formOf(await send(paper()))
    await sql`create function injected() returns trigger language plpgsql as $$ begin raise 'Injected.'; end $$`.execute(
      test.db,
    )
    for (const [act, table] of [
      ['insert', 'files'],
      ['insert', 'releases'],
      ['delete', 'temporary_files'],
    ] as const) {
      const { temporary, stored, ...seen } = await everything()
      await sql`create trigger injected before ${sql.raw(act)} on ${sql.table(table)}
        for each row execute function injected()`.execute(test.db)
      expect([table, (await save(form)).status]).toEqual([table, 500])
      await sql`drop trigger injected on ${sql.table(table)}`.execute(test.db)
      const after = await everything()
      expect(after).toMatchObject(seen)
      // Parts that could not be removed at once are purged as every temporary file is; nobody has got them.
      const left = act === 'delete' ? 2 : 0
      expect([table, after.temporary, after.stored]).toEqual([table, temporary! + left, stored! + left])
    }
    expect((await save(form)).status).toBe(200)
  })
})

it('an investor and an auditor cannot split a PDF', async () => {
  for (const role of ['investor', 'auditor'] as const) {
    const who = await enter(test, role)
    expect((await who.visitor.get('/upload/split')).statusCode).toBe(403)
    expect((await read('0'.repeat(32), who)).status).toBe(403)
    expect((await save(formOf('0'.repeat(32)), who)).status).toBe(403)
  }
})
