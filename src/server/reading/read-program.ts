import { buffer } from 'node:stream/consumers'
import { Enough, PieceWriter } from './piece-writer.ts'
import { FAULT_STATUSES, Unreadable } from './reading-fault.ts'

// A separate program, which `read-pages.ts` runs with little time and memory: a document on its standard input becomes
// text on its standard output, with a form feed after each page. On failure its exit status says why.

type Read = (bytes: Buffer, to: PieceWriter) => Promise<void> | void

// Each is loaded only when it is needed: most of the time is spent starting.
const READERS: Record<string, () => Promise<Read>> = {
  pdf: async () => (await import('./pdf-text.ts')).readPdf,
  word: async () => (await import('./word-text.ts')).readWord,
  excel: async () => (await import('./excel-text.ts')).readExcel,
  text: async () => (await import('./plain-text.ts')).readText,
  mail: async () => (await import('./mail-text.ts')).readMail,
}

const read = await READERS[process.argv[2] ?? '']!()
const writer = new PieceWriter()
try {
  await read(await buffer(process.stdin), writer)
} catch (error) {
  // A reader's unexpected error means that the document is damaged.
  const { fault } = error instanceof Unreadable ? error : { fault: 'damaged' as const }
  if (!(error instanceof Enough)) process.exitCode = FAULT_STATUSES[fault]
}
if (!process.exitCode) process.stdout.write(writer.finish())
