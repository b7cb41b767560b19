import { addressLines, isAddress } from './address.ts'
import { findPersonNumbers } from './find-numbers.ts'
import { linesOf, type PaperLine } from './paper-lines.ts'

/** A line of a page after the first ones that says whose the page is. */
export type WhoseLine = Pick<PaperLine, 'page' | 'at' | 'text'>

/** This many different people prove that a paper belongs to several. */
const MOST_PEOPLE = 12
/** Name, street, place and post code. */
const LINES_OF_ADDRESS = 4

/** Gathers, page by page, the lines that say whose a page is. Those that say the same as an earlier page are left out. */
export class WhoseLines {
  readonly lines: WhoseLine[] = []
  readonly #seen = new Set<string>()

  add(page: number, text: string): void {
    if (this.#seen.size >= MOST_PEOPLE) return
    const lines = linesOf([text]).map((line) => ({ ...line, page }))
    const numbered = lines.filter((line) => findPersonNumbers([line]).some(({ isExplicit }) => isExplicit))
    const heads = addressLines(lines)
    const at = heads.findIndex((line, index) => isNameLike(line) && isAddress(heads, index))
    const named = at < 0 ? [] : heads.slice(at, at + LINES_OF_ADDRESS)
    const key = [...numbered, ...named.slice(0, 1)].map(({ folded }) => folded).join('\n')
    if (key === '' || this.#seen.has(key)) return
    this.#seen.add(key)
    const own = new Set([...named, ...numbered])
    this.lines.push(...[...own].map(({ at: place, text: said }) => ({ page, at: place, text: said })))
  }
}

const isNameLike = ({ text }: PaperLine) => text.length <= 60 && /^\p{Lu}[^\d:]+$/u.test(text)
