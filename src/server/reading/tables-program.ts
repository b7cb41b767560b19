import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { FAULT_STATUSES, Unreadable } from './reading-fault.ts'
import { TableWriter } from './table-writer.ts'

// A separate program, which `read-tables.ts` runs with little time and memory: a sheet on its standard input becomes
// lines of JSON on its standard output. On failure its exit status says why.

const ZIP = 'PK'
/** The beginning of older office programs' files, and of locked ones. */
const COMPOUND = 0xd0cf

const lines: string[] = []
try {
  const bytes = await buffer(process.stdin)
  const writer = new TableWriter(Number(process.argv[2]), (line) => lines.push(line))
  const isExcel =
    bytes.toString('latin1', 0, 2) === ZIP || (bytes.length > 1 && bytes.readUInt16BE(0) === COMPOUND)
  if (isExcel) (await import('./excel-tables.ts')).readExcelTables(bytes, writer)
  else (await import('./csv-tables.ts')).readCsvTable(bytes, writer)
} catch (error) {
  const { fault } = error instanceof Unreadable ? error : { fault: 'damaged' as const }
  process.exitCode = FAULT_STATUSES[fault]
}
const AT_ONCE = 1000
if (!process.exitCode)
  for (let at = 0; at < lines.length; at += AT_ONCE)
    if (!process.stdout.write(lines.slice(at, at + AT_ONCE).join(''))) await once(process.stdout, 'drain')
