// The type numbers of PostgreSQL whose values are not written unchanged.
const BOOLEAN = 16
const NUMBERS = new Set([20, 21, 23, 700, 701, 1700])
const MOMENT = 1184

/** Turns a value of PostgreSQL, given as text, into a cell: '-5' becomes -5, 't' becomes 'ja', null ''. */
export function cellOf(text: string | null, type: number): string | number {
  if (text === null) return ''
  if (type === BOOLEAN) return text === 't' ? 'ja' : 'nej'
  if (type === MOMENT) return momentOf(text)
  return NUMBERS.has(type) ? Number(text) : text
}

/** '2026-11-17 17:20:05.123+01' becomes '2026-11-17T17:20:05+01:00': the office's own time, and exact. */
function momentOf(text: string): string {
  const found = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d+)?([+-]\d\d)(?::?(\d\d))?$/.exec(text)
  return found ? `${found[1]}T${found[2]}${found[3]}:${found[4] ?? '00'}` : ''
}
