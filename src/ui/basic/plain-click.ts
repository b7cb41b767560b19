import type { MouseEvent } from 'react'

/** A click that means "here and now", not "in a new tab". */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
}
