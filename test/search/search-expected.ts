import type { Paper } from './search-papers.ts'

/** The expected result for one paper: nothing, or the paper and the best pages. */
export type Expected = {
  isFound: boolean
  /** The pages that must be shown, as far as there is room. */
  pages: number[]
  /** Pages that may be shown too. */
  morePages: number[]
}

export type Expectation = (paper: Paper) => Expected

const NOTHING: Expected = { isFound: false, pages: [], morePages: [] }

/**
 * Expects every paper that has one of these words, written just so, in its name, its folder, its owner's name or on a
 * page. A number is a word too, with its points and decimals.
 */
export function wordsIn(...words: string[]): Expectation {
  const pattern = wholeWord(words)
  return ({ name, folder, owner, pages }) => {
    const inText = pages.flatMap((text, index) => (pattern.test(flat(text)) ? [index + 1] : []))
    const isFound = inText.length > 0 || [name, folder, owner].some((text) => pattern.test(flat(text)))
    return { isFound, pages: inText, morePages: [] }
  }
}

/** The same for single words, as `'lån lånet'`. */
export const formsIn = (words: string) => wordsIn(...words.split(' '))

/** Expects the papers that meet every expectation, by their name, place or text. The best pages meet the most of them. */
export function allOf(...expectations: Expectation[]): Expectation {
  return (paper) => {
    const each = expectations.map((expectation) => expectation(paper))
    if (!each.every(({ isFound }) => isFound)) return NOTHING
    const pages = paper.pages.map((_, index) => index + 1)
    const metOn = (page: number) => each.filter((one) => one.pages.includes(page)).length
    const most = Math.max(0, ...pages.map(metOn))
    const some = pages.filter((page) => metOn(page) > 0)
    const best = some.filter((page) => metOn(page) === most)
    return { isFound: true, pages: best, morePages: some.filter((page) => !best.includes(page)) }
  }
}

export function anyOf(...expectations: Expectation[]): Expectation {
  return (paper) => {
    const each = expectations.map((expectation) => expectation(paper))
    const of = (which: 'pages' | 'morePages') => [...new Set(each.flatMap((one) => one[which]))]
    return { isFound: each.some(({ isFound }) => isFound), pages: of('pages'), morePages: of('morePages') }
  }
}

/** Expects these papers, each written as `1024/Budget (1024) 2027.pdf`, or with the pages, as `… .pdf#1,2`. */
export function papers(...places: string[]): Expectation {
  const known = new Map(
    places.map((place) => {
      const [, at, pages = ''] = /^(.*?)(?:#([\d,]+))?$/.exec(place)!
      return [at!, pages.split(',').filter(Boolean).map(Number)]
    }),
  )
  return (paper) => {
    const pages = known.get(placeOf(paper))
    return pages ? { isFound: true, pages, morePages: [] } : NOTHING
  }
}

export const nothing: Expectation = () => NOTHING

/** `1024/Budget (1024) 2027.pdf`, `Søren Kjærgaard/Kapitalkonto (2001) 2025.pdf`. */
export function placeOf({ project, person, name }: Paper): string {
  return `${project ?? person}/${name}`
}

/** A text as one line in small letters: a phrase may go on in the next line. */
const flat = (text: string) => text.toLowerCase().replaceAll(/\s+/g, ' ')

function wholeWord(words: string[]): RegExp {
  const some = words.map((word) => {
    const letters = flat(word).replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
    // A point or comma between digits is a part of the number.
    const before = /^\d/.test(word) ? String.raw`(?<!\d[.,])` : ''
    const after = /\d$/.test(word) ? String.raw`(?![.,]\d)` : ''
    return before + letters + after
  })
  return new RegExp(String.raw`(?<![\p{L}\d])(?:${some.join('|')})(?![\p{L}\d])`, 'u')
}
