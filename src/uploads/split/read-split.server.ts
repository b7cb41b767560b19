import type { Reader } from '../../access/reader.ts'
import { formatCount } from '../../base/danish/counts.ts'
import { invalid } from '../../server/http/errors.ts'
import type { Parts } from '../../server/parts.ts'
import { inTurns } from '../../server/process/breather.ts'
import { findProgram } from '../../server/process/find-program.ts'
import { readPages } from '../../server/reading/read-pages.ts'
import { Unreadable } from '../../server/reading/reading-fault.ts'
import { findPageDrawer, PDF_TYPE } from '../../server/storage/thumbnail.ts'
import { countPages } from './pdf/page-ranges.ts'
import { proposePages } from './propose-pages.ts'
import { findSentFile } from '../transport/sent-file.db.ts'
import { inspectPdf, MOST_SPLIT_BYTES } from './pdf/run-split.server.ts'
import { GONE, listSplitPeople } from './split.db.ts'
import type { SplitReading } from './split.ts'

/** How many letters of a page are shown beside it. */
const MOST_WORDS = 120

/** Reads a PDF that the reader has sent, and proposes whose each page is. */
export async function readSplit(
  { db, storage }: Pick<Parts, 'db' | 'storage'>,
  reader: Reader,
  hashName: string,
  most: number,
  signal: AbortSignal,
): Promise<SplitReading> {
  const file = await findSentFile(db, reader.id, hashName)
  if (!file) throw invalid({ file: [GONE] })
  if (file.type !== PDF_TYPE) throw invalid({ file: [`${file.name} er ikke en PDF.`] })
  if (file.size > MOST_SPLIT_BYTES) throw new Unreadable('large')
  const { pages: count, is_signed: isSigned } = await inspectPdf(await storage.open(file.key), { signal })
  if (count === 0) throw new Unreadable('damaged')
  if (count > most)
    throw invalid({
      file: [`PDF'en har ${formatCount(count)} sider. Der kan højst deles ${countPages(most)} ad gangen.`],
    })
  const texts = await readWords(count)
  const people = await listSplitPeople(db, reader)
  const proposals = await inTurns(proposePages(texts, people))
  const meant = new Set(
    proposals.flatMap(({ person, candidates }) => [...(person ? [person] : []), ...candidates]),
  )
  return {
    name: file.name,
    is_signed: isSigned,
    has_pictures: (await findPageDrawer()) !== null,
    pages: proposals.map((proposal, index) => ({
      ...proposal,
      words: texts[index]!.slice(0, MOST_WORDS).replaceAll('\n', ' '),
    })),
    people: people
      .filter(({ id }) => meant.has(id))
      .map(({ id, name, numbers }) => ({ id, name, number: numbers[0] ?? null })),
  }

  /** Pages that cannot be read are the office's to give, as scans are. The two programs may count differently. */
  async function readWords(pages: number): Promise<string[]> {
    const pdfReader = await findProgram('pdftotext')
    try {
      const { pages: read } = await readPages(await storage.open(file!.key), 'pdf', { pdfReader, signal })
      if (read.length === pages) return read
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
    }
    return Array.from({ length: pages }, () => '')
  }
}
