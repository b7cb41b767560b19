import { resolve } from 'node:path'
import { formatBytes } from '../src/base/bytes.ts'
import { verify } from '../src/copies/verify.db.ts'
import { DamagedArchive } from '../src/copies/archive.server.ts'
import { checkArchive } from '../src/copies/check-archive.server.ts'
import { formatHead, parseHead } from '../src/log/chain/link.server.ts'
import { openInstallation } from '../src/copies/open-installation.server.ts'
import { runCommand, type Status, type Tools } from './command.ts'

const USAGE = `npm run verify            looks whether everything is as the database says, while Ringbind runs or does not
npm run verify -- FILE    looks whether a copy is whole and undamaged
npm run verify -- HEAD    as without, and whether the log still is the one of that head, such as 1204:9f86d0…, noted from a copy or a mail

Reads every byte. Ends with 0 when all is well, 1 when it could not be done, and 2 when something is wrong: a line each.`

await runCommand(USAGE, { least: 0, most: 1 }, (tools) =>
  tools.args[0] === undefined || parseHead(tools.args[0])
    ? verifyInstallation(tools)
    : verifyCopy(tools, resolve(tools.args[0])),
)

async function verifyInstallation({ args, config, say, signal, progress }: Tools): Promise<Status> {
  await using installation = await openInstallation(config, { say, signal, onlyReads: true })
  const known = parseHead(args[0] ?? '')
  const { blobs, bytes, keys, links, head, faults } = await verify(installation, {
    signal,
    progress,
    ...(known && { known }),
  })
  faults.forEach(say)
  if (head) say(`${links} entries of the log are linked, up to ${formatHead(head)}`)
  say(`${blobs} files of ${bytes} bytes were read, ${keys} keys compared: ${count(faults)}.`)
  return faults.length > 0 ? 2 : 0
}

async function verifyCopy({ config, say, signal, progress }: Tools, file: string): Promise<Status> {
  const heard = (read: number) => progress(() => `Reading the copy: ${formatBytes(read)}`)
  const checked = await checkArchive(file, { signal, heard, key: config.backupKey }).catch((error: Error) => {
    if (!(error instanceof DamagedArchive)) throw error
    say(error.message)
  })
  if (!checked) return 2
  const { head, damages, faults, blobs, bytes } = checked
  if (head.log) say(`The log of the copy ends at ${formatHead(head.log)}`)
  damages.forEach(say)
  for (const { kind, about } of faults)
    say(`${kind === 'missing' ? 'Missing' : 'Damaged'} when the copy was made: ${about}`)
  const all = [...damages, ...faults]
  say(`The copy of ${head.at} has ${blobs} files and ${bytes} bytes in all: ${count(all)}.`)
  return all.length > 0 ? 2 : 0
}

function count(faults: unknown[]): string {
  if (faults.length === 0) return 'all is well'
  return faults.length === 1 ? 'one fault' : `${faults.length} faults`
}
