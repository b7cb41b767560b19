import { moveStorage } from '../src/copies/move-storage.db.ts'
import { openInstallation } from '../src/copies/open-installation.server.ts'
import { runCommand } from './command.ts'

const USAGE = `npm run move-storage                 moves every file to where STORAGE says (disk or s3), while Ringbind runs or does not
npm run move-storage -- --dry-run    says how many there are to move, and moves none

S3_BUCKET must be set, and for Ringbind itself too. A file is removed from where it was only when it has been read again
at the other place and has its SHA-256. It may be stopped at any moment, and goes on when it is run again. Ends with 0
when all is well, 1 when it was not done, and 2 when files were left since they are damaged: they are named.`

await runCommand(
  USAGE,
  { least: 0, most: 1, flags: ['--dry-run'] },
  async ({ config, args, say, signal, progress }) => {
    const isTrial = args.includes('--dry-run')
    await using installation = await openInstallation(config, { say, signal })
    const moved = await moveStorage(installation, { signal, progress, isTrial })
    moved.faults.forEach(say)
    const where = config.storage === 's3' ? `the bucket ${config.s3Bucket}` : 'the disk'
    say(`${moved.blobs} files of ${moved.bytes} bytes ${isTrial ? 'would be' : 'were'} moved to ${where}.`)
    if (moved.underWay > 0) say(`${moved.underWay} uploads are under way: run this again when they are done.`)
    if (moved.unknown > 0) say(`${moved.unknown} keys are unknown to the database: see 'npm run verify'.`)
    if (moved.isLeft) say('The bucket is empty: S3_BUCKET can be left out from now on.')
    return moved.faults.length > 0 ? 2 : 0
  },
)
