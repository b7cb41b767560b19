import type { z } from 'zod'
import { HashedBytes } from '../server/storage/measure.ts'
import {
  blobIn,
  checksumLine,
  DamagedArchive,
  FORMAT,
  HEAD,
  head,
  isChecksums,
  JOBS,
  MANIFEST,
  manifest,
  MANIFEST_SUM,
  tableIn,
  type Fault,
  type Head,
  type Manifest,
} from './archive.server.ts'
import { readArchive, readWhole, type Entry } from './archive-reader.server.ts'

type Checked = {
  head: Head
  manifest: Manifest
  /** One line for each change since the copy was made. A copy with any line is not restored. */
  damages: string[]
  /** Faults from before the copy was made. */
  faults: Fault[]
  blobs: number
  bytes: number
}

type Options = {
  signal?: AbortSignal | undefined
  /** Opens an encrypted copy. */
  key?: string | null | undefined
  /** Called with the number of bytes checked so far. */
  heard?: (bytes: number) => void
}

/** Reads a copy's description, but not the rest. */
export async function readHead(file: string, key?: string | null): Promise<Head> {
  for await (const entry of readArchive(file, { key })) {
    if (entry.name !== HEAD) break
    return parse(head, await readWhole(entry), HEAD)
  }
  throw new DamagedArchive(`${file} is no copy of a Ringbind: it does not begin with ${HEAD}.`)
}

/** Reads the whole copy once. Throws `DamagedArchive` where it cannot continue. */
export async function checkArchive(file: string, { signal, heard, key }: Options = {}): Promise<Checked> {
  const found = await readHead(file, key)
  if (found.format !== FORMAT)
    throw new Error(`The copy is of format ${found.format}, and this Ringbind reads ${FORMAT}.`)
  const rows = new BlobRows(found)
  const lists = new Lists()
  let bytes = 0
  for await (const entry of readArchive(file, { signal, key })) {
    const hashed = new HashedBytes(entry.chunks)
    const isKept = isChecksums(entry.name) || [HEAD, JOBS, MANIFEST, MANIFEST_SUM].includes(entry.name)
    const kept: Buffer[] = []
    for await (const chunk of hashed) {
      if (isKept) kept.push(chunk)
      if (tableIn(entry.name) === 'blobs') rows.read(chunk)
      bytes += chunk.length
      heard?.(bytes)
    }
    lists.meet(entry, hashed.digest(), Buffer.concat(kept))
    rows.meet(entry)
  }
  const whole = lists.end()
  return {
    head: found,
    manifest: whole,
    faults: whole.faults,
    damages: [...lists.damages, ...rows.end(whole)],
    blobs: rows.met,
    bytes,
  }
}

function parse<T>(shape: z.ZodType<T>, bytes: Buffer, name: string): T {
  try {
    return shape.parse(JSON.parse(bytes.toString()))
  } catch (error) {
    throw new DamagedArchive(`${name} of the archive does not say what it should.`, { cause: error })
  }
}

/** Checks the entries against the lists of checksums that follow them, and the lists against the manifest. */
class Lists {
  damages: string[] = []
  #listed: { name: string; sha256: string }[] = []
  #count = 0
  #bytes = 0
  #lists: { name: string; size: number; sha256: string; damages: string[] }[] = []
  #manifest: { parsed: Manifest; sha256: string } | undefined
  #isSealed = false

  meet({ name, size }: Entry, sha256: string, bytes: Buffer): void {
    if (this.#manifest && name !== MANIFEST_SUM) throw new DamagedArchive(`${name} comes after the manifest.`)
    if (name === MANIFEST) this.#manifest = { parsed: parse(manifest, bytes, MANIFEST), sha256 }
    else if (name === MANIFEST_SUM) this.#readSeal(bytes)
    else if (isChecksums(name)) this.#readList(name, size, sha256, bytes.toString())
    else {
      this.#listed.push({ name, sha256 })
      this.#count++
      this.#bytes += size
    }
  }

  #readList(name: string, size: number, sha256: string, text: string): void {
    const lines = text.split('\n').slice(0, -1)
    const damages = this.#listed.flatMap((each, index) =>
      `${lines[index]}\n` === checksumLine(each.name, each.sha256)
        ? []
        : [`${each.name} is damaged: its SHA-256 is not the one that it had when the copy was made.`],
    )
    for (const line of lines.slice(this.#listed.length))
      damages.push(`${line.slice(66)} is missing from the archive.`)
    this.#listed = []
    this.#lists.push({ name, size, sha256, damages })
  }

  #readSeal(bytes: Buffer): void {
    if (!this.#manifest) throw new DamagedArchive(`The archive has no ${MANIFEST}.`)
    this.#isSealed = true
    if (bytes.toString() !== checksumLine(MANIFEST, this.#manifest.sha256))
      this.damages.push(`${MANIFEST} or ${MANIFEST_SUM} is damaged: they do not belong together.`)
  }

  end(): Manifest {
    if (!this.#manifest || !this.#isSealed)
      throw new DamagedArchive(
        `The archive has no ${this.#manifest ? MANIFEST_SUM : MANIFEST}: it is not whole.`,
      )
    const { parsed } = this.#manifest
    for (const { name } of this.#listed) this.damages.push(`${name} stands in no list of checksums.`)
    parsed.checksums.forEach((wanted, index) => {
      const list = this.#lists[index]
      if (list?.name !== wanted.name) this.damages.push(`${wanted.name} is missing from the archive.`)
      else if (list.sha256 !== wanted.sha256 || list.size !== wanted.size)
        this.damages.push(`${wanted.name} is damaged: its SHA-256 is not the manifest's.`)
      else this.damages.push(...list.damages)
    })
    if (this.#lists.length > parsed.checksums.length)
      this.damages.push('The archive has more lists of checksums than its manifest.')
    if (this.#count !== parsed.entries || this.#bytes !== parsed.bytes)
      this.damages.push(
        `The manifest counts ${parsed.entries} entries of ${parsed.bytes} bytes, and there are ${this.#count} of ${this.#bytes}.`,
      )
    return parsed
  }
}

/**
 * Checks that each stored blob has its bytes in the archive or a note in the manifest, and that no bytes lack a
 * row.
 */
class BlobRows {
  met = 0
  #columns: string[]
  #sizes = new Map<string, number>()
  #strange: string[] = []
  #rest: Buffer = Buffer.alloc(0)

  constructor({ tables }: Head) {
    this.#columns = tables.find(({ name }) => name === 'blobs')?.columns ?? []
  }

  /** Reads lines of COPY. Keys, states and numbers contain nothing that COPY escapes. */
  read(chunk: Buffer): void {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    const end = bytes.lastIndexOf(0x0a) + 1
    this.#rest = bytes.subarray(end)
    for (const line of bytes.toString('utf8', 0, end).split('\n').slice(0, -1)) {
      const fields = line.split('\t')
      const of = (column: string) => fields[this.#columns.indexOf(column)] ?? ''
      if (of('state') === 'stored') this.#sizes.set(of('key'), Number(of('size')))
    }
  }

  meet({ name, size }: Entry): void {
    const key = blobIn(name)
    if (key === undefined) return
    this.met++
    const expected = this.#sizes.get(key)
    if (expected === undefined) this.#strange.push(`${name} has no row in the table of blobs.`)
    else if (expected !== size) this.#strange.push(`${name} has ${size} bytes, and its row says ${expected}.`)
    this.#sizes.delete(key)
  }

  end({ faults }: Manifest): string[] {
    for (const { key, kind } of faults) if (kind === 'missing') this.#sizes.delete(key)
    const missing = [...this.#sizes.keys()].map((key) => `The bytes of blob ${key} are not in the archive.`)
    return [...this.#strange, ...missing]
  }
}
