/** TABLE 1: every address. Routes and links read it; nothing else spells one out. */
export const urls = {
  start: '/',
  login: '/login',
  logout: '/logout',
  setup: '/setup',
  forgotPassword: '/forgot-password',
  resetPassword: (token: string) => `/reset-password/${token}`,
  invitation: (token: string) => `/invitation/${token}`,
  theme: '/theme',
  gallery: '/gallery',
  health: '/healthz',
  ready: '/readyz',
  assets: '/assets/',
  api: '/api/',
}

/** The address of the sign-in page that leads on to where somebody wanted to go. */
export function loginTo(next: string): string {
  return next === urls.start ? urls.login : `${urls.login}?next=${encodeURIComponent(next)}`
}

/** A path of ours to go on to; anything that leads elsewhere becomes the start page. */
export function safeNext(next: unknown): string {
  if (typeof next !== 'string' || !/^\/(?![/\\])/.test(next) || next.length > 2000) return urls.start
  const here = 'http://ringbind.invalid'
  if (!URL.canParse(next, here)) return urls.start
  const url = new URL(next, here)
  const path = `${url.pathname}${url.search}${url.hash}`
  return url.origin === here && !path.startsWith('//') && url.pathname !== urls.login ? path : urls.start
}
