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
  users: '/users',
  theme: '/theme',
  gallery: '/gallery',
  health: '/healthz',
  ready: '/readyz',
  assets: '/assets/',
  api: '/api/',
  listProjects: '/api/projects',
  listUsers: '/api/users',
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
