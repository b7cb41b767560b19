export const ROLES = ['administrator', 'employee', 'auditor', 'investor'] as const
export type Role = (typeof ROLES)[number]

/** TABLE 2: every right and the roles that have it. Routes name one each; buttons ask the same table. */
export const rights = {
  /** What anybody may see, signed in or not. */
  visit: 'anybody',
  /** The frame of every page: start page, sign-out. */
  enter: ROLES,
  /** One's own profile, and the images of those whom one may see. */
  haveProfile: ROLES,
  /** The list of projects: those one may see. */
  seeProjects: ROLES,
  /** Making and changing projects, their members and folders, and the template. */
  editProjects: ['administrator'],
  /** The files of a project, in the folders that one may see. */
  seeFiles: ROLES,
  /** Sorting, moving, deleting and restoring files; the trash. */
  changeFiles: ['administrator', 'employee'],
  /** Deleting for good. */
  removeFiles: ['administrator'],
  /** A person's files: the office everybody's, an investor their own. */
  seeUserFiles: ['administrator', 'employee', 'investor'],
  /** Sending files: the office anywhere, an investor to the office. */
  sendFiles: ['administrator', 'employee', 'investor'],
  /** Own files, as somebody who is no part of the office has them. */
  haveOwnFiles: ['investor'],
  /** Being told what is new, and calling it read. */
  haveNews: ['auditor', 'investor'],
  /** Who else is here. */
  seeUsers: ['administrator', 'employee'],
  /** The table of external companies: the office everybody's, an investor their own. */
  seeReports: ['administrator', 'employee', 'investor'],
  /** Making and changing people, their roles and projects. */
  editUsers: ['administrator'],
  /** What happened, and who did it. */
  seeLog: ['administrator'],
  /** What happened to one file. */
  seeFileHistory: ['administrator', 'employee'],
} satisfies Record<string, 'anybody' | readonly Role[]>

export type Right = keyof typeof rights

/** Whether a person with this role, or nobody in particular, has the right. */
export function may(role: Role | null, right: Right): boolean {
  const roles: 'anybody' | readonly Role[] = rights[right]
  return roles === 'anybody' || (role !== null && roles.includes(role))
}

/** Administrators and employees see every project and every user. */
export function isOffice(role: Role): boolean {
  return role === 'administrator' || role === 'employee'
}

/** Administrators run the installation and give access to it. */
export function isAdministrator(role: Role): boolean {
  return role === 'administrator'
}

/** Investors alone have a number, files of their own and a report. */
export function hasOwnFiles(role: Role): boolean {
  return role === 'investor'
}

/** Investors see of their projects the folders that are shared with them; everybody else sees hidden folders too. */
export function seesSharedFoldersOnly(role: Role): boolean {
  return role === 'investor'
}

/** Auditors read every folder of their projects, also those that are hidden from investors. */
export function readsHiddenFolders(role: Role): boolean {
  return role === 'auditor'
}

/** The roles of which something is true, for a query: `role = any (${rolesThat(hasOwnFiles)})`. */
export function rolesThat(isSo: (role: Role) => boolean): Role[] {
  return ROLES.filter(isSo)
}
