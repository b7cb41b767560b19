import { z } from 'zod'
import type { GatedAct } from '../../access/gate.ts'
import { restoreFiles } from '../trash/trash.db.ts'
import { undoAct } from '../undo/undo-act.db.ts'
import { moveFiles } from './change.db.ts'
import { listUndoFiles, nameFiles, namePlace, nameRenamed, type MoveTarget } from './name-files.db.ts'

const ids = z.array(z.int().positive())
const Owner = z.union([
  z.strictObject({ project: z.int().positive() }),
  z.strictObject({ user: z.int().positive() }),
])
const Target: z.ZodType<MoveTarget> = z.union([
  z.strictObject({ project: z.int().positive(), folder: z.int().positive() }),
  z.strictObject({ user: z.int().positive() }),
])

const Moving = z.strictObject({
  owner: Owner,
  files: ids,
  to: Target,
  shares: z.boolean().optional(),
  rename: z.literal(true).optional(),
})

/** Moves files to another folder or owner. */
export const MOVE_ACT: GatedAct<z.infer<typeof Moving>, string | null> = {
  kind: 'move-files',
  right: 'changeFiles',
  params: Moving,
  scope: (_trx, { files }) => ({ files }),
  run: (db, _parts, visit, { owner, files, to, ...options }) =>
    moveFiles(db, visit, owner, files, to, options),
  describe: async (trx, { owner, files, to, rename }) => {
    const names = rename ? await nameRenamed(trx, owner, files, to) : ''
    return `Flyt ${await nameFiles(trx, files)} til ${await namePlace(trx, to)}${names}`
  },
}

const Restoring = z.strictObject({ owner: Owner, files: ids })

/** Takes files out of the trash. */
export const RESTORE_ACT: GatedAct<z.infer<typeof Restoring>, string> = {
  kind: 'restore-files',
  right: 'changeFiles',
  params: Restoring,
  scope: (_trx, { files }) => ({ files }),
  run: (db, _parts, visit, { owner, files }) => restoreFiles(db, visit, owner, files),
  describe: async (trx, { files }) => `Gendan ${await nameFiles(trx, files)} fra papirkurven`,
}

const Undoing = z.strictObject({ undo: z.uuid() })

/** Undoes an act on files. */
export const UNDO_ACT: GatedAct<z.infer<typeof Undoing>, void> = {
  kind: 'undo',
  right: 'changeFiles',
  params: Undoing,
  scope: async (trx, { undo }) => ({ files: await listUndoFiles(trx, undo) }),
  run: (db, _parts, visit, { undo }) => undoAct(db, visit, undo),
  describe: async (trx, { undo }) =>
    `Fortryd en ændring af ${await nameFiles(trx, await listUndoFiles(trx, undo))}`,
}
