import { z } from 'zod'

// How a copy is laid out: a plain tar file, in this order. All of it can be read, and checked, without Ringbind:
//
//     ringbind.json             what it is: format, version, migrations, moment, columns, sequences
//     tables/<table>/0001.copy  rows as PostgreSQL's COPY writes them, in an order in which they can be read in
//     jobs.json                 work that was not done yet
//     blobs/<key>               the bytes of every stored blob
//     checksums/0001.sha256     after every 10,000 of these, and at the end: their SHA-256, for `sha256sum -c`
//     manifest.json             how many there are, the SHA-256 of each list, and what was wrong when it was made
//     manifest.sha256           that of manifest.json

export const FORMAT = 1

export const HEAD = 'ringbind.json'
export const JOBS = 'jobs.json'
export const MANIFEST = 'manifest.json'
export const SEAL = 'manifest.sha256'

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
  /** Which office it is a copy of. */
  installation: z.string(),
  /** The moment that it shows. */
  at: z.string(),
  postgres: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** The last number that was given, as text; null when none was. */
  sequences: z.array(z.object({ table: z.string(), column: z.string(), last: z.string().nullable() })),
})
export type Head = z.infer<typeof head>

const fault = z.object({
  /** The blob whose bytes were not what its row says. */
  key: z.string(),
  kind: z.enum(['missing', 'damaged']),
  /** Which file, for people. */
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

/** Something that cannot be read as a copy; the message says what and where. */
export class DamagedArchive extends Error {}

export const asJson = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 1)}\n`)

/** As `sha256sum` writes it. */
export const checksumLine = (name: string, sha256: string) => `${sha256}  ${name}\n`
