/** Which item of a menu a key leads to, from the one at `at` (-1: none yet); null when the key is none of ours. */
export function itemForKey(key: string, at: number, texts: readonly string[]): number | null {
  const last = texts.length - 1
  if (last < 0) return null
  if (key === 'ArrowDown') return at === last ? 0 : at + 1
  if (key === 'ArrowUp') return at <= 0 ? last : at - 1
  if (key === 'Home') return 0
  if (key === 'End') return last
  return isCharacter(key) ? itemForLetter(key, at, texts) : null
}

/** A key that writes something; a space chooses instead. */
export const isCharacter = (key: string) => Array.from(key).length === 1 && key !== ' '

/** What makes two texts the same to somebody who looks for one. */
export const folded = (text: string) => text.normalize('NFC').toLocaleLowerCase('da')

/** The next that begins with it, from the start again after the last. */
function itemForLetter(letter: string, at: number, texts: readonly string[]): number | null {
  const order = texts.map((_, index) => (at + 1 + index) % texts.length)
  return order.find((index) => folded(texts[index]!).startsWith(folded(letter))) ?? null
}
