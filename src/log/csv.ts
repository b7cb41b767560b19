/** Tells Excel that it is UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'

/** One line, as Danish Excel reads it: semicolons between, quotes where they are needed. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(';')}\r\n`
}

function cellOf(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[;,"\r\n\t]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** What a spreadsheet would reckon instead of showing, also in wide letters and behind spaces. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/u
