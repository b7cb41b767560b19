import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { isLong } from '../long-only.ts'
import { pdfOfMany } from '../../demo/papers/writing/pdf.ts'
import { isFileShown } from '../../src/access/seen.db.ts'
import type { User } from '../../src/accounts/users/user.ts'
import { runImport } from '../../src/moving/tree/run-import.db.ts'
import type { Project } from '../../src/projects/project/project.ts'
import { fileUrls, urls } from '../../src/urls.ts'
import { receiveTemporaryFile } from '../../src/uploads/transport/temporary.db.ts'
import type { FoundPile } from '../../src/uploads/unsaved/unsaved-pile.ts'
import { freshApp, type TestApp } from '../app.ts'
import { freshDirectory } from '../directory.ts'
import { enter, type Entered } from '../enter.ts'
import { handIn } from './hand-in.ts'
import { foldersByName, makeProject, makeUser } from '../make.ts'
import { simplePaper } from '../papers/simple-paper.ts'
import { readHeld, shownAs } from './read-held.ts'

// Each way in gets 30 papers, 10 of which contradict their place, saved as early as it allows. Nobody outside the
// office may see one of those 10, at any moment, before somebody has accepted it.

const PAPERS = 30
const WRONG = 10
const isWrong = (number: number) => number % (PAPERS / WRONG) === 0

let test: TestApp
let office: Entered
let investor: Entered
let project: Project
let other: Project

beforeAll(async () => {
  test = await freshApp({
    hasJobs: false,
    env: { REQUESTS_PER_MINUTE: '100000', READ_DOCUMENTS: 'true', READ_SCANS: 'false' },
  })
  office = await enter(test, 'employee')
  investor = await enter(test, 'investor')
})

/** A paper that says which project it is of; the number tells two papers apart. */
const paperOf = ({ name, number }: Project, each: number) =>
  simplePaper([
    name,
    `Projekt nr. ${number}`,
    'Årsrapport 2025',
    '1. januar - 31. december 2025',
    `Bilag ${each}.`,
  ])

type Paper = { name: string; bytes: Buffer; isWrong: boolean }

const papers = (): Paper[] =>
  Array.from({ length: PAPERS }, (_, each) => ({
    name: `Årsrapport (${project.number}) 2025 ${isWrong(each) ? 'forkert' : 'rigtig'} ${each}.pdf`,
    bytes: paperOf(isWrong(each) ? other : project, each),
    isWrong: isWrong(each),
  }))

async function begin(): Promise<void> {
  project = await makeProject(test.db, { members: [investor.id] })
  other = await makeProject(test.db)
}

/**
 * Returns the papers that the investor sees: in the list of the folder, and by the address of each file that the office
 * knows.
 */
async function seen(): Promise<{ right: number; wrong: number }> {
  const { Årsrapport: folder } = await foldersByName(test.db, project.id)
  const named: string[] = []
  for (const page of [1, 2]) {
    const list = await investor.visitor.get(`${fileUrls.list({ project: project.id }, folder!)}?page=${page}`)
    named.push(...list.json<{ data: { name: string }[] }>().data.map(({ name }) => name))
  }
  const { rows } = await sql<{ name: string; path: string }>`
    select name, key || '/' || name as path from files where folder_id = ${folder}`.execute(test.db)
  const opened: string[] = []
  for (const { name, path } of rows) {
    const reply = await investor.visitor.get(fileUrls.open({ project: project.id }, path))
    if (reply.statusCode !== 404) opened.push(name)
  }
  expect(opened.sort()).toEqual(named.sort())
  const wrong = named.filter((name) => name.includes('forkert')).length
  return { right: named.length - wrong, wrong }
}

const NOTHING = { right: 0, wrong: 0 }
const ALL_BUT_WRONG = { right: PAPERS - WRONG, wrong: 0 }

/** Checks that nothing is seen until it is read; then all that agrees, and the rest when somebody accepts it. */
async function isHeldUntilRead(): Promise<void> {
  expect(await seen()).toEqual(NOTHING)
  await readHeld(test)
  expect(await seen()).toEqual(ALL_BUT_WRONG)
  const { rows } = await sql<{ paper: number }>`
    select blob_id as paper from held_papers join files using (blob_id) join folders on folders.id = folder_id
    where project_id = ${project.id} and cause = 'doubt'`.execute(test.db)
  expect(rows).toHaveLength(WRONG)
  const shown = await shownAs(
    test.db,
    rows.map(({ paper }) => paper),
  )
  const asked = { papers: shown }
  expect((await office.visitor.post(urls.acceptPapers, asked, { script: true })).statusCode).toBe(200)
  expect(await seen()).toEqual({ right: PAPERS - WRONG, wrong: WRONG })
}

const send = async ({ name, bytes }: Paper) =>
  (await receiveTemporaryFile(test, office.id, name, Readable.from([bytes]), 1e8)).hash_name

describe('of 30 papers, 10 of which contradict their place, nobody outside sees one of those', () => {
  it('papers of a pile that is saved at once are held', async () => {
    await begin()
    const files: Record<string, object> = {}
    const { Årsrapport: folder } = await foldersByName(test.db, project.id)
    for (const [each, paper] of papers().entries())
      files[`f${each}`] = { name: paper.name, data: await send(paper), folder_id: folder }
    const reply = await office.visitor.post(urls.upload, { files, publish: 'now' }, { script: true })
    expect(reply.statusCode).toBe(200)
    await isHeldUntilRead()
  })

  it('papers sent by the API are held, and its answer says so', async () => {
    await begin()
    const files = []
    for (const paper of papers()) files.push({ name: paper.name, hash_name: await send(paper) })
    const reply = await office.visitor.post(urls.fileByName, { files, publish: 'now' }, { script: true })
    expect(reply.statusCode).toBe(201)
    const answer = reply.json<{
      held: object
      files: { held: string | null }[]
      release: { state: string }
    }>()
    expect(answer.release.state).toBe('published')
    expect(new Set(answer.files.map(({ held }) => held))).toEqual(new Set(['reading']))
    expect(answer.held).toEqual({ reading: PAPERS, doubt: 0 })
    await isHeldUntilRead()
  })

  it.runIf(isLong)('papers from a directory of another company are held', async () => {
    await begin()
    const root = await freshDirectory()
    const directory = join(root, `${project.number} ${project.name.replace('/', '')}`, 'Årsrapport')
    await mkdir(directory, { recursive: true })
    for (const { name, bytes } of papers())
      await writeFile(join(directory, name.replace(` (${project.number})`, '')), bytes)
    const { counts, held } = await runImport(
      { ...test, storage: test.storage as never, dataDir: test.config.dataDir },
      { act: 'import', dryRun: null, from: null, report: null, isDraft: false, by: null, directory: root },
      { say: () => undefined, progress: () => undefined, signal: new AbortController().signal },
    )
    expect([counts.imported, held]).toEqual([PAPERS, { reading: PAPERS, doubt: 0 }])
    const page = async () => (await (await enter(test, 'administrator')).visitor.get(urls.import)).body
    expect(await page()).toContain(`${PAPERS} papirer udgives, når de er læst`)
    expect(await seen()).toEqual(NOTHING)
    await readHeld(test)
    expect(await page()).toContain(`${WRONG} papirer er holdt tilbage`)
    expect(await seen()).toEqual(ALL_BUT_WRONG)
  })

  it.runIf(isLong)('papers of an intake that is sorted and saved are held', async () => {
    await begin()
    const all = papers()
    const item = await handIn(test, Object.fromEntries(all.map(({ name, bytes }) => [name, bytes])))
    const sorted = await office.visitor.post(urls.inboxAct(item, 'sort'), {}, { script: true })
    const pile = sorted.json<{ redirect: string }>().redirect.split('pile=')[1]!
    const kept = await office.visitor.get(`${urls.unsavedPile}?form=/upload&pile=${pile}`)
    const { Årsrapport: folder } = await foldersByName(test.db, project.id)
    const files = Object.fromEntries(
      kept
        .json<FoundPile>()
        .files.map(({ name, hash_name: data }, each) => [`f${each}`, { name, data, folder_id: folder }]),
    )
    const reply = await office.visitor.post(urls.upload, { files, publish: 'now' }, { script: true })
    expect(reply.statusCode).toBe(200)
    await isHeldUntilRead()
  })

  it.runIf(isLong)('parts of a divided PDF with the pages of others are held', async () => {
    const people: (User & { number: string })[] = []
    for (let each = 0; each < PAPERS; each++) {
      const number = String(860_000 + each)
      const name = `Dan${'abcdefghijklmnopqrstuvwxyzæøåab'[each]} Prøve${'zyxwvutsrqponmlkjihgfedcbaåøæzy'[each]}sen`
      const person = await makeUser(test.db, { name, numbers: [number] })
      people.push({ ...person, number })
    }
    // Every third has somebody else's page.
    const pages = people.map((person, each) => {
      const named = isWrong(each) ? people[(each + 1) % PAPERS]! : person
      return {
        title: 'Kapitalkonto 2025',
        from: 'Revisor',
        reference: '',
        lines: [named.name, `Investornr. ${named.number}`, `Ark ${each}`],
      }
    })
    const file = await send({ name: 'Alle.pdf', bytes: pdfOfMany('Alle', pages), isWrong: false })
    const reply = await office.visitor.post(
      urls.splitUpload,
      {
        file,
        pages: PAPERS,
        pattern: 'Kapitalkonto ({nummer}) 2025.pdf',
        left_out: '',
        publish: 'now',
        parts: Object.fromEntries(
          people.map(({ id }, each) => [`p${each}`, { user_id: id, pages: String(each + 1) }]),
        ),
      },
      { script: true },
    )
    expect(reply.statusCode).toBe(200)
    const whoSees = async () => {
      const seeing: number[] = []
      for (const [each, { id }] of people.entries()) {
        const { rows } = await sql`
          select from files join folders on folders.id = folder_id
          where ${isFileShown({ id, role: 'investor' })} and folders.user_id = ${id}`.execute(test.db)
        if (rows.length > 0) seeing.push(each)
      }
      return seeing
    }
    expect(await whoSees()).toEqual([])
    await readHeld(test)
    expect(await whoSees()).toEqual(people.flatMap((_, each) => (isWrong(each) ? [] : [each])))
  })
})
