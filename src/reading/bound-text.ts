/** A document has no more letters than this many times its bytes, or than so many if it is small. */
const TIMES = 20
const LEAST = 500_000
/** A longer page is no page: a book has 3,000 letters on one. */
const MOST_ON_A_PAGE = 200_000

type Read = { pages: string[]; reason: string | null }

/** Cuts what a small file makes of itself: 98 kB of PDF can be drawn up as 15 MB of text. */
export function boundText({ pages, reason }: Read, bytes: number): Read {
  const kept: string[] = []
  let left = Math.max(LEAST, TIMES * bytes)
  let isCut = false
  for (const page of pages) {
    if (left <= 0) {
      isCut = true
      break
    }
    const most = Math.min(MOST_ON_A_PAGE, left)
    isCut ||= page.length > most
    kept.push(page.slice(0, most))
    left -= page.length
  }
  return {
    pages: kept,
    reason: isCut ? 'Filen er meget lang. Kun den første del er læst.' : reason,
  }
}
