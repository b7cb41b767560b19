/** TABLE 1: every address. Routes and links read it; nothing else spells one out. */
export const urls = {
  start: '/',
  health: '/healthz',
  ready: '/readyz',
  assets: '/assets/',
  api: '/api/',
}
