import { isPossible, type ReleaseAct, type ReleaseState } from '../release/release.ts'

/**
 * What publishing by somebody means where the office wants two people to see it: nothing more, an approval, or a
 * request for somebody else's approval.
 */
export type Verdict = 'needless' | 'given' | 'asked'

type Publisher = {
  /** Whether the office wants publishing to be approved. */
  isWanted: boolean
  /** Whether they have uploaded the files, or moved, replaced or restored some of them since. */
  isMaker: boolean
  /** How many people outside the office see the files when they are published. */
  reached: number
}

/** No role is excepted: who works alone has to turn approval off. */
export function judge({ isWanted, isMaker, reached }: Publisher): Verdict {
  if (!isWanted || reached === 0) return 'needless'
  return isMaker ? 'asked' : 'given'
}

/** Returns the state of a release after approval: it is published at a time, or at once. */
export function approvedState(publishAt: Date | null, now: Date): 'planned' | 'published' {
  return publishAt !== null && publishAt > now ? 'planned' : 'published'
}

type Situation = {
  state: ReleaseState
  verdict: Verdict
  /** Whether they have asked for approval, if it waits. */
  isAsker: boolean
  /** Whether it has a time at which it is to be published. */
  hasTime: boolean
}

/** Why somebody may not do something with a release. */
export type Obstacle = 'state' | 'own' | 'waiting' | 'asked'

/** While a release waits, its asker may change or withdraw the request, and others answer. */
const ASKERS_ACTS = new Set<ReleaseAct>(['publish', 'plan', 'hold', 'discard'])
const OTHERS_ACTS = new Set<ReleaseAct>(['approve', 'reject'])

/** Returns null if they may. */
export function findObstacle(
  act: ReleaseAct,
  { state, verdict, isAsker, hasTime }: Situation,
): Obstacle | null {
  if (!isPossible(act, state)) return 'state'
  if (state !== 'waiting') return null
  if (!isAsker) return ASKERS_ACTS.has(act) ? 'waiting' : null
  if (OTHERS_ACTS.has(act)) return 'own'
  return act === 'publish' && verdict === 'asked' && !hasTime ? 'asked' : null
}

/** The approval of a release, for the person who looks at it. */
export type Approval = {
  /** What publishing by them means. */
  verdict: Verdict
  /** Whether they asked for approval; before anybody has, whether they uploaded the files. */
  is_asker: boolean
  /** Whether anybody but who asks can approve it. */
  has_approver: boolean
  asked_at: string | null
  asked_by: string
  /**
   * Identifies the files, their bytes and folders, and who will see them, so that exactly what the page showed is
   * approved.
   */
  papers: string
  /** The time at which it was to be published has passed while it waited. */
  is_overdue: boolean
  approved_at: string | null
  approved_by: string | null
  rejected_at: string | null
  rejected_by: string | null
  rejection: string
}

/** A release that waits for somebody's approval, in a short list. */
export type WaitingRelease = {
  id: number
  name: string
  asked_at: string
  made_by: string
  files: number
}
