import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { enter, type Entered } from '../../test/enter.ts'
import { handIn } from '../../test/office/hand-in.ts'
import { makeProject } from '../../test/make.ts'
import type { Page } from '../base/pagination.ts'
import type { Project } from '../projects/project/project.ts'
import { removeTemporaryFiles } from '../uploads/transport/temporary.db.ts'
import type { FoundPile } from '../uploads/unsaved/unsaved-pile.ts'
import { urls } from '../urls.ts'
import { keepHouse } from '../work.ts'
import type { InboxItem } from './inbox.ts'

let test: TestApp
let mette: Entered
let jens: Entered
let project: Project

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  mette = await enter(test, 'employee', { name: 'Mette Holm' })
  jens = await enter(test, 'administrator', { name: 'Jens Bech' })
  project = await makeProject(test.db)
})

beforeEach(async () => {
  await sql`delete from inbox`.execute(test.db)
})

const nameIn = (folder: string) => `${folder} (${project.number}) ${Math.random()}.txt`

async function itemOf(who: Entered, id: number): Promise<InboxItem> {
  const { data } = (await who.visitor.get(urls.listInbox('all'))).json<Page<InboxItem>>()
  return data.find((item) => item.id === id)!
}

type Sorted = { status: number; files: FoundPile['files']; message?: string; address: string; pile: string }

/** Presses *Sorter bunken*, and reads the pile that the form then shows. */
async function sort(who: Entered, id: number): Promise<Sorted> {
  const reply = await who.visitor.post(urls.inboxAct(id, 'sort'), {}, { script: true })
  const { redirect = '', message } = reply.json<{ redirect?: string; message?: string }>()
  const pile = redirect.split('pile=')[1] ?? ''
  const found = pile
    ? (await who.visitor.get(`${urls.unsavedPile}?form=/upload&pile=${pile}`)).json<FoundPile>()
    : { files: [] }
  return {
    status: reply.statusCode,
    files: found.files,
    address: redirect,
    pile,
    ...(message && { message }),
  }
}

/** Saves files of a pile. */
async function save(who: Entered, files: FoundPile['files'], more: object = {}): Promise<number> {
  const entries = Object.fromEntries(
    files.map(({ name, hash_name: data }, index) => [`f${index}`, { name, data, mime: 'text/plain' }]),
  )
  const reply = await who.visitor.post(urls.upload, { files: entries, ...more }, { script: true })
  return reply.statusCode
}

const open = (who: Entered, item: number, file: number) => who.visitor.get(urls.intakeFile(item, file))

/** Returns the texts that the intake's own bytes still have, as the store knows them. */
async function bytesOf(id: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from intake_files join blobs on blobs.id = blob_id and state = 'stored'
    where submission_id = ${id} order by intake_files.id`.execute(test.db)
  return Promise.all(rows.map(async ({ key }) => (await buffer(await test.storage.open(key))).toString()))
}

describe('sorting an intake', () => {
  it('sorting makes a pile of exactly the intake’s files, for the person who takes it', async () => {
    await handIn(test, { 'andet.txt': 'andet' })
    const id = await handIn(test, { 'Scan 1.txt': 'et', 'Scan 2.txt': 'to' })
    const { status, files, address } = await sort(mette, id)
    expect(status).toBe(200)
    expect(files.map(({ name, size }) => [name, size])).toEqual([
      ['Scan 1.txt', 2],
      ['Scan 2.txt', 2],
    ])
    expect(await itemOf(mette, id)).toMatchObject({ state: 'taken', by: { id: mette.id } })
    const page = await mette.visitor.get(address)
    expect(page.body).toContain('"isAsked":true')
  })

  it('an intake is done when all files are saved, and says where each file is', async () => {
    const [first, second] = [nameIn('Budget'), nameIn('Diverse')]
    const id = await handIn(test, { [first]: `1 ${first}`, [second]: `2 ${second}` })
    const { files } = await sort(mette, id)
    expect(await save(mette, files.slice(0, 1))).toBe(200)
    expect(await itemOf(mette, id)).toMatchObject({
      state: 'taken',
      intake: {
        waiting: 1,
        total: 2,
        files: [
          { name: second, state: 'waiting', filed: null },
          { name: first, state: 'filed', filed: { name: first, moved_to: project.name, in_trash: false } },
        ],
      },
    })
    const again = await sort(mette, id)
    expect(again.files.map(({ name }) => name)).toEqual([second])
    expect(await save(mette, again.files)).toBe(200)
    expect(await itemOf(mette, id)).toMatchObject({
      state: 'done',
      by: { id: mette.id },
      intake: { waiting: 0 },
    })
    expect(await sort(mette, id)).toMatchObject({ status: 409 })
  })

  it('an intake is not done if a file of the mail was not taken', async () => {
    const name = nameIn('Budget')
    const id = await handIn(test, { [name]: name }, { untaken: [{ name: 'film.mp4', why: 'er for stor' }] })
    expect(await save(mette, (await sort(mette, id)).files)).toBe(200)
    expect(await itemOf(mette, id)).toMatchObject({ state: 'taken', intake: { waiting: 0 } })
  })

  it('sorting again continues with the earlier decisions', async () => {
    const id = await handIn(test, { 'Scan 1.txt': 'et', 'Scan 2.txt': 'to' })
    const { files, pile } = await sort(mette, id)
    const [{ key: _key, type: _type, ...kept }] = files as [(typeof files)[number]]
    const change = {
      form: '/upload',
      pile: 'aaaaaaaaaaaaaaaa',
      publishing: { way: 'draft', day: null, time: '09.00' },
      files: { f1: { ...kept, name: 'Budget (1).txt' } },
      gone: [`${pile}.n1`],
    }
    expect((await mette.visitor.post(urls.unsavedPile, change, { script: true })).statusCode).toBe(204)
    const again = await sort(mette, id)
    expect(again.files.map(({ name }) => name).sort()).toEqual(['Budget (1).txt', 'Scan 2.txt'])
    const reply = await mette.visitor.get(`${urls.unsavedPile}?form=/upload&pile=${again.pile}`)
    expect(reply.json<FoundPile>().publishing).toMatchObject({ way: 'draft' })
  })

  it('one person sorts at a time, and the person who takes over gets the files', async () => {
    const name = nameIn('Budget')
    const id = await handIn(test, { [name]: name })
    const mine = await sort(mette, id)
    expect(await sort(jens, id)).toMatchObject({
      status: 409,
      message: expect.stringContaining('Mette Holm'),
    })
    await jens.visitor.post(urls.inboxAct(id, 'take-over'), { from: mette.id }, { script: true })
    const theirs = await sort(jens, id)
    expect(theirs.files).toHaveLength(1)
    expect(await save(mette, mine.files)).toBe(422)
    expect(await save(jens, theirs.files)).toBe(200)
  })

  it('one of two people who sort at the same moment gets the intake', async () => {
    const id = await handIn(test, { 'Scan.txt': 'x' })
    const both = await Promise.all([sort(mette, id), sort(jens, id)])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
  })

  it('a double click gives all files to the newest page', async () => {
    const id = await handIn(test, { 'Scan.txt': 'x' })
    const both = await Promise.all([sort(mette, id), sort(mette, id)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect((await sort(mette, id)).files).toHaveLength(1)
  })
})

describe('the bytes belong to the intake until they are saved', () => {
  it.each<[string, (sorted: Sorted) => Promise<unknown>]>([
    [
      'a day later, when temporary files are gone',
      () => sql`update temporary_files set created_at = now() - interval '25 hours'`.execute(test.db),
    ],
    [
      'when the pile is thrown away',
      ({ pile }) =>
        mette.visitor.post(urls.discardPile, { form: '/upload', piles: [pile] }, { script: true }),
    ],
    [
      'when a file is taken out of the pile',
      ({ files }) =>
        removeTemporaryFiles(
          test,
          mette.id,
          files.map(({ hash_name: hashName }) => hashName!),
        ),
    ],
    ['when it is put back', (_sorted) => Promise.resolve()],
  ])('keeps the bytes %s', async (_when, happen) => {
    const id = await handIn(test, { 'Scan 1.txt': 'et', 'Scan 2.txt': 'to' })
    await happen(await sort(mette, id))
    await mette.visitor.post(urls.inboxAct(id, 'put-back'), {}, { script: true })
    await keepHouse(test)
    await keepHouse(test)
    expect(await bytesOf(id)).toEqual(['et', 'to'])
    const again = await sort(jens, id)
    expect(again.files).toHaveLength(2)
  })

  it('keeps the bytes when the folder already has the same ones, and skips them', async () => {
    const [name, twin] = [nameIn('Budget'), nameIn('Budget')]
    const first = await handIn(test, { [name]: `samme ${name}` })
    await save(mette, (await sort(mette, first)).files)
    const second = await handIn(test, { [twin]: `samme ${name}` })
    expect(await save(mette, (await sort(mette, second)).files, { keep: '' })).toBe(200)
    await keepHouse(test)
    expect(await bytesOf(second)).toEqual([`samme ${name}`])
    expect(await itemOf(mette, second)).toMatchObject({ state: 'taken', intake: { waiting: 1 } })
  })

  it('the bytes of a saved file stay when its intake is finished', async () => {
    const [kept, other] = [nameIn('Budget'), nameIn('Budget')]
    const id = await handIn(test, { [kept]: kept, [other]: other })
    await save(mette, (await sort(mette, id)).files.slice(0, 1))
    await mette.visitor.post(urls.inboxAct(id, 'finish'), {}, { script: true })
    await keepHouse(test)
    expect(await bytesOf(id)).toEqual([other]) // it can be opened again
    await sql`update inbox set changed_at = now() - interval '31 days'`.execute(test.db)
    await keepHouse(test)
    expect(await bytesOf(id)).toEqual([])
    const { rows } = await sql<{ key: string; state: string }>`
      select blobs.key, blobs.state from files join blobs on blobs.id = blob_id where name = ${kept}`.execute(
      test.db,
    )
    expect(rows).toMatchObject([{ state: 'stored' }])
    expect((await buffer(await test.storage.open(rows[0]!.key))).toString()).toBe(kept)
    const { rows: strays } = await sql`select from blobs where state <> 'stored'`.execute(test.db)
    expect(strays).toEqual([])
    expect((await itemOf(mette, id)).intake!.files.map(({ state }) => state).sort()).toEqual([
      'filed',
      'removed',
    ])
  })

  it('keeps the bytes of an intake that was reopened', async () => {
    const id = await handIn(test, { 'Scan.txt': 'x' })
    await mette.visitor.post(urls.inboxAct(id, 'finish'), {}, { script: true })
    await sql`update inbox set changed_at = now() - interval '31 days'`.execute(test.db)
    await jens.visitor.post(urls.inboxAct(id, 'reopen'), {}, { script: true })
    await keepHouse(test)
    expect(await bytesOf(id)).toEqual(['x'])
  })
})

describe('a file that waits', () => {
  it('a waiting file can be opened before it is sorted, which is logged', async () => {
    const id = await handIn(test, { 'Scan.txt': 'hele teksten', 'side.html': '<script>alert(1)</script>' })
    const { intake } = await itemOf(mette, id)
    const [text, page] = intake!.files
    const reply = await open(mette, id, text!.id)
    expect(reply.body).toBe('hele teksten')
    expect(reply.headers['content-disposition']).toContain('inline')
    expect((await open(mette, id, page!.id)).headers).toMatchObject({
      'content-disposition': expect.stringContaining('attachment'),
      'content-type': 'application/octet-stream',
    })
    const { rows } = await sql`
      select from log where act = 'intake-opened' and user_id = ${mette.id} and detail = ${String(text!.id)}`.execute(
      test.db,
    )
    expect(rows).toHaveLength(1)
  })

  it('only the office can open a waiting file, at its own item', async () => {
    const id = await handIn(test, { 'Scan.txt': 'x' })
    const other = await handIn(test, { 'Andet.txt': 'x' })
    const { intake } = await itemOf(mette, id)
    const file = intake!.files[0]!.id
    expect((await open(mette, other, file)).statusCode).toBe(404)
    for (const role of ['investor', 'auditor'] as const) {
      const stranger = await enter(test, role)
      expect((await open(stranger, id, file)).statusCode).toBe(403)
      expect((await sort(stranger, id)).status).toBe(403)
    }
  })
})

it('the list shows the stated sender of a mail, and finds the mail by it', async () => {
  const id = await handIn(
    test,
    { 'Pas.pdf': 'x' },
    {
      source: 'mailbox',
      sender: 'Bo Holm <bo@example.dk>',
      subject: 'Mit pas',
      note: 'Hej\n\n<b>Bo</b>',
      pictures: 2,
    },
  )
  const { body } = await mette.visitor.get(urls.inbox('all'))
  for (const said of [
    'Angivet afsender',
    'Bo Holm &lt;bo@example.dk&gt;',
    'Mit pas',
    '&lt;b&gt;Bo&lt;/b&gt;',
    '2 små billeder',
  ])
    expect(body).toContain(said)
  for (const q of ['holm', 'mit pas', 'pas.pdf']) {
    const { data } = (await mette.visitor.get(`${urls.listInbox('all')}?q=${encodeURIComponent(q)}`)).json<
      Page<InboxItem>
    >()
    expect(data.map((item) => item.id)).toEqual([id])
  }
})

it('answers 404 to sorting an investor’s item or an unknown one', async () => {
  expect((await sort(mette, 99_999_999)).status).toBe(404)
})
