/** Tells Excel that the file is UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'

/** Returns one line in the form that Danish Excel reads: separated by semicolons, quoted where needed. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(';')}\r\n`
}

function cellOf(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[;,"\r\n\t]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Text that a spreadsheet would run as a formula, also with full-width signs and after spaces. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/u
