import { listed } from '../../../base/danish/listed.ts'

/** An unbroken run of pages, both ends included. */
export type PageRun = { from: number; to: number }

/** [1, 2, 3, 7] becomes 1–3 and 7. The pages may come in any order. */
export function runsOf(pages: readonly number[]): PageRun[] {
  const runs: PageRun[] = []
  for (const page of pages.toSorted((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last && page <= last.to + 1) last.to = Math.max(last.to, page)
    else runs.push({ from: page, to: page })
  }
  return runs
}

/** [1, 2, 3, 7] becomes '1-3,7', the form in which it is sent. */
export function writeRanges(pages: readonly number[]): string {
  return runsOf(pages)
    .map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`))
    .join(',')
}

/**
 * Reads '1-3,7' as [1, 2, 3, 7]. Null if it is anything else, has a page twice, or has more than `most` pages: a range as
 * '1-999999999' is not counted out.
 */
export function readRanges(text: string, most: number): number[] | null {
  if (text === '') return []
  const pages: number[] = []
  const seen = new Set<number>()
  for (const each of text.split(',')) {
    const [, first, last = first] = /^(\d{1,7})(?:-(\d{1,7}))?$/.exec(each) ?? []
    if (first === undefined) return null
    const [from, to] = [Number(first), Number(last)]
    if (from < 1 || to < from || pages.length + to - from + 1 > most) return null
    for (let page = from; page <= to; page++) {
      if (seen.has(page)) return null
      seen.add(page)
      pages.push(page)
    }
  }
  return pages
}

/** 'side 3', 'side 1–3 og 7', 'side 1–3, 7 og 9'. */
export function pagesText(pages: readonly number[]): string {
  return `side ${listed(runsOf(pages).map(({ from, to }) => (from === to ? String(from) : `${from}–${to}`)))}`
}

/** '1 side' or '12 sider'. */
export const countPages = (many: number) => (many === 1 ? '1 side' : `${many} sider`)

/** 'side 3' becomes 'Side 3'. */
export const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
