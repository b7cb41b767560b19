import { resolve } from 'node:path'
import { openInstallation } from '../src/copies/open-installation.server.ts'
import { listImports } from '../src/moving/tree/tree-imports.db.ts'
import { FLAGS, readOptions } from '../src/moving/tree/options.ts'
import { runImport, type ImportResult } from '../src/moving/tree/run-import.db.ts'
import { TableFaults } from '../src/moving/tree/table.db.ts'
import { NotUndone, undoTree } from '../src/moving/tree/undo-tree.db.ts'
import { runCommand, type Status, type Tools } from './command.ts'

const USAGE = `npm run import -- DIRECTORY                        imports the files of which it is sure where they go
npm run import -- DIRECTORY --dry-run TABLE.xlsx   imports nothing, and writes a table of what would happen
npm run import -- DIRECTORY --from TABLE.xlsx      takes over what was corrected in the table, and imports
npm run import -- --list                           lists the imports
npm run import -- --undo NUMBER                    puts all files of an import into the trash

  --report FILE.xlsx   writes a sheet with every file of the directory and what became of it
  --draft --by E-MAIL  imports as drafts of this person of the office; without --draft, --by only says whose name the log has

Works while Ringbind runs and while it does not. Nobody is told by mail, and nothing is marked as new. It may be stopped at any
moment, and goes on when it is run again. Ends with 0 when every file is accounted for, 1 when it was not done, and 2 when
files wait for somebody to decide, or could not be read now.`

/** This many faults of a table are printed; the rest are counted. */
const MOST_TOLD = 200

await runCommand(USAGE, { least: 1, most: 12, flags: FLAGS }, async (tools) => {
  const asked = readOptions(tools.args)
  if (typeof asked === 'string') throw new Error(`${asked}\n\n${USAGE}`)
  const options = asked.act === 'import' ? fromHere(asked) : asked
  await using installation = await openInstallation(tools.config, { say: tools.say, signal: tools.signal })
  if (options.act === 'list') return list(tools, await listImports(installation.db))
  if (options.act === 'undo') return await undo(tools, installation.db, options.id)
  try {
    const result = await runImport(installation, options, tools)
    return tell(tools, result, options.dryRun)
  } catch (error) {
    if (!(error instanceof TableFaults)) throw error
    error.faults.slice(0, MOST_TOLD).forEach(tools.say)
    if (error.faults.length > MOST_TOLD) tools.say(`… and ${error.faults.length - MOST_TOLD} more.`)
    const many = error.faults.length === 1 ? 'one fault' : `${error.faults.length} faults`
    throw new Error(`The table has ${many}. Nothing was imported.`, { cause: error })
  }
})

/** npm runs us in its own directory: names are meant from where the command was written. */
function fromHere<
  Asked extends { directory: string; dryRun: string | null; from: string | null; report: string | null },
>(asked: Asked): Asked {
  const path = (name: string) => resolve(process.env.INIT_CWD ?? '.', name)
  const file = (name: string | null) => (name === null ? null : path(name))
  return {
    ...asked,
    directory: path(asked.directory),
    dryRun: file(asked.dryRun),
    from: file(asked.from),
    report: file(asked.report),
  }
}

function tell({ say }: Tools, { id, counts, held }: ImportResult, dryRun: string | null): Status {
  const { imported, there, waiting, unread, found, ready, left, gone } = counts
  const all = imported + there + waiting + unread + found + ready + left + gone
  say(`Import ${id}: ${all} files.`)
  say(`  imported              ${imported}`)
  say(`  there already         ${there}`)
  if (ready > 0) say(`  sure                  ${ready}`)
  say(`  wait in the table     ${waiting + unread}`)
  say(`  not taken             ${left}`)
  if (found > 0) say(`  tried again next time ${found}`)
  if (gone > 0) say(`  no longer there       ${gone}`)
  if (held.reading > 0)
    say(`${held.reading} papers are not read yet: only the office sees them until they are.`)
  if (held.doubt > 0)
    say(`${held.doubt} papers say something else than their place: they wait at Kontoret, Flyt ind.`)
  if (dryRun !== null) say(`Look through ${dryRun}, correct it in Excel, and give it back with --from.`)
  return waiting + unread + found > 0 ? 2 : 0
}

function list({ say, config }: Tools, imports: Awaited<ReturnType<typeof listImports>>): Status {
  if (imports.length === 0) say('Nothing has been imported.')
  // The time in the office's time zone: '2026-11-17 09:30'.
  const clock = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'short',
    timeZone: config.timeZone,
  })
  for (const { id, root, made_at: madeAt, undone_at: undoneAt, counts } of imports) {
    const known = Object.entries(counts).map(([state, count]) => `${count} ${state}`)
    say(`${id}  ${clock.format(madeAt)}  ${root}  ${known.join(', ')}${undoneAt ? '  taken back' : ''}`)
  }
  return 0
}

async function undo(
  { say, signal, progress }: Tools,
  db: Parameters<typeof undoTree>[0],
  id: number,
): Promise<Status> {
  let undone = 0
  const heard = (some: number) => {
    undone += some
    progress(() => `Taking back: ${undone} files`)
  }
  try {
    say(`${await undoTree(db, id, { signal, heard })} files of import ${id} are in the trash.`)
    return 0
  } catch (error) {
    if (error instanceof NotUndone) error.obstacles.forEach((line) => say(line))
    throw error
  }
}
