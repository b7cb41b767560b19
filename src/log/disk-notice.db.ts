import { hostname } from 'node:os'
import type { Config } from '../config.ts'
import type { Database } from '../server/database/database.ts'
import type { FileStorage } from '../server/storage/storage.ts'
import { endNotice, raiseNotice } from './notices.db.ts'

type Parts = { db: Database; storage: FileStorage; config: Pick<Config, 'dataDir'> }

/** Several instances have a disk each. */
const nameOf = ({ dataDir }: Pick<Config, 'dataDir'>) => `${dataDir} on ${hostname()}`

/** Tells the office when an upload is refused for want of room on the disk. */
export function tellOfLowDisk({ db, storage, config }: Parts): void {
  storage.room?.whenLow((free) => {
    // A database that cannot take it has more to complain of.
    void raiseNotice(db, 'disk-low', { free, directory: nameOf(config) }).catch(() => undefined)
  })
}

/** Tells the office that there is too little room, or that there is enough again. */
export async function lookAtDisk({ db, storage, config }: Parts): Promise<void> {
  if (!storage.room) return
  const { free, left } = await storage.room.look()
  const directory = nameOf(config)
  if (left < 0) await raiseNotice(db, 'disk-low', { free, directory })
  else await endNotice(db, 'disk-low', { directory })
}
