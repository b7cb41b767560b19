/** Everything that is written down. */
export const ACTS = [
  'setup',
  'sign-in',
  'sign-in-failed',
  'sign-out',
  'password-reset-asked',
  'password-reset',
  'user-added',
  'user-invited',
  'invitation-accepted',
  'user-deactivated',
] as const

export type Act = (typeof ACTS)[number]
