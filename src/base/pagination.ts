/** S3.2 */
export type PageInfo = {
  current_page: number
  prev_page: number | null
  next_page: number | null
  first_page: number
  last_page: number
  from: number | null
  to: number | null
  per_page: number
  total: number
}

/** A page of a list, as the server sends it. */
export type Page<Row> = { data: Row[]; meta: PageInfo }

export const FIRST_PAGE = 1 // S9.1
const EITHER_SIDE = 2 // S9.1

/** Describes a page with `rows` rows. A page past the end is empty and keeps its number. */
export function pageInfo({
  page,
  perPage,
  total,
  rows,
}: {
  page: number
  perPage: number
  total: number
  rows: number
}): PageInfo {
  const last = Math.max(1, Math.ceil(total / perPage))
  const before = (page - 1) * perPage
  return {
    current_page: page,
    prev_page: page > 1 ? Math.min(page - 1, last) : null,
    next_page: page < last ? page + 1 : null,
    first_page: FIRST_PAGE,
    last_page: last,
    from: rows > 0 ? before + 1 : null,
    to: rows > 0 ? before + rows : null,
    per_page: perPage,
    total,
  }
}

/** S7.4: Returns a whole list as its only page. */
export function wholePage<Row>(rows: Row[], page: number): Page<Row> {
  const data = page === FIRST_PAGE ? rows : []
  const perPage = Math.max(1, rows.length)
  return { data, meta: pageInfo({ page, perPage, total: rows.length, rows: data.length }) }
}

/** Returns the page info of an answer, which has it at the top level or in `meta`. */
export function readPageInfo(answer: PageInfo | { meta: PageInfo }): PageInfo {
  return 'meta' in answer ? answer.meta : answer
}

/** Returns the pages to link: the first, the last, and two on each side of the current one; null for each gap. */
export function pageWindow(current: number, last: number): (number | null)[] {
  const near = Array.from({ length: 2 * EITHER_SIDE + 1 }, (_, index) => current - EITHER_SIDE + index)
  const pages = [...new Set([1, ...near, last])]
    .filter((page) => page >= 1 && page <= last)
    .sort((a, b) => a - b)
  return pages.flatMap((page, index) => {
    const gap = page - (pages[index - 1] ?? page)
    if (gap <= 1) return [page]
    return gap === 2 ? [page - 1, page] : [null, page]
  })
}
