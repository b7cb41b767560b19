import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { HOSTILE_DOCUMENTS } from '../../../test/files/hostile-documents.ts'
import {
  foldersByName,
  makeFile,
  makeProject,
  makeReport,
  makeUser,
  makeUserFolder,
} from '../../../test/make.ts'
import { simplePaper } from '../../../test/papers/simple-paper.ts'
import type { Project } from '../../projects/project/project.ts'
import type { User } from '../../accounts/users/user.ts'
import { readTexts } from '../../reading/read-texts.db.ts'
import { purgeBlobs } from '../../server/storage/blobs.db.ts'
import { receiveTemporaryFile, removeTemporaryFiles } from '../transport/temporary.db.ts'
import type { Judgement } from './judgement.ts'
import { addPageTexts } from '../../reading/page-texts.db.ts'
import { learnWords, readModel } from './word-model.db.ts'

let test: TestApp
let office: Entered
let project: Project
let other: Project
let folders: Record<string, number>
let anne: User

const over = new AbortController().signal
let count = 100

beforeAll(async () => {
  test = await freshApp({
    hasJobs: false,
    env: { REQUESTS_PER_MINUTE: '100000', READ_DOCUMENTS: 'true', READ_SCANS: 'false' },
  })
  office = await enter(test, 'employee')
})
beforeEach(async () => {
  count++
  anne = await makeUser(test.db, { name: `Anne Tornsø${letters(count)}`, numbers: [`7${count}`] })
  project = await makeProject(test.db, {
    name: `K/S Kajgården ${letters(count)}`,
    cvr: cvrOf(count),
    members: [anne.id],
  })
  other = await makeProject(test.db, { name: `K/S Mølleåen ${letters(count)}`, cvr: cvrOf(count + 5000) })
  folders = await foldersByName(test.db, project.id)
})

/** 101 becomes 'bab': names differ by letters. */
const letters = (number: number) =>
  Array.from(String(number), (digit) => 'abcdefghij'[Number(digit)]).join('')

/** A number with the right check digit. */
function cvrOf(number: number): string {
  for (let last = 0; last < 100; last++) {
    const cvr = `${300_000 + number}${String(last).padStart(2, '0')}`
    const sum = [2, 7, 6, 5, 4, 3, 2, 1].reduce((total, weight, at) => total + weight * Number(cvr[at]), 0)
    if (sum % 11 === 0) return cvr
  }
  throw new Error('There is one among a hundred.')
}

async function send(bytes: Buffer | string, { name = 'Scan 0001.pdf', by = office } = {}): Promise<string> {
  const sent = await receiveTemporaryFile(test, by.id, name, Readable.from([Buffer.from(bytes)]), 1e8)
  return sent.hash_name
}

type Asked = { hash_name: string; name: string } & Record<string, unknown>

async function ask(files: Asked[], by = office): Promise<Judgement[]> {
  const reply = await by.visitor.post('/api/temp/read', { files }, { script: true })
  expect(reply.statusCode).toBe(200)
  return reply.json<{ judgements: Judgement[] }>().judgements
}

/** Asks until nothing waits, as the page does. */
async function judge(files: Asked[]): Promise<Judgement[]> {
  let judgements: Judgement[] = []
  await expect
    .poll(async () => {
      judgements = await ask(files)
      return judgements.some(({ state }) => state === 'waiting')
    })
    .toBe(false)
  return judgements
}

const report = (year = 2025) =>
  simplePaper([
    project.name,
    `CVR-nr. ${project.cvr}`,
    `Årsrapport ${year}`,
    `1. januar - 31. december ${year}`,
  ])

const statement = (person = anne.name, number = `7${count}`) =>
  simplePaper([
    person,
    'Skovvej 3',
    '8000 Aarhus C',
    `Investornr. ${number}`,
    project.name,
    'Kapitalkonto 2025',
  ])

describe('a paper of a pile', () => {
  it('a paper of a pile is read at once, and placed with its reasons', async () => {
    const hash = await send(report())
    const [judged] = await judge([{ hash_name: hash, name: 'Scan 0001.pdf' }])
    expect(judged).toMatchObject({
      hash_name: hash,
      state: 'read',
      sureness: 'sure',
      best: {
        place: {
          folder: { id: folders.Årsrapport, name: 'Årsrapport', visible_to_investors: true },
          project: { id: project.id, number: project.number },
        },
        name: `Årsrapport (${project.number}) 2025.pdf`,
        reasons: [
          { kind: 'cvr', of: 'project', said: project.cvr, page: 1 },
          { kind: 'name', of: 'project', page: 1 },
          { kind: 'title', said: 'Årsrapport 2025', page: 1 },
        ],
      },
      second: null,
      contradictions: [],
    })
  })

  it('a paper goes to the person whose number and name it has, and never by a name that two have', async () => {
    const [own] = await judge([{ hash_name: await send(statement()), name: 'a.pdf' }])
    expect(own).toMatchObject({
      sureness: 'sure',
      best: { place: { user: { id: anne.id, name: anne.name } }, name: `Kapitalkonto (7${count}) 2025.pdf` },
    })
    const twin = await makeUser(test.db, { name: anne.name, numbers: [`8${count}`] })
    const unnumbered = simplePaper([
      anne.name,
      'Skovvej 3',
      '8000 Aarhus C',
      project.name,
      'Kapitalkonto 2025',
    ])
    const [unsure] = await judge([{ hash_name: await send(unnumbered), name: 'b.pdf' }])
    expect(unsure!.sureness).toBe('maybe')
    const places = [unsure!.best, unsure!.second].map((guess) => guess?.place.user?.id)
    expect(new Set(places)).toEqual(new Set([anne.id, twin.id]))
  })

  it('a paper with pages of several people, even far behind, is proposed for nobody', async () => {
    const bo = await makeUser(test.db, { name: `Bo Ulvig${letters(count)}`, numbers: [`8${count}`] })
    const page = (person: string, number: string) => [
      person,
      `Investornr. ${number}`,
      project.name,
      'Kapitalkonto 2025',
      '',
    ]
    const own = page(anne.name, `7${count}`)
    const paper = simplePaper([...own, ...own, ...own, ...own, ...own, ...page(bo.name, `8${count}`)])
    const asked = [{ hash_name: await send(paper), name: 'Opgørelser.pdf' }]
    const [judged] = await judge(asked)
    expect(judged).toMatchObject({
      sureness: 'unknown',
      best: null,
      owners: { names: [anne.name, bo.name], divides: true },
    })
    // Nothing is lost when it is asked about again, under a name.
    const [named] = await judge([{ ...asked[0]!, name: `Opgørelser (7${count}).pdf` }])
    expect(named!.contradictions).toMatchObject([{ kind: 'person', found: `${bo.name} (8${count})` }])
  })

  it.each([
    { name: 'Åse Ørsted', written: 'AASE ØRSTED', number: 'A-17' },
    { name: 'André Gröndahl', written: 'Andre Grøndahl', number: '0042' },
    { name: 'Dr. med. Åse Vorbasse', written: 'Fru Åse Vorbasse', number: 'V1' },
    { name: 'Yde Ravnkilde', written: 'Ravnkilde, Yde', number: 'V2' },
    { name: 'K/S Æblehaven Invest', written: 'K/S ÆBLEHAVEN INVEST', number: 'X1' },
  ])('a paper finds $name however it is written', async ({ name, written, number }) => {
    const { id } = await makeUser(test.db, { name, numbers: [number] })
    const paper = simplePaper([
      written,
      'Skovvej 3',
      '8000 Aarhus C',
      `Investornr. ${number}`,
      project.name,
      'Kapitalkonto 2025',
    ])
    const [judged] = await judge([{ hash_name: await send(paper), name: 'a.pdf' }])
    expect(judged!.best?.place.user).toEqual({ id, name })
    expect(judged!.best?.reasons.map(({ kind }) => kind)).toEqual(['number', 'name', 'title'])
  })

  it('a company of a report places a paper, but not for certain', async () => {
    await makeReport(test.db, anne.id, [
      { name: `K/S Fyrtårnet ${letters(count)}`, cvr: cvrOf(count + 9000) },
    ])
    for (const line of [`K/S Fyrtårnet ${letters(count)}`, `CVR-nr. ${cvrOf(count + 9000)}`]) {
      const paper = simplePaper([line, 'Årsopgørelse 2025'])
      const [judged] = await judge([{ hash_name: await send(paper), name: 'a.pdf' }])
      expect(judged).toMatchObject({ sureness: 'maybe', best: { place: { user: { id: anne.id } } } })
    }
  })

  it('only the sender learns of a paper, and only while it is there', async () => {
    const hash = await send(report(2024))
    const colleague = await enter(test, 'administrator')
    expect(await ask([{ hash_name: hash, name: 'x.pdf' }], colleague)).toEqual([])
    expect(await ask([{ hash_name: '0'.repeat(32), name: 'x.pdf' }])).toEqual([])
    await judge([{ hash_name: hash, name: 'x.pdf' }])
    await removeTemporaryFiles(test, office.id, [hash])
    expect(await ask([{ hash_name: hash, name: 'x.pdf' }])).toEqual([])
    await purgeBlobs(test.db, test.storage)
    const { rows } = await sql`
      select from paper_facts where facts::text like ${`%${project.cvr}%`}`.execute(test.db)
    expect(rows).toHaveLength(0)
  })

  it('papers of investors, auditors and advisers are not judged', async () => {
    for (const role of ['investor', 'auditor', 'adviser'] as const) {
      const { visitor } = await enter(test, role, role === 'investor' ? { numbers: [`9${count}`] } : {})
      const reply = await visitor.post('/api/temp/read', { files: [] }, { script: true })
      expect(reply.statusCode).toBe(403)
    }
  })

  it.each([
    { files: 'x', field: 'files' },
    { files: Array.from({ length: 201 }, () => ({ hash_name: '0'.repeat(32), name: 'x' })), field: 'files' },
    { files: [{ hash_name: 'nej', name: 'x' }], field: 'files.0.hash_name' },
    { files: [{ hash_name: '0'.repeat(32), name: 'x'.repeat(300) }], field: 'files.0.name' },
    { files: [{ hash_name: '0'.repeat(32), name: 'x', folder_id: 'nej' }], field: 'files.0.folder_id' },
  ])('refuses a wrong question about a paper: $field', async ({ files, field }) => {
    const reply = await office.visitor.post('/api/temp/read', { files }, { script: true })
    expect(reply.statusCode).toBe(422)
    expect(Object.keys(reply.json<{ errors: object }>().errors)).toContain(field)
  })

  it('empty, hostile or locked papers are unreadable, and the others of the pile are read', async () => {
    const heavy = /MB|million|000|thousand|hundred|deep|forty|together|packed|run lengths|themselves|cut/
    const hostile = HOSTILE_DOCUMENTS.filter(({ kind, what }) => kind === 'pdf' && !heavy.test(what))
    const names = [
      await send(Buffer.from([0, 1, 2, 3]), { name: 'x.bin' }),
      await send('%PDF-1.7 og så ikke mere'),
      ...(await Promise.all(hostile.slice(0, 8).map(({ make }) => send(make())))),
      await send(report(2023)),
    ]
    const judged = await judge(names.map((name) => ({ hash_name: name, name: 'x.pdf' })))
    expect(judged.slice(0, 2).map(({ state }) => state)).toEqual(['unreadable', 'unreadable'])
    expect(judged.at(-1)).toMatchObject({ state: 'read', sureness: 'sure' })
    for (const { state, sureness } of judged.slice(0, -1)) expect([state, sureness]).not.toContain('sure')
  })

  it('a paper is unreadable once it has crashed its reader twice, and waits while somebody reads it', async () => {
    const hash = await send(report(2022))
    const texts = (tries: number, ago: string) =>
      sql`
      insert into texts (sha256, kind, tries, tried_at)
      select sha256, 'pdf', ${tries}, now() - ${ago}::interval from blobs
      join temporary_files on temporary_files.blob_id = blobs.id where hash_name = ${hash}
      on conflict (sha256) do update set tries = excluded.tries, tried_at = excluded.tried_at`.execute(
        test.db,
      )
    await texts(1, '5 seconds') // somebody else has begun
    expect(await ask([{ hash_name: hash, name: 'x.pdf' }])).toMatchObject([{ state: 'waiting' }])
    await texts(2, '2 minutes')
    expect(await ask([{ hash_name: hash, name: 'x.pdf' }])).toMatchObject([{ state: 'unreadable' }])
    await texts(1, '2 minutes') // who began was killed
    expect(await judge([{ hash_name: hash, name: 'x.pdf' }])).toMatchObject([{ state: 'read' }])
  })

  it('a saved paper keeps its text and is not read again', async () => {
    const name = `Årsrapport (${project.number}) 2025.pdf`
    const hash = await send(report())
    await judge([{ hash_name: hash, name }])
    await save([{ name, data: hash }])
    const read = await readTexts(test, {
      signal: over,
      complain: () => undefined,
      findScanner: () => Promise.resolve(null),
    })
    expect(read).toBe(0)
  })
})

async function save(entries: { name: string; data: string }[], more: object = {}, address = '/upload') {
  const files = Object.fromEntries(entries.map((entry, index) => [`f${index}`, { mime: '', ...entry }]))
  const reply = await office.visitor.post(address, { files, ...more }, { script: true })
  return {
    status: reply.statusCode,
    body: reply.json<{ message?: string; contradictions?: Record<string, { kind: string }[]> }>(),
  }
}

const filesIn = async (folder: number) =>
  (await sql`select from files where folder_id = ${folder}`.execute(test.db)).rows.length

describe('a paper that contradicts its name', () => {
  it.each([
    { what: 'the project', kind: 'project', name: () => `Årsrapport (${other.number}) 2025.pdf`, year: 2025 },
    { what: 'the year', kind: 'year', name: () => `Årsrapport (${project.number}) 2024.pdf`, year: 2025 },
  ])(
    'a paper that contradicts its name is not saved before somebody has seen it: $what',
    async ({ kind, name: nameOf, year }) => {
      const name = nameOf()
      const data = await send(report(year))
      const [judged] = await judge([{ hash_name: data, name }])
      expect(judged!.contradictions.map((each) => each.kind)).toEqual([kind])
      const refused = await save([{ name, data }])
      expect(refused).toMatchObject({ status: 409, body: { contradictions: { f0: [{ kind }] } } })
      expect(await save([{ name, data }], { acknowledged: 'f0:cpr' })).toMatchObject({ status: 409 })
      expect(await save([{ name, data }], { acknowledged: `f0:${kind}` })).toMatchObject({ status: 200 })
      const { rows } = await sql<{ user_id: number; detail: string; name: string }>`
      select log.user_id, log.detail, files.name from log join files on files.id = log.file_id
      where act = 'contradiction-accepted' order by log.id desc limit 1`.execute(test.db)
      expect(rows).toEqual([{ user_id: office.id, detail: kind, name }])
    },
  )

  it('a contradiction is reported for the place on the page, whatever the name says', async () => {
    const bo = await makeUser(test.db, { name: `Bo Rask${letters(count)}`, numbers: [`6${count}`] })
    const data = await send(statement())
    const [judged] = await judge([{ hash_name: data, name: 'x.pdf', user_id: bo.id }])
    expect(judged!.contradictions).toMatchObject([{ kind: 'person', named: bo.name, page: 1 }])
    const address = `/users/${bo.id}/upload`
    const refused = await save([{ name: 'x.pdf', data }], {}, address)
    expect([refused.status, await filesIn(await makeUserFolder(test.db, bo.id))]).toEqual([409, 0])
    const [right] = await judge([{ hash_name: data, name: 'x.pdf', user_id: anne.id }])
    expect(right!.contradictions).toEqual([])
  })

  it('a CPR number must be acknowledged in a shared folder, and is stored nowhere', async () => {
    const lines = [
      project.name,
      `CVR-nr. ${project.cvr}`,
      'Lejekontrakt',
      'Dato: 1. maj 2025',
      '',
      'Lejer: CPR-nr. 010170-1239',
    ]
    const data = await send(simplePaper(lines))
    const shared = `Lejekontrakter (${project.number}) 2025.pdf`
    const [judged] = await judge([{ hash_name: data, name: shared }])
    expect(judged!.contradictions).toEqual([{ kind: 'cpr', page: 2 }])
    const [hidden] = await judge([{ hash_name: data, name: `Diverse (${project.number}) 2025.pdf` }])
    expect(hidden!.contradictions).toEqual([])
    const [guessed] = await judge([{ hash_name: data, name: 'Scan.pdf' }])
    expect(guessed).toMatchObject({ sureness: 'sure', contradictions: [{ kind: 'cpr' }] })
    expect(await save([{ name: shared, data }])).toMatchObject({ status: 409 })
    const { rows } = await sql`select from paper_facts where facts::text like '%1239%'`.execute(test.db)
    expect(rows).toHaveLength(0)
  })

  it('a paper is searched to its last page for contradictions', async () => {
    const lines = [
      project.name,
      `CVR-nr. ${project.cvr}`,
      'Lejekontrakt',
      ...Array.from({ length: 25 }, () => ['', 'Side']).flat(),
    ]
    const data = await send(simplePaper([...lines, '', 'CPR-nr. 020271-2468']))
    const [judged] = await judge([{ hash_name: data, name: `Lejekontrakter (${project.number}).pdf` }])
    expect(judged!.contradictions).toEqual([{ kind: 'cpr', page: 27 }])
  })
})

describe('the words of the office’s own papers', () => {
  it('learns the words of the office’s own papers, which place papers without a title', async () => {
    const signal = over
    await sql`delete from word_models`.execute(test.db)
    expect(await learnWords(test.db, signal)).toBeNull() // too few
    for (let number = 0; number < 20; number++) {
      const text = `Energimærke\nEjendommens varmeforbrug og isolering\nNr ${number}${letters(number)}`
      await makeFile(test, folders.Diverse!, { name: `${number}.txt`, bytes: text })
      await makeFile(test, folders.Budget!, {
        name: `b${number}.txt`,
        bytes: `Budget\nLejeindtægt\nNr ${number}`,
      })
    }
    await sql`update texts set state = 'read', pages = 1 where state = 'wanted'`.execute(test.db)
    const { rows } = await sql<{ id: number; folder_id: number }>`
      select distinct on (texts.id) texts.id, files.folder_id
      from files join blobs on blobs.id = files.blob_id join texts on texts.sha256 = blobs.sha256
      where files.folder_id in (${folders.Diverse}, ${folders.Budget})`.execute(test.db)
    for (const { id, folder_id: folder } of rows) {
      const text =
        folder === folders.Diverse
          ? 'Energimærke\nEjendommens varmeforbrug og isolering'
          : 'Budget\nLejeindtægt'
      await addPageTexts(test.db, id, [{ page: 1, text }])
    }
    expect(await learnWords(test.db, signal)).toBeGreaterThanOrEqual(40)
    expect((await readModel(test.db))?.words).toHaveProperty('varmeforbrug')
    expect(await learnWords(test.db, signal)).toBeNull() // nothing has changed
    const paper = simplePaper(['Energimærke', project.name, 'Varmeforbrug og isolering af ejendommen'])
    const [judged] = await judge([{ hash_name: await send(paper), name: 'Scan 7.pdf' }])
    expect(judged).toMatchObject({ sureness: 'sure', best: { place: { folder: { name: 'Diverse' } } } })
    expect(judged!.best!.reasons.at(-1)).toEqual({
      kind: 'alike',
      words: ['energimærke', 'varmeforbrug', 'isolering'],
    })
  })
})
