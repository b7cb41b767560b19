/** Tells Excel that the file is UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'

/**
 * Returns one line in the form that Danish Excel reads: separated by semicolons, quoted where needed. Numbers have a comma, and
 * may be negative: they are no formulas.
 */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(cellOf).join(';')}\r\n`
}

function cellOf(text: string | number): string {
  if (typeof text === 'number') return String(text).replace('.', ',')
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[;,"\r\n\t]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Text that a spreadsheet would run as a formula, also with full-width signs and after spaces. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/u
