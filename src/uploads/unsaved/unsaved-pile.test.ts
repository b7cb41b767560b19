import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeProject } from '../../../test/make.ts'
import type { Project } from '../../projects/project/project.ts'
import { keepHouse } from '../../work.ts'
import { receiveTemporaryFile } from '../transport/temporary.db.ts'
import { isPileStored, sinceText, type FoundPile, type UnsavedFile, type PileChange } from './unsaved-pile.ts'

const MOST = 20
const [A, B] = ['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb']

let test: TestApp
let office: Entered
let project: Project
let folders: Record<string, number>

beforeAll(async () => {
  test = await freshApp({
    hasJobs: false,
    env: { REQUESTS_PER_MINUTE: '100000', MAX_FILES_PER_SUBMIT: String(MOST) },
  })
  project = await makeProject(test.db)
  folders = await foldersByName(test.db, project.id)
})
beforeEach(async () => {
  office = await enter(test, 'employee')
})

const sendAs = async ({ id }: Entered, name = 'x.pdf') =>
  (await receiveTemporaryFile(test, id, name, Readable.from([Buffer.from(`%PDF ${name}`)]), 1e6)).hash_name

const file = (more: Partial<UnsavedFile> = {}): UnsavedFile => ({
  name: 'x.pdf',
  original: 'x.pdf',
  size: 9,
  hash_name: null,
  choice: null,
  meaning: null,
  acknowledged: [],
  ...more,
})

const changeOf = (more: Partial<PileChange> = {}): PileChange => ({
  form: '/upload',
  pile: A,
  publishing: { way: 'now', day: null, time: '09.00' },
  files: {},
  gone: [],
  ...more,
})

async function keep(more: Partial<PileChange>, who = office): Promise<number> {
  return (await who.visitor.post('/api/temp/pile', { ...changeOf(more) }, { script: true })).statusCode
}

async function find(form = '/upload', who = office): Promise<FoundPile> {
  const reply = await who.visitor.get(`/api/temp/pile?form=${encodeURIComponent(form)}`)
  expect(reply.statusCode).toBe(200)
  return reply.json<FoundPile>()
}

const keys = async (form?: string, who = office) => (await find(form, who)).files.map(({ key }) => key)

async function offered(form = '/upload', who = office): Promise<string | null> {
  const { body } = await who.visitor.get(form)
  return /\d+ fil(?:er)? fra [^<]* er ikke gemt[^<]*/.exec(body)?.[0] ?? null
}

const save = (hashName: string, more: Record<string, unknown> = {}, who = office) =>
  who.visitor.post(
    '/upload',
    { files: { f1: { name: `Budget (${project.number}) ${hashName}.pdf`, data: hashName } }, ...more },
    { script: true },
  )

/** Counts a person's stored files, also those they no longer see. */
const countUnsaved = async () =>
  (
    await sql<{ count: number }>`
      select count(*) from kept_files join kept_piles on kept_piles.id = pile_id where user_id = ${office.id}`.execute(
      test.db,
    )
  ).rows[0]!.count

describe('a pile that is not saved', () => {
  it('only its person finds an unsaved pile again, with everything that was decided', async () => {
    const sent = file({
      hash_name: await sendAs(office),
      name: 'Budget (1024).pdf',
      choice: 'version',
      meaning: 'person',
      acknowledged: ['year', 'cpr'],
    })
    const publishing = { way: 'later', day: '01/02/2030', time: '10.30' } as const
    expect(await keep({ files: { f1: sent, f2: file({ name: 'Ærø.pdf' }) }, publishing })).toBe(204)
    expect(await find()).toEqual({
      files: [
        { ...sent, key: `${A}.f1`, type: 'application/pdf' },
        { ...file({ name: 'Ærø.pdf' }), key: `${A}.f2`, type: null },
      ],
      publishing,
    })
    expect(await offered()).toMatch(
      /^1 fil fra i dag kl\. \d\d\.\d\d er ikke gemt\. 1 fil mere blev ikke sendt\.$/,
    )
    const other = await enter(test, 'administrator')
    expect(await keys('/upload', other)).toEqual([])
    expect(await offered('/upload', other)).toBeNull()
    expect(await offered('/users/upload')).toBeNull()
  })

  it('a pile is stored piece by piece: what changed, and what is gone', async () => {
    const hash = await sendAs(office)
    await keep({ files: { f1: file(), f2: file(), f3: file() } })
    await keep({ files: { f1: file({ name: 'y.pdf', hash_name: hash }) }, gone: [`${A}.f2`] })
    const { files } = await find()
    expect(files.map(({ key, name }) => [key, name])).toEqual([
      [`${A}.f1`, 'y.pdf'],
      [`${A}.f3`, 'x.pdf'],
    ])
  })

  it('a pile is not offered while nothing of it is on the server', async () => {
    await keep({ files: { f1: file() } })
    expect(await offered()).toBeNull()
  })

  it('a pile leaves out files of others, files that are gone, and those that were never sent', async () => {
    const other = await enter(test, 'employee')
    const [theirs, old] = [await sendAs(other), await sendAs(office)]
    await sql`update temporary_files set created_at = now() - interval '25 hours' where hash_name = ${old}`.execute(
      test.db,
    )
    const files = {
      f1: file({ hash_name: theirs }),
      f2: file({ hash_name: old }),
      f3: file({ hash_name: '0'.repeat(32) }),
    }
    expect(await keep({ files })).toBe(204)
    expect(await keys()).toEqual([])
    expect(await countUnsaved()).toBe(0)
    // Nobody discards somebody else's pile.
    await office.visitor.post('/api/temp/pile/discard', { form: '/upload', piles: [A] }, { script: true })
    expect((await save(theirs, {}, other)).json()).toHaveProperty('redirect')
  })

  it('a page does not overwrite the pile of another page, and takes it over without losing a file', async () => {
    const [one, two] = [await sendAs(office), await sendAs(office)]
    await keep({ files: { f1: file({ hash_name: one }), f2: file() } })
    await keep({ pile: B, files: { f1: file({ hash_name: two }) } })
    expect((await keys()).toSorted()).toEqual([`${A}.f1`, `${A}.f2`, `${B}.f1`])
    // The second page continues the first one's: a sent file is in one pile at a time, the latest that named it.
    await keep({ pile: B, files: { f2: file({ hash_name: one }), f3: file() }, gone: [`${A}.f2`] })
    expect(await keys()).toEqual([`${B}.f1`, `${B}.f2`, `${B}.f3`])
    await keep({ files: { f1: file({ hash_name: one, name: 'z.pdf' }) } })
    expect((await keys()).toSorted()).toEqual([`${A}.f1`, `${B}.f1`, `${B}.f3`])
  })

  it('a pile of another person or another form cannot be reached', async () => {
    const other = await enter(test, 'employee')
    await keep({ files: { f1: file({ hash_name: await sendAs(office) }) } })
    await keep({ files: { f1: file({ name: 'mine.pdf' }) }, gone: [`${A}.f1`] }, other)
    await keep({ pile: B, form: '/users/upload', gone: [`${A}.f1`] })
    expect(await keys()).toEqual([`${A}.f1`])
    expect(await keep({ form: '/users/upload', files: { f1: file() } })).toBe(409)
    const thrown = { form: '/users/upload', piles: [A] }
    await office.visitor.post('/api/temp/pile/discard', thrown, { script: true })
    await other.visitor.post('/api/temp/pile/discard', { form: '/upload', piles: [A] }, { script: true })
    expect(await keys()).toEqual([`${A}.f1`])
  })

  it('two pages may store a pile at once', async () => {
    const hashes = await Promise.all(Array.from({ length: 6 }, () => sendAs(office)))
    const files = Object.fromEntries(hashes.map((hash, index) => [`f${index}`, file({ hash_name: hash })]))
    const turned = Object.fromEntries(Object.entries(files).toReversed())
    const done = await Promise.all(
      Array.from({ length: 8 }, (_, index) => keep(index % 2 ? { files } : { pile: B, files: turned })),
    )
    expect(new Set(done)).toEqual(new Set([204]))
    expect((await find()).files).toHaveLength(6)
  })
})

describe('a pile', () => {
  it('saving deletes the pile, with what was left out of it, and other piles stay', async () => {
    const [one, two] = [await sendAs(office, '1.pdf'), await sendAs(office, '2.pdf')]
    await keep({ files: { f1: file({ hash_name: one }), f2: file() } })
    await keep({ pile: B, files: { f1: file({ hash_name: two }) } })
    expect((await save(one, { pile: A })).json()).toHaveProperty('redirect')
    expect(await keys()).toEqual([`${B}.f1`])
    expect(await countUnsaved()).toBe(1)
    // A page that sends no pile still removes its files.
    expect((await save(two)).json()).toHaveProperty('redirect')
    expect(await keys()).toEqual([])
    expect(await countUnsaved()).toBe(0)
    // A write that comes late brings nothing back.
    await keep({ pile: B, files: { f1: file({ hash_name: two }) } })
    expect(await keys()).toEqual([])
  })

  it('files that are left out stay in the pile, and one goes on with them', async () => {
    const [saved, left, skipped] = [
      await sendAs(office, '1.pdf'),
      await sendAs(office, '2.pdf'),
      await sendAs(office, '3.pdf'),
    ]
    await keep({
      files: {
        f1: file({ hash_name: saved }),
        f2: file({ hash_name: left }),
        f3: file({ hash_name: skipped }),
        f4: file(),
      },
    })
    await keep({ pile: B, files: { f2: file({ hash_name: await sendAs(office, '4.pdf') }) } })
    expect((await save(saved, { pile: A, rest: 'f2,f4,f9' })).json()).toHaveProperty('redirect')
    expect((await keys()).toSorted()).toEqual([`${A}.f2`, `${B}.f2`].toSorted())
    // When they are saved as well, nothing is left.
    expect((await save(left, { pile: A, rest: 'f2' })).json()).toHaveProperty('redirect')
    expect(await keys()).toEqual([`${B}.f2`])
    expect((await save(await sendAs(office, '5.pdf'), { pile: A, rest: 'f1;f2' })).statusCode).toBe(422)
  })

  it('a pile stays when saving is refused', async () => {
    const hash = await sendAs(office)
    await keep({ files: { f1: file({ hash_name: hash }) } })
    const reply = await office.visitor.post(
      '/upload',
      { pile: A, files: { f1: { name: 'Ingen plads.pdf', data: hash } } },
      { script: true },
    )
    expect(reply.statusCode).toBe(422)
    expect(await keys()).toEqual([`${A}.f1`])
  })

  it('a discarded pile is deleted with its files, and saving them elsewhere says that they are gone', async () => {
    const hash = await sendAs(office)
    await keep({ files: { f1: file({ hash_name: hash }), f2: file() } })
    const thrown = { form: '/upload', piles: [A] }
    expect((await office.visitor.post('/api/temp/pile/discard', thrown, { script: true })).statusCode).toBe(
      204,
    )
    expect(await keys()).toEqual([])
    const reply = await save(hash)
    expect(reply.statusCode).toBe(422)
    expect(reply.body).toContain('er ikke længere på serveren')
  })

  it('a pile lives as long as its temporary files', async () => {
    const hash = await sendAs(office)
    await keep({ files: { f1: file({ hash_name: hash }), f2: file() } })
    await keepHouse(test)
    expect(await countUnsaved()).toBe(2)
    await sql`update kept_files set created_at = now() - interval '25 hours'`.execute(test.db)
    expect(await keys()).toEqual([`${A}.f1`])
    await keepHouse(test)
    expect(await countUnsaved()).toBe(1)
    await sql`update temporary_files set created_at = now() - interval '25 hours' where hash_name = ${hash}`.execute(
      test.db,
    )
    expect(await offered()).toBeNull()
    expect(await keys()).toEqual([])
    await sql`update kept_piles set changed_at = now() - interval '25 hours'`.execute(test.db)
    await keepHouse(test)
    expect(await countUnsaved()).toBe(0)
    expect((await sql`select from kept_piles where user_id = ${office.id}`.execute(test.db)).rows).toEqual([])
  })

  it('a pile is offered in each form of the office, also after signing in somewhere else', async () => {
    const form = `/projects/${project.id}/uploads/folder/${folders.Budget}`
    await keep({ form, files: { f1: file({ hash_name: await sendAs(office) }) } })
    expect(await offered(form)).toMatch(/^1 fil fra .* er ikke gemt/)
  })
})

const wide = (size: number) =>
  Object.fromEntries(Array.from({ length: size }, (_, index) => [`f${index}`, file()]))

it.each<[string, Record<string, unknown>]>([
  ['a form that does not exist', { form: '/upload/split' }],
  ['a form elsewhere', { form: 'https://example.dk/upload' }],
  ['a long form', { form: `/projects/${'1'.repeat(300)}/upload` }],
  ['no pile', { pile: undefined }],
  ['another name of a pile', { pile: '../../etc' }],
  ['too many files at once', { files: wide(501) }],
  ['too many files in all', { files: wide(101) }],
  ['a file that is none', { files: { f1: 'x' } }],
  ['files in a list', { files: [file()] }],
  ['a number that is none', { files: { 'F 1': file() } }],
  ['a long name', { files: { f1: file({ name: 'x'.repeat(256) }) } }],
  ['a long old name', { files: { f1: file({ original: 'x'.repeat(256) }) } }],
  ['a name that ends early', { files: { f1: file({ original: 'x\0.pdf' }) } }],
  ['half a letter', { files: { f1: file({ name: '\ud800.pdf' }) } }],
  ['a name with a slash', { files: { f1: file({ name: '../x.pdf' }) } }],
  ['an empty file', { files: { f1: file({ size: 0 }) } }],
  ['a huge file', { files: { f1: file({ size: 1e300 }) } }],
  ['another hash name', { files: { f1: file({ hash_name: "'; drop table" }) } }],
  ['another choice', { files: { f1: { ...file(), choice: 'delete' } } }],
  ['many acknowledgements', { files: { f1: file({ acknowledged: Array(9).fill('year') }) } }],
  ['another way to publish', { publishing: { way: 'never', day: null, time: '' } }],
  ['a strange file that is gone', { gone: ['x'] }],
  ['too many that are gone', { gone: Array(2 * MOST + 1).fill(`${A}.f1`) }],
])('a pile with %s is refused, and changes nothing', async (_, more) => {
  const body = { ...changeOf(), ...more }
  const reply = await office.visitor.post('/api/temp/pile', body, { script: true })
  expect(reply.statusCode).toBe(422)
  expect(await keys()).toEqual([])
})

it.each([
  ['/upload', true],
  ['/users/upload', true],
  ['/users/12/upload', true],
  ['/projects/12/upload', true],
  ['/projects/12/uploads/folder/7', true],
  ['/my-files', false],
  ['/projects/12/uploads/file/7/replace', false],
  ['/upload?x', false],
])('the pile of %s is stored: %s', (address, isKept) => expect(isPileStored(address)).toBe(isKept))

it.each([
  ['2026-03-12T08:12:00Z', 'i dag kl. 09.12'],
  ['2026-03-11T23:30:00Z', 'i dag kl. 00.30'],
  ['2026-03-11T22:30:00Z', 'i går kl. 23.30'],
  ['2026-03-10T12:00:00Z', '10/03/2026 kl. 13.00'],
])('the time %s is written %s', (date, text) =>
  expect(sinceText(new Date(date), new Date('2026-03-12T20:00:00Z'), 'Europe/Copenhagen')).toBe(text),
)
