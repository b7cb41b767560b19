import type { KeyboardEvent } from 'react'

/** Moves from a menu's search field into its list. Enter chooses the first item that was found. */
export function moveFromField(event: KeyboardEvent, stops: () => HTMLElement[], query: string): void {
  if (!['ArrowDown', 'ArrowUp', 'Enter'].includes(event.key) || event.nativeEvent.isComposing) return
  event.preventDefault() // not for a form around it
  const all = stops()
  if (event.key !== 'Enter') all.at(event.key === 'ArrowUp' ? -1 : 0)?.focus()
  else chooseFirst(all, query)
}

/** Chooses the first item that can be, if something is searched for. */
export function chooseFirst(all: readonly HTMLElement[], query: string): void {
  if (query.trim() !== '') all.find(({ ariaDisabled }) => ariaDisabled !== 'true')?.click()
}

/** Moves between a menu's items, and back to the search field if the menu has one. */
export function moveInList(
  event: KeyboardEvent,
  stops: () => HTMLElement[],
  field: HTMLElement | null,
): void {
  const { key, ctrlKey, altKey, metaKey } = event
  if (ctrlKey || altKey || metaKey) return
  if (field && isCharacter(key)) return field.focus() // the letter then goes into the field
  const all = stops()
  const at = all.indexOf(event.target as HTMLElement)
  const to = itemForKey(
    key,
    at,
    all.map((each) => each.textContent),
  )
  if (key === ' ' && at >= 0) all[at]!.click()
  else if (key === 'ArrowUp' && at === 0 && field) field.focus()
  else if (to !== null) all[to]!.focus()
  else return
  event.preventDefault()
}

/** Returns the menu item that a key leads to from the item at `at` (-1: none yet), or null for other keys. */
export function itemForKey(key: string, at: number, texts: readonly string[]): number | null {
  const last = texts.length - 1
  if (last < 0) return null
  if (key === 'ArrowDown') return at === last ? 0 : at + 1
  if (key === 'ArrowUp') return at <= 0 ? last : at - 1
  if (key === 'Home') return 0
  if (key === 'End') return last
  return isCharacter(key) ? itemForLetter(key, at, texts) : null
}

/** Whether a key types a character. A space chooses an item instead. */
const isCharacter = (key: string) => Array.from(key).length === 1 && key !== ' '

/** Folds case for comparing texts. */
export const folded = (text: string) => text.normalize('NFC').toLocaleLowerCase('da')

/** Finds the next item that begins with the text, starting over after the last. */
function itemForLetter(letter: string, at: number, texts: readonly string[]): number | null {
  const order = texts.map((_, index) => (at + 1 + index) % texts.length)
  return order.find((index) => folded(texts[index]!).startsWith(folded(letter))) ?? null
}
