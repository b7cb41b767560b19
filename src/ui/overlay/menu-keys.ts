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
export const isCharacter = (key: string) => Array.from(key).length === 1 && key !== ' '

/** Folds case for comparing texts. */
export const folded = (text: string) => text.normalize('NFC').toLocaleLowerCase('da')

/** Finds the next item that begins with the text, starting over after the last. */
function itemForLetter(letter: string, at: number, texts: readonly string[]): number | null {
  const order = texts.map((_, index) => (at + 1 + index) % texts.length)
  return order.find((index) => folded(texts[index]!).startsWith(folded(letter))) ?? null
}
