import { z } from 'zod'

// The layout of a copy: a plain tar file, in this order. It can be read and checked without Ringbind:
//
//     ringbind.json             the description: format, version, migrations, time, columns, sequences
//     tables/<table>/0001.copy  rows in the format of PostgreSQL's COPY, in an order in which they can be loaded
//     jobs.json                 unfinished jobs
//     blobs/<key>               the bytes of every stored blob
//     checksums/0001.sha256     after every 10,000 entries, and at the end: their SHA-256, for `sha256sum -c`
//     manifest.json             the number of entries, the SHA-256 of each list, and the faults found by the backup
//     manifest.sha256           the SHA-256 of manifest.json

export const FORMAT = 1

export const HEAD = 'ringbind.json'
export const JOBS = 'jobs.json'
export const MANIFEST = 'manifest.json'
export const MANIFEST_SUM = 'manifest.sha256'

export const nameOfRows = (table: string, number: number) =>
  `tables/${table}/${String(number).padStart(4, '0')}.copy`
export const nameOfBlob = (key: string) => `blobs/${key}`
export const nameOfChecksums = (number: number) => `checksums/${String(number).padStart(4, '0')}.sha256`

export const tableIn = (name: string): string | undefined => /^tables\/([^/]+)\/\d{4,}\.copy$/.exec(name)?.[1]
export const blobIn = (name: string): string | undefined => /^blobs\/([0-9a-f]{32})$/.exec(name)?.[1]
export const isChecksums = (name: string): boolean => /^checksums\/\d{4,}\.sha256$/.test(name)

export const head = z.object({
  format: z.number(),
  version: z.string(),
  /** The office that was copied. */
  installation: z.string(),
  /** The time of the snapshot. */
  at: z.string(),
  postgres: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** The end of the log's chain; not in copies of earlier versions. */
  log: z.object({ position: z.number(), hash: z.string() }).nullish(),
  /** The last number given, as text; null if none was. */
  sequences: z.array(z.object({ table: z.string(), column: z.string(), last: z.string().nullable() })),
})
export type Head = z.infer<typeof head>

const fault = z.object({
  /** The blob whose bytes did not match its row. */
  key: z.string(),
  kind: z.enum(['missing', 'damaged']),
  /** The file's name and place, for people. */
  about: z.string(),
})
export type Fault = z.infer<typeof fault>

export const manifest = z.object({
  entries: z.number(),
  bytes: z.number(),
  checksums: z.array(z.object({ name: z.string(), size: z.number(), sha256: z.string() })),
  faults: z.array(fault),
})
export type Manifest = z.infer<typeof manifest>

/** The file cannot be read as a copy. The message says what is wrong and where. */
export class DamagedArchive extends Error {}

export const asJson = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 1)}\n`)

/** The format of `sha256sum`. */
export const checksumLine = (name: string, sha256: string) => `${sha256}  ${name}\n`
