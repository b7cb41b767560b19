/** A row's id, or where it stands in a route: `:project`. */
type Id = number | `:${string}`

/** TABLE 1: every address. Routes and links read it; nothing else spells one out. */
export const urls = {
  start: '/',
  login: '/login',
  logout: '/logout',
  setup: '/setup',
  forgotPassword: '/forgot-password',
  resetPassword: (token: string) => `/reset-password/${token}`,
  invitation: (token: string) => `/invitation/${token}`,
  projects: '/projects',
  newProject: '/projects/new',
  editProject: (project: Id) => `/projects/${project}/edit`,
  projectFolders: (project: Id) => `/projects/${project}/folders`,
  templateFolders: '/settings/folders',
  /** One of the folders at either address. */
  folder: (folders: string, folder: Id) => `${folders}/${folder}`,
  moveFolder: (folders: string, folder: Id) => `${folders}/${folder}/move`,
  removeFolder: (folders: string, folder: Id) => `${folders}/${folder}/remove`,
  /** Where everything new is called read: of a project, of one's own files, of both. */
  projectSeen: (project: Id) => `/projects/${project}/seen`,
  myFilesSeen: '/my-files/seen',
  seen: '/seen',
  /** The file list. */
  files: (project: Id) => `/projects/${project}/uploads`,
  uploadTo: (project: Id, folder: Id) => `/projects/${project}/uploads/folder/${folder}`,
  trash: (project: Id) => `/projects/${project}/trash`,
  /** One pile for one project, or for all of them. */
  uploadToProject: (project: Id) => `/projects/${project}/upload`,
  upload: '/upload',
  uploadToUsers: '/users/upload',
  /** All of it to one person. */
  uploadToUser: (user: Id) => `/users/${user}/upload`,
  myFiles: '/my-files',
  users: '/users',
  newUser: '/users/new',
  user: (user: Id) => `/users/${user}`,
  editUser: (user: Id) => `/users/${user}/edit`,
  inviteUser: (user: Id) => `/users/${user}/invite`,
  deactivateUser: (user: Id) => `/users/${user}/deactivate`,
  reactivateUser: (user: Id) => `/users/${user}/reactivate`,
  /** An investor's external companies. */
  report: (user: Id) => `/users/${user}/report`,
  reportFile: (user: Id) => `/users/${user}/report.xlsx`,
  userTrash: (user: Id) => `/users/${user}/trash`,
  /** Another image has another key. */
  userImage: (user: Id, key: string) => `/users/${user}/image/${key}`,
  profile: '/profile',
  /** Where a form of the profile leads, without JavaScript. */
  profileAfter: (what: string) => `/profile?done=${what}`,
  profilePassword: '/profile/password',
  profileImage: '/profile/image',
  endSession: (session: Id) => `/profile/sessions/${session}/end`,
  endOtherSessions: '/profile/sessions/end-others',
  log: '/log',
  logCsv: '/log.csv',
  /** What happened to one file. */
  fileHistory: (file: Id) => `/files/${file}/history`,
  theme: '/theme',
  gallery: '/gallery',
  health: '/healthz',
  ready: '/readyz',
  assets: '/assets/',
  api: '/api/',
  /** Where a page tells that it broke. */
  fault: '/api/fault',
  listProjects: '/api/projects',
  listUsers: '/api/users',
  listLog: '/api/log',
  listFileHistory: (file: Id) => `/api/files/${file}/history`,
  listFolders: (project: Id) => `/api/projects/${project}/folders`,
  folderOptions: (project: Id) => `/api/projects/${project}/folder-options`,
  moveFile: (project: Id) => `/api/projects/${project}/move-file`,
  temporaryUpload: '/api/temp/upload',
  /** Where large files are sent in pieces. */
  tus: '/api/temp/tus',
  /** What has been sent, in whole or in part. */
  temporaryFile: (hashName: string) => `/api/temp/tus/${hashName}`,
  /** Where a signature is given for what the browser sends to the store itself, and where it says that it has. */
  signUpload: '/api/temp/sign',
  directFile: (hashName: string) => `/api/temp/direct/${hashName}`,
  resolveUpload: '/api/upload/resolve',
  findDuplicates: '/api/upload/duplicates',
  uploadResult: (submission: string) => `/upload/result/${submission}`,
  readReport: (user: Id) => `/api/users/${user}/report`,
  /** To another person, when it was put at the wrong one. */
  moveUserFile: (user: Id) => `/api/users/${user}/move-file`,
  listUserFolders: (user: Id) => `/api/users/${user}/folders`,
  listUserFiles: (user: Id) => `/api/users/${user}/files`,
}

/** Whose files: a project's, or a person's own. */
export type Owner = { project: Id } | { user: Id }

const homeOf = (owner: Owner) => ('project' in owner ? `/projects/${owner.project}` : `/users/${owner.user}`)

/** The same calls and addresses for the files of a project and of a person. */
export const fileUrls = {
  open: (owner: Owner, path: string) => `${homeOf(owner)}/uploads/${escaped(path)}`,
  download: (owner: Owner, path: string) => `${homeOf(owner)}/uploads/download/${escaped(path)}`,
  list: (owner: Owner, folder: Id) => `/api${homeOf(owner)}/folder/${folder}/files`,
  updateOrder: (owner: Owner, folder: Id) => `/api${homeOf(owner)}/folder/${folder}/update-order`,
  file: (owner: Owner, file: Id) => `/api${homeOf(owner)}/file/${file}`,
  moveUp: (owner: Owner, file: Id) => `/api${homeOf(owner)}/file/${file}/move-up`,
  moveDown: (owner: Owner, file: Id) => `/api${homeOf(owner)}/file/${file}/move-down`,
  restore: (owner: Owner, file: Id) => `/api${homeOf(owner)}/file/${file}/restore`,
  trash: (owner: Owner) => `/api${homeOf(owner)}/trash`,
  /** One that is in the trash, to be removed for good. */
  deleted: (owner: Owner, file: Id) => `/api${homeOf(owner)}/trash/${file}`,
}

/** `*` stays, for routes. */
function escaped(path: string): string {
  return path === '*' ? path : path.split('/').map(encodeURIComponent).join('/')
}

/** The log, of one person alone. */
export const logOf = ({ person }: { person: number }) => `${urls.log}?person=${person}`

/** Where a folder stands in the file list. */
export function folderAnchor(folder: number): string {
  return `folder-${folder}`
}

/** The address of the sign-in page that leads on to where somebody wanted to go. */
export function loginTo(next: string): string {
  return next === urls.start ? urls.login : `${urls.login}?next=${encodeURIComponent(next)}`
}

/** A path of ours to go on to after signing in; anything that leads elsewhere, or in a circle, becomes the start page. */
export function safeNext(next: unknown): string {
  const path = ownPath(next)
  return new URL(path, HERE).pathname === urls.login ? urls.start : path
}

/** A path of ours; anything that leads elsewhere becomes the start page. */
export function ownPath(next: unknown): string {
  if (typeof next !== 'string' || !/^\/(?![/\\])/.test(next) || next.length > 2000) return urls.start
  if (!URL.canParse(next, HERE)) return urls.start
  const url = new URL(next, HERE)
  const path = `${url.pathname}${url.search}${url.hash}`
  return url.origin === HERE && !path.startsWith('//') ? path : urls.start
}

const HERE = 'http://ringbind.invalid'
