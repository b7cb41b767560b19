import { resolve } from 'node:path'
import { readHead } from '../src/copies/check-archive.server.ts'
import { cleanUpIfFailed } from '../src/copies/clean-up-if-failed.server.ts'
import { restore } from '../src/copies/restore.db.ts'
import { openInstallation, refuseForeign } from '../src/copies/open-installation.server.ts'
import { countLostApps, lostApps } from '../src/accounts/factor/sealed-apps.db.ts'
import { endRestoredCredentials } from '../src/accounts/session/end-credentials.db.ts'
import { rememberStore } from '../src/server/storage/stores.db.ts'
import { findVault } from '../src/server/process/vault.ts'
import { runCommand } from './command.ts'

const USAGE = `npm run restore -- FILE

Fills an empty place (DATA_DIR, DATABASE_URL and the store as configured) from a copy that \`npm run backup\` made, by
this Ringbind or an older one; BACKUP_KEY opens an encrypted one. The copy is checked to its end first; then all of it is restored, or nothing. Ends with 0
when all is well, 1 when nothing was restored and DATA_DIR is as it was, and 2 when it was and files were missing or damaged
in the copy already. Everybody has to sign in again, and to make new API keys and calendar addresses: who has signed out
since the copy was made must not be in again, and a key that was revoked since must not work.`

await runCommand(USAGE, { least: 1, most: 1 }, async ({ config, args, say, signal, progress }) => {
  const file = resolve(args[0]!)
  const key = config.backupKey
  refuseForeign(config.dataDir)
  await readHead(file, key) // a wrong file or key is refused before anything is made
  const { rows, blobs, bytes, jobs, faults, migrated, lost } = await cleanUpIfFailed(
    config.dataDir,
    async () => {
      await using installation = await openInstallation(config, { say, signal, mayBeEmpty: true })
      const restored = await restore(installation, file, {
        say,
        signal,
        progress,
        key,
        async beforeCommit(trx) {
          await rememberStore(trx, config)
          await endRestoredCredentials(trx)
        },
      })
      const { db, dataDir } = installation
      return { ...restored, lost: await countLostApps(db, await findVault(config.secretsKey, dataDir)) }
    },
  )
  for (const { kind, about } of faults)
    say(`${kind === 'missing' ? 'Missing' : 'Damaged'} when the copy was made: ${about}`)
  if (migrated.length > 0) say(`Brought up to date by ${migrated.join(', ')}.`)
  if (lost > 0) say(lostApps(lost))
  say(`Restored ${rows} rows, ${blobs} files of ${bytes} bytes and ${jobs} waiting jobs.`)
  return faults.length > 0 ? 2 : 0
})
