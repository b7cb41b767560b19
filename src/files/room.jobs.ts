import type { Acts, Purges } from '../jobs.ts'
import type { Parts, WorkTools } from '../server/parts.ts'
import { purgeBlobs } from '../server/storage/blobs.db.ts'
import { checkStores } from '../server/storage/stores.db.ts'
import { untilDone } from '../server/work/loop.ts'
import { readByNight, tellOfDamage } from './content/damage.db.ts'
import { makeThumbnails, wantThumbnails } from './look/thumbnails.db.ts'
import { purgeTrash } from './trash/trash.db.ts'
import { purgeUndos } from './change/remember-undo.db.ts'
import { findAskedCrcs, findOldCrcs } from './zip/find-crc.db.ts'
import { purgeZipSelections } from './zip/zip-selections.db.ts'

export function filesJobs(parts: Parts, { log }: WorkTools) {
  const { db, jobs, config } = parts
  const want = untilDone((stopping) => wantThumbnails(db, stopping))
  return {
    'find-crc': () => findAskedCrcs(jobs, parts),
    'find-old-crcs': (signal) => findOldCrcs(parts, { signal }),
    'read-by-night': async (signal) => {
      await checkStores(db, config) // without the bucket's settings its files would seem missing
      log.info(await readByNight(parts, { mostBytes: config.nightlyCheckBytes, signal }), 'stored files read')
    },
    thumbnails: async (signal) => {
      await want(signal)
      await makeThumbnails(parts, { signal, complain: (about, message) => log.warn(about, message) })
    },
  } satisfies Acts
}

export const filesPurges = ({ db, storage, config }: Parts) =>
  ({
    undos: () => purgeUndos(db),
    trash: () => purgeTrash(db),
    'zip-selections': () => purgeZipSelections(db),
    damage: () => tellOfDamage(db),
    blobs: async () => {
      await checkStores(db, config) // without the bucket's settings its files would be forgotten
      return purgeBlobs(db, storage)
    },
  }) satisfies Purges
