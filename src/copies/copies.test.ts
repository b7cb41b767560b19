import { execFileSync } from 'node:child_process'
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { checkChain } from '../log/chain/check-chain.db.ts'
import { sealEntries } from '../log/chain/seal.db.ts'
import { freshDatabase } from '../../test/database.ts'
import { freshDirectory } from '../../test/directory.ts'
import { handIn } from '../../test/office/hand-in.ts'
import { foldersByName, makeFile, makeProject, makeReport, makeUser, NOBODY } from '../../test/make.ts'
import { readBytes, readRows } from '../../test/seeing/snapshot.ts'
import { findMailPicture, findOffice, saveOffice, setLogo } from '../office/office.db.ts'
import { LOGO_IN_MAIL } from '../office/office.ts'
import { addPendingBlob, purgeBlobs, receiveBlob, removeBlob } from '../server/storage/blobs.db.ts'
import { checkArchive } from './check-archive.server.ts'
import { listMigrations, migrate } from '../server/database/migrate.ts'
import { PROJECT } from '../server/process/project-directory.ts'
import { openDiskStorage } from '../server/storage/storage-disk.ts'
import type { FileStorage } from '../server/storage/storage.ts'
import { listUnfinishedJobs } from '../server/database/unfinished-jobs.db.ts'
import { VERSION } from '../server/process/version.ts'
import { backUp } from './backup.db.ts'
import { restore } from './restore.db.ts'
import { openSession } from './session.db.ts'

const LOGO = { bytes: Buffer.from('a logo'), width: 480, height: 160 }
const SIZES = [0, 1, 511, 512, 513, 1_100_000]

let test: TestApp
let directory: string
let whole: string
let folder: number
let waiting: Promise<unknown> | undefined
beforeAll(async () => {
  test = await freshApp({ hasJobs: false })
  directory = await freshDirectory()
  const person = await makeUser(test.db, { name: 'Åse\tØrsted\\n\r\n' })
  await sql`
    insert into identities (user_id, issuer, subject) values (${person.id}, 'https://mitid.example', 'nogen')`.execute(
    test.db,
  )
  const project = await makeProject(test.db, { members: [person.id], number: '1024', name: 'K/S Nordhavn' })
  folder = (await foldersByName(test.db, project.id)).Budget!
  for (const size of SIZES)
    await makeFile(test, folder, { name: `æ#%? ${size}.pdf`, bytes: Buffer.alloc(size, 'ø') })
  const gone = await makeFile(test, folder)
  await sql`delete from files where id = ${gone.id}`.execute(test.db)
  await makeReport(test.db, person.id, [{ name: 'K/S Havn', equity: -5, share: 12.5 }])
  await saveOffice(test.db, NOBODY, { name: 'Nordhavn' }, null)
  await setLogo(test.db, NOBODY, LOGO, undefined)
  await handIn(test, { 'Scan 1.pdf': 'papir' }, { source: 'mailbox', sender: 'Bo', note: 'Hej\n\nBo' })
  await sql`update inbox set announced_at = now()`.execute(test.db) // otherwise a job does it at any time
  await addPendingBlob(test.db)
  await sealEntries(test.db)
  whole = join(directory, 'whole.tar')
  await backUp(test, whole)
})

const emptyPlace = async () => {
  const { db } = await freshDatabase({ migrated: false })
  return { db, storage: await openDiskStorage(await freshDirectory()) }
}
/** Makes an office without any activity. */
const freshPlace = async () => {
  const { db } = await freshDatabase()
  return { db, storage: await openDiskStorage(await freshDirectory()) }
}
type Place = Awaited<ReturnType<typeof emptyPlace>>

const expectEmpty = async ({ db, storage }: Place) => {
  const { rows } =
    await sql`select relname from pg_class where relnamespace = 'public'::regnamespace`.execute(db)
  expect([rows, await storage.isEmpty()]).toEqual([[], true])
}
const expectSame = async (place: Place) => {
  expect(await readRows(place.db)).toEqual(await readRows(test.db))
  expect(await readBytes(place.storage)).toEqual(await readBytes(test.storage))
}

/** Returns a directory with the project's own migrations and some more. */
async function migrationsWith(...more: string[]): Promise<URL> {
  const path = await freshDirectory()
  const names = await listMigrations()
  for (const name of names) await copyFile(new URL(`db/${name}`, PROJECT), join(path, name))
  for (const [index, text] of more.entries()) {
    const number = String(names.length + index + 1).padStart(4, '0')
    await writeFile(join(path, `${number}_more.sql`), text)
  }
  return pathToFileURL(`${path}/`)
}

const MORE = `alter table folders add colour text not null default 'blue'; update folders set place = -place + 1000;
  alter table files alter constraint files_folder_id_fkey deferrable initially deferred`
/** PostgreSQL cannot alter a table with pending deferred constraints. */
const YET_MORE = 'alter table files add weight integer'

describe('a copy', () => {
  it('any tar can read a copy, and sha256sum can check it', async () => {
    expect((await stat(whole)).mode & 0o777).toBe(0o600)
    const out = join(directory, 'out')
    await mkdir(out)
    execFileSync('tar', ['xf', whole, '-C', out])
    execFileSync('sh', ['-c', 'cat checksums/* manifest.sha256 | sha256sum -c --quiet --strict'], {
      cwd: out,
    })
    const head = JSON.parse(await readFile(join(out, 'ringbind.json'), 'utf8')) as object
    expect(head).toMatchObject({
      format: 1,
      version: VERSION,
      postgres: expect.stringContaining('18') as string,
    })
    expect((await readdir(join(out, 'blobs'))).length).toBe(SIZES.length + 2)
  })

  it('backing up leaves no other files, and never replaces a file', async () => {
    const before = (await readdir(directory)).sort()
    await expect(backUp(test, whole)).rejects.toThrow(
      `${whole} is there already; a copy is never written over.`,
    )
    const late = join(directory, 'late.tar')
    const inSnapshot = () => writeFile(late, 'somebody else’s')
    await expect(backUp(test, late, { inSnapshot })).rejects.toThrow('never written over')
    expect(await readFile(late, 'utf8')).toBe('somebody else’s')
    expect((await readdir(directory)).sort()).toEqual([...before, 'late.tar'].sort())
  })

  it('a stopped backup leaves no files', async () => {
    const stop = new AbortController()
    const file = join(await freshDirectory(), 'a.tar')
    const stopped = backUp(test, file, { signal: stop.signal, inSnapshot: async () => stop.abort() })
    await expect(stopped).rejects.toThrow()
    expect(await readdir(join(file, '..'))).toEqual([])
  })

  it('backing up names the file that cannot be written', async () => {
    await expect(backUp(test, join(directory, 'nowhere/a.tar'))).rejects.toThrow(
      /a\.tar cannot be written: ENOENT/,
    )
  })

  it('bytes are not removed until the copy is complete', async () => {
    const fresh = await freshPlace()
    const { id, key } = await receiveBlob(fresh.db, fresh.storage, Readable.from([Buffer.from('keep')]), 10)
    const state = () => fresh.db.selectFrom('blobs').select('state').where('id', '=', id).executeTakeFirst()
    const file = join(directory, 'removal.tar')
    const seen: unknown[] = []
    await backUp(fresh, file, {
      inSnapshot: async () => {
        await removeBlob(fresh.db, fresh.storage, id)
        seen.push(await purgeBlobs(fresh.db, fresh.storage), await state(), await fresh.storage.length(key))
      },
    })
    expect(seen).toEqual([0, { state: 'removing' }, 4])
    expect(await checkArchive(file)).toMatchObject({ blobs: 1, damages: [], faults: [] })
    expect(await purgeBlobs(fresh.db, fresh.storage)).toBe(1)
    expect([await state(), await fresh.storage.length(key)]).toEqual([undefined, 0])
  })

  it('copies missing, damaged or cut bytes too, and names them', async () => {
    const fresh = await freshPlace()
    const project = await makeProject(fresh.db, { number: '7', name: 'K/S Sø' })
    const { Budget } = await foldersByName(fresh.db, project.id)
    const files = ['Væk.pdf', 'Ødelagt.pdf', 'Kort.pdf', 'Hel.pdf']
    for (const name of files)
      await makeFile(fresh, Budget!, { name, bytes: Buffer.from(`${name} `.repeat(100)) })
    const [gone, wrong, short] = await fresh.db
      .selectFrom('blobs')
      .select(['id', 'key'])
      .orderBy('id')
      .execute()
    await fresh.storage.remove(gone!.key)
    for (const [{ key }, bytes] of [
      [wrong!, Buffer.alloc(1100, 'x')],
      [short!, Buffer.from('Kort')],
    ] as const) {
      await fresh.storage.remove(key)
      await fresh.storage.put(key, [bytes])
    }
    const file = join(directory, 'faults.tar')
    const { faults, blobs } = await backUp(fresh, file)
    expect(blobs).toBe(4)
    expect(faults.map(({ kind, about }) => `${kind} ${about}`)).toEqual([
      `missing Væk.pdf in Budget of project 7 K/S Sø (file 1, blob ${gone!.id})`,
      `damaged Ødelagt.pdf in Budget of project 7 K/S Sø (file 2, blob ${wrong!.id})`,
      `damaged Kort.pdf in Budget of project 7 K/S Sø (file 3, blob ${short!.id})`,
    ])
    expect(await checkArchive(file)).toMatchObject({ damages: [], faults })
    const place = await emptyPlace()
    expect(await restore(place, file)).toMatchObject({ blobs: 3, faults })
    expect(await readRows(place.db)).toEqual(await readRows(fresh.db))
    expect((await place.storage.read(short!.key, { first: 0, last: 5 })).toString()).toBe('Kort\0\0')
  })

  it('a backup waits for another backup in progress', async () => {
    const lines: string[] = []
    const files = ['first.tar', 'second.tar'].map((name) => join(directory, name))
    await backUp(test, files[0]!, {
      inSnapshot: async () => {
        const second = backUp(test, files[1]!, { say: (line) => lines.push(line) })
        await expect.poll(() => lines).toEqual([expect.stringContaining('Waiting for another copy')])
        lines.push(...(await Promise.race([second.then(() => ['made']), Promise.resolve(['waits'])])))
        waiting = second
      },
    })
    await waiting
    expect(lines.at(-1)).toBe('waits')
    for (const file of files) expect(await checkArchive(file)).toMatchObject({ damages: [], faults: [] })
  })

  it('refuses to back up an empty store that should have files', async () => {
    const storage = await openDiskStorage(await freshDirectory())
    const file = join(directory, 'empty.tar')
    await expect(backUp({ db: test.db, storage }, file)).rejects.toThrow('the store is empty')
  })
})

describe('restoring', () => {
  it('restores every row and byte, and sequences continue', async () => {
    const place = await emptyPlace()
    expect(await restore(place, whole)).toMatchObject({ blobs: SIZES.length + 2, faults: [], migrated: [] })
    expect(await findOffice(place.db)).toMatchObject({ name: 'Nordhavn', logo: { width: 480 } })
    expect(await findMailPicture(place.db, LOGO_IN_MAIL)).toEqual(LOGO.bytes)
    await expectSame(place)
    const { log } = (await checkArchive(whole)).head
    expect(await checkChain(place.db)).toEqual({ links: log!.position, head: log, fault: null })
    const add = (db: Place['db']) =>
      db
        .insertInto('blobs')
        .values({ key: 'a'.repeat(32), size: null, sha256: null, type: null })
        .returning('id')
        .executeTakeFirst()
    expect(await add(place.db)).toEqual(await add(test.db))
    await sql`delete from blobs where key = ${'a'.repeat(32)}`.execute(test.db)
    // Triggers are active again.
    const { rows } = await sql`
      insert into files (folder_id, blob_id, name, key, position)
      select folder_id, (select id from blobs where state = 'pending' limit 1), 'a.pdf', repeat('b', 32), 'zz' from files limit 1
      returning (select files_count from folders where id = folder_id) as before`.execute(place.db)
    const counts = await sql`select files_count as after from folders where id = ${folder}`.execute(place.db)
    expect([rows, counts.rows]).toEqual([[{ before: SIZES.length }], [{ after: SIZES.length + 1 }]])
    await migrate(place.db)
  })

  it('restores unfinished jobs with their ids', async () => {
    const fresh = await freshApp({ hasJobs: false })
    const job = {
      id: crypto.randomUUID(),
      name: 'later',
      data: { to: 'Åse' },
      priority: 3,
      retryLimit: 5,
      retryDelay: 7,
      retryBackoff: true,
      startAfter: '2040-01-01T00:00:00.000Z',
      expireInSeconds: 60,
    }
    await using source = await openSession(fresh.db)
    await fresh.jobs.adopt([job], { executeSql: (text, values) => source.query(text, values) })
    expect(await listUnfinishedJobs(source)).toEqual([job])
    const file = join(directory, 'jobs.tar')
    await backUp(fresh, file)
    const place = await emptyPlace()
    expect(await restore(place, file)).toMatchObject({ jobs: 1 })
    await using target = await openSession(place.db)
    expect(await listUnfinishedJobs(target)).toEqual([job])
  })

  it('migrates an older copy, and refuses a newer one', async () => {
    const migrations = await migrationsWith(MORE)
    const place = await emptyPlace()
    const { migrated } = await restore(place, whole, { migrations })
    expect(migrated).toEqual([expect.stringMatching(/_more\.sql$/)])
    const { rows } = await sql`select distinct colour, place > 500 as moved from folders`.execute(place.db)
    expect(rows).toEqual([{ colour: 'blue', moved: true }])
    const newer = join(directory, 'newer.tar')
    await backUp(place, newer)
    const other = await emptyPlace()
    await expect(restore(other, newer)).rejects.toThrow(
      new RegExp(`made by a newer Ringbind, ${VERSION} \\(it knows .*_more\\.sql`),
    )
    await expectEmpty(other)
    await restore(other, newer, { migrations: await migrationsWith(MORE, YET_MORE) })
    expect((await sql`select weight from files`.execute(other.db)).rows).toHaveLength(SIZES.length)
  })

  it('restores data from an unfinished version with a different migration', async () => {
    const old = await emptyPlace()
    const path = await freshDirectory()
    for (const name of (await listMigrations()).filter((each) => each < '0013')) {
      const text = await readFile(new URL(`db/${name}`, PROJECT), 'utf8')
      await writeFile(join(path, name), text.replace('alter table log add detail text collate "C";', ''))
    }
    await migrate(old.db, pathToFileURL(`${path}/`))
    await sql`
      with person as (
        insert into users (name, email, email_key, role) values ('Åse Holm', 'a@b.dk', 'a@b.dk', 'employee') returning id
      )
      insert into log (act, subject_user_id) select 'user-added', id from person`.execute(old.db)
    const file = join(directory, 'unfinished.tar')
    await backUp(old, file)
    const place = await emptyPlace()
    await restore(place, file)
    expect(await migrate(place.db)).toEqual([])
    const { rows } = await sql`
      select name, act, detail from log join users on users.id = subject_user_id order by log.id desc limit 1`.execute(
      place.db,
    )
    expect(rows).toEqual([{ name: 'Åse Holm', act: 'user-added', detail: null }])
  })

  it('refuses a place that is not empty, in one line', async () => {
    const used = await emptyPlace()
    await migrate(used.db)
    await expect(restore(used, whole)).rejects.toThrow('an empty place only, and this database has tables')
    const full = await emptyPlace()
    await full.storage.put('c'.repeat(32), [Buffer.from('x')])
    await expect(restore(full, whole)).rejects.toThrow('an empty place only, and there are files')
    expect([...(await readBytes(full.storage)).keys()]).toEqual(['c'.repeat(32)])
  })

  it('a restore that fails or is stopped leaves nothing', async () => {
    const place = await emptyPlace()
    let puts = 0
    const failing: FileStorage = {
      ...place.storage,
      put: (key, bytes) =>
        ++puts === 4 ? Promise.reject(new Error('ENOSPC')) : place.storage.put(key, bytes),
    }
    await expect(restore({ ...place, storage: failing }, whole)).rejects.toThrow('ENOSPC')
    expect(puts).toBeGreaterThan(3)
    await expectEmpty(place)
    const stop = new AbortController()
    const stopping: FileStorage = {
      ...place.storage,
      put: async (key, bytes) => (stop.abort(), place.storage.put(key, bytes)),
    }
    await expect(restore({ ...place, storage: stopping }, whole, { signal: stop.signal })).rejects.toThrow()
    await expectEmpty(place)
    await restore(place, whole)
    await expectSame(place)
  })

  it('continues after a killed restore, and Ringbind does not start there before that', async () => {
    const place = await emptyPlace()
    // The state after kill -9: the marker, some bytes whole, some partial, and no rows.
    await sql`create table restoring (since timestamptz not null default now())`.execute(place.db)
    const keys = [...(await readBytes(test.storage)).keys()]
    const large = (
      await test.db.selectFrom('blobs').select('key').where('size', '=', 1_100_000).executeTakeFirstOrThrow()
    ).key
    const same = keys.find((key) => key !== large)!
    await place.storage.put(
      same,
      await Array.fromAsync((await test.storage.open(same)) as AsyncIterable<Buffer>),
    )
    await place.storage.append(large, 0, Readable.from([Buffer.alloc(1000, 'ø')]))
    await expect(migrate(place.db)).rejects.toThrow('run `npm run restore` again')
    const lines: string[] = []
    await restore(place, whole, { say: (line) => lines.push(line) })
    expect(lines).toEqual(['An earlier restore was not finished here; what it left is used or replaced.'])
    await expectSame(place)
    await migrate(place.db)
  })

  it('does not treat bytes that are not in the copy as leftovers of a restore', async () => {
    const place = await emptyPlace()
    await sql`create table restoring (since timestamptz not null default now())`.execute(place.db)
    await place.storage.put('d'.repeat(32), [Buffer.from('somebody else’s')])
    await expect(restore(place, whole)).rejects.toThrow(`not of this copy (${'d'.repeat(32)})`)
    expect([...(await readBytes(place.storage)).keys()]).toEqual(['d'.repeat(32)])
  })
})

describe('a damaged copy', () => {
  const damaged = async (name: string, change: (bytes: Buffer) => Buffer) => {
    const file = join(directory, name)
    await writeFile(file, change(Buffer.from(await readFile(whole))))
    return file
  }
  const found = (file: string) =>
    checkArchive(file).then(
      ({ damages }) => damages,
      (error: Error) => [error.message],
    )

  it('detects a cut copy wherever it is cut, and restores nothing', async () => {
    const { length } = await readFile(whole)
    const lengths = [
      0,
      1,
      511,
      512,
      ...Array.from({ length: 16 }, (_, at) => Math.floor((length * at) / 16)),
      length - 1024,
      length - 512,
      length - 1,
    ]
    for (const many of lengths) {
      const file = await damaged('cut.tar', (bytes) => bytes.subarray(0, many))
      expect(await found(file)).toEqual([expect.stringMatching(/ends early|is no copy/)])
    }
    const place = await emptyPlace()
    const file = await damaged('cut.tar', (bytes) => bytes.subarray(0, length - 30_000))
    await expect(restore(place, file)).rejects.toThrow(/ends early: after \d+ bytes, (inside|after) blobs\//)
    await expectEmpty(place)
  })

  it('detects a wrong bit anywhere in a copy, and names the fault', async () => {
    const { length } = await readFile(whole)
    const flip = (at: number) => (bytes: Buffer) => {
      bytes[at]! ^= 1 << (at % 8)
      return bytes
    }
    for (let round = 0; round < 24; round++) {
      const at = Math.floor((length * (round + 0.37)) / 24)
      expect(await found(await damaged('bit.tar', flip(at)))).not.toEqual([])
    }
    const bytes = await readFile(whole)
    const key = (
      await test.db.selectFrom('blobs').select('key').where('size', '=', 1_100_000).executeTakeFirstOrThrow()
    ).key
    const file = await damaged('bit.tar', flip(bytes.indexOf(`blobs/${key}`) + 512 + 700_000))
    expect(await found(file)).toEqual([
      `blobs/${key} is damaged: its SHA-256 is not the one that it had when the copy was made.`,
    ])
    const place = await emptyPlace()
    await expect(restore(place, file)).rejects.toThrow(`blobs/${key} is damaged`)
    await expectEmpty(place)
  })

  it('detects a copy with a missing entry, or with bytes after its end', async () => {
    const bytes = await readFile(whole)
    const at = bytes.indexOf('tables/users/0001.copy')
    const next = bytes.indexOf('tables/', at + 20)
    const less = await damaged('less.tar', () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(next)]))
    expect((await found(less)).join('\n')).toMatch(/tables\/.* is damaged|is missing from the archive/)
    const more = await damaged('more.tar', () => Buffer.concat([bytes, Buffer.from('x')]))
    expect(await found(more)).toEqual(['The archive has 1 bytes after its end.'])
    const other = await damaged('other.tar', () => Buffer.from('PK\x03\x04'.padEnd(5000)))
    expect(await found(other)).toEqual([expect.stringContaining('damaged at byte 0')])
  })
})
