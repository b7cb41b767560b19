import { createHash, randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir, open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { openThrowAway } from '../../demo/throw-away.ts'
import { readConfig } from '../../src/config.ts'
import { exportOffice } from '../../src/moving/out/export.db.ts'
import { receiveBlob } from '../../src/server/storage/blobs.db.ts'
import { startRingbind } from '../../src/start.ts'
import { foldersByName, makeFiles, makeProject } from '../../test/make.ts'
import { median, type Result } from '../measure/result.ts'

const FILES = 3000
const PROJECTS = 10
const MOST_BYTES = 200_000
const ROUNDS = 3
const MOST_RATIO = 2

/** Compares an export, from the snapshot to the last byte on the disk, with a loop that copies, hashes and syncs the same files. */
export async function measure(): Promise<Result[]> {
  const directory = await openThrowAway('bench')
  try {
    const dataDir = join(directory.path, 'data')
    const config = readConfig({
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATA_DIR: dataDir,
      THUMBNAILS: 'false',
      READ_DOCUMENTS: 'false',
    })
    await using ringbind = await startRingbind(config)
    await fill(ringbind)
    const office = { ...ringbind, dataDir, timeZone: config.timeZone }
    const rounds: { ours: number; bare: number }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const [ours, bare] = [join(directory.path, 'ud'), join(directory.path, 'bare')]
      const began = performance.now()
      const done = await exportOffice(office, ours)
      const between = performance.now()
      if (done.files !== FILES || done.faults > 0) throw new Error('The export is not whole.')
      await copyBare(join(dataDir, 'files'), bare)
      rounds.push({ ours: between - began, bare: performance.now() - between })
      for (const path of [ours, bare]) rmSync(path, { recursive: true })
    }
    const rate = (of: 'ours' | 'bare') => FILES / (median(rounds.map((each) => each[of])) / 1000)
    return [
      {
        what: `export, ${FILES} files of ${MOST_BYTES / 2000} KB on average`,
        value: rate('ours'),
        unit: 'files/s',
        isRate: true,
        note: 'tables included',
        limit: { what: 'a loop that copies, hashes and syncs', value: rate('bare') },
        aim: { times: MOST_RATIO },
      },
    ]
  } finally {
    directory.remove()
  }
}

type Office = Pick<Awaited<ReturnType<typeof startRingbind>>, 'db' | 'storage'>

async function fill({ db, storage }: Office): Promise<void> {
  const block = randomBytes(MOST_BYTES + FILES)
  for (let each = 0; each < PROJECTS; each++) {
    const project = await makeProject(db)
    const { Budget } = await foldersByName(db, project.id)
    const files: { name: string; blobId: number }[] = []
    for (let count = 0; count < FILES / PROJECTS; count++) {
      const size = (count * 7919 * (each + 1)) % MOST_BYTES
      const { id } = await receiveBlob(
        db,
        storage,
        Readable.from([block.subarray(count, count + size)]),
        Infinity,
      )
      files.push({ name: `Bilag ${count}.pdf`, blobId: id })
    }
    await makeFiles(db, Budget!, files)
  }
}

/** The least work that keeps the promise: one file after the other. */
async function copyBare(from: string, to: string): Promise<void> {
  await mkdir(to)
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const bytes = await readFile(join(entry.parentPath, entry.name))
    createHash('sha256').update(bytes).digest('hex')
    await using handle = await open(join(to, entry.name), 'wx')
    await handle.writeFile(bytes)
    await handle.sync()
  }
}
