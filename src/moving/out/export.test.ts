import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { cp, lstat, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { seesFolder } from '../../access/seen.ts'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { chanceOf } from '../../../test/chance.ts'
import { freshDirectory } from '../../../test/directory.ts'
import {
  foldersByName,
  makeFile,
  makeProject,
  makeReport,
  makeUser,
  makeUserFolder,
} from '../../../test/make.ts'
import { makeRandomOffice, storeBytes } from '../../../test/seeing/random-office.ts'
import { windowsFault } from '../../../test/formats/zip-reader.ts'
import { openDiskStorage } from '../../server/storage/storage-disk.ts'
import { EXPORTED_TABLES } from './exported-tables.db.ts'
import { exportOffice, type Exported } from './export.db.ts'
import { LEFT_OUT, WRITTEN_APART } from './left-out.ts'

let test: TestApp
beforeAll(async () => {
  test = await freshApp({ hasJobs: false })
})

const office = (app: TestApp = test) => ({
  db: app.db,
  storage: app.storage,
  dataDir: app.config.dataDir,
  timeZone: 'Europe/Copenhagen',
})
const newDirectory = async () => join(await freshDirectory(), 'ud')

type Cells = Record<string, string>
async function readTable(root: string, name: string): Promise<Cells[]> {
  const text = await readFile(join(root, `Tabeller/${name}.csv`), 'utf8')
  expect(text.startsWith('\ufeff')).toBe(true)
  return parse(text, { bom: true, delimiter: ';', columns: true })
}

/** The plain files of a directory, by their paths. */
async function listTree(root: string): Promise<string[]> {
  const found = await readdir(root, { recursive: true, withFileTypes: true })
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
}
const sha256Of = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
const isDocument = (path: string) => /^(Projekter|Personer|Kladder|Papirkurv|Versioner)\//.test(path)

describe('a random office', () => {
  it.each([1, 2, 3, 4, 5, 6])('exports every file, row and right of the random office %i', async (seed) => {
    const made = await makeRandomOffice(test.db, chanceOf(seed))
    await storeBytes(test, made)
    const root = await newDirectory()
    const done = await exportOffice(office(), root)
    expect(done).toMatchObject({ faults: 0, kept: 0 })

    // The bytes of each file and version are where the table says.
    const files = await readTable(root, 'filer')
    const { rows: stored } = await sql<{ file: number; version: number | null; sha256: string }>`
      select files.id as file, null as version, sha256 from files join blobs on blobs.id = blob_id
      union all select file_id, file_versions.id, sha256 from file_versions join blobs on blobs.id = blob_id`.execute(
      test.db,
    )
    const key = (...parts: (string | number | undefined)[]) => parts.join(' ')
    expect(files.map((row) => key(row['Fil-id'], row['Version-id'], row['SHA-256'])).sort()).toEqual(
      stored.map(({ file, version, sha256 }) => key(file, version ?? '', sha256)).sort(),
    )
    expect(done.files).toBe(stored.length)
    for (const row of files) expect(await sha256Of(join(root, row.Sti!))).toBe(row['SHA-256'])
    expect((await listTree(root)).filter(isDocument)).toEqual(files.map(({ Sti }) => Sti!).sort())
    execFileSync('sha256sum', ['-c', '--quiet', '--strict', 'sha256.txt'], { cwd: root })

    // Only what is published lies among the projects' and people's files.
    const live = new Set(made.files.filter((file) => !file.isDeleted && !file.isHeldBack).map(({ id }) => id))
    const shown = files.filter(({ Sti }) => /^(Projekter|Personer)\//.test(Sti!))
    expect(new Set(shown.map((row) => Number(row['Fil-id'])))).toEqual(live)

    // Who sees what is what the rule says.
    const seen = await readTable(root, 'hvem-ser-hvad')
    const expected = made.people
      .filter(({ isActive }) => isActive)
      .flatMap((person) =>
        made.folders.filter(({ id }) => seesFolder(made, person, id)).map(({ id }) => `${person.id} ${id}`),
      )
    expect(seen.map((row) => `${row['Person-id']} ${row['Mappe-id']}`).sort()).toEqual(expected.sort())

    // Every row of the other tables.
    for (const { name, of } of EXPORTED_TABLES) {
      if (of.length !== 1) continue
      const { rows } = await sql<{ count: number }>`select count(*) from ${sql.table(of[0]!)}`.execute(
        test.db,
      )
      expect([name, (await readTable(root, name)).length]).toEqual([name, rows[0]!.count])
    }
    expect(await readTable(root, 'personer')).toHaveLength(made.people.length)
    expect(await readTable(root, 'log')).toHaveLength(
      (await sql<{ count: number }>`select count(*) from log`.execute(test.db)).rows[0]!.count,
    )
  })
})

it('every table of the database is exported or left out on purpose', async () => {
  const { rows } = await sql<{ name: string }>`
    select tablename::text as name from pg_tables where schemaname = current_schema() order by tablename collate "C"`.execute(
    test.db,
  )
  const all = rows.map(({ name }) => name)
  const known = [
    ...EXPORTED_TABLES.flatMap(({ of }) => of),
    ...Object.values(WRITTEN_APART).flat(),
    ...Object.keys(LEFT_OUT),
  ]
  expect([...new Set(known)].sort()).toEqual(all)
})

describe('an office with odd names', () => {
  let app: TestApp
  let root: string
  let done: Exported
  const secret = 'hemmeligt-kodeord-hash'
  const at = new Date('2019-03-04T05:06:07Z')
  beforeAll(async () => {
    app = await freshApp({ hasJobs: false })
    const person = await makeUser(app.db, {
      name: '=Åse/"Ø"; ny\nlinje',
      role: 'investor',
      passwordHash: secret,
    })
    await sql`insert into profile_images (user_id, small, large) values (${person.id}, 'small', 'large')`.execute(
      app.db,
    )
    const project = await makeProject(app.db, {
      number: '1024',
      name: 'K/S Nord:havn. ',
      members: [person.id],
    })
    const { Budget } = await foldersByName(app.db, project.id)
    const names = [
      'a/b.pdf',
      'a?b.pdf',
      'A_B.pdf',
      'CON.pdf',
      '=1+1.pdf',
      'x'.repeat(250) + '.pdf',
      '...',
      'punktum.',
      'Tom.pdf',
    ]
    for (const name of names)
      await makeFile(app, Budget!, { name, createdAt: at, ...(name === 'Tom.pdf' && { bytes: '' }) })
    await makeFile(app, await makeUserFolder(app.db, person.id), {
      name: 'Min egen.pdf',
      uploadedBy: person.id,
    })
    await makeReport(app.db, person.id, [{ name: 'K/S Havn', equity: -5, share: 12.5 }])
    root = await newDirectory()
    done = await exportOffice(office(app), root)
  })

  it('file names work on every system, in the folder’s order', async () => {
    const files = await readTable(root, 'filer')
    expect(
      files.map(({ Sti, Plads }) => `${Plads} ${Sti!.split('/').slice(1).join('/')}`.slice(0, 60)),
    ).toEqual([
      '1 1024 K-S Nord_havn/Budget/a_b.pdf',
      '2 1024 K-S Nord_havn/Budget/a_b (2).pdf',
      '3 1024 K-S Nord_havn/Budget/A_B (3).pdf',
      '4 1024 K-S Nord_havn/Budget/_CON.pdf',
      '5 1024 K-S Nord_havn/Budget/=1+1.pdf',
      `6 1024 K-S Nord_havn/Budget/${'x'.repeat(32)}`,
      '7 1024 K-S Nord_havn/Budget/_',
      '8 1024 K-S Nord_havn/Budget/punktum',
      '9 1024 K-S Nord_havn/Budget/Tom.pdf',
      expect.stringContaining('1 ') as string,
    ])
    for (const path of await listTree(root)) expect(windowsFault(path)).toBeNull()
    expect(files[4]!.Navn).toBe("'=1+1.pdf")
  })

  it('keeps the dates, and lets nobody else read', async () => {
    const [first] = await readTable(root, 'filer')
    expect(first!.Dato).toBe('2019-03-04T06:06:07+01:00')
    const found = await stat(join(root, first!.Sti!))
    expect([found.mtime, found.mode & 0o777]).toEqual([at, 0o600])
    expect((await stat(join(root, 'Projekter'))).mode & 0o777).toBe(0o700)
  })

  it('exports every folder as a directory, also empty ones', async () => {
    const folders = (await readTable(root, 'mapper')).filter((row) => row['Hører til'] === 'Projekt')
    expect(folders.length).toBeGreaterThan(5)
    for (const { Sti } of folders) expect((await lstat(join(root, Sti!))).isDirectory()).toBe(true)
  })

  it('the export is marked as whole, explains itself, and has no secrets', async () => {
    expect(done).toMatchObject({ files: 10, faults: 0 })
    expect((await readdir(root)).sort()).toEqual(
      [
        'FÆRDIG.txt',
        'LÆS MIG.txt',
        'Personer',
        'Profilbilleder',
        'Projekter',
        'Tabeller',
        'sha256.txt',
      ].sort(),
    )
    const readMe = await readFile(join(root, 'LÆS MIG.txt'), 'utf8')
    for (const name of await readdir(join(root, 'Tabeller')))
      expect(readMe).toContain(name.replace('.csv', ''))
    for (const path of await listTree(root))
      expect(await readFile(join(root, path), 'utf8')).not.toContain(secret)
  })

  it('writes numbers as numbers, and no formula', async () => {
    const [row] = await readTable(root, 'rapporter')
    expect(row).toMatchObject({
      Egenkapital: '-5',
      'Ejerandel %': '12,5',
      Person: expect.stringMatching(/^'=Åse/) as string,
    })
    const [person] = await readTable(root, 'personer')
    expect(person).toMatchObject({ Rolle: 'Investor', Projekter: '1024', Aktiv: 'ja' })
    expect((await lstat(join(root, person!.Sti!))).isDirectory()).toBe(true)
    expect(await readdir(join(root, 'Profilbilleder'))).toEqual(['=Åse__Ø_; ny_linje.webp'])
  })
})

describe('the directory of an export', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await freshApp({ hasJobs: false })
    const project = await makeProject(app.db, { number: '7', name: 'K/S Sø' })
    const { Budget } = await foldersByName(app.db, project.id)
    for (const name of ['Væk.pdf', 'Ødelagt.pdf', 'Hel.pdf'])
      await makeFile(app, Budget!, { name, bytes: `${name}${'.'.repeat(500)}` })
  })

  it.each([
    [
      'a directory with other files',
      async (root: string) => writeFile(join(root, 'brev.txt'), ''),
      /is not empty/,
    ],
    [
      'a whole export',
      async (root: string) => void (await exportOffice(office(app), root)),
      /has a whole export already/,
    ],
    [
      'another office’s unfinished export',
      async (root: string) => {
        await mkdir(join(root, '.ringbind-eksport'))
        const state = { format: 1, installation: 'x', at: '', isPlanned: true, files: 0, bytes: 0 }
        await writeFile(join(root, '.ringbind-eksport/tilstand.json'), JSON.stringify(state))
      },
      /unfinished export of another office/,
    ],
  ])('refuses %s, and leaves it unchanged', async (_what, fill, message) => {
    const root = await freshDirectory()
    await fill(root)
    const before = await listTree(root)
    await expect(exportOffice(office(app), root)).rejects.toThrow(message)
    expect(await listTree(root)).toEqual(before)
  })

  it('refuses a directory inside Ringbind’s own data, or without a parent', async () => {
    await expect(exportOffice(office(app), join(app.config.dataDir, 'ud'))).rejects.toThrow(
      'keeps its own data',
    )
    await expect(exportOffice(office(app), '/nowhere/at/all')).rejects.toThrow('/nowhere/at is not there')
  })

  it('names missing or damaged files, and exports the rest', async () => {
    const storage = await openDiskStorage(await freshDirectory())
    const blobs = await app.db.selectFrom('blobs').select(['key', 'size']).orderBy('id').execute()
    const [, wrong, whole] = blobs
    await storage.put(wrong!.key, [Buffer.alloc(wrong!.size!, 'x')])
    await storage.put(whole!.key, [await app.storage.read(whole!.key, { first: 0, last: whole!.size! - 1 })])
    const root = await newDirectory()
    const said: string[] = []
    const done = await exportOffice({ ...office(app), storage }, root, { say: (line) => said.push(line) })
    expect(done).toMatchObject({ files: 3, faults: 2 })
    expect(said).toEqual([
      'Missing: Projekter/7 K-S Sø/Budget/Væk.pdf',
      'Damaged: Projekter/7 K-S Sø/Budget/Ødelagt.pdf',
    ])
    const faults = (await readFile(join(root, 'fejl.csv'), 'utf8')).split('\r\n')
    expect(faults.slice(1)).toEqual([
      expect.stringMatching(/Væk\.pdf;\d+;Mangler/),
      expect.stringMatching(/Ødelagt\.pdf;\d+;Beskadiget/),
      '',
    ])
    expect(await readFile(join(root, 'FÆRDIG.txt'), 'utf8')).toContain(
      '2 filer manglede eller var beskadiget',
    )
  })

  it('refuses to export if the store is empty but should have files', async () => {
    const storage = await openDiskStorage(await freshDirectory())
    await expect(exportOffice({ ...office(app), storage }, await newDirectory())).rejects.toThrow(
      'the store is empty',
    )
  })

  /** Begins an export, and stops it before the first file. */
  const stopEarly = async (root: string) => {
    const pulled = () => Promise.reject(new Error('pulled'))
    await exportOffice(office(app), root, { whenPlanned: pulled }).catch(() => undefined)
  }

  describe('with an unfinished export', () => {
    let root: string
    beforeEach(async () => {
      root = await newDirectory()
      await stopEarly(root)
    })

    it('continues with the state with which the export began', async () => {
      expect(await readdir(root)).toContain('IKKE FÆRDIG.txt')
      await makeProject(app.db, { number: '99', name: 'Senere' })
      expect(await exportOffice(office(app), root)).toMatchObject({ files: 3, kept: 0, faults: 0 })
      expect((await readTable(root, 'projekter')).map(({ Nummer }) => Nummer)).not.toContain('99')
      expect((await readdir(root)).filter((name) => /^\.|IKKE/.test(name))).toEqual([])
    })

    it('keeps right files, and rewrites short or wrong ones', async () => {
      const whole = await newDirectory()
      await exportOffice(office(app), whole)
      await cp(join(whole, 'Projekter'), join(root, 'Projekter'), { recursive: true })
      const file = (name: string) => join(root, 'Projekter/7 K-S Sø/Budget', name)
      const bytes = await readFile(file('Væk.pdf'))
      await writeFile(file('Væk.pdf'), bytes.subarray(10))
      await writeFile(file('Ødelagt.pdf'), Buffer.alloc((await stat(file('Ødelagt.pdf'))).size, 'x'))
      expect(await exportOffice(office(app), root)).toMatchObject({ files: 3, kept: 1, faults: 0 })
      execFileSync('sha256sum', ['-c', '--quiet', '--strict', 'sha256.txt'], { cwd: root })
    })

    it('never writes through a link, nor outside the directory', async () => {
      const outside = join(await freshDirectory(), 'andet.pdf')
      await writeFile(outside, 'andet')
      await mkdir(join(root, 'Projekter/7 K-S Sø/Budget'), { recursive: true })
      await symlink(outside, join(root, 'Projekter/7 K-S Sø/Budget/Hel.pdf'))
      await expect(exportOffice(office(app), root)).rejects.toThrow(/ELOOP/)
      expect(await readFile(outside, 'utf8')).toBe('andet')
      const plan = join(root, '.ringbind-eksport/plan.ndjson')
      const text = await readFile(plan, 'utf8')
      for (const path of ['../ude.pdf', '/tmp/ude.pdf', 'Projekter/../../ude.pdf', 'Projekter//x', 'C:\\x']) {
        await writeFile(plan, text.replace(/"path":"[^"]*"/, `"path":${JSON.stringify(path)}`))
        await expect(exportOffice(office(app), root)).rejects.toThrow(
          'The plan of the unfinished export is damaged',
        )
      }
    })

    it('reports a disk that is gone, and continues when it is back', async () => {
      const away = `${root}-away`
      const gone = exportOffice(office(app), root, { whenPlanned: () => rename(root, away) })
      await expect(gone).rejects.toThrow(`${root} is gone, or its disk does not answer.`)
      await expect(lstat(root)).rejects.toThrow('ENOENT') // nothing is written beside it
      await rename(away, root)
      expect(await exportOffice(office(app), root)).toMatchObject({ files: 3, faults: 0 })
    })

    it('names files that were removed for good meanwhile', async () => {
      const other = await makeProject(app.db)
      const { Budget } = await foldersByName(app.db, other.id)
      const short = await makeFile(app, Budget!, { name: 'Kort tid.pdf' })
      const late = await newDirectory()
      await stopEarly(late)
      const { rows } = await sql<{ id: number; key: string }>`
        select blobs.id, blobs.key from files join blobs on blobs.id = blob_id where files.id = ${short.id}`.execute(
        app.db,
      )
      await sql`delete from files where id = ${short.id}`.execute(app.db)
      await sql`delete from blobs where id = ${rows[0]!.id}`.execute(app.db)
      await app.storage.remove(rows[0]!.key)
      const said: string[] = []
      expect(await exportOffice(office(app), late, { say: (line) => said.push(line) })).toMatchObject({
        faults: 1,
      })
      expect(said.at(-1)).toMatch(/^Removed since the export began: .*Kort tid\.pdf$/)
    })
  })
})
