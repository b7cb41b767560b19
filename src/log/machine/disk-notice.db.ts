import { hostname } from 'node:os'
import type { Config } from '../../config.ts'
import type { Database } from '../../server/database/database.ts'
import type { FileStorage } from '../../server/storage/storage.ts'
import { endNotice, raiseNotice } from '../notices/notices.db.ts'

type Parts = { db: Database; storage: FileStorage; config: Pick<Config, 'dataDir'> }

/** Names the instance too, as each has its own disk. */
const nameOf = ({ dataDir }: Pick<Config, 'dataDir'>) => `${dataDir} on ${hostname()}`

/** Tells the office when an upload is refused because the disk is full. */
export function tellOfLowDisk({ db, storage, config }: Parts): void {
  storage.room?.whenLow((free) => {
    // If the database cannot save the notice, that fault is reported elsewhere.
    void raiseNotice(db, 'disk-low', { free, directory: nameOf(config) }).catch(() => undefined)
  })
}

/** Tells the office that the disk has too little room, or ends that notice. */
export async function lookAtDisk({ db, storage, config }: Parts): Promise<void> {
  if (!storage.room) return
  const { free, left } = await storage.room.look()
  const directory = nameOf(config)
  if (left < 0) await raiseNotice(db, 'disk-low', { free, directory })
  else await endNotice(db, 'disk-low', { directory })
}
