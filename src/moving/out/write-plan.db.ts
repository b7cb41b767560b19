import type { Client } from 'pg'
import { distinctNames } from '../../files/zip/archive-names.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../log/csv.ts'
import type { Database } from '../../server/database/database.ts'
import { cellOf } from './cell.ts'
import { AREAS, directoryIn, nameIn, WAITING_DIRECTORY, type Area, type Directories } from './directories.ts'
import { planLine, type PlannedFile } from './plan.server.ts'
import { NAMES, PLAN_COLUMNS, STORED_FILES, WAITING_FILES } from './planned-files.db.ts'
import { eachRow, readRows, type Row } from './snapshot.db.ts'
import { TextFile } from './text-file.server.ts'

type Planning = {
  /** The files to write: the plan, and the table of files. */
  plan: string
  table: string
  note: (path: string, sha256: string) => Promise<void>
  directories: Directories
  signal: AbortSignal | undefined
}

/** Gives every file its path, and writes the plan, the table of files and their sums. Holds the names of one directory at a time. */
export async function writePlan(
  client: Client,
  db: Database,
  { plan, table: file, note, directories, signal }: Planning,
): Promise<{ total: { files: number; bytes: number }; sha256: string }> {
  await using lines = await TextFile.create(plan)
  await using table = await TextFile.create(file)
  for (const directory of directories.folder.values()) await lines.write(planLine({ directory }))
  const total = { files: 0, bytes: 0 }
  const add = async (planned: PlannedFile) => {
    await lines.write(planLine(planned))
    await note(planned.path, planned.sha256)
    total.files++
    total.bytes += planned.size
  }
  let hasHead = false
  const paths = namePaths(client, db, directories)
  for await (const { headings, rows } of readRows(client, db, 'stored', STORED_FILES)) {
    signal?.throwIfAborted()
    if (!hasHead)
      await table.write(
        BYTE_ORDER_MARK + csvLine(['Sti', ...headings.slice(PLAN_COLUMNS).map(({ name }) => name)]),
      )
    hasHead = true
    for (const row of rows) {
      const named = await paths.next()
      if (named.done) throw new Error('There are fewer names than files.')
      await add(plannedOf(named.value, row))
      const cells = row.map((value, index) => cellOf(value, headings[index]?.type ?? 0)).slice(PLAN_COLUMNS)
      await table.write(csvLine([named.value, ...cells]))
    }
  }
  for await (const planned of planWaiting(client, db)) await add(planned)
  await lines.finish()
  return { total, sha256: await table.finish() }
}

function plannedOf(path: string, [fileId, blobId, key, size, sha256, at]: Row): PlannedFile {
  return {
    path,
    fileId: Number(fileId),
    blobId: Number(blobId),
    key: key ?? '',
    size: Number(size),
    sha256: sha256 ?? '',
    at: Number(at),
  }
}

/** Plans the files that wait in the inbox, with a directory for each intake. */
async function* planWaiting(client: Client, db: Database): AsyncGenerator<PlannedFile> {
  let together: Row[] = []
  const plan = function* () {
    const names = distinctNames(together.map((row) => row[PLAN_COLUMNS + 1] ?? ''))
    for (const [index, row] of together.entries())
      yield plannedOf(`${WAITING_DIRECTORY}/${row[PLAN_COLUMNS]}/${names[index]}`, row)
  }
  for await (const { row } of eachRow(client, db, 'waiting', WAITING_FILES)) {
    if (together.length > 0 && together[0]![PLAN_COLUMNS] !== row[PLAN_COLUMNS]) {
      yield* plan()
      together = []
    }
    together.push(row)
  }
  yield* plan()
}

/** Yields the path of each file in the order of the plan. */
async function* namePaths(
  client: Client,
  db: Database,
  { folder: folders }: Directories,
): AsyncGenerator<string, void> {
  for await (const { area, folder, names } of namesByDirectory(client, db)) {
    const directory = directoryIn(area, folders.get(folder) ?? String(folder))
    // A person's own files share a directory with nothing else, and neither do those of a folder, so only they must
    // differ.
    for (const name of distinctNames(names)) yield `${directory}/${name}`
  }
}

type NamedDirectory = { area: Area; folder: number; names: string[] }

async function* namesByDirectory(client: Client, db: Database): AsyncGenerator<NamedDirectory> {
  let gathered: NamedDirectory | undefined
  for await (const { row } of eachRow(client, db, 'named', NAMES)) {
    const { area, folder, name } = readName(row)
    if (gathered?.area !== area || gathered.folder !== folder) {
      if (gathered) yield gathered
      gathered = { area, folder, names: [] }
    }
    gathered.names.push(name)
  }
  if (gathered) yield gathered
}

function readName([areaText, folder, name, version]: Row): { area: Area; folder: number; name: string } {
  const area = AREAS.find((each) => each === areaText) ?? 'live'
  const number = version === null || version === undefined ? null : Number(version)
  return { area, folder: Number(folder), name: nameIn(area, name ?? '', number) }
}
