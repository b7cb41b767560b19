import { z } from 'zod'
import type { GatedAct } from '../../access/gate.ts'
import { listReleaseFiles } from '../approval/locked-release.db.ts'
import { undoRecall } from './releases.db.ts'
import { chooseApproval } from '../release/plan-sight.db.ts'

const One = z.strictObject({ release: z.int().positive() })

/** Shows the files of a recalled release again. */
export const UNDO_RECALL_ACT: GatedAct<z.infer<typeof One>, void> = {
  kind: 'undo-recall',
  right: 'changeFiles',
  params: One,
  scope: async (trx, { release }) => ({ files: await listReleaseFiles(trx, release) }),
  run: (db, _parts, visit, { release }) => undoRecall(db, visit, release),
  describe: async (trx, { release }) => {
    const many = (await listReleaseFiles(trx, release)).length
    return `Udgiv ${many === 1 ? 'en fil, som er trukket tilbage,' : `${many} filer, som er trukket tilbage,`} igen`
  },
}

const Approval = z.strictObject({ isWanted: z.boolean() })

/** Chooses whether a colleague has to approve what more people see. Whoever could stop that alone could pass every gate. */
export const APPROVAL_ACT: GatedAct<z.infer<typeof Approval>, void> = {
  kind: 'set-approval',
  right: 'editOffice',
  params: Approval,
  scope: () => ({}),
  asksAlways: () => true,
  run: (db, _parts, { actor }, { isWanted }) => chooseApproval(db, actor, isWanted),
  describe: async (_trx, { isWanted }) =>
    isWanted ? 'Slå godkendelse af en kollega til' : 'Slå godkendelse af en kollega fra',
}
