import { rm } from 'node:fs/promises'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { readConfig } from '../../src/config.ts'
import { verify } from '../../src/copies/verify.db.ts'
import { serverProcesses } from '../../src/server/database/postgres-processes.ts'
import { startRingbind, type Ringbind } from '../../src/start.ts'
import type { CompanyReport } from '../../src/report/company/company.ts'
import { urls } from '../../src/urls.ts'
import { chanceOf } from '../chance.ts'
import { copyImage, CutDisk, imagesIn, makeImage } from './cut-disk.ts'
import {
  call,
  CutOffice,
  formOf,
  furnish,
  offsetIn,
  sumOf,
  type Acknowledgements,
  type Acts,
  type OfficeSetup,
  type Paper,
} from './cut-office.ts'
import { killHard, startProcess, type RunningProcess } from '../start/processes.ts'

export type Counts = {
  cuts: number
  acts: Partial<Acts>
  /** Uploads that a cut interrupted and that were resumed. */
  resumed: number
  /** Cuts while a piece was being sent, after bytes that end in the middle of a block. */
  resumedInABlock: number
  /** Cuts where the server had lost acknowledged bytes, which were sent again. */
  sentAgain: number
  papersCompared: number
  faults: string[]
}

/** How many cuts one office and one disk last; a new disk keeps the images small. */
const CUTS_A_DISK = 25

const envOf = (directory: string) => ({
  DATA_DIR: join(directory, 'data'),
  PORT: '0',
  LOG_LEVEL: 'silent',
  REQUESTS_PER_MINUTE: '1000000',
})

/**
 * Cuts the power while seven people work, starts on what the disk then has, and lets the senders resume. Checks that
 * everything acknowledged is there and that every stored paper has the sent bytes.
 */
export async function powerCuts(directory: string, cuts: number, seed: number): Promise<Counts> {
  const images = imagesIn(directory)
  const chance = chanceOf(seed)
  const counts: Counts = {
    cuts: 0,
    acts: {},
    resumed: 0,
    resumedInABlock: 0,
    sentAgain: 0,
    papersCompared: 0,
    faults: [],
  }
  await makeImage(images.base)
  const at = await prepare(images.base, join(directory, 'base'))
  while (counts.cuts < cuts) {
    await copyImage(images.base, images.disk)
    await using disk = await CutDisk.mount(images.disk, join(directory, 'disk'))
    const server = startProcess(envOf(disk.directory))
    const office = new CutOffice(await server.url, at, chance)
    const writers = new DiskWriters(server, disk.directory)
    try {
      const until = Math.min(cuts, counts.cuts + CUTS_A_DISK)
      for (; counts.cuts < until && office.faults.length === 0; counts.cuts++) {
        await waitForCalls(office, chance.number(40), chance.number(150))
        writers.stop()
        const acknowledged = office.acknowledged()
        await disk.clone(images.clone)
        const faults = await inspect(images.clone, join(directory, 'clone'), at, acknowledged, counts)
        counts.faults.push(...faults.map((fault) => `cut ${counts.cuts + 1}: ${fault}`))
        writers.resume()
      }
    } finally {
      writers.resume()
      await office.stop()
      writers.kill()
      await server.ended
    }
    for (const [act, count] of Object.entries(office.acts) as [keyof Acts, number][])
      counts.acts[act] = (counts.acts[act] ?? 0) + count
    counts.faults.push(...office.faults)
    if (office.faults.length > 0) break
    console.log(`power cuts: ${counts.cuts} of ${cuts}, ${counts.faults.length} faults`)
  }
  return counts
}

async function prepare(image: string, directory: string): Promise<OfficeSetup> {
  await using disk = await CutDisk.mount(image, directory)
  await using ringbind = await startRingbind(readConfig(envOf(disk.directory)))
  return await furnish(ringbind)
}

/** Waits for some calls and then some milliseconds. It counts calls because a busy computer is slow. */
async function waitForCalls(office: CutOffice, calls: number, ms: number): Promise<void> {
  for (const from = office.calls; office.calls < from + calls && office.faults.length === 0;) await sleep(2)
  await sleep(ms)
}

/** All processes that write to the disk. */
class DiskWriters {
  #server: RunningProcess
  #cluster: string
  #pids: number[] = []

  constructor(server: RunningProcess, directory: string) {
    this.#server = server
    this.#cluster = join(directory, 'data/postgres/cluster')
  }

  /** Stops the main server first, because it would restart the others. */
  stop(): void {
    for (;;) {
      const more = this.#list().filter((pid) => !this.#pids.includes(pid))
      if (more.length === 0) return
      for (const pid of more) send(pid, 'SIGSTOP')
      this.#pids.push(...more)
    }
  }

  resume(): void {
    for (const pid of this.#pids.splice(0)) send(pid, 'SIGCONT')
  }

  kill(): void {
    for (const pid of this.#list()) killHard(pid)
  }

  #list(): number[] {
    const main = this.#server.child.pid!
    return [main, ...childrenOf(main), ...serverProcesses(this.#cluster)]
  }
}

function childrenOf(parent: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent)
  return [...children, ...children.flatMap(childrenOf)]
}

function parentOf(pid: number): number | null {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
  } catch {
    return null // it has ended meanwhile
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // it has ended already
  }
}

/** Starts on what a cut left, resumes the uploads, and compares. */
async function inspect(
  image: string,
  directory: string,
  at: OfficeSetup,
  acknowledged: Acknowledgements,
  counts: Counts,
): Promise<string[]> {
  try {
    await using disk = await CutDisk.mount(image, directory)
    await using ringbind = await startRingbind(readConfig(envOf(disk.directory)))
    const { headers } = at.people[0]!
    const faults: string[] = []
    for (const paper of acknowledged.papers)
      if (!paper.place) faults.push(...(await resumeUpload(ringbind, at, paper, counts)))
    faults.push(...(await compare(ringbind, acknowledged.papers, counts)))
    faults.push(...(await verify(ringbind)).faults)

    const { names, asked } = acknowledged.report
    const { body } = await call(ringbind.url, headers, 'GET', urls.readReport(at.investor))
    const found = (body as CompanyReport).companies.map(({ name }) => name).join()
    if (found !== names.join() && found !== asked?.join()) faults.push('a report that was saved is lost')

    const { address, isAsked } = acknowledged.image
    if (address && !isAsked) {
      const { status, body: length } = await call(ringbind.url, headers, 'GET', address)
      if (status !== 200 || !length) faults.push(`a profile image is answered ${status}`)
    }
    return faults
  } finally {
    await rm(image, { force: true })
  }
}

/** Resumes an upload as its sender does: from the offset that the server states to the end. Then saves it. */
async function resumeUpload(
  { url }: Ringbind,
  at: OfficeSetup,
  paper: Paper,
  counts: Counts,
): Promise<string[]> {
  const { path, name, acknowledged, sent, bytes } = paper
  const faults: string[] = []
  if (path && acknowledged < bytes!.length) {
    const asked = await call(url, paper.headers, 'HEAD', path)
    if (asked.status !== 200) return [`${name} is answered ${asked.status}`]
    const offset = offsetIn(asked)
    counts.resumed++
    if (sent > acknowledged && acknowledged % 4096 !== 0) counts.resumedInABlock++
    if (offset < acknowledged) counts.sentAgain++
    if (offset > sent) faults.push(`${name}: ${offset} bytes are there, and ${sent} were sent`)
    if (offset < bytes!.length) {
      const rest = bytes!.subarray(offset)
      const headers = {
        ...paper.headers,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(offset),
        'upload-checksum': sumOf(rest),
      }
      const { status } = await call(url, headers, 'PATCH', path, rest)
      if (status !== 204) return [...faults, `the rest of ${name} is answered ${status}`]
    }
  }
  const { status, body } = await call(
    url,
    paper.headers,
    'POST',
    urls.uploadTo(at.project, paper.folder),
    formOf(paper),
  )
  if (status !== 200) faults.push(`saving ${name} is answered ${status} ${JSON.stringify(body)}`)
  return faults
}

type Row = { name: string; sha256: string; folder_id: number; is_deleted: boolean }

/** Checks that each paper is there once, in its place, with the bytes that were sent. */
async function compare({ db }: Ringbind, papers: Paper[], counts: Counts): Promise<string[]> {
  const { rows } = await sql<Row>`
    select name, sha256, folder_id, deleted_at is not null as is_deleted
    from files join blobs on blobs.id = blob_id`.execute(db)
  const found = Map.groupBy(rows, ({ name }) => name)
  const faults: string[] = []
  for (const { name, sha256, folder, place, asked } of papers) {
    const there = found.get(name) ?? []
    if (there.length !== 1) {
      faults.push(`${name} is there ${there.length} times`)
      continue
    }
    counts.papersCompared++
    const [row] = there
    if (row!.sha256 !== sha256) faults.push(`${name} is damaged`)
    const isAt = (where: { folder: number; isDeleted: boolean } | null) =>
      where?.folder === row!.folder_id && where.isDeleted === row!.is_deleted
    const expected = place ?? { folder, isDeleted: false }
    if (!isAt(expected) && !isAt(asked))
      faults.push(`${name} is in ${row!.folder_id}, ${row!.is_deleted ? 'deleted' : 'not deleted'}`)
  }
  return faults
}
