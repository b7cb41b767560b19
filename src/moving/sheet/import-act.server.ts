import { z } from 'zod'
import type { GatedAct } from '../../access/gate.ts'
import { inviteAll, listAllProjects, listOtherThanInvestors } from './list-imports.db.ts'
import { moveIn } from './move-in.db.ts'

const Confirmed = z.strictObject({
  id: z.int().positive(),
  userId: z.int().positive(),
  hash: z.string(),
  today: z.string(),
  invites: z.boolean(),
  /** An act that has waited since an earlier version does not say. */
  followedFrom: z.string().nullable().default(null),
})

/** Moves people and projects in from a sheet. It makes people members of projects that have files already. */
export const IMPORT_ACT: GatedAct<z.infer<typeof Confirmed>, void> = {
  kind: 'import-sheet',
  right: 'moveIn',
  params: Confirmed,
  // A new investor sees only projects; a new person of the office, or a new adviser, sees more.
  scope: async (trx) => ({ projects: await listAllProjects(trx), people: await listOtherThanInvestors(trx) }),
  run: async (db, { config }, visit, { invites, ...confirmed }) => {
    const done = await moveIn(db, visit.actor, confirmed)
    if (invites && config.smtpUrl !== null) await inviteAll(db, visit, done)
  },
  describe: async () => 'Flyt personer og projekter ind fra et ark',
}
