import { execFileSync } from 'node:child_process'
import {
  appendFile,
  chmod,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { freshDirectory } from '../../test/directory.ts'
import { listNotices } from '../log/notices/notices.db.ts'
import { DiskLow } from '../server/storage/disk-room.ts'
import { purgeBlobs } from '../server/storage/blobs.db.ts'
import { claim, findFiles } from './directory.server.ts'
import { findOpenIntake, takeFile, type Place } from './intake.db.ts'
import { WatchedDirectory } from './watch-directory.server.ts'

let test: TestApp
let directory: string
const { signal } = new AbortController()
const quiet = () => undefined

beforeAll(async () => {
  test = await freshApp({ hasJobs: false })
})

beforeEach(async () => {
  directory = join(await freshDirectory(), 'ind')
  await mkdir(directory)
  await sql`with gone as (delete from inbox) delete from submissions`.execute(test.db)
  await sql`delete from notices`.execute(test.db)
})

const watch = (place: Place = test, more = {}) =>
  new WatchedDirectory(place, {
    directory,
    maxFileBytes: 1000,
    restMs: 0,
    gatherSeconds: 0,
    doubtMs: 60_000,
    ...more,
  })

/** Looks as often as it takes for a file that rests to be taken. */
async function lookTwice(watched = watch()): Promise<number> {
  const first = await watched.look(signal, quiet)
  return first + (await watched.look(signal, quiet))
}

type Row = { sender: string; name: string; text: string; is_there: boolean }

/** Returns all files that were taken, with their bytes. */
async function taken(): Promise<Row[]> {
  const { rows } = await sql<Omit<Row, 'text'> & { key: string }>`
    select sender, name, key, exists (select from inbox where inbox.submission_id = intakes.submission_id) as is_there
    from intake_files join intakes using (submission_id) join blobs on blobs.id = blob_id and blobs.state = 'stored'
    order by intake_files.id`.execute(test.db)
  return Promise.all(
    rows.map(async ({ key, ...row }) => ({
      ...row,
      text: (await buffer(await test.storage.open(key))).toString(),
    })),
  )
}

const left = async () => (await readdir(directory)).sort()
const notices = async () => (await listNotices(test.db, 'administrator')).map(({ text }) => text)
const write = (name: string | Buffer, text = 'indhold') =>
  writeFile(Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(name as string)]), text)

describe('a file', () => {
  it('takes a file that has stopped changing, and then removes it from the directory', async () => {
    const watched = watch()
    await write('Scan 0001.pdf', '%PDF-1.7 a %%EOF')
    expect(await watched.look(signal, quiet)).toBe(0)
    expect(await left()).toEqual(['Scan 0001.pdf'])
    expect(await watched.look(signal, quiet)).toBe(1)
    expect(await left()).toEqual([])
    expect(await taken()).toEqual([
      { sender: '', name: 'Scan 0001.pdf', text: '%PDF-1.7 a %%EOF', is_there: true },
    ])
  })

  it('leaves a growing file alone', async () => {
    const watched = watch()
    await write('a.txt', 'x')
    for (let round = 0; round < 5; round++) {
      await watched.look(signal, quiet)
      await appendFile(join(directory, 'a.txt'), 'x')
    }
    expect(await taken()).toEqual([])
    await lookTwice(watched)
    expect(await taken()).toMatchObject([{ text: 'xxxxxx' }])
  })

  it('leaves a file alone while it has the name of an unfinished one', async () => {
    const watched = watch()
    await write('a.pdf.part', 'x')
    await lookTwice(watched)
    expect(await taken()).toEqual([])
    await rename(join(directory, 'a.pdf.part'), join(directory, 'a.txt'))
    await lookTwice(watched)
    expect(await taken()).toMatchObject([{ name: 'a.txt' }])
  })

  it('waits longer for a PDF without its end, and takes it in the end', async () => {
    await write('a.pdf', '%PDF-1.7 half')
    await lookTwice()
    expect(await left()).toEqual(['a.pdf'])
    await lookTwice(watch(test, { doubtMs: 0 }))
    expect(await taken()).toMatchObject([{ name: 'a.pdf' }])
  })

  it('does not take half of a file that changes while it is read', async () => {
    const path = join(directory, 'a.txt')
    let isFirst = true
    const storage = Object.create(test.storage) as typeof test.storage
    storage.put = async (key, bytes) => {
      await test.storage.put(key, bytes)
      if (!isFirst) return
      isFirst = false
      const [place] = await left()
      await appendFile(join(directory, place!, 'a.txt'), ' mere') // whoever had it open goes on
    }
    const watched = watch({ ...test, storage })
    await writeFile(path, 'en halv')
    await lookTwice(watched)
    expect(await taken()).toEqual([])
    await lookTwice(watched)
    expect(await taken()).toMatchObject([{ name: 'a.txt', text: 'en halv mere' }])
    expect(await left()).toEqual([])
  })

  it('takes a second file with the name of one that is being taken', async () => {
    const storage = Object.create(test.storage) as typeof test.storage
    storage.put = async (key, bytes) => {
      if ((await left()).length === 1) await write('scan.txt', 'den næste')
      await test.storage.put(key, bytes)
    }
    const watched = watch({ ...test, storage })
    await write('scan.txt', 'den første')
    await lookTwice(watched)
    expect(await left()).toEqual(['scan.txt'])
    await lookTwice(watch())
    expect((await taken()).map(({ text }) => text)).toEqual(['den første', 'den næste'])
  })

  it.each([
    ['in Latin-1', Buffer.from('Års.txt', 'latin1'), 'Års.txt'],
    ['decomposed', Buffer.from('A\u030Ars.txt'), 'Års.txt'],
    ['with a line break', Buffer.from('a\nb.txt'), 'a_b.txt'],
  ])('stores a readable name for a file with a name %s', async (_how, raw, name) => {
    await write(raw)
    await lookTwice()
    expect(await taken()).toMatchObject([{ name }])
    expect(await left()).toEqual([])
  })

  it('the sender of a file is its directory’s name, however deep it is', async () => {
    await mkdir(join(directory, 'Mægler Hansen', 'upload'), { recursive: true })
    await write('Mægler Hansen/a.txt')
    await write('Mægler Hansen/upload/b.txt')
    await write('c.txt')
    await lookTwice()
    expect((await taken()).map(({ sender, name }) => `${sender}/${name}`).sort()).toEqual([
      '/c.txt',
      'Mægler Hansen/a.txt',
      'Mægler Hansen/b.txt',
    ])
    expect(await left()).toEqual(['Mægler Hansen'])
  })
})

describe('files that come together', () => {
  it('files that come together are one item, which appears when no more come', async () => {
    const watched = watch(test, { gatherSeconds: 60 })
    await write('a.txt')
    await lookTwice(watched)
    await write('b.txt')
    await lookTwice(watched)
    expect(await taken()).toMatchObject([{ is_there: false }, { is_there: false }])
    await sql`update intakes set fed_at = now() - interval '2 minutes'`.execute(test.db)
    await watched.look(signal, quiet)
    expect(await taken()).toMatchObject([{ is_there: true }, { is_there: true }])
    const { rows } = await sql`select files_count from inbox`.execute(test.db)
    expect(rows).toEqual([{ files_count: 2 }])
    await write('c.txt')
    await lookTwice(watched)
    const { rows: all } = await sql<{ count: number }>`select count(*) as count from intakes`.execute(test.db)
    expect(all[0]!.count).toBe(2)
  })

  it('one item may have 300 files', async () => {
    for (let index = 0; index < 300; index++) await write(`Scan ${index}.txt`, `nr. ${index}`)
    expect(await lookTwice()).toBe(300)
    expect(await left()).toEqual([])
    const { rows } = await sql`select files_count from inbox`.execute(test.db)
    expect(rows).toEqual([{ files_count: 300 }])
  })
})

describe('after a crash', () => {
  async function claimOne() {
    await write('a.txt', 'indhold')
    const [file] = (await findFiles(directory)).files
    return claim(file!)
  }

  it('takes the file after a crash before its bytes were stored', async () => {
    await claimOne()
    expect(await lookTwice()).toBe(1)
    expect(await taken()).toMatchObject([{ name: 'a.txt', text: 'indhold' }])
    expect(await left()).toEqual([])
  })

  it('removes the file, and does not take it twice, after a crash when its bytes were stored', async () => {
    const { token, name, path } = await claimOne()
    const file = await open(path)
    await takeFile(test, {
      name,
      token,
      bytes: file.createReadStream(),
      limit: 1000,
      of: (trx) => findOpenIntake(trx, 'directory', ''),
    })
    expect(await lookTwice()).toBe(0)
    expect(await taken()).toHaveLength(1)
    expect(await left()).toEqual([])
  })

  it('removes the file’s empty directory after a crash before that', async () => {
    const { path } = await claimOne()
    await rm(path)
    await lookTwice()
    expect(await left()).toEqual([])
    expect(await taken()).toEqual([])
  })
})

describe('files that cannot be taken', () => {
  it.each<[string, () => Promise<unknown>, string]>([
    ['too large', () => write('stor.txt', 'x'.repeat(1001)), '”stor.txt” er på 1001 Bytes'],
    ['a link', () => symlink('/etc/hostname', join(directory, 'link.txt')), '”link.txt” er en genvej'],
    [
      'a pipe',
      () => Promise.resolve(execFileSync('mkfifo', [join(directory, 'rør.txt')])),
      '”rør.txt” er en genvej eller en enhed',
    ],
  ])('reports and leaves a file that is %s', async (_what, make, said) => {
    await make()
    await write('god.txt')
    const watched = watch()
    expect(await lookTwice(watched)).toBe(1)
    expect(await left()).toHaveLength(1)
    expect(await notices()).toEqual([expect.stringContaining(said)])
    await rm(join(directory, (await left())[0]!))
    await watched.look(signal, quiet)
    expect(await notices()).toEqual([])
  })

  it('reports an empty file after some time', async () => {
    await write('tom.txt', '')
    await lookTwice()
    expect(await notices()).toEqual([])
    await lookTwice(watch(test, { doubtMs: 0 }))
    expect(await notices()).toEqual([expect.stringContaining('”tom.txt” er tom')])
  })

  it('ignores links to directories, hidden files and litter', async () => {
    await symlink('/etc', join(directory, 'etc'))
    await write('.skjult')
    await write('Thumbs.db')
    expect(await lookTwice()).toBe(0)
    expect(await left()).toHaveLength(3)
  })
})

it('reports a directory that vanishes, and continues when it is back', async () => {
  const watched = watch()
  await write('a.txt')
  await watched.look(signal, quiet)
  await rename(directory, `${directory}-væk`)
  expect(await watched.look(signal, quiet)).toBe(0)
  expect(await notices()).toEqual([expect.stringContaining('kan ikke nås')])
  await rename(`${directory}-væk`, directory)
  await lookTwice(watched)
  expect(await notices()).toEqual([])
  expect(await taken()).toMatchObject([{ name: 'a.txt' }])
})

it('takes no file while the disk is full, and loses none', async () => {
  const storage = Object.create(test.storage) as typeof test.storage
  let isFull = true
  storage.room = {
    ...test.storage.room!,
    ensure: async () => {
      if (isFull) throw new DiskLow('/', 1, 2)
    },
  }
  const watched = watch({ ...test, storage })
  await write('a.txt')
  expect(await lookTwice(watched)).toBe(0)
  expect(await left()).toEqual(['a.txt'])
  isFull = false
  expect(await lookTwice(watched)).toBe(1)
})

it('loses no file when the storage fails', async () => {
  const storage = Object.create(test.storage) as typeof test.storage
  let isBroken = true
  storage.put = (key, bytes) =>
    isBroken ? Promise.reject(new Error('broken')) : test.storage.put(key, bytes)
  const watched = watch({ ...test, storage })
  await write('a.txt', 'indhold')
  await watched.look(signal, quiet)
  await expect(watched.look(signal, quiet)).rejects.toThrow('broken')
  isBroken = false
  await purgeBlobs(test.db, test.storage)
  await lookTwice(watched)
  expect(await taken()).toMatchObject([{ name: 'a.txt', text: 'indhold' }])
  expect(await left()).toEqual([])
})

it('ignores a file’s own date, and counts only what it has seen itself', async () => {
  await write('a.txt')
  await utimes(join(directory, 'a.txt'), new Date('2031-01-01'), new Date('2031-01-01'))
  expect(await lookTwice()).toBe(1)
})

it.skipIf(process.geteuid?.() === 0)('reports and leaves a file that it may not move', async () => {
  await write('a.txt')
  await chmod(directory, 0o500)
  await lookTwice()
  expect(await notices()).toEqual([expect.stringContaining('må Ringbind ikke flytte eller læse')])
  await chmod(directory, 0o700)
})
