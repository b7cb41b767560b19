import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, it } from 'vitest'
import { freshDatabase } from '../../../test/database.ts'
import { freshDirectory } from '../../../test/directory.ts'
import { openSession } from '../../copies/session.db.ts'
import { TABLES, writeTables } from '../out/write-tables.db.ts'
import { findHeadings } from '../sheet/read/sheet-columns.ts'
import { READ_COLUMNS } from './exported.server.ts'

const BY_HAND = 'only a copy moves it; whoever has an export enters it anew'
const HISTORY = 'what happened there'
const MADE = 'made of the rest'
const OTHER_IDS = 'ids are others here'

/**
 * What an office that moves in with an export of another Ringbind does not get back, and why: tables, and columns of tables that
 * are read. `npm run import` reads `filer`, and *Flyt ind* reads `projekter` and `personer`.
 */
const NOT_READ_BACK: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {
  filer: {
    'Fil-id': OTHER_IDS,
    'Projekt-id': OTHER_IDS,
    Projekt: 'the number says it',
    'Person-id': OTHER_IDS,
    Person: 'the directory says it',
    'Mappe-id': OTHER_IDS,
    Bytes: 'the file says it',
    'SHA-256': 'the file says it',
    Type: 'the file says it',
    Dato: 'the file has it',
    År: 'the name says it',
    Periode: 'the name says it, and the office where it does not',
    'Periode rettet': BY_HAND,
    Version: HISTORY,
    'Version-id': OTHER_IDS,
    'Uploadet af-id': OTHER_IDS,
    'Uploadet af': HISTORY,
    Oprettet: HISTORY,
    'Version lagt af-id': OTHER_IDS,
    'Version lagt af': HISTORY,
    'Fra investor': HISTORY,
    'Upload-id': OTHER_IDS,
    'Version vist fra': HISTORY,
    'Vist siden': HISTORY,
    Udgivet: HISTORY,
    'Kunne ses af-id': HISTORY,
    Slettet: HISTORY,
    'Slettet af-id': OTHER_IDS,
    'Slettet af': HISTORY,
  },
  projekter: {
    Id: OTHER_IDS,
    Oprettet: HISTORY,
    Ændret: HISTORY,
    Sti: 'where it lies in the export',
  },
  personer: {
    Id: OTHER_IDS,
    Deaktiveret: HISTORY,
    Oprettet: HISTORY,
    'Har valgt login': 'everybody chooses a way in anew',
    Totrinslogin: 'everybody chooses a way in anew',
    'Mails om nye filer': 'everybody chooses it for themselves',
    'Mails om forsøg på login': 'everybody chooses it for themselves',
    'Mails om driften': 'everybody chooses it for themselves',
    'Egne filer læst til': 'what moves in is new to nobody',
    Sti: 'where it lies in the export',
  },
  mapper: 'the template makes them, and the office the others, before files come in',
  medlemmer: 'personer says the projects of each',
  'hvem-ser-hvad': MADE,
  papirer: MADE,
  kontoret: BY_HAND,
  'krav-til-login': BY_HAND,
  regnskabsår: BY_HAND,
  'givet-adgang': BY_HAND,
  rapporter: BY_HAND,
  pligter: BY_HAND,
  'pligter-projekter': BY_HAND,
  frister: BY_HAND,
  kvitteringer: BY_HAND,
  'layouts-af-kvitteringer': BY_HAND,
  søgeord: BY_HAND,
  'gemte-søgninger': BY_HAND,
  læst: HISTORY,
  log: HISTORY,
  'gemte-uploads': HISTORY,
  udsendelser: HISTORY,
  'udsendelser-mails': HISTORY,
  'udsendelser-slettede-filer': HISTORY,
  indbakke: HISTORY,
  indleveringer: HISTORY,
}

/** The headings of every table of an export. */
async function exportedHeadings(): Promise<[table: string, headings: string[]][]> {
  const { db } = await freshDatabase()
  const root = await freshDirectory()
  await using client = await openSession(db)
  await client.query('begin')
  await writeTables(
    client,
    { root, plan: join(root, 'plan') },
    { timeZone: 'UTC', progress: () => undefined },
  )
  const files = await readdir(join(root, TABLES))
  return Promise.all(
    files.map(async (file): Promise<[string, string[]]> => {
      const rows: string[][] = parse(await readFile(join(root, TABLES, file)), { bom: true, delimiter: ';' })
      return [file.replace('.csv', ''), rows[0]!]
    }),
  )
}

/** The columns of a table that one of the two ways in reads. */
function readBack(table: string, cells: string[]): string[] {
  if (table === 'filer') return READ_COLUMNS
  if (table !== 'projekter' && table !== 'personer') return []
  const found = findHeadings(table, [{ row: 1, cells }])
  return found && found !== 'both' ? [...found.fields.keys()].map((at) => cells[at]!) : []
}

it('an import reads every column of an export, or names it with a reason', async () => {
  const faults: string[] = []
  const exported = await exportedHeadings()
  for (const [table, headings] of exported) {
    const reasons = NOT_READ_BACK[table] ?? {}
    const read = readBack(table, headings)
    const isNamed = (heading: string) => typeof reasons === 'string' || heading in reasons
    for (const heading of headings)
      if (!read.includes(heading) && !isNamed(heading))
        faults.push(
          `${table}: ${heading} is exported and not read back. Read it (src/moving/sheet/read/sheet-columns.ts; files: exported.server.ts), or name it in src/moving/tree/not-read-back.test.ts with the reason.`,
        )
    for (const heading of read)
      if (isNamed(heading)) faults.push(`${table}: ${heading} is read back, and named as not.`)
    for (const heading of typeof reasons === 'string' ? [] : Object.keys(reasons))
      if (!headings.includes(heading)) faults.push(`${table}: ${heading} is not exported.`)
  }
  const tables = new Set(exported.map(([table]) => table))
  for (const table of Object.keys(NOT_READ_BACK))
    if (!tables.has(table)) faults.push(`${table} is not exported.`)
  expect(faults).toEqual([])
})
