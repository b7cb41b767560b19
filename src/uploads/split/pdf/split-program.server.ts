import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { EncryptedPDFError, PDFDict, PDFDocument, PDFName, ParseSpeeds } from '@cantoo/pdf-lib'
import { FAULT_STATUSES } from '../../../server/reading/reading-fault.ts'
import { copyPages } from './copy-pages.server.ts'
import { readRanges } from './page-ranges.ts'

// A separate program, which `run-split.server.ts` runs with little time and memory: a PDF on its standard input. Called
// with `inspect`, it writes the facts about the PDF as JSON. Called with `split`, the number of pages and '1-3,7;4-6',
// it writes a PDF for each of these, after its length in four bytes. On failure its exit status says why.

const [act, count, asked = ''] = process.argv.slice(2)

try {
  const source = await PDFDocument.load(await buffer(process.stdin), {
    parseSpeed: ParseSpeeds.Fastest,
    updateMetadata: false,
    capNumbers: true,
  })
  const pages = source.getPageCount()
  if (act === 'inspect') process.stdout.write(JSON.stringify({ pages, is_signed: isSigned(source) }))
  else {
    if (pages !== Number(count)) throw new Error('Another number of pages.')
    const parts = asked.split(';').map((each) => readRanges(each, pages))
    if (parts.some((part) => !part?.length || part.some((page) => page > pages)))
      throw new Error('No such page.')
    for (const part of parts) await write(await copyPages(source, part!))
  }
} catch (error) {
  process.exitCode = FAULT_STATUSES[error instanceof EncryptedPDFError ? 'locked' : 'damaged']!
}

async function write(bytes: Uint8Array): Promise<void> {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  process.stdout.write(length)
  if (!process.stdout.write(bytes)) await once(process.stdout, 'drain')
}

/** Whether it has a signature, or a field for one. */
function isSigned({ context }: PDFDocument): boolean {
  const [field, signature] = [PDFName.of('FT'), PDFName.of('Sig')]
  return context
    .enumerateIndirectObjects()
    .some(
      ([, each]) =>
        each instanceof PDFDict && (each.has(PDFName.of('ByteRange')) || each.get(field) === signature),
    )
}
