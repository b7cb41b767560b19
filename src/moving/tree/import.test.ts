import { createHash } from 'node:crypto'
import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { asOwner } from '../../../test/database.ts'
import { freshDirectory } from '../../../test/directory.ts'
import { foldersByName, makeFile, makeProject, makeUser, wantApproval } from '../../../test/make.ts'
import { makeDrive, type Drive, type Truth } from '../../../test/neighbours/network-drive.ts'
import { countProjectNews } from '../../projects/news/news.db.ts'
import { shownPath } from './decode-path.ts'
import { readSheet } from './read-sheet.server.ts'
import { runImport } from './run-import.db.ts'
import { TableFaults } from './table.db.ts'
import { NotUndone, undoTree } from './undo-tree.db.ts'
import { writeSheet } from './write-sheet.server.ts'
import { TABLE_COLUMNS } from './table.ts'

let app: TestApp
beforeAll(async () => {
  app = await freshApp({ hasJobs: false })
})

const TOLD = { say: () => undefined, progress: () => undefined, signal: new AbortController().signal }
const PLAIN = { act: 'import' as const, dryRun: null, from: null, report: null, isDraft: false, by: null }
const run = (directory: string, options: Partial<Parameters<typeof runImport>[1]> = {}, told = TOLD) =>
  runImport(
    { ...app, storage: app.storage as never, dataDir: app.config.dataDir },
    { ...PLAIN, directory, ...options },
    told,
  )

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function filesOf(importId: number) {
  const { rows } = await sql<{
    shown: string
    state: string
    name: string | null
    folder: string | null
    project: string | null
    person: string | null
    sha256: string | null
    created_at: Date | null
    why: string
  }>`
    select shown, import_files.state, files.name, folders.name as folder, projects.number as project,
      (select min(number) from user_numbers where user_id = folders.user_id) as person, blobs.sha256, files.created_at, why
    from import_files left join files on files.id = file_id left join folders on folders.id = files.folder_id
    left join projects on projects.id = folders.project_id left join blobs on blobs.id = files.blob_id
    where import_id = ${importId} order by import_files.id`.execute(app.db)
  return rows
}

const write = async (
  root: string,
  path: string,
  bytes: Buffer | string = path,
  at = new Date('2019-03-04T05:06:07Z'),
) => {
  await mkdir(join(root, path, '..'), { recursive: true })
  await writeFile(join(root, path), bytes)
  await utimes(join(root, path), at, at)
}

describe('a drive of 600 files', () => {
  let drive: Drive
  let root: string
  let id: number
  let tables: string
  const truths = new Map<string, Truth>()
  beforeAll(async () => {
    root = await freshDirectory()
    tables = await freshDirectory()
    const projects = [
      { number: '5024', name: 'K/S Nordhavn Kontorhus' },
      { number: '5031', name: 'K/S Ørsted Møllepark' },
      { number: '0502', name: 'K/S Aarhus Bugt Lager' },
      { number: '5077', name: 'K/S Sydhavn Boliger' },
    ]
    for (const project of projects) await makeProject(app.db, project)
    const people = [
      { number: '77001', name: 'Jens Åge Hansen' },
      { number: '77002', name: 'Mette Kjær' },
    ]
    for (const { number, name } of people) await makeUser(app.db, { name, numbers: [number] })
    const folders = [
      'Årsrapport',
      'Budget',
      'Lejekontrakter',
      'Forsikring',
      'Skatteoplysninger',
      'Generalforsamling',
    ]
    drive = await makeDrive(root, { seed: 26, files: 600, office: { projects, people, folders } })
    for (const { path, truth } of drive.files) truths.set(shownPath(path), truth)
  }, 120_000)

  it('a dry run stores nothing', async () => {
    const result = await run(root, { dryRun: join(tables, 'a.xlsx') })
    id = result.id
    const { counts } = result
    expect(counts.imported).toBe(0)
    expect(counts.ready).toBeGreaterThan(250)
    expect(counts.waiting).toBeGreaterThan(50)
    const rows = await readSheet(join(tables, 'a.xlsx'))
    expect(rows).toHaveLength(1 + drive.files.length + drive.others)
    expect(rows[0]).toEqual(TABLE_COLUMNS.map(({ text }) => text))
    const { rows: stored } = await sql`select from files`.execute(app.db)
    expect(stored).toHaveLength(0)
  })

  it('imports the files with a sure place, and each of them is right', async () => {
    const { counts, id: again } = await run(root)
    expect(again).toBe(id)
    expect(counts.ready).toBe(0)
    expect(counts.imported).toBeGreaterThan(200)
    const wrong = (await filesOf(id)).filter(({ shown, state, folder, project, person }) => {
      if (state !== 'imported' && state !== 'there') return false
      const truth = truths.get(shown)
      if (!truth) return true
      return 'person' in truth
        ? truth.person !== person
        : truth.project !== project || truth.folder !== folder
    })
    expect(wrong).toEqual([])
  })

  it('keeps bytes and dates, and tells nobody', async () => {
    const byPath = new Map(drive.files.map((file) => [shownPath(file.path), file]))
    const imported = (await filesOf(id)).filter(({ state }) => state === 'imported')
    for (const { shown, sha256: sum, created_at: at, name } of imported) {
      expect(sum).toBe(sha256(byPath.get(shown)!.bytes))
      expect(at).toEqual(byPath.get(shown)!.changedAt)
      expect(name).toMatch(/\((5024|5031|0502|5077|77001|77002)\)/)
    }
    const { rows: entries } = await sql<{ count: number }>`
      select count(*) as count from log where act = 'file-imported' and detail = ${String(id)}`.execute(
      app.db,
    )
    expect(entries[0]!.count).toBe(imported.length)
    const { rows: releases } = await sql`select from releases`.execute(app.db)
    expect(releases).toHaveLength(0)
  })

  it('imports identical bytes once per folder', async () => {
    const { rows } = await sql`
      select folder_id, sha256 from files join blobs on blobs.id = blob_id
      group by folder_id, sha256 having count(*) > 1`.execute(app.db)
    expect(rows).toEqual([])
    const there = (await filesOf(id)).filter(({ state }) => state === 'there')
    expect(there.length).toBeGreaterThan(0)
  })

  it('running an import again does nothing more', async () => {
    const before = await filesOf(id)
    await run(root)
    expect(await filesOf(id)).toEqual(before)
  })

  it('imports the rest from the corrected table, and accounts for every file', async () => {
    await run(root, { dryRun: join(tables, 'b.xlsx') })
    const [head, ...rows] = await readSheet(join(tables, 'b.xlsx'))
    const at = (name: string) => head!.indexOf(name)
    for (const row of rows) {
      if (row[at('Tag med')] === 'nej') continue
      const truth = truths.get(row[at('Sti')]!)
      while (row.length < head!.length) row.push('')
      row[at('Tag med')] = truth ? 'ja' : 'NEJ'
      row[at('Person')] = truth && 'person' in truth ? truth.person : ''
      row[at('Projekt')] = truth && 'project' in truth ? truth.project : ''
      row[at('Mappe')] = truth && 'folder' in truth ? truth.folder : ''
      row[at('Navn')] = ''
    }
    const corrected = join(tables, 'c.xlsx')
    await writeSheet(corrected, {
      title: 'x',
      office: '',
      columns: TABLE_COLUMNS,
      count: rows.length,
      rows: (async function* () {
        yield rows
      })(),
    })
    const { counts } = await run(root, { from: corrected, report: join(tables, 'r.xlsx') })
    expect(counts).toMatchObject({ waiting: 0, unread: 0, found: 0, ready: 0, gone: 0 })
    const files = await filesOf(id)
    const placed = new Map(files.map((file) => [file.shown, file]))
    for (const { path, truth, bytes } of drive.files) {
      const file = placed.get(shownPath(path))!
      if (!truth) expect(file.state).toBe('left')
      else
        expect(file).toMatchObject({
          sha256: sha256(bytes),
          ...('person' in truth ? { person: truth.person } : truth),
        })
    }
    const report = await readSheet(join(tables, 'r.xlsx'))
    expect(report).toHaveLength(1 + drive.files.length + drive.others)
    const outcomes = report.slice(1).map((row) => row[report[0]!.indexOf('Resultat')])
    expect(outcomes.filter((outcome) => outcome === 'Flyttet ind')).toHaveLength(counts.imported)
    expect(counts.imported + counts.there + counts.left).toBe(drive.files.length + drive.others)
  })

  it('undoes a whole import, unless something was done to its files', async () => {
    const options = { signal: TOLD.signal, heard: () => undefined }
    const { rows } = await sql<{ file_id: number }>`
      select file_id from import_files where import_id = ${id} and state = 'imported' limit 1`.execute(app.db)
    await sql`insert into log (act, file_id) values ('file-renamed', ${rows[0]!.file_id})`.execute(app.db)
    await expect(undoTree(app.db, id, options)).rejects.toThrow(NotUndone)
    await asOwner(app.db, sql`delete from log where act = 'file-renamed'`)
    const { imported } = (await run(root)).counts
    expect(await undoTree(app.db, id, options)).toBe(imported)
    const { rows: live } = await sql`select from files where deleted_at is null`.execute(app.db)
    expect(live).toHaveLength(0)
    const { rows: counted } = await sql`select from folders where files_count > 0`.execute(app.db)
    expect(counted).toHaveLength(0)
    expect(await undoTree(app.db, id, options)).toBe(0)
    // The directory can be imported anew.
    expect((await run(root, { dryRun: join(tables, 'd.xlsx') })).id).not.toBe(id)
  })
})

describe('a corrected table', () => {
  it('reports all faults of a table by row, and imports nothing', async () => {
    const project = await makeProject(app.db)
    const root = await freshDirectory()
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
      await write(root, `${project.number} ${project.name.slice(4)}/${name}.pdf`)
    await write(root, `Thumbs.db`)
    const table = join(await freshDirectory(), 't.xlsx')
    const { id } = await run(root, { dryRun: table })
    const [head, ...rows] = await readSheet(table)
    const column = (name: string) => head!.indexOf(name)
    const edit = (at: number, cells: Record<string, string>) => {
      while (rows[at]!.length < head!.length) rows[at]!.push('')
      for (const [name, text] of Object.entries(cells)) rows[at]![column(name)] = text
    }
    edit(0, { Projekt: '9999', Mappe: 'Budget', 'Tag med': 'ja' })
    edit(1, { Mappe: 'Ferie', 'Tag med': 'ja' })
    edit(2, { Mappe: 'Budget' })
    edit(3, { Mappe: 'Budget', 'Tag med': 'måske' })
    edit(4, { Mappe: 'Budget', 'Tag med': 'ja', Navn: 'x.exe' })
    edit(5, { Mappe: 'Budget', 'Tag med': 'ja', Navn: 'Møde æøå' })
    edit(6, { 'Tag med': 'ja' })
    const csv = join(await freshDirectory(), 't.csv')
    const save = (encoding: BufferEncoding) =>
      writeFile(
        csv,
        [head!, ...rows]
          .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';'))
          .join('\r\n'),
        encoding,
      )
    await save('latin1')
    const faults = await run(root, { from: csv }).then(
      () => [],
      (error: unknown) => (error as TableFaults).faults,
    )
    expect(faults).toEqual([
      expect.stringMatching(/^Række 2: Projekt 9999 findes ikke\./),
      expect.stringMatching(/^Række 3: Mappen ”Ferie” findes ikke i projekt/),
      expect.stringMatching(/^Række 4: Rækken er rettet/),
      expect.stringMatching(/^Række 5: ”Tag med” skal være ja eller nej/),
      expect.stringMatching(/^Række 6: Navnet skal stadig slutte på ”\.pdf”/),
      expect.stringMatching(/^Række 7: Navnet skal stadig slutte på/),
      expect.stringMatching(/^Række 8: Filen kan ikke tages med/),
    ])
    expect((await filesOf(id)).every(({ state }) => state === 'waiting' || state === 'left')).toBe(true)
    for (const at of [0, 1, 2, 3, 4, 5])
      edit(at, { Projekt: project.number, Mappe: 'budget', 'Tag med': 'Ja', Navn: '' })
    edit(5, { Navn: 'Møde æøå.pdf' })
    edit(6, { 'Tag med': '' })
    await save('utf8')
    expect((await run(root, { from: csv })).counts).toMatchObject({ imported: 6, left: 1 })
    expect((await filesOf(id)).map(({ name }) => name)).toContain(`Budget (${project.number}) Møde æøå.pdf`)
  })

  it('refuses rows of another import, doubled ones and a sheet without its columns', async () => {
    const project = await makeProject(app.db)
    const root = await freshDirectory()
    await write(root, 'a.pdf')
    const { id } = await run(root, { dryRun: join(await freshDirectory(), 't.xlsx') })
    const [{ number }] = (
      await sql<{ number: number }>`select id as number from import_files where import_id = ${id}`.execute(
        app.db,
      )
    ).rows as [{ number: number }]
    const csv = join(await freshDirectory(), 't.csv')
    const faultsOf = async (text: string) => {
      await writeFile(csv, text)
      return run(root, { from: csv }).then(
        () => [],
        (error: unknown) => (error as TableFaults).faults,
      )
    }
    const head = 'Nr.;Sti;Projekt;Person;Mappe;Navn;Tag med\n'
    expect(await faultsOf('Nr.;Sti\n1;a.pdf')).toEqual([expect.stringContaining('mangler ”Projekt”')])
    expect(
      await faultsOf(
        `${head}99999999;a.pdf;;;;;ja\n${number};b.pdf;;;;;ja\n${number};a.pdf;;;;;ja\nx;a.pdf;;;;;ja\n`,
      ),
    ).toEqual([
      expect.stringContaining('står også i række 3'),
      expect.stringContaining('er ikke et nummer'),
      expect.stringContaining('er ikke en fil i denne flytning'),
      expect.stringContaining('hører til ”a.pdf”'),
    ])
    // A number that Excel has made of a text is still the number.
    expect(await faultsOf(`${head}${number};a.pdf;${project.number};;Budget;;ja\n`)).toEqual([])
  })
})

describe('bad days', () => {
  it('a missing drive is not an empty drive', async () => {
    const project = await makeProject(app.db)
    const root = join(await freshDirectory(), 'drev')
    await write(root, `Budget (${project.number}) 2020.pdf`)
    await write(root, `Blandet/x.pdf`)
    const { id } = await run(root, { dryRun: join(await freshDirectory(), 't.xlsx') })
    await rename(root, `${root}-væk`)
    await expect(run(root)).rejects.toThrow('cannot be opened')
    await mkdir(root)
    await expect(run(root)).rejects.toThrow('is empty now, and was not before')
    await rm(root, { recursive: true })
    await rename(`${root}-væk`, root)
    const { counts, id: again } = await run(root)
    expect(again).toBe(id)
    expect(counts).toMatchObject({ imported: 1, waiting: 1, gone: 0 })
    await rm(join(root, 'Blandet/x.pdf'))
    expect((await run(root)).counts).toMatchObject({ imported: 1, waiting: 0, gone: 1 })
    await write(root, `Blandet/x.pdf`)
    expect((await run(root)).counts).toMatchObject({ imported: 1, waiting: 1, gone: 0 })
  })

  it('retries a file that changed while it was read at the next run', async () => {
    const project = await makeProject(app.db)
    const root = await freshDirectory()
    for (const [name, size] of [
      ['lille', 10],
      ['stor', 3_000_000],
    ] as const)
      await write(root, `Budget (${project.number}) ${name}.pdf`, Buffer.alloc(size, name))
    const { id } = await run(root, { dryRun: join(await freshDirectory(), 't.xlsx') })
    const before = app.storage.put.bind(app.storage)
    // Somebody writes to the large file while it is being stored.
    app.storage.put = async (key, bytes) => {
      await before(key, bytes)
      await utimes(join(root, `Budget (${project.number}) stor.pdf`), new Date(), new Date())
    }
    try {
      expect((await run(root)).counts).toMatchObject({ imported: 1, found: 1 })
    } finally {
      app.storage.put = before
    }
    expect((await filesOf(id)).find(({ state }) => state === 'found')!.why).toContain(
      'ændret, mens den blev læst',
    )
    expect((await run(root)).counts).toMatchObject({ imported: 2, found: 0 })
  })

  it('stops with a clear message when the disk is full, and continues afterwards', async () => {
    const project = await makeProject(app.db)
    const root = await freshDirectory()
    for (let number = 0; number < 250; number++) await write(root, `Budget (${project.number}) ${number}.pdf`)
    const before = app.storage.put.bind(app.storage)
    let stored = 0
    app.storage.put = async (key, bytes) => {
      if (++stored > 150)
        throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
      return before(key, bytes)
    }
    try {
      await expect(run(root)).rejects.toThrow('The disk of Ringbind is full')
    } finally {
      app.storage.put = before
    }
    expect((await run(root)).counts).toMatchObject({ imported: 250 })
    const { rows } = await sql`select from blobs where state = 'pending'`.execute(app.db)
    expect(rows).toHaveLength(0)
  })

  it('stops an import cleanly, and continues it', async () => {
    const project = await makeProject(app.db)
    const root = await freshDirectory()
    for (let number = 0; number < 350; number++) await write(root, `Budget (${project.number}) ${number}.pdf`)
    const stop = new AbortController()
    const before = app.storage.put.bind(app.storage)
    app.storage.put = (key, bytes) => {
      stop.abort()
      return before(key, bytes)
    }
    try {
      await expect(run(root, {}, { ...TOLD, signal: stop.signal })).rejects.toThrow()
    } finally {
      app.storage.put = before
    }
    const { counts, id } = await run(root)
    expect(counts.imported).toBe(350)
    const { rows } = await sql`
      select from files join folders on folders.id = folder_id where project_id = ${project.id}`.execute(
      app.db,
    )
    expect(rows).toHaveLength(350)
    expect(new Set((await filesOf(id)).map(({ sha256: sum }) => sum)).size).toBe(350)
  })

  it('does not import a file whose folder was removed after the dry run', async () => {
    const project = await makeProject(app.db)
    const root = await freshDirectory()
    await write(root, `Forsikring (${project.number}) 2020.pdf`)
    const { id } = await run(root, { dryRun: join(await freshDirectory(), 't.xlsx') })
    await sql`
      delete from folder_names where project_id = ${project.id} and key = 'Forsikring'`.execute(app.db)
    await sql`delete from folders where project_id = ${project.id} and name = 'Forsikring'`.execute(app.db)
    expect((await run(root)).counts).toMatchObject({ imported: 0, waiting: 1 })
    expect((await filesOf(id))[0]!.why).toContain('Forsikring')
  })

  it('refuses to import from the data directory of Ringbind itself', async () => {
    await expect(run(app.config.dataDir)).rejects.toThrow('not apart')
  })
})

describe('what people notice', () => {
  it('imported files are not new to a member, whatever their dates', async () => {
    const investor = await makeUser(app.db)
    const project = await makeProject(app.db, { members: [investor.id] })
    const root = await freshDirectory()
    await write(root, `Budget (${project.number}) ny.pdf`, 'ny', new Date())
    await write(root, `Budget (${project.number}) gammel.pdf`, 'gammel')
    expect((await run(root)).counts).toMatchObject({ imported: 2 })
    const { counts } = await countProjectNews(app.db, { id: investor.id, role: 'investor' })
    expect(counts.get(project.id) ?? 0).toBe(0)
    // Something uploaded in the ordinary way is new.
    await makeFile(app, (await foldersByName(app.db, project.id)).Budget!)
    const { counts: later } = await countProjectNews(app.db, { id: investor.id, role: 'investor' })
    expect(later.get(project.id)).toBe(1)
  })

  it('drafts are one release per project, and only the office sees them', async () => {
    const admin = await makeUser(app.db, { role: 'administrator', email: 'kladde@example.dk' })
    const projects = [await makeProject(app.db), await makeProject(app.db)]
    const root = await freshDirectory()
    for (const { number } of projects)
      for (const year of [2019, 2020]) await write(root, `Budget (${number}) ${year}.pdf`)
    const { counts } = await run(root, { isDraft: true, by: 'Kladde@example.dk' })
    expect(counts.imported).toBe(4)
    const { rows } = await sql<{ files: number; state: string }>`
      select state, (select count(*) from files where files.submission_id = releases.submission_id and is_held_back) as files
      from releases where made_by = ${admin.id}`.execute(app.db)
    expect(rows).toEqual([
      { state: 'draft', files: 2 },
      { state: 'draft', files: 2 },
    ])
  })

  it('refuses an import without drafts where a colleague must approve', async () => {
    await wantApproval(app.db, true)
    try {
      const root = await freshDirectory()
      await write(root, 'a.pdf')
      await expect(run(root)).rejects.toThrow('--draft')
    } finally {
      await wantApproval(app.db, false)
    }
  })

  it('puts the newest year first, over many batches', async () => {
    const project = await makeProject(app.db)
    const root = await freshDirectory()
    for (let number = 0; number < 260; number++)
      await write(root, `Budget (${project.number}) ${2000 + (number % 20)} nr ${number}.pdf`)
    await run(root)
    const { rows } = await sql<{ period: string }>`
      select period from files join folders on folders.id = folder_id
      where project_id = ${project.id} order by position`.execute(app.db)
    const years = rows.map(({ period }) => Number(period))
    expect(years).toEqual(years.toSorted((a, b) => b - a))
  })
})

it('places files by their content if their names say nothing', { timeout: 120_000 }, async () => {
  const reading = await freshApp({ hasJobs: false, env: { READ_DOCUMENTS: 'true' } })
  const project = await makeProject(reading.db, {
    number: '6100',
    name: 'K/S Vestervang Boliger',
    cvr: '10007127',
  })
  const root = await freshDirectory()
  const text = (title: string) =>
    `K/S Vestervang Boliger\nCVR-nr. 10007127\n\n${title}\n1. januar – 31. december 2023\n\nProjekt nr. 6100\n`
  await write(root, 'Blandet/a.txt', text('Årsrapport 2023'))
  await write(root, '6100 Vestervang/b.txt', 'Noget ganske andet.')
  await write(root, 'Blandet/c.pdf', 'ikke en pdf')
  const { id } = await runImport(
    { ...reading, storage: reading.storage as never, dataDir: reading.config.dataDir },
    { ...PLAIN, directory: root },
    TOLD,
  )
  const { rows } = await sql<{
    shown: string
    state: string
    name: string
    why: string
    project_id: number | null
  }>`
    select shown, state, name, why, project_id from import_files where import_id = ${id} order by shown`.execute(
    reading.db,
  )
  expect(rows).toEqual([
    {
      shown: '6100 Vestervang/b.txt',
      state: 'waiting',
      name: null,
      project_id: project.id,
      why: expect.stringContaining('Papiret siger det heller ikke') as string,
    },
    {
      shown: 'Blandet/a.txt',
      state: 'imported',
      name: 'Årsrapport (6100) a 2023.txt',
      project_id: project.id,
      why: expect.stringContaining('Overskriften er') as string,
    },
    {
      shown: 'Blandet/c.pdf',
      state: 'waiting',
      name: null,
      project_id: null,
      why: expect.stringContaining('Papiret kan ikke læses') as string,
    },
  ])
})
