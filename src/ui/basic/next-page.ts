type Show = (address: string) => Promise<boolean>

let show: Show | null = null
let carried: File[] = []

/** For the browser's entry: how another page is drawn in the place of this one. */
export function whenShowing(how: Show): void {
  show = how
}

/**
 * Goes to the page of an upload form with files in hand. They stay what they are, in this document's memory: a browser
 * cannot take files along when it loads another page. Answers whether it got there.
 */
export async function carryTo(address: string, files: File[]): Promise<boolean> {
  carried = files
  const isThere = await show?.(address)
  if (!isThere) carried = []
  return isThere ?? false
}

/** For the form: what was carried to it, once. */
export function takeCarried(): File[] {
  return carried.splice(0)
}
