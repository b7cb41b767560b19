import { spawn, type ChildProcess } from 'node:child_process'
import { createHash, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { readConfig } from '../../src/config.ts'
import { serverProcesses } from '../../src/server/database/postgres-processes.ts'
import { startRingbind } from '../../src/start.ts'
import { killHard, ROOT } from '../start/processes.ts'

export type Counts = {
  rounds: number
  documents: number
  acts: number
  changes: number
  undone: number
  startsInterrupted: number
  slowestStartMs: number
  indexesChecked: number
  tablesChecked: number
  faults: string[]
}

type Victim = 'Node' | 'PostgreSQL' | 'both'
const VICTIMS: Victim[] = ['Node', 'PostgreSQL', 'both']

/** Kills a server at random moments while it writes, then checks that everything acknowledged is there. */
export async function killRounds(dataDir: string, rounds: number): Promise<Counts> {
  const acknowledged: Acknowledgements = {
    documents: new Map(),
    acts: new Set(),
    changes: new Set(),
    undone: new Set(),
  }
  const counts = { startsInterrupted: 0, slowestStartMs: 0 }
  const faults: string[] = []
  let writer: Writer | undefined
  for (let round = 0; round < rounds; round++) {
    writer ??= startWriter(dataDir, acknowledged)
    // Every fifth kill comes during the start, the others during work.
    if (round % 5 === 4) await sleep(randomInt(1, 600))
    else {
      counts.slowestStartMs = Math.max(counts.slowestStartMs, await writer.ready)
      if (round === 0) await writer.goesOn() // a busy machine may take longer until something is acknowledged
      // At least one of each kind.
      if (round === 0)
        for (let tries = 0; acknowledged.undone.size === 0 && tries < 2400; tries++) await sleep(50)
      await sleep(randomInt(1, 1500))
    }
    if (!writer.isReady()) counts.startsInterrupted++
    const victim = VICTIMS[round % 3]!
    if (victim !== 'Node') serverProcesses(join(dataDir, 'postgres/cluster')).forEach(killHard)
    if (victim === 'PostgreSQL') {
      if (!(await writer.goesOn()))
        faults.push(`round ${round + 1}: no work was done after PostgreSQL was killed`)
    }
    if (victim !== 'PostgreSQL' || !writer.isReady()) {
      await writer.kill()
      writer = undefined
    }
  }
  await writer?.kill()
  const found = await inspect(dataDir, acknowledged)
  return {
    rounds,
    documents: acknowledged.documents.size,
    acts: acknowledged.acts.size,
    changes: acknowledged.changes.size,
    undone: acknowledged.undone.size,
    ...counts,
    ...found,
    faults: [...faults, ...found.faults],
  }
}

type Acknowledgements = {
  documents: Map<number, string>
  acts: Set<string>
  /** Changes of many files, and those of them that were taken back. */
  changes: Set<string>
  undone: Set<string>
}
type Writer = {
  ready: Promise<number>
  isReady: () => boolean
  goesOn: () => Promise<boolean>
  kill: () => Promise<void>
}

function startWriter(dataDir: string, { documents, acts, changes, undone }: Acknowledgements): Writer {
  const began = Date.now()
  const child: ChildProcess = spawn(process.execPath, ['test/rounds/kill-writer.ts'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let complaint = ''
  child.stderr!.on('data', (text: Buffer) => (complaint += text.toString()))
  const exited = once(child, 'exit')
  let isReady = false
  let lines = 0
  const drained = new Promise((resolve) => child.stdout!.once('close', resolve))
  const ready = new Promise<number>((resolve, reject) => {
    createInterface(child.stdout!).on('line', (line) => {
      lines++
      const [what, id, sha256] = line.split(' ')
      if (what === 'document') documents.set(Number(id), sha256!)
      if (what === 'act') acts.add(id!)
      if (what === 'change') changes.add(id!)
      if (what === 'undone') undone.add(id!)
      if (what === 'ready') {
        isReady = true
        resolve(Date.now() - began)
      }
    })
    void exited.then(() => reject(new Error(`the writer ended by itself: ${complaint}`)))
  })
  ready.catch(() => undefined)
  return {
    ready,
    isReady: () => isReady,
    async goesOn() {
      if (!isReady) return true
      const before = lines
      for (let attempt = 0; attempt < 2400; attempt++) {
        // A few lines may still arrive from before the kill.
        if (lines > before + 20) return true
        await sleep(50)
      }
      return false
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
      await drained
    },
  }
}

/** Starts once more, without a writer, and compares. */
async function inspect(dataDir: string, acknowledged: Acknowledgements) {
  const faults: string[] = []
  await using ringbind = await startRingbind(
    readConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' }),
  )
  const admin = new Client({ host: join(dataDir, 'postgres/run'), user: 'postgres', database: 'ringbind' })
  await admin.connect()
  type Row = Record<string, string>
  const rows = async (sql: string) => (await admin.query<Row>(sql)).rows

  const blobs = new Map((await rows('select * from blobs')).map((blob) => [Number(blob.id), blob]))
  for (const [id, sha256] of acknowledged.documents) {
    if (blobs.get(id)?.state !== 'stored' || blobs.get(id)?.sha256 !== sha256)
      faults.push(`document ${id} is lost`)
  }
  for (const { id, key, state, sha256 } of blobs.values()) {
    if (state === 'stored' && (await hashOf(await ringbind.storage.open(key!))) !== sha256)
      faults.push(`document ${id}: bytes`)
  }
  const keys = new Set([...blobs.values()].map(({ key }) => key!))
  for (const file of globSync('??/*', { cwd: join(dataDir, 'files') })) {
    if (!keys.has(file.replace('/', ''))) faults.push(`bytes without a row: ${file}`)
  }

  const acts = new Set((await rows('select number from acts')).map(({ number }) => number!))
  const jobs = new Set(
    (await rows(`select data ->> 'number' as number from jobs.job where name = 'act'`)).map(
      ({ number }) => number!,
    ),
  )
  for (const number of acknowledged.acts) if (!acts.has(number)) faults.push(`act ${number} is lost`)
  for (const number of acts.symmetricDifference(jobs))
    faults.push(`act ${number} and its job are not together`)

  faults.push(...(await inspectPiles(rows, acknowledged)))

  await admin.query('create extension if not exists amcheck')
  const indexes = await rows(`
    select bt_index_check(index => c.oid, heapallindexed => true), c.relname
    from pg_class c join pg_am a on a.oid = c.relam where a.amname = 'btree' and c.relkind = 'i'`)
  const tables = await rows(`select oid::regclass::text as name from pg_class where relkind = 'r'`)
  for (const { name } of tables) {
    for (const { msg } of await rows(`select msg from verify_heapam('${name}'::regclass)`))
      faults.push(`${name}: ${msg}`)
  }
  await admin.end()
  return { faults, indexesChecked: indexes.length, tablesChecked: tables.length }
}

/** Checks that every change of many files is whole: the files, its entries in the log, and what can be taken back. */
async function inspectPiles(
  rows: (sql: string) => Promise<Record<string, string>[]>,
  { changes, undone }: Acknowledgements,
): Promise<string[]> {
  const known = new Map(
    (await rows('select id, undone_at is not null as is_undone from undos')).map((row) => [row.id!, row]),
  )
  const torn = await rows(`
    select number from piles join files on files.id in (select jsonb_array_elements_text(pile -> 'files')::bigint)
    group by number having count(distinct (folder_id, deleted_at)) <> 1 or count(*) <> 40`)
  // All entries of one transaction, found by their user.
  const entries = await rows(`
    select xmin, count(*) as many from log where act like 'file-%' and act <> 'file-added' and user_id is not null
    group by xmin having count(*) not in (20, 40)`)
  const counted = await rows(`
    select count(distinct xmin::text) as logged,
      (select count(*) + count(undone_at) from undos) as remembered
    from log where act like 'file-%' and act <> 'file-added' and user_id is not null`)
  const { logged, remembered } = counted[0]!
  return [
    ...[...changes].filter((id) => !known.has(id)).map((id) => `change ${id} is lost`),
    ...[...undone]
      .filter((id) => !known.get(id)?.is_undone)
      .map((id) => `change ${id} is no longer taken back`),
    ...torn.map(({ number }) => `pile ${number} is torn apart`),
    ...entries.map(({ many }) => `a change has ${many} entries in the log`),
    ...(logged === remembered ? [] : [`${logged} changes are in the log, ${remembered} are remembered`]),
  ]
}

async function hashOf(bytes: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of bytes) hash.update(chunk)
  return hash.digest('hex')
}
