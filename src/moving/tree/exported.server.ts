import { decodeName } from './decode-path.ts'
import type { OfficeIndex } from './place/office-index.ts'
import type { Placement, Way } from './place/place-file.ts'
import { readSheet } from './read-sheet.server.ts'
import { isTooLong, isUnfit, yearInName } from '../../files/names/file-name.ts'

/** One file in the table of an export. */
type ExportedFile = {
  state: string
  project: string
  folder: string
  name: string
  /** Its place in the folder, from 1 on. */
  place: number | null
}

/** The files of an export, by their paths in it. */
export type Exported = ReadonlyMap<string, ExportedFile>

const TABLE = 'Tabeller/filer.csv'
/** The columns of the table that are read; `not-read-back.test.ts` says why the others are not. */
export const READ_COLUMNS = ['Sti', 'Tilstand', 'Projektnummer', 'Mappe', 'Navn', 'Plads']
const SHOWN = 'Udgivet'

/** Returns the table of files if the directory is an export of Ringbind; null if it is any other. */
export async function readExport(root: Buffer): Promise<Exported | null> {
  const rows = await readSheet(`${decodeName(root)}/${TABLE}`).catch(() => null)
  const at = READ_COLUMNS.map((name) => rows?.[0]?.indexOf(name) ?? -1)
  if (!rows || at.includes(-1)) return null
  return new Map(
    rows.slice(1).map((row) => {
      const [path = '', state = '', project = '', folder = '', name = '', place = ''] = at.map((index) =>
        unquoted(row[index] ?? ''),
      )
      const file = { state, project, folder, name, place: place === '' ? null : Number(place) }
      return [path.normalize('NFC'), file]
    }),
  )
}

/** The export writes a ' before text that a spreadsheet would run as a formula. */
const unquoted = (text: string) => text.replace(/^'(?=[\t\r\n]|\s*[=+\-@＝＋－＠])/u, '')

type ExportedPlacement = Placement & { place: number | null }

/**
 * Places a file of an export at its old place, under its old name and in the old order. Files that only the office saw
 * wait for approval. Null if this office has no such place: then the name and the directories decide, as in any tree.
 */
export function placeExported(
  shown: string,
  exported: Exported,
  way: Way,
  office: OfficeIndex,
): ExportedPlacement | null {
  const file = exported.get(shown.normalize('NFC'))
  const none = { projectId: null, folderId: null, personId: null, name: null, year: null, place: null }
  if (!file) return { ...none, sureness: 'unknown', why: 'Filen er ikke et af kontorets papirer.' }
  const { name, place } = file
  if (isUnfit(name) || isTooLong(name)) return null
  const where = placeOf(file, way, office)
  if (!where) return null
  const isSure = file.state === SHOWN
  return {
    ...none,
    ...where,
    name,
    year: yearInName(name),
    place,
    sureness: isSure ? 'sure' : 'maybe',
    why: isSure ? 'Eksporten siger det.' : `Eksporten siger: ${file.state}.`,
  }
}

function placeOf(
  { project: number, folder: text }: ExportedFile,
  { person }: Way,
  { map }: OfficeIndex,
): Partial<Placement> | null {
  if (number === '') return person?.isSure ? { personId: person.person.id } : null
  const project = map.projects[number]
  const folder = project?.folders[text]
  return project && folder ? { projectId: project.id, folderId: folder.id } : null
}
