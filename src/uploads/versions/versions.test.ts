import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeProject, makeUserFolder, makeFile, wantApproval } from '../../../test/make.ts'
import { nameBlobs } from '../../copies/used-by.db.ts'
import { purgeTrash } from '../../files/trash/trash.db.ts'
import type { FileVersion, LogAnswer } from '../../log/words/entry.ts'
import { listUnmailed } from '../../releases/mail/tell-people.db.ts'
import { publishPlanned } from '../../releases/steps/publish-planned.db.ts'
import { purgeBlobs } from '../../server/storage/blobs.db.ts'
import { fileUrls, urls } from '../../urls.ts'
import { receiveTemporaryFile } from '../transport/temporary.db.ts'

let test: TestApp
let office: Entered
let colleague: Entered
let administrator: Entered
let investor: Entered
let auditor: Entered
let project: { id: number; number: string }
let folder: number
let owner: { project: number }

beforeAll(async () => {
  test = await freshApp({ env: { REQUESTS_PER_MINUTE: '100000' } })
  office = await enter(test, 'employee')
  colleague = await enter(test, 'employee')
  administrator = await enter(test, 'administrator')
})

beforeEach(async () => {
  await wantApproval(test.db, false)
  investor = await enter(test, 'investor')
  auditor = await enter(test, 'auditor')
  project = await makeProject(test.db, { members: [investor.id, auditor.id] })
  folder = (await foldersByName(test.db, project.id)).Budget!
  owner = { project: project.id }
})

const pdf = (text: string) => `%PDF-1.7 ${text}`

async function send(name: string, bytes: string, who = office): Promise<object> {
  const { hash_name: data } = await receiveTemporaryFile(
    test,
    who.id,
    name,
    Readable.from([Buffer.from(bytes)]),
    1e6,
  )
  return { name, data, mime: 'application/pdf' }
}

type Answer = { message?: string; errors?: Record<string, string[]>; redirect?: string }

async function post(address: string, fields: object, who = office) {
  const reply = await who.visitor.post(address, fields as Record<string, string>, { script: true })
  return { status: reply.statusCode, ...reply.json<Answer>() }
}

type Listed = {
  id: number
  name: string
  path: string
  is_new: boolean
  is_version: boolean
  held: string | null
  waiting: string | null
  size: number
}

async function listed(who: Entered): Promise<Listed[]> {
  return (await who.visitor.get(fileUrls.list(owner, folder))).json<{ data: Listed[] }>().data
}

/** The content that somebody finds in the only file; null if they see none. */
async function shownTo(who: Entered): Promise<string | null> {
  const [file] = await listed(who)
  if (!file) return null
  const reply = await who.visitor.get(fileUrls.open(owner, file.path))
  return reply.statusCode === 200 ? reply.body : null
}

/** Uploads the first version, and returns the file. */
async function upload(text: string, name = 'Budget.pdf', more: Record<string, string> = {}) {
  const files = { f0: await send(name, pdf(text)) }
  expect(await post(urls.uploadTo(project.id, folder), { files, ...more })).toMatchObject({ status: 200 })
  return (await listed(office)).find((file) => file.name === name)!
}

async function replace(file: number, text: string, more: Record<string, string> = {}, who = office) {
  const files = { f0: await send('Andet navn.pdf', pdf(text), who) }
  const answer = await post(fileUrls.replace(owner, file), { files, ...more }, who)
  const { rows } = await sql<{ id: number }>`select max(id) as id from releases`.execute(test.db)
  return { ...answer, release: rows[0]!.id }
}

/** Presses a button of a release's page, which says what the page shows. */
async function act(release: number, what: string, who = office) {
  const { body } = await who.visitor.get(urls.release(release))
  const papers = /"papers":"([^"]+)"/.exec(body)?.[1] ?? ''
  return post(urls.releaseAct(release, what), { papers }, who)
}

async function versionsOf(file: number, who = office): Promise<FileVersion[]> {
  return (await who.visitor.get(urls.listFileHistory(file))).json<LogAnswer>().picked.versions
}

const acts = async (file: number) => {
  const { rows } = await sql<{ said: string }>`
    select act || coalesce(' ' || detail, '') as said from log where file_id = ${file} order by id`.execute(
    test.db,
  )
  return rows.map(({ said }) => said)
}

/** Stored bytes that no row has, and rows that share bytes. */
const strays = async () => {
  const { rows } = await sql<{ id: number }>`
    select id from blobs where state = 'stored' and (
      select count(*) from (
        select blob_id from files union all select blob_id from file_versions union all select blob_id from temporary_files
      ) as used where used.blob_id = blobs.id) <> 1`.execute(test.db)
  return rows.length
}

describe('replacing a file', () => {
  it('replacing a file shows the new bytes at the same address, and keeps place, id and name', async () => {
    const file = await upload('et')
    const { name, path, id } = file
    const etag = (await investor.visitor.get(fileUrls.open(owner, path))).headers.etag
    expect(await replace(id, 'to')).toMatchObject({ status: 200 })
    const [after] = await listed(office)
    expect(after).toMatchObject({ id, name, path })
    const again = await investor.visitor.get(fileUrls.open(owner, path), {
      headers: { 'if-none-match': String(etag) },
    })
    expect([again.statusCode, again.body]).toEqual([200, pdf('to')])
    expect(await strays()).toBe(0)
    expect(await acts(id)).toEqual(expect.arrayContaining(['file-added', 'file-replaced']))
    await expect.poll(() => acts(id)).toContain('file-opened 2')
  })

  it('a new version is news with its own mark to its readers, until they open it', async () => {
    const { id } = await upload('et')
    for (const who of [investor, auditor]) await shownTo(who)
    expect((await listed(investor))[0]).toMatchObject({ is_new: false })
    await replace(id, 'to')
    for (const who of [investor, auditor]) {
      expect((await listed(who))[0]).toMatchObject({ is_new: true, is_version: true })
      await shownTo(who)
      expect((await listed(who))[0]).toMatchObject({ is_new: false })
    }
    expect((await listed(office))[0]).toMatchObject({ is_new: false, is_version: false })
  })

  it('a new version is mailed as such, and its release counts only who opened that version', async () => {
    const { id } = await upload('et')
    await shownTo(investor)
    const { release } = await replace(id, 'to')
    await sql`insert into release_people (release_id, user_id, mail_id)
      values (${release}, ${investor.id}, gen_random_uuid())`.execute(test.db)
    const { rows } = await sql<{ mail_id: string }>`
      select mail_id from release_people where release_id = ${release}`.execute(test.db)
    const mail = () =>
      listUnmailed(test.db, { id: investor.id, role: 'investor', mail_rate: 'at-once' }, rows[0]!.mail_id)
    expect(await mail()).toMatchObject({ total: 1, files: [{ name: 'Budget.pdf', isVersion: true }] })
    const opened = async () =>
      (await office.visitor.get(urls.listReleases))
        .json<{ data: { id: number; opened: number; files_count: number }[] }>()
        .data.find((each) => each.id === release)
    expect(await opened()).toMatchObject({ opened: 0, files_count: 1 })
    await shownTo(investor)
    expect(await opened()).toMatchObject({ opened: 1 })
    expect(await mail()).toMatchObject({ total: 0 })
  })

  it('replacing a file with the same bytes does nothing, and says so', async () => {
    const { id } = await upload('et')
    const { redirect } = await replace(id, 'et')
    expect(redirect).toMatch('/upload/result/')
    expect((await office.visitor.get(redirect!)).body).toMatch('Filen lå der allerede.')
    expect(await versionsOf(id)).toHaveLength(1)
  })

  it('refuses to replace what an investor has sent', async () => {
    const own = await makeUserFolder(test.db, investor.id)
    const sent = await makeFile(test, own, { fromInvestor: true, uploadedBy: investor.id })
    const reply = await office.visitor.get(fileUrls.replace({ user: investor.id }, sent.id))
    expect([reply.statusCode, reply.body]).toEqual([409, expect.stringMatching('sendt af en investor')])
  })

  it('a file that was opened while it was replaced has an unread new version', async () => {
    const { id } = await upload('et')
    // A person who reads the first version marks it after the second has come.
    const { ReadMarks } = await import('../../files/content/read-marks.db.ts')
    await replace(id, 'to')
    const marks = new ReadMarks(test.db, { complain: () => undefined })
    await marks.mark(investor.id, { id, version: 1 })
    expect((await listed(investor))[0]).toMatchObject({ is_new: true })
    await marks.mark(investor.id, { id, version: 2 })
    expect((await listed(investor))[0]).toMatchObject({ is_new: false })
  })
})

describe('a new version that is held back', () => {
  it.each(['draft', 'waiting'])(
    'only the office sees a new version until it is published: %s',
    async (state) => {
      const { id } = await upload('et')
      await shownTo(investor)
      if (state === 'waiting') await wantApproval(test.db, true)
      const { release } = await replace(id, 'to', state === 'draft' ? { publish: 'draft' } : {})
      expect((await listed(office))[0]).toMatchObject({ waiting: state, held: null })
      expect((await listed(investor))[0]).toMatchObject({ waiting: null, is_new: false })
      for (const who of [investor, auditor, office]) expect(await shownTo(who)).toBe(pdf('et'))
      const [, waiting] = await versionsOf(id)
      for (const who of [investor, auditor])
        expect((await who.visitor.get(fileUrls.openVersion(owner, waiting!.id!))).statusCode).toBe(403)
      expect((await colleague.visitor.get(fileUrls.openVersion(owner, waiting!.id!))).body).toBe(pdf('to'))
      // Its release shows it, and leads to the new bytes.
      const page = await colleague.visitor.get(urls.release(release))
      expect(page.body).toMatch(fileUrls.openVersion(owner, waiting!.id!))

      expect(await act(release, state === 'draft' ? 'publish' : 'approve', colleague)).toMatchObject({
        status: 200,
      })
      for (const who of [investor, auditor, office]) expect(await shownTo(who)).toBe(pdf('to'))
      expect((await listed(office))[0]).toMatchObject({ waiting: null })
    },
  )

  it('a new version is shown at its planned time', async () => {
    const { id } = await upload('et')
    const { release } = await replace(id, 'to', {
      publish: 'later',
      publish_day: new Date(Date.now() + 5 * 86_400_000)
        .toISOString()
        .slice(0, 10)
        .split('-')
        .toReversed()
        .join('/'),
      publish_time: '09:00',
    })
    expect(await shownTo(investor)).toBe(pdf('et'))
    await sql`update releases set publish_at = now() - interval '1 second' where id = ${release}`.execute(
      test.db,
    )
    await publishPlanned(test.db, test.jobs)
    expect(await shownTo(investor)).toBe(pdf('to'))
    expect((await listed(auditor))[0]).toMatchObject({ is_new: true, is_version: true })
  })

  it('a new version is deleted with its release, and the file stays as it was', async () => {
    const { id } = await upload('et')
    const { release } = await replace(id, 'to', { publish: 'draft' })
    await act(release, 'discard')
    expect(await shownTo(investor)).toBe(pdf('et'))
    expect((await versionsOf(id)).map(({ is_unpublished: isUnpublished }) => isUnpublished)).toEqual([
      false,
      true,
    ])
    expect((await listed(office))[0]).toMatchObject({ waiting: null })
    expect(await strays()).toBe(0)
  })

  it('a new version replaces a draft in place, but not what is planned or waits', async () => {
    const { id } = await upload('et', 'Budget.pdf', { publish: 'draft' })
    const { rows } = await sql<{ id: number }>`select max(id) as id from releases`.execute(test.db)
    const release = rows[0]!.id
    expect((await replace(id, 'to')).release).toBe(release)
    expect((await listed(office))[0]).toMatchObject({ held: 'draft' })
    expect(await shownTo(investor)).toBeNull()
    await sql`update releases set state = 'planned', publish_at = now() + interval '1 day' where id = ${release}`.execute(
      test.db,
    )
    expect(await replace(id, 'tre')).toMatchObject({ status: 409 })
    await act(release, 'publish')
    expect(await shownTo(investor)).toBe(pdf('to'))
    expect((await listed(auditor))[0]).toMatchObject({ is_new: true, is_version: false })
  })
})

describe('recalling a new version', () => {
  it('recalling a new version shows the previous one again, and undo shows the new one', async () => {
    const { id } = await upload('et')
    await shownTo(investor)
    const { release } = await replace(id, 'to')
    await shownTo(investor)
    await act(release, 'recall')
    expect(await shownTo(investor)).toBe(pdf('et'))
    expect((await listed(investor))[0]).toMatchObject({ is_new: false, is_version: false })
    const page = await office.visitor.get(urls.release(release))
    expect(page.body).toMatch('viser den forrige version igen')
    await act(release, 'undo-recall')
    expect(await shownTo(investor)).toBe(pdf('to'))
    expect((await listed(investor))[0]).toMatchObject({ is_new: false })
    expect((await versionsOf(id)).map(({ number }) => number)).toEqual([2, 1])
    expect(await strays()).toBe(0)
  })

  it('a recall lists only who opened that version', async () => {
    const { id } = await upload('et')
    await shownTo(auditor)
    const { release } = await replace(id, 'to')
    await shownTo(investor)
    await act(release, 'recall')
    const csv = async () => (await office.visitor.get(urls.releaseOpenings(release))).body
    const nameOf = async ({ id: person }: Entered) =>
      (await test.db.selectFrom('users').select('name').where('id', '=', person).executeTakeFirstOrThrow())
        .name
    await expect.poll(csv).toContain(await nameOf(investor))
    expect(await csv()).not.toContain(await nameOf(auditor))
  })

  it.each([
    [['recall 1'], 'to'],
    [['recall 2'], 'et'],
    [['recall 2', 'recall 1'], null],
    [['recall 1', 'recall 2'], null],
    [['recall 2', 'recall 1', 'undo-recall 1'], 'et'],
    [['recall 1', 'recall 2', 'undo-recall 2', 'undo-recall 1'], 'to'],
  ])('recalling of two releases %j leaves %s visible', async (done, seen) => {
    const { id } = await upload('et')
    const { rows } = await sql<{ id: number }>`select max(id) as id from releases`.execute(test.db)
    const { release } = await replace(id, 'to')
    for (const each of done) {
      const [what, which] = each.split(' ')
      expect(await act(which === '1' ? rows[0]!.id : release, what!)).toMatchObject({ status: 200 })
    }
    expect(await shownTo(investor)).toBe(seen && pdf(seen))
    expect(await strays()).toBe(0)
  })

  it('a recall before any mail puts the previous file back, and does not delete it', async () => {
    const { id } = await upload('et')
    const { release } = await replace(id, 'to')
    await act(release, 'regret')
    expect(await shownTo(investor)).toBe(pdf('et'))
    expect(await listed(office)).toMatchObject([{ id, waiting: null }])
  })
})

describe('older versions', () => {
  it('only the office lists and opens older versions, which is logged', async () => {
    const { id } = await upload('et')
    await replace(id, 'to')
    const [shown, older] = await versionsOf(id)
    expect([shown!.number, older!.number, shown!.id]).toEqual([2, 1, null])
    const sent = await office.visitor.get(fileUrls.downloadVersion(owner, older!.id!))
    expect(sent.body).toBe(pdf('et'))
    expect(sent.headers['content-disposition']).toMatch('Budget (version 1).pdf')
    await expect.poll(() => acts(id)).toContain('file-downloaded 1')
    for (const who of [investor, auditor])
      for (const address of [fileUrls.openVersion, fileUrls.downloadVersion])
        expect((await who.visitor.get(address(owner, older!.id!))).statusCode).toBe(403)
    const other = await makeProject(test.db)
    expect(
      (await office.visitor.get(fileUrls.openVersion({ project: other.id }, older!.id!))).statusCode,
    ).toBe(404)
  })

  it('an older version is restored once, with the very bytes that were uploaded', async () => {
    const { id } = await upload('et')
    await replace(id, 'to')
    const [, older] = await versionsOf(id)
    const again = fileUrls.restoreVersion(owner, older!.id!)
    expect(await post(again, {})).toMatchObject({ status: 200 })
    expect((await post(again, {})).status).toBe(404) // it is the newest now
    expect(
      createHash('sha256')
        .update((await shownTo(investor))!)
        .digest('hex'),
    ).toBe(createHash('sha256').update(pdf('et')).digest('hex'))
    expect((await versionsOf(id)).map(({ number }) => number)).toEqual([3, 2])
    expect((await listed(auditor))[0]).toMatchObject({ is_new: true, is_version: true })
    expect(await strays()).toBe(0)
  })

  it('an older version is restored only after approval, where that is on', async () => {
    const { id } = await upload('et')
    await replace(id, 'to')
    const [, older] = await versionsOf(id)
    await wantApproval(test.db, true)
    await post(fileUrls.restoreVersion(owner, older!.id!), {})
    expect(await shownTo(investor)).toBe(pdf('to'))
    const { rows } = await sql<{ id: number }>`select max(id) as id from releases`.execute(test.db)
    await act(rows[0]!.id, 'approve', colleague)
    expect(await shownTo(investor)).toBe(pdf('et'))
  })

  it('older versions are deleted for good by those who may, with their bytes', async () => {
    const { id } = await upload('et')
    await replace(id, 'to')
    const [, older] = await versionsOf(id)
    expect((await post(fileUrls.removeVersion(owner, older!.id!), {}, investor)).status).toBe(403)
    expect(await post(fileUrls.removeVersion(owner, older!.id!), {}, administrator)).toMatchObject({
      status: 200,
    })
    expect(await versionsOf(id)).toHaveLength(1)
    expect(await test.db.selectFrom('blobs').select('id').where('id', '=', older!.id!).execute()).toEqual([])
    expect(await acts(id)).toContain('version-removed 1')
    expect(await shownTo(investor)).toBe(pdf('to'))
  })

  it('older versions are deleted with their file', async () => {
    const { id } = await upload('et')
    await replace(id, 'to')
    await replace(id, 'tre', { publish: 'draft' })
    const ids = (await versionsOf(id)).flatMap((version) => version.id ?? [])
    expect([...(await nameBlobs(test.db, ids)).values()].join()).toMatch(
      /Budget\.pdf in .*version \d+ that it does not show/,
    )
    await sql`update files set deleted_at = now() - interval '31 days' where id = ${id}`.execute(test.db)
    await purgeTrash(test.db)
    await purgeBlobs(test.db, test.storage)
    expect(await test.db.selectFrom('blobs').select('id').where('id', 'in', ids).execute()).toEqual([])
    expect(
      await test.db.selectFrom('file_versions').select('id').where('file_id', '=', id).execute(),
    ).toEqual([])
  })
})

describe('a form with names that are there already', () => {
  const found = async (name: string, who = office) => {
    const files = [{ id: 'a', name, folder_id: folder }]
    const reply = await who.visitor.post(urls.findDuplicates, { files }, { script: true })
    return reply.json<{ data: { a: { same_name: boolean; replaces: number | null } } }>().data.a
  }

  it('a form replaces the files that the sender chose, and keeps the others beside', async () => {
    const a = await upload('et', 'A.pdf')
    await upload('et', 'B.pdf')
    expect(await found('A.pdf')).toMatchObject({ same_name: true, replaces: a.id })
    const files = {
      a: { ...(await send('A.pdf', pdf('to'))), replaces: String(a.id) },
      b: await send('B.pdf', pdf('to')),
    }
    const form = { files, submission: 'formular-1234' }
    expect(await post(urls.uploadTo(project.id, folder), form)).toMatchObject({ status: 200 })
    expect((await listed(investor)).map(({ name }) => name)).toEqual(['B.pdf', 'B.pdf', 'A.pdf'])
    // A double submit is harmless.
    expect(await post(urls.uploadTo(project.id, folder), form)).toMatchObject({ status: 200 })
    expect(await versionsOf(a.id)).toHaveLength(2)
    // With two of the same name neither is meant.
    expect(await found('B.pdf')).toMatchObject({ same_name: true, replaces: null })
    const { rows } = await sql<{ files: number }>`
      select count(*)::integer as files from files
      where submission_id = (select max(submission_id) from releases)`.execute(test.db)
    expect(rows[0]!.files).toBe(2)
  })

  it.each<[string, (id: number) => Promise<unknown>]>([
    ['renamed', (id) => sql`update files set name = 'C.pdf' where id = ${id}`.execute(test.db)],
    ['deleted', (id) => sql`update files set deleted_at = now() where id = ${id}`.execute(test.db)],
    [
      'sent by an investor',
      (id) => sql`update files set from_investor = true where id = ${id}`.execute(test.db),
    ],
    ['held back', (id) => sql`update files set is_held_back = true where id = ${id}`.execute(test.db)],
  ])('saves nothing if the replaced file was %s meanwhile', async (_how, change) => {
    const { id } = await upload('et', 'A.pdf')
    await change(id)
    const files = {
      a: { ...(await send('A.pdf', pdf('to'))), replaces: String(id) },
      b: await send('B.pdf', pdf('to')),
    }
    const answer = await post(urls.uploadTo(project.id, folder), { files })
    expect([answer.status, Object.keys(answer.errors!)]).toEqual([422, ['files.a.replaces']])
    const { rows } = await sql`select from files where folder_id = ${folder} and name = 'B.pdf'`.execute(
      test.db,
    )
    expect(rows).toEqual([])
  })

  it('refuses two files that replace the same one, and a file of another folder', async () => {
    const { id } = await upload('et', 'A.pdf')
    const twice = {
      a: { ...(await send('A.pdf', pdf('to'))), replaces: String(id) },
      b: { ...(await send('A.pdf', pdf('tre'))), replaces: String(id) },
    }
    expect(Object.keys((await post(urls.uploadTo(project.id, folder), { files: twice })).errors!)).toEqual([
      'files.b.replaces',
    ])
    const other = await makeProject(test.db)
    const elsewhere = (await foldersByName(test.db, other.id)).Budget!
    const files = { a: { ...(await send('A.pdf', pdf('to'))), replaces: String(id) } }
    expect((await post(urls.uploadTo(other.id, elsewhere), { files })).status).toBe(422)
  })

  it('an investor’s form never replaces a file', async () => {
    const own = await makeUserFolder(test.db, investor.id)
    const { id, name } = await makeFile(test, own)
    expect(
      (
        await investor.visitor.post(
          urls.findDuplicates,
          { files: [{ id: 'a', name }] },
          {
            script: true,
          },
        )
      ).json(),
    ).toMatchObject({ data: { a: { same_name: true, replaces: null } } })
    const files = { a: { ...(await send(name, pdf('to'), investor)), replaces: String(id) } }
    expect(await post(urls.myFiles, { files }, investor)).toMatchObject({ status: 200 })
    const { rows } = await sql`select from files where folder_id = ${own}`.execute(test.db)
    expect(rows).toHaveLength(2)
  })
})
