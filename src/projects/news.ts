/** So many new files are counted; of more it is said that they are more. */
export const MOST_NEWS = 99

/** '1 ny', '3 nye', '99+ nye'. */
export function newsText(count: number): string {
  if (count > MOST_NEWS) return `${MOST_NEWS}+ nye`
  return count === 1 ? '1 ny' : `${count} nye`
}

/** What is left when some have been read here. Of more than are counted there may still be as many. */
export function newsLeft(count: number, read: number): number {
  return count > MOST_NEWS ? count : Math.max(0, count - read)
}
