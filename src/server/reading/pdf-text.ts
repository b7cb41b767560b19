import { getDocumentProxy } from 'unpdf'
import { MOST_PAGES, type PieceWriter } from './piece-writer.ts'
import { Unreadable } from './reading-fault.ts'

/** Reads a PDF where poppler is not installed. */
export async function readPdf(bytes: Buffer, to: PieceWriter): Promise<void> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 }).catch((error: unknown) => {
    const isLocked = (error as Error).name === 'PasswordException'
    throw new Unreadable(isLocked ? 'locked' : 'damaged', error)
  })
  for (let number = 1; number <= Math.min(pdf.numPages, MOST_PAGES + 1); number++) {
    // A broken page does not affect the others.
    to.add(await readPage(pdf, number).catch(() => ''))
    to.endPage()
  }
}

async function readPage(pdf: Awaited<ReturnType<typeof getDocumentProxy>>, number: number): Promise<string> {
  const page = await pdf.getPage(number)
  const { items } = await page.getTextContent()
  page.cleanup()
  return items
    .flatMap((item) => ('str' in item ? [item.str.replaceAll('\f', '\n'), item.hasEOL ? '\n' : ''] : []))
    .join('')
}
