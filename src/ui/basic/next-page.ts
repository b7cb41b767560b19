type Show = (address: string) => Promise<boolean>

let show: Show | null = null
let carried: File[] = []

/** Sets how another page is drawn in place of this one; called by `client.tsx`. */
export function whenShowing(how: Show): void {
  show = how
}

/**
 * Goes to the page of an upload form and carries files along, in this document's memory: a browser cannot keep files when
 * it loads another page. Returns whether the page was reached.
 */
export async function carryTo(address: string, files: File[]): Promise<boolean> {
  carried = files
  const isThere = await show?.(address)
  if (!isThere) carried = []
  return isThere ?? false
}

/** Returns the files that were carried to the form, once. */
export function takeCarried(): File[] {
  return carried.splice(0)
}
