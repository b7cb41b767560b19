import {
  chmod,
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { freshDatabase } from '../../test/database.ts'
import { freshDirectory } from '../../test/directory.ts'
import { foldersByName, makeFile, makeProject } from '../../test/make.ts'
import { startProcess } from '../../test/start/processes.ts'
import { openDiskStorage } from '../server/storage/storage-disk.ts'
import { backUpTo } from '../scheduled-backups.ts'
import { DamagedArchive } from './archive.server.ts'
import { ArchiveWriter } from './archive-writer.server.ts'
import { backUp } from './backup.db.ts'
import { checkArchive } from './check-archive.server.ts'
import { checkBackupKey } from './encryption.server.ts'
import { restore } from './restore.db.ts'

let test: TestApp
let directory: string
let secret: string
let publicKey: string
let file: string

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { BACKUP_KEEP: '1' } })
  directory = await freshDirectory()
  secret = await generateX25519Identity()
  publicKey = await identityToRecipient(secret)
  const { id } = await makeProject(test.db)
  const { Budget } = await foldersByName(test.db, id)
  for (const size of [10, 70_000, 2_500_000])
    await makeFile(test, Budget!, { name: `${size}.pdf`, bytes: Buffer.alloc(size, `Fortroligt ${size} `) })
  file = join(directory, 'whole.tar.age')
  await backUp(test, file, { key: secret })
})

describe('an encrypted copy', () => {
  it('an encrypted copy shows nothing of its content, and any age program opens it', async () => {
    const bytes = await readFile(file)
    expect(bytes.includes('Fortroligt')).toBe(false)
    expect(bytes.includes('ringbind.json')).toBe(false)
    const decrypter = new Decrypter()
    decrypter.addIdentity(secret)
    const plain = Buffer.from(await decrypter.decrypt(bytes))
    expect(plain.includes('Fortroligt 70000')).toBe(true)
  })

  it('checks and restores an encrypted copy with its key', async () => {
    expect(await checkArchive(file, { key: secret })).toMatchObject({ blobs: 3, damages: [], faults: [] })
    const place = {
      db: (await freshDatabase({ migrated: false })).db,
      storage: await openDiskStorage(await freshDirectory()),
    }
    expect(await restore(place, file, { key: secret })).toMatchObject({ blobs: 3, faults: [] })
  })

  it.each([
    ['the key of another', ['empty', 'used'], async () => [file, await generateX25519Identity()]],
    [
      'a damaged end',
      ['missing/data', 'used'],
      async () => {
        const cut = join(await freshDirectory(), 'cut.tar.age')
        await copyFile(file, cut)
        await truncate(cut, (await stat(cut)).size - 70_000)
        return [cut, secret]
      },
    ],
  ])('leaves the data directory as it was after a failed restore with %s', async (_what, places, make) => {
    const [from, key] = await make()
    const base = await freshDirectory()
    await chmod(base, 0o711) // PostgreSQL's user must be able to enter
    for (const name of places) {
      const DATA_DIR = join(base, name)
      if (name !== 'missing/data') await mkdir(DATA_DIR)
      if (name === 'used') await writeFile(join(DATA_DIR, 'noter.txt'), 'mine')
      const before = await readdir(base, { recursive: true })
      const { ended, output } = startProcess(
        { DATA_DIR, BACKUP_KEY: key! },
        { args: ['scripts/restore.ts', from!] },
      )
      expect([await ended, output()]).toEqual([1, expect.stringMatching(/\S/)])
      expect(await readdir(base, { recursive: true })).toEqual(before)
    }
  })

  it('a copy encrypted with a public key can be opened with the secret key only', async () => {
    const closed = join(directory, 'closed.tar.age')
    await backUp(test, closed, { key: publicKey })
    await expect(checkArchive(closed, { key: publicKey })).rejects.toThrow('set BACKUP_KEY to the secret key')
    await expect(checkArchive(closed)).rejects.toThrow('set BACKUP_KEY to the secret key')
    await expect(checkArchive(closed, { key: await generateX25519Identity() })).rejects.toThrow(
      'BACKUP_KEY is not the key that opens the copy',
    )
    expect(await checkArchive(closed, { key: secret })).toMatchObject({ damages: [] })
  })

  it('detects a wrong byte or a cut anywhere in an encrypted copy', async () => {
    const { size } = await stat(file)
    for (const at of [30, 150, 220, 5000, 66_000, 1_000_000, size - 70_000, size - 1]) {
      const copy = join(directory, `wrong-${at}.age`)
      await copyFile(file, copy)
      await using handle = await open(copy, 'r+')
      const one = Buffer.alloc(1)
      await handle.read(one, 0, 1, at)
      await handle.write(Buffer.from([one[0]! ^ 1]), 0, 1, at)
      await expect(checkArchive(copy, { key: secret }), `byte ${at}`).rejects.toThrow()
    }
    for (const length of [22, 100, 190, 65_800, size - 1]) {
      const copy = join(directory, `cut-${length}.age`)
      await copyFile(file, copy)
      await truncate(copy, length)
      await expect(checkArchive(copy, { key: secret }), `cut at ${length}`).rejects.toThrow()
    }
    const cut = join(directory, 'cut.age')
    await copyFile(file, cut)
    await truncate(cut, size - 70_000)
    await expect(checkArchive(cut, { key: secret })).rejects.toThrow(DamagedArchive)
  })

  it('a scheduled encrypted copy replaces the previous one, although the server cannot open it', async () => {
    const place = await freshDirectory()
    const silent = { info: () => undefined, error: () => undefined }
    const parts = { ...test, config: { ...test.config, backupKey: publicKey } }
    const { made: first } = await backUpTo(parts, place, silent)
    expect(first).toMatch(/^ringbind-\d{8}T\d{6}Z-[0-9a-f]{8}\.tar\.age$/)
    const name = first.replace(/\d{8}T/, '20200101T')
    await rename(join(place, first), join(place, name))
    const foreign = name.replace(/-[0-9a-f]{8}\./, '-00000000.')
    await copyFile(join(place, name), join(place, foreign))
    const { made, removed } = await backUpTo(parts, place, silent)
    expect(removed).toEqual([name])
    expect((await readdir(place)).toSorted()).toEqual([foreign, made])
  })
})

it.each(['secret', 'public'] as const)(
  'a copy with a %s key is checked before it gets its name',
  async (kind) => {
    const to = join(directory, `read-${kind}.age`)
    await using writer = await ArchiveWriter.create(to, new Date(), kind === 'secret' ? secret : publicKey)
    await writer.addWhole('a.txt', Buffer.from('a'))
    const checked: string[] = []
    const check = async (made: string, sha256: string) => {
      checked.push(sha256)
      expect((await stat(made)).size).toBeGreaterThan(100)
      throw new Error('is not what was written')
    }
    await expect(writer.finish(to, check)).rejects.toThrow('is not what was written')
    expect(checked).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)])
    await expect(stat(to)).rejects.toThrow('ENOENT')
  },
)

it('a mistyped key is refused, and does not appear in the message', async () => {
  const wrong = secret.replace(/.$/, (last) => (last === 'Q' ? 'P' : 'Q'))
  const message = await checkBackupKey(wrong).catch((error: Error) => error.message)
  expect(message).toContain('a letter of this one is wrong')
  expect(message).not.toContain(wrong)
  await checkBackupKey(secret)
  await checkBackupKey(publicKey)
})
