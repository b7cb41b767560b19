import type { Approval } from '../approval/approval.ts'
import { countPapers, type Release } from '../release/release.ts'
import type { Accepted } from '../summary/unusual.ts'

/** Something that was done with a release. */
export type ReleaseEvent = { at: string; text: string }

type Known = {
  release: Pick<
    Release,
    'made_at' | 'made_by' | 'published_at' | 'published_by' | 'recalled_at' | 'recalled_by'
  >
  approval: Pick<
    Approval,
    'asked_at' | 'asked_by' | 'approved_at' | 'approved_by' | 'rejected_at' | 'rejected_by'
  >
  accepted: readonly Accepted[]
}

/** Lists what was done with a release, newest first. */
export function eventsOf({ release, approval, accepted }: Known): ReleaseEvent[] {
  const events: [at: string | null, by: string | null, did: string][] = [
    [release.made_at, release.made_by, 'uploadede papirerne'],
    [approval.asked_at, approval.asked_by, 'bad om godkendelse'],
    [approval.rejected_at, approval.rejected_by, 'afviste'],
    [approval.approved_at, approval.approved_by, 'godkendte'],
    [release.published_at, release.published_by, 'udgav papirerne'],
    [release.recalled_at, release.recalled_by, 'trak papirerne tilbage'],
    ...accepted.map(({ at, by, papers }): [string, string, string] => [
      at,
      by,
      `accepterede ${papers === 1 ? 'advarslen' : 'advarslerne'} om ${countPapers(papers)}`,
    ]),
  ]
  return events
    .flatMap(([at, by, did]) => (at === null ? [] : [{ at, text: `${by ?? 'Ringbind'} ${did}` }]))
    .toSorted((a, b) => b.at.localeCompare(a.at))
}
