/**
 * The state of a duty: done, its paper there as a draft, excused, not followed (`projects.followed_from`), late, missing (its
 * period has ended), or coming. A duty is not late on its last day, whatever day of the week it is.
 */
export const DUTY_STATES = ['late', 'missing', 'coming', 'draft', 'excused', 'unfollowed', 'done'] as const
export type DutyState = (typeof DUTY_STATES)[number]

/** The words on the screen. */
export const STATE_NAMES: Record<DutyState | 'open', string> = {
  open: 'Alle åbne',
  late: 'Forsinket',
  missing: 'Mangler',
  coming: 'Kommer',
  draft: 'Kladde',
  excused: 'Undtaget',
  unfollowed: 'Ikke fulgt',
  done: 'Udført',
}

/** The states that `IS_OPEN` means. */
export const OPEN_STATES = ['late', 'missing', 'coming'] as const satisfies DutyState[]
