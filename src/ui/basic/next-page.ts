type Show = (address: string, isSameStep: boolean) => Promise<boolean>

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
  const isThere = await show?.(address, false)
  if (!isThere) carried = []
  return isThere ?? false
}

/**
 * Goes to another address. If it is of this page, the focus and the place on the page stay. What belongs to the same step
 * as this page is one press on Back.
 */
export async function turnTo(address: string, isSameStep = false): Promise<void> {
  if (!(await show?.(address, isSameStep))) location.assign(address)
}

type Draw = () => void
type FetchAgain = () => Promise<{ hasChanged: boolean; draw: Draw } | null>

/** A part of `Fresh`. */
type Newest = { newest: <Answer>(fetchIt: () => Promise<Answer>) => Promise<Answer> }

let fetchAgain: FetchAgain | null = null

/** Sets how this page is fetched again; called by `client.tsx`. */
export function whenRefreshing(how: FetchAgain): void {
  fetchAgain = how
}

/** Renders the whole page again with fresh data, for a page without its own list: see `useLive`. */
export async function refreshPage({ newest }: Newest): Promise<boolean | null> {
  const came = await newest(async () => fetchAgain?.())
  if (!came) return null
  if (!came.hasChanged) return false
  came.draw()
  return true
}

/** Returns the files that were carried to the form, once. */
export function takeCarried(): File[] {
  return carried.splice(0)
}
