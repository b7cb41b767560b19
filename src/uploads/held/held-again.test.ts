import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeProject, makeUser, wantApproval } from '../../../test/make.ts'
import { simplePaper } from '../../../test/papers/simple-paper.ts'
import { readHeld, shownAs } from '../../../test/office/read-held.ts'
import type { Project } from '../../projects/project/project.ts'
import { tellHolders } from '../../releases/held/tell-holder.db.ts'
import { fileUrls, urls } from '../../urls.ts'
import { receiveTemporaryFile } from '../transport/temporary.db.ts'
import { beginReading } from './begin-reading.db.ts'
import { compareHeld } from './compare-held.db.ts'
import { holdSaved } from './hold-saved.db.ts'
import { packText } from '../../reading/page-texts.db.ts'
import { scanNext } from '../../reading/scan-pages.db.ts'
import type { Reading } from './text-state.db.ts'

let test: TestApp
let office: Entered
let colleague: Entered
let investor: Entered
let neighbour: Entered
let project: Project
let other: Project
let folders: Record<string, number>
let theirs: Record<string, number>

beforeAll(async () => {
  test = await freshApp({
    hasJobs: false,
    env: { REQUESTS_PER_MINUTE: '100000', READ_DOCUMENTS: 'true', READ_SCANS: 'false' },
  })
  await beginReading(test.db, true)
  office = await enter(test, 'employee')
  colleague = await enter(test, 'administrator')
  investor = await enter(test, 'investor')
  neighbour = await enter(test, 'investor')
})
beforeEach(async () => {
  await wantApproval(test.db, false)
  project = await makeProject(test.db, { members: [investor.id] })
  other = await makeProject(test.db, {
    name: `K/S Mølleåen ${project.number}`,
    members: [neighbour.id],
  })
  folders = await foldersByName(test.db, project.id)
  theirs = await foldersByName(test.db, other.id)
})

let sent = 0
const paperOf = ({ name, number }: Pick<Project, 'name' | 'number'>, more = `Bilag ${++sent}`) =>
  simplePaper([name, `Projekt nr. ${number}`, 'Årsrapport 2025', '1. januar - 31. december 2025', more])
const withCpr = () => paperOf(project, `CPR-nr. 010203-1234, bilag ${++sent}`)
const nameOf = (year = 2025) => `Årsrapport (${project.number}) ${year} ${++sent}.pdf`

type Saving = { name: string; bytes: Buffer; folder?: number }

/** Saves papers and returns their files' ids. */
async function save(papers: Saving[], more: object = {}, address = urls.upload): Promise<number[]> {
  const files: Record<string, object> = {}
  for (const [index, { name, bytes, folder }] of papers.entries()) {
    const { hash_name: data } = await receiveTemporaryFile(test, office.id, name, Readable.from([bytes]), 1e8)
    files[`f${index}`] = {
      name,
      data,
      ...(address === urls.upload && { folder_id: folder ?? folders.Årsrapport }),
    }
  }
  const reply = await office.visitor.post(address, { files, ...more }, { script: true })
  expect([reply.statusCode, reply.body]).toEqual([200, reply.body])
  const { rows } = await sql<{ id: number }>`
    select id from files where name = any (${papers.map(({ name }) => name)}) order by id`.execute(test.db)
  return rows.map(({ id }) => id)
}

const move = async (owner: { project: number } | { user: number }, files: number[], to: object) => {
  const reply = await office.visitor.post(fileUrls.many(owner, 'move'), { files, ...to }, { script: true })
  expect(reply.statusCode).toBe(200)
}

async function sees({ visitor }: Entered, file: number, owner: { project: number } | { user: number }) {
  const { rows } = await sql<{ path: string }>`
    select key || '/' || name as path from files where id = ${file}`.execute(test.db)
  return (await visitor.get(fileUrls.open(owner, rows[0]!.path))).statusCode === 200
}

/** Why the bytes of a file, or of its versions, are held. */
async function heldOf(file: number): Promise<{ blob_id: number; cause: string; kinds: string[] | null }[]> {
  const { rows } = await sql<{ blob_id: number; cause: string; kinds: string[] | null }>`
    select blob_id, cause, (select array_agg(each ->> 'kind') from jsonb_array_elements(found) as each) as kinds
    from held_papers where blob_id in (
      select blob_id from files where id = ${file} union select blob_id from file_versions where file_id = ${file})
    order by blob_id`.execute(test.db)
  return rows
}

const publish = async () => {
  const { rows } = await sql<{ id: number }>`select max(id) as id from releases`.execute(test.db)
  return (await office.visitor.post(urls.releaseAct(rows[0]!.id, 'publish'), {}, { script: true })).statusCode
}

/** Returns the receivers of mails that name a paper. */
async function mailsAbout(name: string): Promise<string[]> {
  const { rows } = await sql<{ data: unknown }>`
    select data from jobs.job where data ->> 'text' like ${`%${name}%`}`.execute(test.db)
  return rows.map(({ data }) => JSON.stringify(data))
}

const emailOf = async ({ id }: Entered) => {
  const { rows } = await sql<{ email: string }>`select email from users where id = ${id}`.execute(test.db)
  return rows[0]!.email
}

const NO_SCANS = { pictures: false, pages: false }
const compare = (reading: Reading, complaints: unknown[] = []) =>
  compareHeld(test.db, { reading, complain: (about) => void complaints.push(about) })

describe('a paper that was compared is compared again', () => {
  it('a paper is compared again when its draft is moved to another project', async () => {
    const [file] = await save([{ name: nameOf(), bytes: paperOf(project) }], { publish: 'draft' })
    await readHeld(test)
    expect(await heldOf(file!)).toEqual([])
    await move({ project: project.id }, [file!], { folder_id: theirs.Årsrapport })
    expect(await heldOf(file!)).toMatchObject([{ cause: 'reading' }])
    expect([await publish(), await sees(neighbour, file!, { project: other.id })]).toEqual([200, false])
    await readHeld(test)
    expect(await heldOf(file!)).toMatchObject([{ cause: 'doubt', kinds: ['project'] }])
    expect(await sees(neighbour, file!, { project: other.id })).toBe(false)
  })

  it('a paper is compared again when it is moved to another person, and the mover is told', async () => {
    const anna = await makeUser(test.db, { name: `Anna Tornsøb ${++sent}`, numbers: [`7${1e5 + sent}`] })
    const bo = await enter(test, 'investor')
    const statement = simplePaper([anna.name, `Investornr. 7${1e5 + sent}`, 'Kapitalkonto 2025'])
    const [file] = await save(
      [{ name: `Konto ${sent}.pdf`, bytes: statement }],
      {},
      urls.uploadToUser(anna.id),
    )
    await readHeld(test)
    expect(await heldOf(file!)).toEqual([])
    await sql`update held_papers set told_at = now()`.execute(test.db)
    await move({ user: anna.id }, [file!], { user_id: bo.id })
    expect(await sees(bo, file!, { user: bo.id })).toBe(false)
    await readHeld(test)
    expect(await heldOf(file!)).toMatchObject([{ cause: 'doubt', kinds: ['person'] }])
    await tellHolders(test.db, test.jobs, 'https://ringbind.example')
    expect(await mailsAbout(`Konto ${sent}.pdf`)).toEqual([expect.stringContaining(await emailOf(office))])
  })

  it('a paper is compared again when it is moved from an office folder to a shared one, and then shown as before', async () => {
    const name = `Diverse (${project.number}) 2025 ${++sent}.pdf`
    const address = urls.uploadTo(project.id, folders.Diverse!)
    const [secret] = await save([{ name, bytes: withCpr() }], {}, address)
    const [plain] = await save([{ name: `${name} 2.pdf`, bytes: paperOf(project) }], {}, address)
    await readHeld(test)
    expect([await heldOf(secret!), await heldOf(plain!)]).toEqual([[], []])
    await move({ project: project.id }, [secret!, plain!], { folder_id: folders.Årsrapport })
    expect(await sees(investor, plain!, { project: project.id })).toBe(false)
    await readHeld(test)
    expect(await heldOf(secret!)).toMatchObject([{ cause: 'doubt', kinds: ['cpr'] }])
    expect(await sees(investor, secret!, { project: project.id })).toBe(false)
    expect(await sees(investor, plain!, { project: project.id })).toBe(true)
    const { rows } = await sql`
      select from log where act = 'file-published' and file_id = ${plain!}`.execute(test.db)
    expect(rows).toHaveLength(1) // when it was read first, in the folder of the office
  })

  it('a moved paper is not compared again if nobody new sees it', async () => {
    const [file] = await save([{ name: nameOf(), bytes: paperOf(project) }])
    await readHeld(test)
    await move({ project: project.id }, [file!], { folder_id: folders.Budget })
    const many = { files: [file!] }
    await office.visitor.post(fileUrls.many({ project: project.id }, 'delete'), many, { script: true })
    await office.visitor.post(fileUrls.many({ project: project.id }, 'restore'), many, { script: true })
    expect([await heldOf(file!), await sees(investor, file!, { project: project.id })]).toEqual([[], true])
  })

  it('a paper is compared again when it is restored to a folder that was shared since', async () => {
    const name = `Diverse (${project.number}) 2025 ${++sent}.pdf`
    const [file] = await save([{ name, bytes: withCpr() }], {}, urls.uploadTo(project.id, folders.Diverse!))
    await readHeld(test)
    const many = { files: [file!] }
    await office.visitor.post(fileUrls.many({ project: project.id }, 'delete'), many, { script: true })
    await sql`update folders set visible_to_investors = true where id = ${folders.Diverse}`.execute(test.db)
    await office.visitor.post(fileUrls.many({ project: project.id }, 'restore'), many, { script: true })
    expect(await sees(investor, file!, { project: project.id })).toBe(false)
    await readHeld(test)
    expect(await heldOf(file!)).toMatchObject([{ cause: 'doubt', kinds: ['cpr'] }])
  })

  it('a paper is compared again when an older version is restored after a move', async () => {
    const [file] = await save([{ name: nameOf(), bytes: paperOf(project) }])
    await readHeld(test)
    const { rows } = await sql<{ blob_id: number }>`select blob_id from files where id = ${file!}`.execute(
      test.db,
    )
    const replace = fileUrls.replace({ project: project.id }, file!)
    await save([{ name: nameOf(), bytes: simplePaper(['Årsrapport 2025', `Bilag ${++sent}`]) }], {}, replace)
    await readHeld(test)
    await move({ project: project.id }, [file!], { folder_id: theirs.Årsrapport })
    await readHeld(test)
    expect(await sees(neighbour, file!, { project: other.id })).toBe(true)
    const back = fileUrls.restoreVersion({ project: other.id }, rows[0]!.blob_id)
    expect((await office.visitor.post(back, {}, { script: true })).statusCode).toBe(200)
    const shown = async () =>
      (
        await sql<{ blob_id: number; is_held_back: boolean }>`
          select blob_id, is_held_back from files where id = ${file!}`.execute(test.db)
      ).rows[0]!
    expect([(await shown()).is_held_back, (await shown()).blob_id === rows[0]!.blob_id]).toEqual([
      false,
      false,
    ])
    await readHeld(test)
    expect(await heldOf(file!)).toMatchObject([
      { blob_id: rows[0]!.blob_id, cause: 'doubt', kinds: ['project'] },
    ])
    expect((await shown()).blob_id === rows[0]!.blob_id).toBe(false)
  })

  it('a paper is compared again when its draft is renamed', async () => {
    const [file] = await save([{ name: nameOf(), bytes: paperOf(project) }], { publish: 'draft' })
    await readHeld(test)
    const rename = fileUrls.rename({ project: project.id }, file!)
    await office.visitor.post(rename, { name: nameOf(2019) }, { script: true })
    await readHeld(test)
    expect(await heldOf(file!)).toMatchObject([{ cause: 'doubt', kinds: ['year'] }])
  })
})

describe('a paper counts as compared at saving', () => {
  it('facts found after saving count as not compared', async () => {
    const bytes = paperOf(project)
    await save([{ name: nameOf(), bytes }], { publish: 'draft' })
    await readHeld(test)
    const [file] = await save([{ name: nameOf(), bytes }])
    expect(await heldOf(file!)).toEqual([])
    const { rows } = await sql<{ blob_id: number; sha256: string }>`
      select blob_id, sha256 from files join blobs on blobs.id = blob_id where files.id = ${file!}`.execute(
      test.db,
    )
    const { blob_id: blobId, sha256 } = rows[0]!
    const paper = { id: 'f0', name: 'x.pdf', hashName: 'h', sha256, folderId: folders.Årsrapport! }
    const at = { ...paper, isShared: true, project: project.id, person: null }
    const taken = new Map([['h', { blobId, sha256, type: 'application/pdf' }]])
    // The result of `checkPapers` if the facts came just after it looked.
    const checked = { accepted: new Map(), compared: new Map<string, number>() }
    const { held } = await test.db
      .transaction()
      .execute((trx) =>
        holdSaved(trx, office.id, [at], taken, { acknowledged: [], checked, isRead: true, isScanned: false }),
      )
    expect([...held.values()]).toEqual(['reading'])
  })

  it('a paper counts as compared only with everything that is known now', async () => {
    const unknown = { name: `K/S Skovkanten ${++sent}`, number: `77${1000 + sent}` }
    const bytes = paperOf(unknown)
    await save([{ name: nameOf(), bytes }], { publish: 'draft' })
    await readHeld(test)
    await makeProject(test.db, unknown)
    await sql`insert into log (act) values ('project-added')`.execute(test.db)
    const [file] = await save([{ name: nameOf(), bytes }])
    expect(await heldOf(file!)).toMatchObject([{ cause: 'reading' }])
    await readHeld(test)
    expect(await heldOf(file!)).toMatchObject([{ cause: 'doubt', kinds: ['project'] }])
  })

  it.each(['strangers', 'later'])(
    'a paper counts as compared only by facts that have %s, which an earlier release did not store',
    async (what) => {
      const bytes = paperOf(project)
      await save([{ name: nameOf(), bytes }], { publish: 'draft' })
      await readHeld(test)
      await sql`update paper_facts set facts = facts - ${what}::text`.execute(test.db)
      const [file] = await save([{ name: nameOf(), bytes }])
      expect(await heldOf(file!)).toMatchObject([{ cause: 'reading' }])
    },
  )

  it('a new version counts as compared by the name that its file keeps', async () => {
    const bytes = paperOf(project)
    await save([{ name: nameOf(), bytes }], { publish: 'draft' })
    const [file] = await save([{ name: nameOf(), bytes: paperOf(project) }])
    await readHeld(test)
    await save([{ name: nameOf(2019), bytes }], {}, fileUrls.replace({ project: project.id }, file!))
    expect(await heldOf(file!)).toEqual([])
  })

  it('a yes covers only what was found by then', async () => {
    const [file] = await save([{ name: nameOf(), bytes: paperOf(other) }], { acknowledged: 'f0:project' })
    await readHeld(test)
    expect(await heldOf(file!)).toMatchObject([{ cause: 'doubt', kinds: ['project'] }])
  })
})

describe('a held paper', () => {
  it('a held paper is in doubt if there is nothing to compare it with', async () => {
    const person = await makeUser(test.db)
    const bytes = simplePaper(['Kapitalkonto 2025', `Bilag ${++sent}`])
    const [file] = await save([{ name: `Konto ${sent}.pdf`, bytes }], {}, urls.uploadToUser(person.id))
    await sql`update users set role = 'auditor' where id = ${person.id}`.execute(test.db)
    await readHeld(test)
    expect(await heldOf(file!)).toMatchObject([{ cause: 'doubt', kinds: ['place'] }])
  })

  it('refuses a yes from a page that showed the paper elsewhere, or before it was read', async () => {
    const [file] = await save([{ name: nameOf(2021), bytes: paperOf(project) }])
    const ids = (await heldOf(file!)).map(({ blob_id: id }) => id)
    const accept = async (papers: string) =>
      (await office.visitor.post(urls.acceptPapers, { papers }, { script: true })).statusCode
    const unread = await shownAs(test.db, ids)
    await readHeld(test)
    expect(await accept(unread)).toBe(409)
    const read = await shownAs(test.db, ids)
    const rename = fileUrls.rename({ project: project.id }, file!)
    await office.visitor.post(rename, { name: nameOf(2020) }, { script: true })
    await readHeld(test)
    expect([await accept(read), await sees(investor, file!, { project: project.id })]).toEqual([409, false])
    expect(await accept(await shownAs(test.db, ids))).toBe(200)
  })

  it('a held paper is compared again if its folder is shared meanwhile', async () => {
    const name = `Diverse (${project.number}) 2025 ${++sent}.pdf`
    const [file] = await save([{ name, bytes: withCpr() }], {}, urls.uploadTo(project.id, folders.Diverse!))
    let reading: Promise<void> | undefined
    await test.db.transaction().execute(async (trx) => {
      await sql`update folders set visible_to_investors = true where id = ${folders.Diverse}`.execute(trx)
      reading = readHeld(test)
      // By then it is compared with a folder of the office, and waits for the folder.
      await expect
        .poll(
          async () =>
            (
              await sql`select from pg_locks where not granted and database = (
              select oid from pg_database where datname = current_database()) or not granted and database is null`.execute(
                test.db,
              )
            ).rows.length,
          { timeout: 120_000 },
        )
        .toBeGreaterThan(0)
    })
    await reading
    expect(await heldOf(file!)).toMatchObject([{ cause: 'doubt', kinds: ['cpr'] }])
    expect(await sees(investor, file!, { project: project.id })).toBe(false)
  })

  it('a held paper is unreadable if one of its first pages could not be read as a picture', async () => {
    const bytes = simplePaper([
      'Forside',
      '',
      project.name,
      `Projekt nr. ${project.number}`,
      `Bilag ${++sent}`,
    ])
    const [file] = await save([{ name: nameOf(), bytes }])
    await test.db.transaction().execute(async (trx) => {
      await sql`select from texts for update`.execute(trx)
    })
    const { rows } = await sql<{ id: number }>`
      select texts.id from files join blobs on blobs.id = blob_id join texts on texts.sha256 = blobs.sha256
      where files.id = ${file!}`.execute(test.db)
    const text = rows[0]!.id
    await sql`update texts set state = 'read', pages = 2, is_scan_wanted = true where id = ${text}`.execute(
      test.db,
    )
    await sql`insert into page_texts (text_id, page, packed)
      select ${text}, 2, packed from page_texts limit 1`.execute(test.db)
    expect(await compare({ documents: true, scans: { pictures: true, pages: true } })).toBeGreaterThan(0)
    expect(await heldOf(file!)).toMatchObject([{ cause: 'reading' }])
    const broken = { tesseract: '/bin/false', pageDrawer: '/bin/false' }
    expect(await scanNext(test, broken, new AbortController().signal, { only: text })).toBe(true)
    await compare({ documents: true, scans: { pictures: true, pages: true } })
    expect(await heldOf(file!)).toMatchObject([{ cause: 'doubt', kinds: ['unreadable'] }])
  })

  it('a held paper waits neither for pages that cannot be drawn here nor for reading that is off', async () => {
    const [scan] = await save([{ name: nameOf(), bytes: paperOf(project) }])
    await readHeld(test)
    await sql`
      update texts set is_scan_wanted = true, pages = 2 where sha256 = (
        select sha256 from blobs join files on files.blob_id = blobs.id where files.id = ${scan!})`.execute(
      test.db,
    )
    await sql`insert into held_papers (blob_id, cause) select blob_id, 'reading' from files where id = ${scan!}`.execute(
      test.db,
    )
    await compare({ documents: true, scans: { pictures: true, pages: true } })
    expect(await heldOf(scan!)).toMatchObject([{ cause: 'reading' }])
    await sql`update held_papers set held_at = now()`.execute(test.db)
    await compare({ documents: true, scans: { pictures: true, pages: false } })
    expect(await heldOf(scan!)).toEqual([])
    const [file] = await save([{ name: nameOf(), bytes: paperOf(project) }])
    await compare({ documents: false, scans: NO_SCANS })
    expect(await heldOf(file!)).toMatchObject([{ cause: 'doubt', kinds: ['unreadable'] }])
  })

  /** Gives the text of a file these pages, as if it was read so. */
  async function giveText(file: number, pages: [page: number, packed: Buffer][]): Promise<void> {
    const { rows } = await sql<{ id: number }>`
      update texts set state = 'read', pages = ${Math.max(...pages.map(([page]) => page))} from files, blobs
      where blobs.id = files.blob_id and texts.sha256 = blobs.sha256 and files.id = ${file} returning texts.id`.execute(
      test.db,
    )
    for (const [page, packed] of pages)
      await sql`insert into page_texts (text_id, page, packed) values (${rows[0]!.id}, ${page}, ${packed})`.execute(
        test.db,
      )
  }

  it('a held paper that cannot be compared does not block others', async () => {
    const [bad, good] = await save([
      { name: nameOf(), bytes: paperOf(project) },
      { name: nameOf(), bytes: paperOf(project) },
    ])
    await giveText(bad!, [[1, Buffer.from([1, 2])]])
    await giveText(good!, [[1, packText(`Projekt nr. ${project.number}`)]])
    const complaints: unknown[] = []
    await compare({ documents: true, scans: NO_SCANS }, complaints)
    expect([await heldOf(bad!), await heldOf(good!)]).toMatchObject([[{ cause: 'reading' }], []])
    expect(complaints).toHaveLength(1)
    await sql`delete from held_papers where blob_id = (select blob_id from files where id = ${bad!})`.execute(
      test.db,
    )
  })

  it('a held paper may end in half a surrogate pair where a line was cut', async () => {
    const [file] = await save([{ name: nameOf(), bytes: paperOf(project) }])
    const first = packText(`Projekt nr. ${project.number}`)
    await giveText(file!, [
      [1, first],
      [5, packText(`${'Investornr. 99887 '.padEnd(399, 'x')}😀`)],
    ])
    await readHeld(test)
    expect(await heldOf(file!)).toEqual([])
  })

  it('where colleagues approve, the mover cannot accept a held paper, but anybody else can', async () => {
    const [file] = await save([{ name: nameOf(), bytes: paperOf(project) }])
    await readHeld(test)
    await move({ project: project.id }, [file!], { folder_id: theirs.Årsrapport })
    await readHeld(test)
    // The release is somebody else's: only the move is theirs.
    await sql`update releases set made_by = ${colleague.id} where id = (select max(id) from releases)`.execute(
      test.db,
    )
    await wantApproval(test.db, true)
    const ids = (await heldOf(file!)).map(({ blob_id: id }) => id)
    const papers = await shownAs(test.db, ids)
    const accept = async ({ visitor }: Entered) =>
      (await visitor.post(urls.acceptPapers, { papers }, { script: true })).statusCode
    expect([await accept(office), await accept(colleague)]).toEqual([403, 403])
    expect(await accept(await enter(test, 'employee'))).toBe(200)
    expect(await sees(neighbour, file!, { project: other.id })).toBe(true)
  })

  it('nobody who has left the office is told of a held paper', async () => {
    const former = await enter(test, 'employee')
    const name = nameOf()
    const [file] = await save([{ name, bytes: paperOf(other) }])
    await readHeld(test)
    await sql`update held_papers set held_by = ${former.id} where blob_id = (
      select blob_id from files where id = ${file!})`.execute(test.db)
    await sql`update users set role = 'investor' where id = ${former.id}`.execute(test.db)
    await tellHolders(test.db, test.jobs, 'https://ringbind.example')
    expect(await mailsAbout(name)).toEqual([])
  })
})

it('what waits to be published when reading is turned on is held until compared, and what is shown stays shown', async () => {
  const [draft] = await save([{ name: nameOf(), bytes: paperOf(other) }], { publish: 'draft' })
  const [shown] = await save([{ name: nameOf(), bytes: paperOf(other) }])
  // The state that the version before this one left.
  await sql`delete from held_papers`.execute(test.db)
  await sql`delete from compared_papers`.execute(test.db)
  await sql`update files set is_held_back = false where id = ${shown!}`.execute(test.db)
  await beginReading(test.db, false)
  await beginReading(test.db, true)
  expect([await heldOf(draft!), await heldOf(shown!)]).toMatchObject([[{ cause: 'reading' }], []])
  expect(await sees(investor, shown!, { project: project.id })).toBe(true)
  await readHeld(test)
  expect(await heldOf(draft!)).toMatchObject([{ cause: 'doubt', kinds: ['project'] }])
})
