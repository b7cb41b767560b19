import { OFFLINE } from '../overlay/request.ts'
import { showToast } from '../overlay/toasts.ts'

/**
 * Keeps the browser from leaving the page for its own error page when a plain form is sent while offline: shows a
 * message instead, and what was typed stays. Forms that React sends have prevented the event by then, and show their
 * own message.
 */
export function watchOfflineForms(): void {
  addEventListener('submit', (event) => {
    if (event.defaultPrevented || navigator.onLine) return
    event.preventDefault()
    showToast(OFFLINE, { kind: 'fault' })
  })
}
