import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openThrowAway } from '../../demo/throw-away.ts'
import { readConfig } from '../../src/config.ts'
import { openInstallation, type Installation } from '../../src/copies/open-installation.server.ts'
import { runImport } from '../../src/moving/tree/run-import.db.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { makeProject } from '../../test/make.ts'
import { memoryOf } from '../measure/memory.ts'
import { median, type Result } from '../measure/result.ts'

const FILES = 2000
const BYTES = 60_000
const ROUNDS = 3
const MOST_RATIO = 2
const MOST_GROWTH_MB = 200

/**
 * Compares an import, from the first look at the directory to the last entry in the log, with a bare loop that copies,
 * hashes and syncs the same files. Both read from and write to the same disk.
 */
export async function measure(): Promise<Result[]> {
  const directory = await openThrowAway('bench')
  const drive = await mkdtemp(join(tmpdir(), 'ringbind-bench-drive-'))
  try {
    const config = readConfig({ DATA_DIR: directory.path, LOG_LEVEL: 'silent', READ_DOCUMENTS: 'false' })
    await using installation = await openInstallation(config, { say: () => undefined, mayBeEmpty: true })
    await migrate(installation.db)
    for (let number = 1; number <= 10; number++)
      await makeProject(installation.db, { number: String(5000 + number), name: `K/S Projekt ${number}` })
    const times: { ours: number; bare: number }[] = []
    const growths: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const root = join(drive, `drev-${round}`)
      await fill(root)
      const bare = await timed(() => copyAll(root, join(drive, `kopi-${round}`)))
      await rm(join(drive, `kopi-${round}`), { recursive: true })
      const before = memoryOf([process.pid], 'RSS')
      const ours = await timed(() => importAll(installation, root))
      growths.push(memoryOf([process.pid], 'RSS') - before)
      times.push({ ours, bare })
      await rm(root, { recursive: true })
    }
    const rate = (of: 'ours' | 'bare') => FILES / (median(times.map((time) => time[of])) / 1000)
    return [
      {
        what: `import, ${FILES} files of ${BYTES / 1000} kB`,
        value: rate('ours'),
        unit: 'files/s',
        isRate: true,
        limit: { what: 'a loop that copies, hashes and syncs', value: rate('bare') },
        aim: { times: MOST_RATIO },
      },
      {
        what: 'import, memory growth',
        value: Math.max(...growths) / 1e6,
        unit: 'MB',
        aim: { value: MOST_GROWTH_MB },
      },
    ]
  } finally {
    directory.remove()
    await rm(drive, { recursive: true, force: true })
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** A directory for each project and year, as a tidy office has them. */
async function fill(root: string): Promise<void> {
  for (let number = 0; number < FILES; number++) {
    const way = join(root, String(5001 + (number % 10)), 'Budget', String(2000 + (number % 20)))
    if (number < 200) await mkdir(way, { recursive: true })
    await writeFile(join(way, `Bilag ${number}.pdf`), randomBytes(BYTES))
  }
}

async function copyAll(from: string, to: string): Promise<void> {
  await mkdir(to)
  const names = await readdir(from, { recursive: true, withFileTypes: true })
  let number = 0
  for (const entry of names) {
    if (!entry.isFile()) continue
    await using source = await open(join(entry.parentPath, entry.name))
    const bytes = await source.readFile()
    createHash('sha256').update(bytes).digest('hex')
    await using target = await open(join(to, String(number++)), 'wx')
    await target.writeFile(bytes)
    await target.sync()
  }
}

async function importAll(installation: Installation, root: string): Promise<void> {
  const { counts } = await runImport(
    installation,
    { act: 'import', directory: root, dryRun: null, from: null, report: null, isDraft: false, by: null },
    { say: () => undefined, progress: () => undefined, signal: new AbortController().signal },
  )
  if (counts.imported !== FILES) throw new Error(`${counts.imported} of ${FILES} files were imported.`)
}
