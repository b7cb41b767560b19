import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeProject, makeUser, wantApproval } from '../../../test/make.ts'
import { simplePaper } from '../../../test/papers/simple-paper.ts'
import { readHeld, shownAs } from '../../../test/office/read-held.ts'
import type { Project } from '../../projects/project/project.ts'
import { mailApprovers } from '../../releases/approval/approval.db.ts'
import { announceReleases, tellPeople } from '../../releases/mail/tell-people.db.ts'
import { publishPlanned } from '../../releases/steps/publish-planned.db.ts'
import { tellHolders } from '../../releases/held/tell-holder.db.ts'
import { fileUrls, urls } from '../../urls.ts'
import { receiveTemporaryFile } from '../transport/temporary.db.ts'
import { beginReading } from './begin-reading.db.ts'

let test: TestApp
let office: Entered
let colleague: Entered
let investor: Entered
let project: Project
let other: Project
let folders: Record<string, number>

beforeAll(async () => {
  test = await freshApp({
    hasJobs: false,
    env: { REQUESTS_PER_MINUTE: '100000', READ_DOCUMENTS: 'true', READ_SCANS: 'false' },
  })
  // With `hasJobs: false` the jobs rest: tests see who would be mailed.
  const way = { appUrl: 'https://ringbind.example', timeZone: 'Europe/Copenhagen', stopPath: () => '/' }
  const tools = { db: test.db, mailer: { deliver: () => Promise.resolve() }, watch: undefined, ...way }
  await mailApprovers(test.jobs, tools)
  await tellPeople(test.jobs, tools)
  await beginReading(test.db, true)
  office = await enter(test, 'employee')
  colleague = await enter(test, 'administrator')
  investor = await enter(test, 'investor')
})
beforeEach(async () => {
  await wantApproval(test.db, false)
  project = await makeProject(test.db, { members: [investor.id] })
  other = await makeProject(test.db, { name: `K/S Mølleåen ${project.number}` })
  folders = await foldersByName(test.db, project.id)
})

const paperOf = ({ name, number }: Project, more = '') =>
  simplePaper([name, `Projekt nr. ${number}`, 'Årsrapport 2025', '1. januar - 31. december 2025', more])

const right = () => paperOf(project)
const wrong = () => paperOf(other)

let sent = 0

type Sent = { name: string; bytes: Buffer; replaces?: number }

async function save(papers: Sent[], more: object = {}, address = urls.upload): Promise<string> {
  const files: Record<string, object> = {}
  for (const [index, { name, bytes, replaces }] of papers.entries()) {
    const temporary = await receiveTemporaryFile(test, office.id, name, Readable.from([bytes]), 1e8)
    files[`f${index}`] = {
      name,
      data: temporary.hash_name,
      ...(address === urls.upload && { folder_id: folders.Årsrapport }),
      ...(replaces && { replaces }),
    }
  }
  const reply = await office.visitor.post(address, { files, ...more }, { script: true })
  expect(reply.statusCode).toBe(200)
  return reply.json<{ redirect: string }>().redirect
}

const nameOf = (what = String(++sent)) => `Årsrapport (${project.number}) 2025 ${what}.pdf`

/** Returns the names of the files that somebody sees in the project. */
async function seenBy({ visitor }: Entered): Promise<string[]> {
  const reply = await visitor.get(urls.listFolders(project.id))
  const { data } = reply.json<{ data: { files: { name: string }[] }[] }>()
  return data.flatMap(({ files }) => files.map(({ name }) => name)).sort()
}

async function releaseOf(): Promise<number> {
  const { rows } = await sql<{ id: number }>`select max(id) as id from releases`.execute(test.db)
  return rows[0]!.id
}

async function heldPapers(): Promise<{ blob_id: number; cause: string; kinds: string[] | null }[]> {
  const { rows } = await sql<{ blob_id: number; cause: string; kinds: string[] | null }>`
    select blob_id, cause, (select array_agg(each ->> 'kind') from jsonb_array_elements(found) as each) as kinds
    from held_papers join files using (blob_id) join folders on folders.id = folder_id
    where project_id = ${project.id} order by blob_id`.execute(test.db)
  return rows
}

const accept = async (by = office) => {
  const ids = (await heldPapers()).map(({ blob_id: id }) => id)
  return acceptShown(await shownAs(test.db, ids), by)
}

const acceptShown = async (papers: string, by = office) =>
  (await by.visitor.post(urls.acceptPapers, { papers }, { script: true })).statusCode

const act = async (what: string, by = office, release?: number) => {
  const id = release ?? (await releaseOf())
  const { body } = await by.visitor.get(urls.release(id))
  const papers = /"papers":"([^"]+)"/.exec(body)?.[1] ?? ''
  const reply = await by.visitor.post(urls.releaseAct(id, what), { papers }, { script: true })
  return reply.statusCode
}

describe('a paper that is saved before it is read', () => {
  it('only the office sees a paper until it is read, and then everybody if nothing contradicts it', async () => {
    const name = nameOf()
    await save([{ name, bytes: right() }])
    expect([await seenBy(investor), await seenBy(office)]).toEqual([[], [name]])
    await readHeld(test)
    expect([await seenBy(investor), await heldPapers()]).toEqual([[name], []])
    const { rows } = await sql<{ act: string; user_id: number }>`
      select act, user_id from log where project_id = ${project.id} and act = 'file-published'`.execute(
      test.db,
    )
    expect(rows).toEqual([{ act: 'file-published', user_id: office.id }])
  })

  it('a paper that belongs elsewhere stays held, its uploader is told, and somebody may accept it', async () => {
    const [good, bad] = [nameOf(), nameOf()]
    await save([
      { name: good, bytes: right() },
      { name: bad, bytes: wrong() },
    ])
    await readHeld(test)
    expect(await seenBy(investor)).toEqual([good])
    expect(await heldPapers()).toMatchObject([{ cause: 'doubt', kinds: ['project'] }])
    const page = await office.visitor.get(urls.release(await releaseOf()))
    expect(page.body).toContain('1 papir er holdt tilbage')
    expect(page.body).toContain(`men papiret nævner projekt ${other.number}`)
    await tellHolders(test.db, test.jobs, 'https://ringbind.example')
    await tellHolders(test.db, test.jobs, 'https://ringbind.example')
    const { rows } = await sql<{ subject: string }>`
      select data ->> 'subject' as subject from jobs.job where data ->> 'text' like ${`%${bad}%`}`.execute(
      test.db,
    )
    expect(rows).toEqual([{ subject: 'Et papir, du har gemt, er holdt tilbage' }])
    expect([await accept(investor), await seenBy(investor)]).toEqual([403, [good]])
    expect([await accept(), await seenBy(investor)]).toEqual([200, [good, bad].sort()])
    expect(await accept()).toBe(422) // nothing is held
  })

  it('a held paper is compared again when it is moved or renamed', async () => {
    const name = `Årsrapport (${project.number}) 2021 ${++sent}.pdf`
    await save([{ name, bytes: right() }])
    await readHeld(test)
    expect(await heldPapers()).toMatchObject([{ cause: 'doubt', kinds: ['year'] }])
    const { rows } = await sql<{ id: number }>`select id from files where name = ${name}`.execute(test.db)
    const better = nameOf()
    await office.visitor.post(
      fileUrls.rename({ project: project.id }, rows[0]!.id),
      { name: better },
      { script: true },
    )
    expect(await seenBy(investor)).toEqual([])
    await readHeld(test)
    expect(await seenBy(investor)).toEqual([better])
  })

  it('a yes is dropped when the paper is renamed or moved', async () => {
    const name = `Årsrapport (${project.number}) 2021 ${++sent}.pdf`
    await save([{ name, bytes: right() }], { acknowledged: 'f0:year' })
    const { rows } = await sql<{ id: number }>`select id from files where name = ${name}`.execute(test.db)
    const next = { name: name.replace('2021', '2019') }
    await office.visitor.post(fileUrls.rename({ project: project.id }, rows[0]!.id), next, { script: true })
    await readHeld(test)
    expect(await heldPapers()).toMatchObject([{ cause: 'doubt', kinds: ['year'] }])
    expect(await seenBy(investor)).toEqual([])
  })

  it('a draft is held too, so that publishing it or its plan does not show it', async () => {
    const [draft, planned] = [nameOf('kladde'), nameOf('plan')]
    await save([{ name: draft, bytes: wrong() }], { publish: 'draft' })
    expect(await act('publish')).toBe(200)
    await save([{ name: planned, bytes: wrong() }], { publish: 'draft' })
    await sql`
      update releases set state = 'planned', publish_at = now(), planned_by = made_by where id = ${await releaseOf()}`.execute(
      test.db,
    )
    await publishPlanned(test.db, test.jobs)
    expect(await seenBy(investor)).toEqual([])
    await readHeld(test)
    expect([await seenBy(investor), (await heldPapers()).length]).toEqual([[], 2])
  })

  it('a draft that was read meanwhile is shown when it is published', async () => {
    const name = nameOf()
    await save([{ name, bytes: right() }], { publish: 'draft' })
    await readHeld(test)
    expect([await seenBy(investor), await heldPapers()]).toEqual([[], []])
    expect([await act('publish'), await seenBy(investor)]).toEqual([200, [name]])
  })

  it('a paper waits for a colleague and for reading, in either order', async () => {
    await wantApproval(test.db, true)
    const [first, second] = [nameOf(), nameOf()]
    await save([{ name: first, bytes: right() }])
    expect(await act('approve', colleague)).toBe(200)
    expect(await seenBy(investor)).toEqual([])
    await readHeld(test)
    expect(await seenBy(investor)).toEqual([first])
    await save([{ name: second, bytes: right() }])
    await readHeld(test)
    expect(await seenBy(investor)).toEqual([first])
    expect([await act('approve', colleague), await seenBy(investor)]).toEqual([200, [first, second].sort()])
  })

  it('after a colleague’s approval the uploader alone cannot accept a paper in doubt', async () => {
    await wantApproval(test.db, true)
    const name = nameOf()
    await save([{ name, bytes: wrong() }])
    await act('approve', colleague)
    await readHeld(test)
    expect([await accept(), await seenBy(investor)]).toEqual([403, []])
    expect([await accept(colleague), await seenBy(investor)]).toEqual([200, [name]])
  })

  it('a paper stays held through a recall and its undo', async () => {
    await save([{ name: nameOf(), bytes: wrong() }])
    await readHeld(test)
    const release = await releaseOf()
    await sql`update releases set state = 'recalled', recalled_at = now(), recalled_by = ${office.id} where id = ${release}`.execute(
      test.db,
    )
    expect([await act('undo-recall', office, release), await seenBy(investor)]).toEqual([200, []])
  })

  it('nobody is mailed before a paper is read, and mails follow when somebody accepts it later', async () => {
    const announce = () =>
      announceReleases(test.db, test.jobs, { regretMinutes: 0, timeZone: 'Europe/Copenhagen' })
    const told = async (release: number) => {
      const { rows } = await sql<{ user_id: number }>`
        select user_id from release_people where release_id = ${release} and outcome is null`.execute(test.db)
      return rows.map(({ user_id: id }) => id)
    }
    await save([
      { name: nameOf(), bytes: right() },
      { name: nameOf(), bytes: wrong() },
    ])
    const release = await releaseOf()
    await announce()
    expect(await told(release)).toEqual([])
    await readHeld(test)
    await announce()
    expect(await told(release)).toEqual([investor.id])
    await sql`update release_people set outcome = 'sent', told_at = now() where release_id = ${release}`.execute(
      test.db,
    )
    await accept()
    const { rows } = await sql<{ kind: string; is_for: boolean }>`
      select kind, user_ids = array[${investor.id}::bigint] as is_for from mailings where release_id = ${release}`.execute(
      test.db,
    )
    expect(rows).toEqual([{ kind: 'again', is_for: true }])
  })

  it('the result page says that a paper is held', async () => {
    const result = await save([{ name: nameOf(), bytes: right() }])
    expect((await office.visitor.get(result)).body).toContain('1 papir udgives, når det er læst.')
  })
})

describe('a new version that is saved before it is read', () => {
  it('the old version stays shown until the new one is read, and for good if that belongs elsewhere', async () => {
    const name = nameOf()
    await save([{ name, bytes: right() }])
    await readHeld(test)
    const shown = async () => {
      const { rows } = await sql<{ id: number; version: number; is_held_back: boolean }>`
        select id, version, is_held_back from files where name = ${name}`.execute(test.db)
      return rows[0]!
    }
    const { id } = await shown()
    const replace = (bytes: Buffer) =>
      save([{ name, bytes }], {}, fileUrls.replace({ project: project.id }, id))
    await replace(paperOf(project, 'Ny udgave'))
    expect(await shown()).toMatchObject({ version: 1, is_held_back: false })
    await readHeld(test)
    expect(await shown()).toMatchObject({ version: 2, is_held_back: false })
    await replace(wrong())
    await readHeld(test)
    expect(await shown()).toMatchObject({ version: 2, is_held_back: false })
    const page = await office.visitor.get(urls.release(await releaseOf()))
    expect(page.body).toContain('1 papir er holdt tilbage')
    const { rows } = await sql<{ blob_id: number }>`select blob_id from held_papers where cause = 'doubt'
      and blob_id in (select blob_id from file_versions where file_id = ${id})`.execute(test.db)
    expect(await acceptShown(await shownAs(test.db, [rows[0]!.blob_id]))).toBe(200)
    expect(await shown()).toMatchObject({ version: 3, is_held_back: false })
  })
})

describe('a paper that no machine can read', () => {
  const locked = () => Buffer.from(`%PDF-1.7\n${'x'.repeat(400)}`)
  it.each<[string, () => Buffer, string]>([
    ['a broken PDF', locked, 'Filen er beskadiget.'],
    ['random bytes', () => Buffer.from([0, 255, 3, 9, 200, 17, 254, 0, 1]), 'men er ikke en PDF'],
    ['a program', () => Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200, 144)]), 'men er ikke en PDF'],
  ])('an unreadable paper is held: %s', async (_what, make, text) => {
    await save([{ name: nameOf(), bytes: make() }])
    expect(await seenBy(investor)).toEqual([])
    await readHeld(test)
    expect([await seenBy(investor), (await heldPapers())[0]!.kinds]).toEqual([[], ['unreadable']])
    expect((await office.visitor.get(urls.release(await releaseOf()))).body).toContain(text)
  })

  it('an unreadable paper is published if its uploader has seen that, and without asking in an office folder', async () => {
    const [shared, hidden] = [nameOf(), `Diverse (${project.number}) 2025 ${++sent}.pdf`]
    const bytes = () => Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200 + ++sent, 144)])
    await save([{ name: shared, bytes: bytes() }], { acknowledged: 'f0:unreadable' })
    await save([{ name: hidden, bytes: bytes() }], {}, urls.uploadTo(project.id, folders.Diverse!))
    expect(await heldPapers()).toEqual([])
    expect(await seenBy(investor)).toEqual([shared])
    const { rows } = await sql<{ detail: string }>`
      select detail from log where act = 'contradiction-accepted' and project_id = ${project.id}`.execute(
      test.db,
    )
    expect(rows).toEqual([{ detail: 'unreadable' }])
  })

  it('refuses to accept a readable paper as unreadable beforehand', async () => {
    await save([{ name: nameOf(), bytes: wrong() }], { acknowledged: 'f0:unreadable' })
    await readHeld(test)
    expect([await seenBy(investor), (await heldPapers())[0]!.kinds]).toEqual([[], ['project']])
  })
})

it('a person’s paper that belongs to another person is held', async () => {
  const [anne, bo] = [
    await makeUser(test.db, { name: 'Anne Tornsøb', numbers: ['70881'] }),
    await makeUser(test.db, { name: 'Bo Kragelundby', numbers: ['70882'] }),
  ]
  const statement = simplePaper([
    'Bo Kragelundby',
    'Skovvej 3',
    '8000 Aarhus C',
    'Investornr. 70882',
    'Kapitalkonto 2025',
  ])
  await save([{ name: 'Kapitalkonto.pdf', bytes: statement }], {}, urls.uploadToUser(anne.id))
  await readHeld(test)
  const { rows } = await sql<{ cause: string; is_held_back: boolean }>`
    select cause, is_held_back from held_papers join files using (blob_id) join folders on folders.id = folder_id
    where user_id = ${anne.id}`.execute(test.db)
  expect([rows, bo.name]).toEqual([[{ cause: 'doubt', is_held_back: true }], 'Bo Kragelundby'])
})
