import { formatCount } from './counts.ts'

/** ['a', 'b', 'c'] becomes 'a, b og c'. `Intl.ListFormat` says the same, and costs a slow phone 80 ms when it is first made. */
export const listed = (texts: readonly string[]) => joined(texts, 'og')

/** ['a', 'b', 'c'] becomes 'a, b eller c'. */
export const eitherOf = (texts: readonly string[]) => joined(texts, 'eller')

const joined = (texts: readonly string[], word: string): string =>
  texts.length < 2 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')} ${word} ${texts.at(-1)}`

/** At most so many of the texts, and how many are left: 'a', 'b', '3 til'. `total` says more than is at hand. */
export function withRest(
  texts: readonly string[],
  most: number,
  { total = texts.length, rest = 'til' } = {},
): readonly string[] {
  const left = total - Math.min(texts.length, most)
  return left > 0 ? [...texts.slice(0, most), `${formatCount(left)} ${rest}`] : texts
}
