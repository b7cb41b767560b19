import { urls } from './urls.ts'

/** Returns the address of a page of ours that says why signing in at another place came to nothing. */
export function withProblem(page: string, problem: string, provider: string): string {
  return `${page}${page.includes('?') ? '&' : '?'}problem=${problem}&with=${provider}`
}

/** Returns the address of the sign-in page that continues to `next`. */
export function loginTo(next: string): string {
  return next === urls.start ? urls.login : `${urls.login}?next=${encodeURIComponent(next)}`
}

/** Returns the address of the second step, which continues to `next`. */
export function secondStepTo(next: string): string {
  return next === urls.start ? urls.secondStep : `${urls.secondStep}?next=${encodeURIComponent(next)}`
}
/** Returns the address of the page that asks for a proof and continues to `next`. */
export const proveTo = (next: string) => `${urls.prove}?to=${encodeURIComponent(next)}`

/**
 * Returns our own path to continue to after signing in. A path that leads elsewhere, or back to the sign-in,
 * becomes the start page.
 */
export function safeNext(next: unknown): string {
  const path = ownPath(next)
  const { pathname } = new URL(path, HERE)
  return pathname === urls.login || pathname === urls.secondStep ? urls.start : path
}

/** Returns our own path. One that leads elsewhere becomes the start page. */
export function ownPath(next: unknown): string {
  if (typeof next !== 'string' || !/^\/(?![/\\])/.test(next) || next.length > 2000) return urls.start
  if (!URL.canParse(next, HERE)) return urls.start
  const url = new URL(next, HERE)
  const path = `${url.pathname}${url.search}${url.hash}`
  return url.origin === HERE && !path.startsWith('//') ? path : urls.start
}

const HERE = 'http://ringbind.invalid'
