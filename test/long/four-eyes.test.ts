import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Gate } from '../../src/access/gate.ts'
import type * as Approval from '../../src/releases/approval/approval.db.ts'
import type * as Gates from '../../src/releases/approval/gate.db.ts'
import type * as PlanSight from '../../src/releases/release/plan-sight.db.ts'
import { fourEyes } from '../seeing/four-eyes-suite.ts'
import { actAlone, type Shown } from '../seeing/four-eyes.ts'
import { TIMES } from './times.ts'

/** The way around that is open at the moment; only the last tests open one. */
const open = vi.hoisted(() => ({ kinds: new Set<string>(), uploads: false, drafts: false, plans: false }))

vi.mock('../../src/releases/approval/gate.db.ts', async (importOriginal) => {
  const actual = await importOriginal<typeof Gates>()
  return {
    openGate: (parts) => {
      const gate = actual.openGate(parts)
      const carryOut: Gate['carryOut'] = async (visit, act, params) =>
        open.kinds.has(act.kind)
          ? { asked: null, result: await act.run(parts.db, parts, visit, params) }
          : gate.carryOut(visit, act, params)
      return { ...gate, carryOut }
    },
  } satisfies typeof Gates
})

vi.mock('../../src/releases/approval/approval.db.ts', async (importOriginal) => {
  const actual = await importOriginal<typeof Approval>()
  return {
    ...actual,
    judgeUpload: async (trx, folders) => (open.uploads ? 'needless' : actual.judgeUpload(trx, folders)),
    judgeRelease: async (db, release, reader) =>
      open.drafts ? 'given' : actual.judgeRelease(db, release, reader),
  } satisfies typeof Approval
})

vi.mock('../../src/releases/release/plan-sight.db.ts', async (importOriginal) => {
  const actual = await importOriginal<typeof PlanSight>()
  return {
    ...actual,
    readPlanSight: async (trx, submission) =>
      open.plans ? { files: [], readers: [], folders: [] } : actual.readPlanSight(trx, submission),
  } satisfies typeof PlanSight
})

// The other half is in `four-eyes-more.test.ts`, so that two workers share them.
const appUnderTest = fourEyes({ offices: 200 * TIMES, acts: 25 })

/** Ways around the gate that a change could open. Each must be noticed. */
const WAYS: [name: string, way: Partial<Omit<typeof open, 'kinds'>> & { kind?: string }][] = [
  ['moving files asks nobody', { kind: 'move-files' }],
  ['restoring from the trash asks nobody', { kind: 'restore-files' }],
  ['undoing asks nobody', { kind: 'undo' }],
  ['changing a folder asks nobody', { kind: 'change-folder' }],
  ['changing members at a project asks nobody', { kind: 'save-project' }],
  ['changing a person’s role or projects asks nobody', { kind: 'save-user' }],
  ['adding a person asks nobody', { kind: 'add-user' }],
  ['letting a person in again asks nobody', { kind: 'reactivate-user' }],
  ['lending by the office asks nobody', { kind: 'lend' }],
  ['changing what is lent asks nobody', { kind: 'change-lending' }],
  ['undoing a recall asks nobody', { kind: 'undo-recall' }],
  ['turning approval off asks nobody', { kind: 'set-approval' }],
  ['uploads are not judged', { uploads: true }],
  ['publishing one’s own draft is not judged', { drafts: true }],
  ['a plan is not compared with what it was made for', { plans: true }],
]

const MOST_OFFICES = 600

describe('a way around approval is noticed', { timeout: 2 * 60 * 60_000 }, () => {
  afterEach(() => {
    open.kinds.clear()
    Object.assign(open, { uploads: false, drafts: false, plans: false })
  })

  it.each(WAYS)('notices a way around approval: %s', async (_name, { kind, ...way }) => {
    if (kind !== undefined) open.kinds.add(kind)
    Object.assign(open, way)
    let shown: Shown[] = []
    for (let seed = 1; shown.length === 0 && seed <= MOST_OFFICES; seed++)
      shown = await actAlone(appUnderTest(), seed, 40, new Map())
    expect(shown.length).toBeGreaterThan(0)
  })
})
