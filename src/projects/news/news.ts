/** How far new files are counted. More are shown as '99+'. */
export const MOST_NEWS = 99

/** '1 ny', '3 nye', '99+ nye'. */
export function newsText(count: number): string {
  if (count > MOST_NEWS) return `${MOST_NEWS}+ nye`
  return count === 1 ? '1 ny' : `${count} nye`
}

/** Returns how many are left after some were read here. A count above the limit stays: there may still be as many. */
export function newsLeft(count: number, read: number): number {
  return count > MOST_NEWS ? count : Math.max(0, count - read)
}
