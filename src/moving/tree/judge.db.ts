import { sql } from 'kysely'
import { breather } from '../../server/process/breather.ts'
import type { Database } from '../../server/database/database.ts'
import { placeExported, type Exported } from './exported.server.ts'
import type { ImportState } from './tree-imports.db.ts'
import type { OfficeIndex } from './place/office-index.ts'
import { placeFile, readWay, type Placement, type Way } from './place/place-file.ts'
import { kindOf } from './readable.ts'

const AT_A_TIME = 1000
/** How many directories are remembered: files of one directory come together. */
const MOST_WAYS = 200

type Options = {
  signal: AbortSignal
  /** Whether contents are read to find out more. */
  reads: boolean
  /** What an export says of its own files; null for any other tree. */
  exported: Exported | null
  heard: (judged: number) => void
}

/**
 * Decides where each file goes by its name and directories. Looks at waiting files again, because projects and folders
 * may have been added since; decisions of people stay.
 */
export async function judgeNames(
  db: Database,
  importId: number,
  office: OfficeIndex,
  { signal, reads, exported, heard }: Options,
): Promise<void> {
  const ways = new Map<string, Way>()
  const breathe = breather()
  for (let after = 0; ;) {
    signal.throwIfAborted()
    const { rows } = await sql<{ id: number; shown: string; is_read: boolean; size: number }>`
      select id, shown, is_read, size from import_files
      where import_id = ${importId} and state in ('found', 'unread', 'waiting', 'ready') and not is_by_hand and id > ${after}
      order by id limit ${AT_A_TIME}`.execute(db)
    const judged: (Placement & { id: number; state: ImportState; place?: number | null })[] = []
    for (const { id, shown, is_read: isRead, size } of rows) {
      await breathe()
      const known = exported && placeExported(shown, exported, wayTo(shown, office, ways), office)
      const place = known ?? placeShown(shown, office, ways)
      const state = stateOf(place, known === null && reads && !isRead && kindOf(shown, size) !== null)
      // Keeps what its content has told, unless the name is enough by now.
      if (!isRead || state === 'ready') judged.push({ id, ...place, state })
    }
    await keepPlacements(db, judged)
    heard(rows.length)
    if (rows.length < AT_A_TIME) return
    after = rows.at(-1)!.id
  }
}

/** Places a file by its shown path, and remembers its directories. */
function placeShown(shown: string, office: OfficeIndex, ways: Map<string, Way>): Placement {
  return placeFile(shown.slice(shown.lastIndexOf('/') + 1), wayTo(shown, office, ways), office)
}

export function wayTo(shown: string, office: OfficeIndex, ways: Map<string, Way>): Way {
  const directory = shown.slice(0, Math.max(0, shown.lastIndexOf('/')))
  const known = ways.get(directory)
  if (known) return known
  const way = readWay(directory === '' ? [] : directory.split('/'), office)
  if (ways.size >= MOST_WAYS) ways.clear()
  ways.set(directory, way)
  return way
}

function stateOf({ sureness, folderId, personId }: Placement, mayRead: boolean): ImportState {
  if (sureness === 'sure') return 'ready'
  return folderId === null && personId === null && mayRead ? 'unread' : 'waiting'
}

/** Stores where files go. A file that was stored meanwhile is not changed. */
export async function keepPlacements(
  db: Database,
  placed: (Placement & { id: number; state: ImportState; isRead?: boolean; place?: number | null })[],
): Promise<void> {
  if (placed.length === 0) return
  const rows = placed.map((place) => ({
    id: place.id,
    state: place.state,
    project_id: place.projectId,
    folder_id: place.folderId,
    person_id: place.personId,
    name: place.name,
    year: place.year,
    place: place.place ?? null,
    sureness: place.sureness,
    why: place.why,
    is_read: place.isRead ?? false,
  }))
  await sql`
    update import_files set state = placed.state, project_id = placed.project_id, folder_id = placed.folder_id,
      person_id = placed.person_id, name = placed.name, year = placed.year, place = placed.place, sureness = placed.sureness,
      why = placed.why, is_read = import_files.is_read or placed.is_read
    from json_to_recordset(${JSON.stringify(rows)}::json) as placed (id bigint, state text, project_id bigint,
      folder_id bigint, person_id bigint, name text, year integer, place integer, sureness text, why text, is_read boolean)
    where import_files.id = placed.id and not is_by_hand
      and import_files.state in ('found', 'unread', 'waiting', 'ready')`.execute(db)
}
