import { Readable } from 'node:stream'
import { putInInbox, openIntake, takeFile, type Place } from '../../src/intake/intake.db.ts'
import type { Intake } from '../../src/intake/intake.ts'

type Files = Record<string, string | Buffer>

/** Hands files in, as a scanner or a mail does. Returns the item's id. */
export async function handIn(place: Place, files: Files, more: Partial<Intake> = {}): Promise<number> {
  const id = await openIntake(place.db, {
    source: 'directory',
    sender: '',
    subject: '',
    note: '',
    pictures: 0,
    untaken: [],
    ...more,
  })
  for (const [name, bytes] of Object.entries(files))
    await takeFile(place, {
      name,
      bytes: Readable.from([Buffer.from(bytes as string)]),
      limit: 1e9,
      of: () => Promise.resolve(id),
    })
  await putInInbox(place.db, [id])
  return id
}
