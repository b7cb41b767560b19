import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { freshDatabase } from '../../test/database.ts'
import { enter, type Entered } from '../../test/enter.ts'
import { foldersByName, makeFile, makeProject, makeUser, makeUserFolder } from '../../test/make.ts'
import { textsOf } from '../../test/page-data.ts'
import type { Page } from '../base/pagination.ts'
import { migrateWithin } from '../server/database/migrate.ts'
import { PROJECT } from '../server/process/project-directory.ts'
import { receiveTemporaryFile } from '../uploads/transport/temporary.db.ts'
import { fileUrls, urls } from '../urls.ts'
import type { InboxAct, InboxCounts, InboxFilter, InboxItem } from './inbox.ts'

let test: TestApp
let mette: Entered
let jens: Entered
let investor: Entered

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  mette = await enter(test, 'employee', { name: 'Mette Holm' })
  jens = await enter(test, 'administrator', { name: 'Jens Bech' })
})

beforeEach(async () => {
  await sql`delete from inbox`.execute(test.db)
  investor = await enter(test, 'investor', { name: 'Åse Nørregaard' })
})

/** Sends files as an investor, with one save. Returns the item's id. */
async function send(who: Entered, ...names: string[]): Promise<number> {
  const files: Record<string, object> = {}
  for (const [index, name] of names.entries()) {
    const bytes = Readable.from([Buffer.from(`%PDF-1.7 ${name} ${Math.random()}`)])
    const { hash_name: data } = await receiveTemporaryFile(test, who.id, name, bytes, 1e6)
    files[`f${index}`] = { name, data, mime: 'application/pdf' }
  }
  const reply = await who.visitor.post(urls.myFiles, { files }, { script: true })
  expect(reply.statusCode).toBe(200)
  const { rows } = await sql<{ id: number }>`select max(submission_id) as id from inbox`.execute(test.db)
  return rows[0]!.id
}

type Answer = { status: number; item?: InboxItem; counts?: InboxCounts; message?: string }

async function act(who: Entered, id: number, what: InboxAct, fields: object = {}): Promise<Answer> {
  const reply = await who.visitor.post(urls.inboxAct(id, what), { ...fields }, { script: true })
  return { status: reply.statusCode, ...reply.json<Omit<Answer, 'status'>>() }
}

async function list(who: Entered, filter: InboxFilter = 'all', query = ''): Promise<Page<InboxItem>> {
  return (await who.visitor.get(urls.listInbox(filter) + query)).json<Page<InboxItem>>()
}

const idsOf = ({ data }: Page<InboxItem>) => data.map(({ id }) => id)

/** Returns the acts in the log about an investor's files, oldest first. */
async function logged(who: Entered): Promise<string[]> {
  const { rows } = await sql<{ act: string; user_id: number }>`
    select act, user_id from log where subject_user_id = ${who.id} and act like 'inbox-%' order by id`.execute(
    test.db,
  )
  return rows.map((row) => `${row.user_id === mette.id ? 'Mette' : 'Jens'} ${row.act}`)
}

describe('what an investor sends with one save', () => {
  it('one save makes one new item with its sender and files', async () => {
    const id = await send(investor, 'Pas.pdf', 'Fuldmagt.pdf')
    const { data } = await list(mette)
    expect(data).toMatchObject([
      {
        id,
        sender: { id: investor.id, name: 'Åse Nørregaard' },
        left: 2,
        in_trash: 0,
        gone: 0,
        state: 'new',
        by: null,
        at: null,
      },
    ])
    expect(data[0]!.files.map(({ name }) => name).sort()).toEqual(['Fuldmagt.pdf', 'Pas.pdf'])
    const [file] = data[0]!.files
    expect((await mette.visitor.get(fileUrls.open(file!.owner, file!.path))).statusCode).toBe(200)
  })

  it('a form that is sent again makes no second item', async () => {
    const bytes = Readable.from([Buffer.from('%PDF-1.7 igen')])
    const { hash_name: data } = await receiveTemporaryFile(test, investor.id, 'Igen.pdf', bytes, 1e6)
    const form = { submission: 'igen-og-igen-1234', files: { a: { name: 'Igen.pdf', data } } }
    for (let time = 0; time < 2; time++)
      expect((await investor.visitor.post(urls.myFiles, form, { script: true })).statusCode).toBe(200)
    expect((await list(mette)).meta.total).toBe(1)
  })

  it('makes no item if all files are there already', async () => {
    for (let time = 0; time < 2; time++) {
      const bytes = Readable.from([Buffer.from('%PDF-1.7 det samme')])
      const { hash_name: data } = await receiveTemporaryFile(test, investor.id, 'Ens.pdf', bytes, 1e6)
      const form = { keep: '', files: { a: { name: 'Ens.pdf', data } } }
      expect((await investor.visitor.post(urls.myFiles, form, { script: true })).statusCode).toBe(200)
    }
    expect((await list(mette)).meta.total).toBe(1)
  })

  it('an item is taken, put back, finished and reopened, and the log names who did it', async () => {
    const id = await send(investor, 'Pas.pdf')
    const mine = { id: mette.id, name: 'Mette Holm' }
    expect(await act(mette, id, 'take')).toMatchObject({
      status: 200,
      item: { state: 'taken', by: mine, at: expect.any(String) as string },
      counts: { new: 0, mine: 1 },
    })
    expect(await act(mette, id, 'put-back')).toMatchObject({
      item: { state: 'new', by: null, at: null },
      counts: { new: 1, mine: 0 },
    })
    expect(await act(mette, id, 'take')).toMatchObject({ status: 200 })
    expect(await act(mette, id, 'finish')).toMatchObject({ item: { state: 'done', by: mine } })
    expect(await act(jens, id, 'reopen')).toMatchObject({ item: { state: 'new', by: null } })
    expect(await act(jens, id, 'finish')).toMatchObject({
      item: { state: 'done', by: { name: 'Jens Bech' } },
    })
    expect(await logged(investor)).toEqual([
      'Mette inbox-taken',
      'Mette inbox-put-back',
      'Mette inbox-taken',
      'Mette inbox-finished',
      'Jens inbox-reopened',
      'Jens inbox-finished',
    ])
    expect(await textsOf(jens.visitor, '/log?act=inbox-finished')).toContain('blev færdig med filer fra')
  })

  it('the first of two people who take an item gets it, and the second hears who has it', async () => {
    const id = await send(investor, 'Pas.pdf')
    await act(mette, id, 'take')
    const refused = await act(jens, id, 'take')
    expect(refused).toMatchObject({ status: 409, item: { state: 'taken', by: { name: 'Mette Holm' } } })
    expect(refused.message).toMatch(/^Mette Holm har taget den kl\. \d\d\.\d\d\.$/)
    for (const what of ['finish', 'put-back', 'reopen'] as const)
      expect(await act(jens, id, what)).toMatchObject({ status: 409, message: refused.message })
    expect((await list(jens)).data).toMatchObject([{ state: 'taken', by: { id: mette.id } }])
    expect(await logged(investor)).toEqual(['Mette inbox-taken'])
  })

  it('without JavaScript, a page says who has taken the item', async () => {
    const id = await send(investor, 'Pas.pdf')
    const taken = await mette.visitor.post(urls.inboxAct(id, 'take'), { next: '/inbox/new?q=pas' })
    expect([taken.statusCode, taken.headers.location]).toEqual([303, '/inbox/new?q=pas'])
    const elsewhere = await mette.visitor.post(urls.inboxAct(id, 'take'), { next: 'https://example.org/' })
    expect(elsewhere.headers.location).toBe('/')
    const refused = await jens.visitor.post(urls.inboxAct(id, 'take'))
    expect(refused.statusCode).toBe(409)
    expect(refused.body).toContain('Mette Holm har taget den kl.')
  })

  it('a double click changes nothing more, and is not logged again', async () => {
    const id = await send(investor, 'Pas.pdf')
    const answers = await Promise.all([act(mette, id, 'take'), act(mette, id, 'take')])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    await act(mette, id, 'finish')
    expect((await act(mette, id, 'finish')).status).toBe(200)
    expect(await logged(investor)).toEqual(['Mette inbox-taken', 'Mette inbox-finished'])
  })

  it('one of several people who take an item at the same moment gets it', async () => {
    const people = [mette, jens, await enter(test, 'employee'), await enter(test, 'employee')]
    for (let round = 0; round < 5; round++) {
      const id = await send(investor, `Pas ${round}.pdf`)
      const answers = await Promise.all(people.map((who) => act(who, id, 'take')))
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409])
      const winner = people[answers.findIndex(({ status }) => status === 200)]!
      for (const { item } of answers) expect(item).toMatchObject({ state: 'taken', by: { id: winner.id } })
    }
  })

  it('an item is taken over from the person that the page named, and from nobody else', async () => {
    const id = await send(investor, 'Pas.pdf')
    const third = await enter(test, 'employee')
    await act(mette, id, 'take')
    expect(await act(jens, id, 'take-over', { from: mette.id })).toMatchObject({
      status: 200,
      item: { state: 'taken', by: { id: jens.id } },
    })
    const late = await act(third, id, 'take-over', { from: mette.id })
    expect([late.status, late.item!.by]).toEqual([409, { id: jens.id, name: 'Jens Bech' }])
    expect(late.message).toContain('Jens Bech har taget den')
    expect((await act(third, id, 'take-over')).status).toBe(422)
    expect(await logged(investor)).toEqual(['Mette inbox-taken', 'Jens inbox-taken-over'])
  })
})

describe('the list', () => {
  it('lists the newest items first, filtered by state', async () => {
    const ids = [await send(investor, 'A.pdf'), await send(investor, 'B.pdf'), await send(investor, 'C.pdf')]
    await act(mette, ids[0]!, 'finish')
    await act(mette, ids[1]!, 'take')
    expect(idsOf(await list(mette))).toEqual(ids.toReversed())
    expect(idsOf(await list(mette, 'new'))).toEqual([ids[2]])
    expect(idsOf(await list(mette, 'mine'))).toEqual([ids[1]])
    expect(idsOf(await list(jens, 'mine'))).toEqual([])
    expect(idsOf(await list(mette, 'done'))).toEqual([ids[0]])
    const texts = await textsOf(mette.visitor, urls.inbox('new'))
    expect(texts).toContain('Nye (1)')
    expect(texts).toContain('C.pdf')
    expect(texts).not.toContain('B.pdf')
  })

  it('returns items that have left the list, as they are now', async () => {
    const [one, two] = [await send(investor, 'A.pdf'), await send(investor, 'B.pdf')]
    await act(jens, one, 'take')
    const read = async (ids: string) =>
      (await mette.visitor.get(`${urls.readInbox}?ids=${ids}`)).json<InboxItem[]>()
    expect(await read(`${one},x,999999999,,-1`)).toMatchObject([
      { id: one, state: 'taken', by: { id: jens.id } },
    ])
    expect((await read(`${one},${two}`)).length).toBe(2)
    expect(await read('')).toEqual([])
    expect((await investor.visitor.get(`${urls.readInbox}?ids=${one}`)).statusCode).toBe(403)
  })

  it('finds items by sender and by file name, also of files in the trash', async () => {
    const other = await enter(test, 'investor', { name: 'Torben Falkenberg' })
    const [one, two] = [await send(investor, 'Pas.pdf'), await send(other, 'Årsopgørelse 2025.pdf')]
    await sql`update files set deleted_at = now() where submission_id = ${one}`.execute(test.db)
    expect(idsOf(await list(mette, 'all', '?q=aase+nør'))).toEqual([one])
    expect(idsOf(await list(mette, 'all', '?q=aarsopg'))).toEqual([two])
    expect(idsOf(await list(mette, 'all', '?q=pas'))).toEqual([one])
    expect(idsOf(await list(mette, 'done', '?q=pas'))).toEqual([])
    expect(await textsOf(mette.visitor, `${urls.inbox('all')}?q=findes+ikke`)).toContain('Intet fundet...')
    expect((await mette.visitor.get(`${urls.listInbox('all')}?page=x`)).statusCode).toBe(422)
  })

  it('lists 25 items per page, with as many queries as for one', async () => {
    const folder = await makeUserFolder(test.db, investor.id)
    const queries = async () => {
      let count = 0
      const counting = test.db.withPlugin({
        transformQuery: ({ node }) => (count++, node),
        transformResult: ({ result }) => Promise.resolve(result),
      })
      const { listInbox } = await import('./inbox-list.db.ts')
      const { data } = await listInbox(counting, { id: mette.id, role: 'employee' }, 'all', {
        q: '',
        page: 1,
        sort: null,
      })
      return { count, rows: data.length }
    }
    const submit = async (key: string) => {
      const { rows } = await sql<{ id: number }>`
        insert into submissions (user_id, key, content, form) values (${investor.id}, ${key}, '', '/my-files')
        returning id`.execute(test.db)
      await makeFile(test, folder, { submissionId: rows[0]!.id, uploadedBy: investor.id, fromInvestor: true })
    }
    await submit('nr-0')
    const one = await queries()
    for (let index = 1; index < 30; index++) await submit(`nr-${index}`)
    const many = await queries()
    expect([one.rows, many.rows]).toEqual([1, 25])
    expect(many.count).toBe(one.count)
    expect((await list(mette, 'all', '?page=2')).data).toHaveLength(5)
    expect(await textsOf(mette.visitor, urls.inbox('all'))).toContain('Viser 25 af 30 resultater')
  })

  it('names the first files, and which are moved, in the trash, or gone', async () => {
    const id = await send(investor, ...[1, 2, 3, 4, 5, 6].map((number) => `Bilag ${number}.pdf`))
    const read = async () => (await list(mette)).data[0]!
    expect((await read()).files).toHaveLength(4)
    expect(await textsOf(mette.visitor, urls.inbox('all'))).toContain('og 2 til')
    const other = await makeUser(test.db, { name: 'Lars Bech', role: 'investor' })
    const first = (await read()).files[0]!
    await sql`
      update files set folder_id = ${await makeUserFolder(test.db, other.id)} where id = ${first.id}`.execute(
      test.db,
    )
    const moved = (await read()).files.find((file) => file.id === first.id)!
    expect(moved).toMatchObject({ moved_to: 'Lars Bech', owner: { user: other.id }, in_trash: false })
    expect((await mette.visitor.get(fileUrls.open(moved.owner, moved.path))).statusCode).toBe(200)

    await sql`update files set deleted_at = now() where submission_id = ${id} and id <> ${first.id}`.execute(
      test.db,
    )
    expect(await read()).toMatchObject({ left: 6, in_trash: 5, gone: 0 })
    expect((await read()).files.map((file) => file.in_trash)).toEqual([false, true, true, true])
    await sql`delete from files where submission_id = ${id} and deleted_at is not null`.execute(test.db)
    expect(await read()).toMatchObject({ left: 1, in_trash: 0, gone: 5 })
    await sql`update files set deleted_at = now() where id = ${first.id}`.execute(test.db)
    expect(await textsOf(mette.visitor, urls.inbox('all'))).toContain('Filen ligger i papirkurven.')
    await sql`delete from files where id = ${first.id}`.execute(test.db)
    expect(await read()).toMatchObject({ files: [], left: 0, gone: 6, state: 'new' })
    expect((await act(mette, id, 'finish')).status).toBe(200)
  })
})

describe('who may use the inbox', () => {
  it.each(['investor', 'auditor'] as const)(
    'refuses the inbox to people outside the office: %s',
    async (role) => {
      const id = await send(investor, 'Pas.pdf')
      const who = role === 'investor' ? investor : await enter(test, role)
      for (const address of [urls.inbox('all'), urls.inbox('new'), urls.listInbox('all')])
        expect((await who.visitor.get(address)).statusCode).toBe(403)
      expect((await act(who, id, 'take')).status).toBe(403)
      expect((await list(mette)).data).toMatchObject([{ state: 'new' }])
    },
  )

  it('does not tell the sender who has taken the item', async () => {
    const id = await send(investor, 'Pas.pdf')
    await act(mette, id, 'take')
    for (const address of ['/', urls.myFiles, urls.listUserFiles(investor.id)])
      expect((await investor.visitor.get(address)).body).not.toContain('Mette')
  })

  it('an upload of the office makes no item', async () => {
    const project = await makeProject(test.db)
    const { Budget: folder } = await foldersByName(test.db, project.id)
    const bytes = Readable.from([Buffer.from('%PDF-1.7 budget')])
    const { hash_name: data } = await receiveTemporaryFile(test, mette.id, 'Budget.pdf', bytes, 1e6)
    const form = { files: { a: { name: 'Budget.pdf', data } } }
    await mette.visitor.post(urls.uploadTo(project.id, folder!), form, { script: true })
    const { rows } = await sql<{ id: number }>`select max(id) as id from submissions`.execute(test.db)
    expect(await act(mette, rows[0]!.id, 'take')).toMatchObject({
      status: 404,
      message: 'Det findes ikke i indbakken.',
    })
    expect((await list(mette)).data).toEqual([])
  })

  it('answers 404 for an item that does not exist', async () => {
    expect((await act(mette, 999_999_999, 'take')).status).toBe(404)
    for (const address of ['/inbox/x/take', '/inbox/0/take', '/inbox/99999999999999999999/take'])
      expect((await mette.visitor.post(address, {}, { script: true })).statusCode).toBe(404)
    for (const address of ['/inbox/alle', '/api/inbox/x'])
      expect((await mette.visitor.get(address)).statusCode).toBe(404)
  })
})

it('the update marks old items as done, except recent ones that nobody has opened', async () => {
  const { db } = await freshDatabase({ migrated: false })
  await migrateWithin(db, new URL('db/', PROJECT), await countBefore('0029_inbox.sql'))
  const { rows } = await sql<{ id: number }>`
    insert into users (name, email, email_key, role)
    select name, name, name, role from (values ('a', 'investor'), ('b', 'employee')) as people (name, role)
    returning id`.execute(db)
  const [sender, reader] = rows.map(({ id }) => id)
  await sql`insert into folders (user_id, name, place, visible_to_investors) values (${sender}, 'Egne filer', 1, false)`.execute(
    db,
  )
  /** Saves of an investor from before the update. */
  const sent: [key: string, daysAgo: number, isOpened: boolean, isDeleted: boolean][] = [
    ['lately', 3, false, false],
    ['old', 20, false, false],
    ['opened', 3, true, false],
    ['deleted', 3, false, true],
  ]
  for (const [key, daysAgo, , isDeleted] of sent)
    await sql`
      with submission as (
        insert into submissions (user_id, key, content) values (${sender}, ${key}, '') returning id
      ), blob as (
        insert into blobs (key, state, size, sha256, type)
        values (md5(${key}), 'stored', 1, repeat('a', 64), 'application/pdf') returning id
      ), file as (
        insert into files (folder_id, blob_id, name, key, position, uploaded_by, submission_id, from_investor, created_at,
          deleted_at)
        select folders.id, blob.id, ${key}, md5(${key}), ${key}, ${sender}, submission.id, true,
          now() - make_interval(days => ${daysAgo}::integer), case when ${isDeleted}::boolean then now() end
        from folders, blob, submission where folders.user_id = ${sender} returning id
      )
      select from file`.execute(db)
  for (const [key, , isOpened] of sent)
    await sql`
      insert into file_reads (user_id, file_id)
      select reader, files.id from files, unnest(${isOpened ? [sender, reader] : [sender]}::bigint[]) as reader
      where files.name = ${key}`.execute(db)
  await migrateWithin(db)
  const made = await sql`
    select key, state, announced_at is not null as is_announced from inbox join submissions on id = submission_id
    order by id`.execute(db)
  expect(made.rows).toEqual(
    [
      ['lately', 'new'],
      ['old', 'done'],
      ['opened', 'done'],
      ['deleted', 'done'],
    ].map(([key, state]) => ({ key, state, is_announced: true })),
  )
})

async function countBefore(name: string): Promise<number> {
  const lines = (await readFile(new URL('db/checksums.txt', PROJECT), 'utf8')).trim().split('\n')
  return lines.findIndex((line) => line.endsWith(` ${name}`))
}
