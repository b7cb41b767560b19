import { sql } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFolderSeen, isProjectSeen } from '../../access/seen.db.ts'
import { breather, mapInTurns } from '../../server/process/breather.ts'
import type { Database } from '../../server/database/database.ts'
import { nearMissAmong } from '../../files/names/near-miss.ts'
import { numbersIn, proposeName, type FolderTexts, type Taking } from './proposal.ts'
import { resolveUsers } from './resolve.db.ts'

/** Proposes a better name for each name that leads nowhere, among the projects, folders and people that the reader sees. */
export async function proposeNames(
  db: Database,
  reader: Reader,
  names: string[],
  taking: Taking,
): Promise<Record<string, string>> {
  if (names.length === 0) return {}
  const numbers = (await mapInTurns(names, numbersIn)).flat()
  const keys = [...new Set(taking.of === 'project' ? [taking.number] : numbers)]
  const projects = taking.of === 'people' ? new Map<string, FolderTexts>() : await listTexts(db, reader, keys)
  const { users } = taking.of === 'project' ? { users: {} } : await resolveUsers(db, reader, keys)
  const existing = { projects, people: new Set(Object.keys(users)) }
  const proposals: [string, string][] = []
  const breathe = breather()
  for (const name of names) {
    await breathe()
    const proposed = proposeName(name, existing, taking)
    if (proposed !== null) proposals.push([name, proposed])
  }
  return Object.fromEntries(proposals)
}

/** At most this many names are compared letter by letter, since more take too long. */
const MOST_COMPARED = 200_000

/** Returns the folders' names and sub names of each project with one of these numbers, by its number. */
async function listTexts(
  db: Database,
  reader: Reader,
  numbers: string[],
): Promise<ReadonlyMap<string, FolderTexts>> {
  const { rows } = await sql<{ names: string[]; numbers: string[] }>`
    select names, json_agg(number) as numbers from (
      select projects.number, array_agg(folder_names.key order by folder_names.key) as names
      from projects join folder_names on folder_names.project_id = projects.id
      join folders on folders.id = folder_names.folder_id
      where projects.number = any (${numbers}) and ${isProjectSeen(reader)} and ${isFolderSeen(reader)}
      group by projects.number
    ) as projects group by names`.execute(db)
  let compared = 0
  // Projects with the same folders share the prepared comparison.
  return new Map(
    rows.flatMap(({ names, numbers: theirs }) => {
      const [known, near] = [new Set(names), nearMissAmong(names)]
      const texts = {
        has: (text: string) => known.has(text),
        near: (text: string) => {
          compared += names.length
          return compared > MOST_COMPARED ? null : near(text)
        },
      }
      return theirs.map((number) => [number, texts] as const)
    }),
  )
}
