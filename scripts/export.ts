import { resolve } from 'node:path'
import { openInstallation } from '../src/copies/open-installation.server.ts'
import { exportOffice } from '../src/moving/out/export.db.ts'
import { keepHeapSmall } from '../src/server/process/small-heap.ts'
import { runCommand } from './command.ts'

const USAGE = `npm run export -- DIRECTORY

Writes everything into DIRECTORY as ordinary files, while Ringbind runs or does not: the documents in directories for
projects and people, and all that is known about them as tables (CSV), so that another system, or nobody but Excel,
can use them. DIRECTORY is made, or is empty; run the same command again if it was stopped, and it goes on. Only the
owner can read what it writes. Ends with 0 when all is well, 1 when it could not be done, and 2 when it is done and files
were missing or damaged, which fejl.csv names then.`

keepHeapSmall() // it makes much garbage, and keeps little of it
await runCommand(USAGE, { least: 1, most: 1 }, async ({ config, args, say, signal, progress }) => {
  const directory = resolve(args[0]!)
  await using installation = await openInstallation(config, { say, signal, onlyReads: true })
  const office = { ...installation, timeZone: config.timeZone }
  const { files, bytes, kept, faults, root } = await exportOffice(office, directory, {
    say,
    signal,
    progress,
  })
  const before = kept > 0 ? `, ${kept} of them from before` : ''
  say(`${root} has ${files} files of ${bytes} bytes${before}${faults > 0 ? `; ${faults} with faults` : ''}.`)
  return faults > 0 ? 2 : 0
})
