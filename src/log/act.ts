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
  'project-added',
  'project-changed',
  'member-added',
  'member-removed',
  'folder-added',
  'folder-changed',
  'folder-moved',
  'folder-removed',
] as const

export type Act = (typeof ACTS)[number]
