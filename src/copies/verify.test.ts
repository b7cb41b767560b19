import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { freshDatabase } from '../../test/database.ts'
import { freshDirectory } from '../../test/directory.ts'
import { foldersByName, makeFile, makeProject, makeUser, makeUserFolder } from '../../test/make.ts'
import { handIn } from '../../test/office/hand-in.ts'
import { removeBlob, receiveBlob } from '../server/storage/blobs.db.ts'
import type { Database } from '../server/database/database.ts'
import { openDiskStorage } from '../server/storage/storage-disk.ts'
import type { FileStorage } from '../server/storage/storage.ts'
import { announceTemporaryFile } from '../uploads/transport/temporary.db.ts'
import { verify } from './verify.db.ts'

let db: Database
let storage: FileStorage
let blobs: { id: number; key: string }[]
let person: { id: number }
beforeAll(async () => {
  ;({ db } = await freshDatabase())
  storage = await openDiskStorage(await freshDirectory())
  person = await makeUser(db, { name: 'Åse Ørsted' })
  const { id } = await makeProject(db, { number: '1024', name: 'K/S Nordhavn' })
  const { Budget, Diverse } = await foldersByName(db, id)
  await makeFile({ db, storage }, Budget!, { name: 'Budget 2026.pdf' })
  const deleted = await makeFile({ db, storage }, Diverse!, { name: 'Gammel.pdf' })
  await sql`update files set deleted_at = now() where id = ${deleted.id}`.execute(db)
  await makeFile({ db, storage }, await makeUserFolder(db, person.id), { name: 'Årsopgørelse.pdf' })
  blobs = await db.selectFrom('blobs').select(['id', 'key']).orderBy('id').execute()
})

const faults = async () => (await verify({ db, storage })).faults

/** Returns the faults after a change, and then undoes the change. */
async function seeing(change: () => Promise<unknown>, back: () => Promise<unknown>): Promise<string[]> {
  await change()
  try {
    return await faults()
  } finally {
    await back()
    expect(await faults()).toEqual([])
  }
}

it('finds nothing if nothing is wrong', async () => {
  expect(await verify({ db, storage })).toMatchObject({ blobs: 3, keys: 3, faults: [] })
})

it('names a file whose bytes are missing, damaged, cut or too many', async () => {
  const key = blobs[0]!.key
  const original = await storage.read(key, { first: 0, last: (await storage.length(key)) - 1 })
  const replaceBy = async (bytes: Buffer | null) => {
    await storage.remove(key)
    if (bytes) await storage.put(key, [bytes])
  }
  const back = () => replaceBy(original)
  const about = `Budget 2026.pdf in Budget of project 1024 K/S Nordhavn (file 1, blob ${blobs[0]!.id})`
  expect(await seeing(() => replaceBy(null), back)).toEqual([`${about}: its bytes are missing.`])
  const flipped = Buffer.from(original)
  flipped[5]! ^= 1
  expect(await seeing(() => replaceBy(flipped), back)).toEqual([
    `${about}: its bytes are damaged: they have another SHA-256.`,
  ])
  const [cut] = await seeing(() => replaceBy(original.subarray(0, 3)), back)
  expect(cut).toMatch(/^Budget 2026\.pdf .*: its bytes cannot be read: The file ends \d+ bytes early\.$/)
  expect(await seeing(() => replaceBy(Buffer.concat([original, original])), back)).toEqual([
    `${about}: it has ${original.length * 2} bytes instead of ${original.length}.`,
  ])
})

it('names the owner, and whether the file is in the trash', async () => {
  for (const [index, about] of [
    [1, 'Gammel.pdf in Diverse of project 1024 K/S Nordhavn (in the trash, file 2'],
    [2, 'Årsopgørelse.pdf in Åse Ørsted’s files'.replace('’', "'")],
  ] as const) {
    const { key } = blobs[index]!
    const bytes = await storage.read(key, { first: 0, last: (await storage.length(key)) - 1 })
    const [fault] = await seeing(
      () => storage.remove(key),
      () => storage.put(key, [bytes]),
    )
    expect(fault).toContain(about)
  }
})

it('names keys in the store that the database does not know', async () => {
  const key = 'e'.repeat(32)
  const found = await seeing(
    () => storage.put(key, [Buffer.from('stray')]),
    () => storage.remove(key),
  )
  expect(found).toEqual([`The store has 5 bytes under ${key} that the database does not know of.`])
})

it.each([
  [
    'update folders set files_count = files_count + 2',
    'update folders set files_count = files_count - 2',
    /^The folder Budget of project 1024 K\/S Nordhavn \(folder \d+\) says that it has 3 files, and has 1\.$/,
  ],
  [
    'update projects set files_count = files_count + 1',
    'update projects set files_count = files_count - 1',
    /^Project 1024 K\/S Nordhavn says that it has 2 files, and has 1\.$/,
  ],
  ['update counts set count = 7', 'update counts set count = 1', /^There are 1 people, and 7 are counted\.$/],
  [
    `update blobs set state = 'removing' where id = 1`,
    `update blobs set state = 'stored' where id = 1`,
    /^Budget 2026\.pdf \(file 1, blob 1\): its bytes are removing, not stored\.$/,
  ],
])('finds a wrong count or state: %s', async (change, back, fault) => {
  const found = await seeing(
    () => sql.raw(change).execute(db),
    () => sql.raw(back).execute(db),
  )
  expect(found).toContainEqual(expect.stringMatching(fault))
})

it('does not report uploads in progress or blobs removed meanwhile', async () => {
  const bytes = () => Readable.from([Buffer.from('sendt')])
  await announceTemporaryFile(db, person.id, { name: 'Stor.pdf', size: 1_000_000 })
  const { id } = await receiveBlob(db, storage, bytes(), 10)
  const passing: FileStorage = {
    ...storage,
    // Removed between listing and checking.
    async *list() {
      const kept = await Array.fromAsync(storage.list())
      await removeBlob(db, storage, id)
      yield* kept
    },
  }
  expect((await verify({ db, storage: passing })).faults).toEqual([])
})

it('names files that wait in the inbox, and finds those without bytes', async () => {
  const id = await handIn({ db, storage }, { 'Scan 1.pdf': 'papir' })
  const { rows } = await sql<{ blob: number; key: string }>`
    select blobs.id as blob, key from intake_files join blobs on blobs.id = blob_id`.execute(db)
  const { blob, key } = rows[0]!
  expect(
    await seeing(
      () => storage.remove(key),
      () => storage.put(key, [Buffer.from('papir')]),
    ),
  ).toEqual([`Scan 1.pdf, which waits in the inbox (blob ${blob}): its bytes are missing.`])
  await removeBlob(db, storage, blob) // changes nothing
  expect(await faults()).toEqual([])
  await sql`with gone as (delete from inbox) delete from submissions where id = ${id}`.execute(db)
  await removeBlob(db, storage, blob)
})
