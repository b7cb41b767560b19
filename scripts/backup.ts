import { resolve } from 'node:path'
import { backUp } from '../src/copies/backup.db.ts'
import { openInstallation } from '../src/copies/open-installation.server.ts'
import { runCommand } from './command.ts'

const USAGE = `npm run backup -- FILE

Writes one copy of everything, the database and the files, to FILE, while Ringbind runs or does not. FILE must not
be there yet; it is a tar file that only its owner can read,
encrypted if BACKUP_KEY is set. It is read again before it is put in place. Ends with 0 when all is well, 1 when no copy was made, and
2 when it was made and files were missing or damaged, which are then named.`

await runCommand(USAGE, { least: 1, most: 1 }, async ({ config, args, say, signal, progress }) => {
  const file = resolve(args[0]!)
  await using installation = await openInstallation(config, {
    say,
    signal,
    mayBeUnfinished: true,
    onlyReads: true,
  })
  const { rows, blobs, bytes, faults } = await backUp(installation, file, {
    say,
    signal,
    progress,
    key: config.backupKey,
  })
  for (const { kind, about } of faults) say(`${kind === 'missing' ? 'Missing' : 'Damaged'}: ${about}`)
  say(
    `${file} has ${rows} rows and ${blobs} files of ${bytes} bytes${faults.length > 0 ? '; see above' : ''}.`,
  )
  return faults.length > 0 ? 2 : 0
})
