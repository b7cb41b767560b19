export const ROLES = ['administrator', 'employee', 'auditor', 'investor', 'adviser'] as const
export type Role = (typeof ROLES)[number]

export const ROLE_NAMES: Record<Role, string> = {
  administrator: 'Administrator',
  employee: 'Medarbejder',
  auditor: 'Revisor',
  investor: 'Investor',
  adviser: 'Rådgiver',
}

/** TABLE 2: every right and the roles that have it. Each route names one right; buttons check the same table. */
export const rights = {
  /** Pages for everybody, signed in or not. */
  visit: 'anybody',
  /** The frame of every page, the start page and sign-out. */
  enter: ROLES,
  /** Your own profile, and the images of people you may see. */
  haveProfile: ROLES,
  /** API keys of your own. A key lets a program do no more than its person may; whether investors and advisers make new ones is the office's choice. */
  haveTokens: ROLES,
  /** Searching what you may see. */
  search: ROLES,
  /** Saving searches of your own. */
  saveSearches: ['administrator', 'employee'],
  /** The list of the projects you may see. */
  seeProjects: ROLES,
  /** Adding and changing projects, their members and folders, and the folder template. */
  editProjects: ['administrator'],
  /** Which papers of a year are there, in the folders you may see. */
  seeOverview: ROLES,
  /** All papers that are one's own or shared, on one page. The others have projects and the overview. */
  seePapers: ['investor', 'adviser'],
  /** A project's files, in the folders you may see. */
  seeFiles: ROLES,
  /** Downloading everything that you see of a year, in one package. The office downloads one project at a time. */
  takeYears: ['auditor', 'investor', 'adviser'],
  /** Sorting, moving, renaming, deleting and restoring files, taking that back, and the trash. */
  changeFiles: ['administrator', 'employee'],
  /** The releases: what is held back or published, and who has opened it. */
  seeReleases: ['administrator', 'employee'],
  /** The office's inbox: what investors send, and who takes care of it. */
  seeInbox: ['administrator', 'employee'],
  /** Deleting files permanently: those of the trash before `TRASH_DAYS` are over, and older versions. */
  removeFiles: ['administrator'],
  /** A person's files: the office sees everybody's, investors their own, advisers those that are lent to them. */
  seeUserFiles: ['administrator', 'employee', 'investor', 'adviser'],
  /** Uploading files: the office anywhere, investors to the office. */
  sendFiles: ['administrator', 'employee', 'investor'],
  /** Having files and a report of your own, which the office does not. */
  haveOwnFiles: ['investor'],
  /** Letting somebody else see your own papers. */
  lendAccess: ['investor'],
  /** Seeing on whose behalf you look, and what is new among their own files. */
  seeLenders: ['adviser'],
  /** Seeing what is new, and marking it as read. */
  haveNews: ['auditor', 'investor', 'adviser'],
  /** The list of users. */
  seeUsers: ['administrator', 'employee'],
  /** The report of external companies: the office sees everybody's, investors their own, advisers those of who lends them everything. */
  seeReports: ['administrator', 'employee', 'investor', 'adviser'],
  /** Filling in a report that one sees. */
  changeReports: ['administrator', 'employee', 'investor'],
  /** Adding and changing people, their roles and projects. */
  editUsers: ['administrator'],
  /** Moving people and projects in from a sheet, and taking that back. */
  moveIn: ['administrator'],
  /** The duties with their last days, and saying that one is done. */
  seeObligations: ['administrator', 'employee'],
  /** Editing obligations, from which duties come. */
  editObligations: ['administrator'],
  /** The office's name, logo and contact, how people must sign in, and trying the mail server. */
  editOffice: ['administrator'],
  /** Editing webhooks, which tell other programs about events. */
  editHooks: ['administrator'],
  /** How the installation is doing. */
  seeStatus: ['administrator'],
  /** The whole log. */
  seeLog: ['administrator'],
  /** Seeing who sees a project, a folder or a file, and what a person sees. */
  seeReaders: ['administrator', 'employee'],
  /** The log of one file. */
  seeFileHistory: ['administrator', 'employee'],
} satisfies Record<string, 'anybody' | readonly Role[]>

export type Right = keyof typeof rights

/** Whether a role has the right; null for a visitor who is not signed in. */
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

/** Only investors have a number, their own files and a report. */
export function hasOwnFiles(role: Role): boolean {
  return role === 'investor'
}

/** Advisers have nothing of their own: they see what investors lend to them. */
export function isLentTo(role: Role): boolean {
  return role === 'adviser'
}

/** Investors and advisers see only shared folders; everybody else sees hidden folders too. */
export function seesSharedFoldersOnly(role: Role): boolean {
  return role === 'investor' || role === 'adviser'
}

/** Investors and auditors belong to projects. */
export function isMemberRole(role: Role): boolean {
  return role === 'investor' || role === 'auditor'
}

/** Auditors read every folder of their projects, also those that are hidden from investors. */
export function readsHiddenFolders(role: Role): boolean {
  return role === 'auditor'
}

/** Returns the roles that pass a test, for a query: `role = any (${rolesThat(hasOwnFiles)})`. */
export function rolesThat(isSo: (role: Role) => boolean): Role[] {
  return ROLES.filter(isSo)
}

/** The scopes of an API key. A route says which one a program needs; the person's own rights apply as well. */
export const SCOPES = ['read', 'upload', 'manage'] as const
export type Scope = (typeof SCOPES)[number]
