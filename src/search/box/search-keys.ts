/** Marks the field that Ctrl+K leads to on its page. */
export const SEARCH_FIELD = 'data-search-field'

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'defaultPrevented'>

const TYPED_IN = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]'

/** Whether a key asks for the search: Ctrl+K or ⌘K anywhere, and / (Shift+7 on Danish keyboards) where nothing is typed. */
export function isSearchKey(event: Pressed, isTyping: boolean): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  if (event.defaultPrevented || altKey) return false
  if (key.toLowerCase() === 'k') return (ctrlKey || metaKey) && !shiftKey
  return key === '/' && !ctrlKey && !metaKey && !isTyping
}

export const isTypedIn = (target: EventTarget | null) =>
  target instanceof Element && target.closest(TYPED_IN) !== null

/** Whether a control can be used now: a modal or the open menu keeps everything else out of reach. */
export const isInReach = (element: Element) =>
  document.querySelector('dialog:modal') === null && element.closest('[inert]') === null
