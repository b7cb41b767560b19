/** A page's own number, as it is printed on it. */
export type PageNumber = {
  number: number
  /** How many pages there are, if it says so. */
  of: number | null
}

/** Numbers are at the top or at the bottom: in this many lines. */
const LINES = 3

const WITH_WORD =
  /(?<![\p{L}\d])(?:side|s\.|page|p\.)\s?(\d{1,4})(?:\s?(?:af|of|\/)\s?(\d{1,4}))?(?![\d.,/]\d|\d)/iu
const ALONE = /^(?:[-–—]\s?)?(\d{1,4})(?:\s?(?:\/|af|of)\s?(\d{1,4}))?(?:\s?[-–—])?$/i
/** Alone on its line, such a number is more likely a year. */
const LEAST_YEAR = 1000

/** Finds 'Side 2 af 3', '2/3' or '- 2 -' at the bottom or at the top of a page. */
export function pageNumberOf(text: string): PageNumber | null {
  const lines = text.split('\n').filter((line) => line !== '')
  const ends = [...lines.slice(-LINES).toReversed(), ...lines.slice(0, -LINES).slice(0, LINES)]
  for (const how of [WITH_WORD, ALONE])
    for (const line of ends) {
      const [, number, of] = how.exec(line) ?? []
      if (number === undefined || (how === ALONE && of === undefined && Number(number) >= LEAST_YEAR))
        continue
      if (Number(number) < 1 || (of !== undefined && Number(of) < Number(number))) continue
      return { number: Number(number), of: of === undefined ? null : Number(of) }
    }
  return null
}

/** Whether a page with the second number follows one with the first. */
export function isNext(before: PageNumber | null, after: PageNumber | null): boolean {
  return before !== null && after !== null && after.number === before.number + 1 && after.of === before.of
}
