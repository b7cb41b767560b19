/** The most papers that one address lists. */
const MOST = 2000
/** Longer addresses are cut by mail programs, and refused as a place to continue to after signing in. */
const MOST_LETTERS = 1500

/** Writes ids for an address: [39, 40, 41, 57] becomes '39-41.57'. Null if there are too many. */
export function writePaperIds(ids: readonly number[]): string | null {
  const runs: { from: number; to: number }[] = []
  for (const id of ids.toSorted((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last && id <= last.to + 1) last.to = id
    else runs.push({ from: id, to: id })
  }
  const text = runs.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join('.')
  return ids.length === 0 || ids.length > MOST || text.length > MOST_LETTERS ? null : text
}

/** Reads such an address. Null if it is none. */
export function readPaperIds(text: string): number[] | null {
  if (text.length > MOST_LETTERS || !/^\d{1,15}(-\d{1,15})?(\.\d{1,15}(-\d{1,15})?)*$/.test(text)) return null
  const ids: number[] = []
  for (const run of text.split('.')) {
    const [from, to = from] = run.split('-').map(Number)
    if (to! < from! || ids.length + to! - from! >= MOST) return null
    for (let id = from!; id <= to!; id++) ids.push(id)
  }
  return ids
}
