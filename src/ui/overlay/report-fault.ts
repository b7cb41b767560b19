import { urls } from '../../urls.ts'
import { isMissingPart, hearMissingPart } from './missing-part.ts'
import { isNoAnswer, tell } from './request.ts'

const MOST = 5

const told = new Set<string>()
let build = ''

/** Tells the server what broke, for its log: each fault once, and at most five for each page that is loaded. */
export function reportFault(error: unknown): void {
  if (isNoAnswer(error) || isMissingPart(error)) return
  const message = String(error).slice(0, 500)
  if (told.size >= MOST || told.has(message)) return
  told.add(message)
  const stack = (error instanceof Error && error.stack?.slice(0, 4000)) || ''
  tell(urls.fault, { message, stack, page: location.pathname.slice(0, 500), build })
}

/** Reports what nobody catches. `script` is the address of the page's first script, whose name is new in every build. */
export function watchFaults(script: string): void {
  build = script.split(/[/?]/).findLast((part) => part.includes('.')) ?? ''
  // Without an error it is a browser notice, or a fault in a foreign script.
  addEventListener('error', ({ error }) => void (error && reportFault(error)))
  addEventListener('unhandledrejection', ({ reason }) => reportFault(reason))
  addEventListener('vite:preloadError', hearMissingPart)
}
