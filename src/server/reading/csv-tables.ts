import { parse } from 'csv-parse/sync'
import { decodeText } from './plain-text.ts'
import { Unreadable } from './reading-fault.ts'
import type { TableWriter } from './table-writer.ts'

/** Reads a table from a text: semicolons, commas or tabs between its cells, in UTF-8, UTF-16 or Windows' own letters. */
export function readCsvTable(bytes: Buffer, to: TableWriter): void {
  const { text, delimiter, first } = beginningOf(decodeText(bytes).replace(/^\ufeff/, ''))
  to.begin('', false)
  let row = first
  const onRecord = (cells: string[]) => {
    to.addRow(row++, cells)
    return null
  }
  try {
    parse(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: MOST_RECORD,
      on_record: onRecord,
    })
  } catch (error) {
    throw new Unreadable('damaged', error)
  }
  to.end()
}

const MOST_RECORD = 1024 * 1024

/** Reads Excel's line that names the sign between cells: 'sep=;'. */
function beginningOf(text: string): { text: string; delimiter: string; first: number } {
  const [line, said] = /^"?sep=(.)"?(?:\r\n|\n|\r)/i.exec(text.slice(0, 20)) ?? []
  if (line !== undefined && said !== undefined)
    return { text: text.slice(line.length), delimiter: said, first: 2 }
  return { text, delimiter: delimiterOf(text), first: 1 }
}

const DELIMITERS = [';', '\t', ',']
const SAMPLE = 20_000

/** The sign that is most often in the first line that has one, outside quotes. Danes write amounts with a comma, so that comes last. */
function delimiterOf(text: string): string {
  const plain = text.slice(0, SAMPLE).replaceAll(/"[^"]*"/g, '')
  for (const line of plain.split(/\r\n|\n|\r/)) {
    const counts = DELIMITERS.map((sign) => line.split(sign).length - 1)
    const most = Math.max(...counts)
    if (most > 0) return DELIMITERS[counts.indexOf(most)]!
  }
  return ';'
}
