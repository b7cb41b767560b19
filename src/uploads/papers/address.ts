import type { PaperLine } from './paper-lines.ts'

/** Names on separate lines among the first lines of a page are the addressees. */
const ADDRESS_LINES = 22
/** The words before the writer's signature. */
const CLOSING = /\b(?:venlig hilsen|hilsen|sincerely|underskrift|signed|dirigent|regards)\b/

/** Returns the first lines of each page, up to where somebody signs: there stands whom the page is written to. */
export function addressLines(lines: readonly PaperLine[]): PaperLine[] {
  const signed = new Map<number, number>()
  for (const { page, at, folded } of lines)
    if (!signed.has(page) && CLOSING.test(folded)) signed.set(page, at)
  return lines.filter(({ page, at }) => at < Math.min(ADDRESS_LINES, signed.get(page) ?? Infinity))
}

const POST_CODE = /^(?:DK-?)?\d{4} \p{Lu}/u
const GREETING = /^(?:kaere|dear) /

/** Whether an address follows the line, or it greets. */
export function isGreetingOrAddress(lines: readonly PaperLine[], { page, at }: Place): boolean {
  const own = lines.findIndex((line) => line.page === page && line.at === at)
  return own >= 0 && (GREETING.test(lines[own]!.folded) || isAddress(lines, own))
}

type Place = Pick<PaperLine, 'page' | 'at'>

/** Whether there is a post code on the line or one of the next three. */
export function isAddress(lines: readonly PaperLine[], index: number): boolean {
  const { page } = lines[index]!
  return lines
    .slice(index, index + 4)
    .some((line) => line.page === page && (POST_CODE.test(line.text) || /, \d{4} \p{Lu}/u.test(line.text)))
}
