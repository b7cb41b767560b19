import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { formatCount } from '../../base/danish/counts.ts'
import { breather } from '../process/breather.ts'
import { confinedNode } from '../process/confined-node.ts'
import { ProgramFailed, runLimited } from '../process/limited-process.ts'
import { PROJECT } from '../process/project-directory.ts'
import { cleanText } from './clean-text.ts'
import { MOST_PAGES, MOST_TEXT_BYTES } from './piece-writer.ts'
import { FAULT_STATUSES, Unreadable, type ReadingFault } from './reading-fault.ts'

export type DocumentKind = 'pdf' | 'word' | 'excel' | 'text' | 'mail'

/** Larger files are not read. */
export const MOST_SOURCE_BYTES: Record<DocumentKind, number> = {
  pdf: 256 * 1024 * 1024,
  word: 64 * 1024 * 1024,
  excel: 64 * 1024 * 1024,
  text: 64 * 1024 * 1024,
  mail: 64 * 1024 * 1024,
}

const PROGRAM = fileURLToPath(new URL('src/server/reading/read-program.ts', PROJECT))
const OF_POPPLER = { seconds: 60, clockSeconds: 300, megabytes: 768, mostBytes: MOST_TEXT_BYTES, isCut: true }
/** Node itself takes half of this memory before it has read a byte. */
const OF_OURS = {
  seconds: 60,
  clockSeconds: 300,
  megabytes: 1536,
  mostBytes: 2 * MOST_TEXT_BYTES,
  isCut: true,
}
const POPPLER = `-enc UTF-8 -eol unix -l ${MOST_PAGES + 1} - -`.split(' ')

/** The pages of a document, empty ones included, and why there are not more. */
export type ReadPages = { pages: string[]; reason: string | null }

type Options = {
  /** The path of poppler's pdftotext. Without it, our own slower program reads PDFs. */
  pdfReader: string | null
  signal?: AbortSignal
  seconds?: number
  /** Seconds on the clock; the same as on the processor by default. */
  clockSeconds?: number
  isUrgent?: boolean
}

/** Returns the cleaned text of each page. Throws `Unreadable` if there is none to be had from these bytes. */
export async function readPages(
  bytes: Readable,
  kind: DocumentKind,
  { pdfReader, signal, seconds, clockSeconds = seconds, isUrgent = false }: Options,
): Promise<ReadPages> {
  const isPoppler = kind === 'pdf' && pdfReader !== null
  const program: [string, ...string[]] = isPoppler
    ? [pdfReader, ...POPPLER]
    : [...confinedNode(512), PROGRAM, kind]
  try {
    const limits = isPoppler ? OF_POPPLER : OF_OURS
    const read = await splitPages(
      await runLimited(program, bytes, {
        ...limits,
        ...(seconds && clockSeconds && { seconds, clockSeconds }),
        isUrgent,
        signal,
      }),
    )
    if (kind === 'pdf' && read.pages.length === 0) throw new Unreadable('damaged')
    return read
  } catch (error) {
    throw error instanceof ProgramFailed ? new Unreadable(faultOf(error), error) : error
  }
}

export function faultOf({ status, outOf, said }: ProgramFailed): ReadingFault {
  if (outOf === 'processor' || outOf === 'clock') return 'slow'
  if (status === null) return 'memory'
  if (/incorrect password/i.test(said)) return 'locked'
  const known = Object.entries(FAULT_STATUSES).find(([, own]) => own === status)
  return known ? (known[0] as ReadingFault) : 'damaged'
}

const FORM_FEED = 0x0c

/** Cleans each page by itself, with pauses: a long document must not keep others waiting. */
async function splitPages(text: Buffer): Promise<ReadPages> {
  const breathe = breather()
  const pages: string[] = []
  for (let at = 0; at < text.length;) {
    if (pages.length === MOST_PAGES)
      return { pages, reason: `Kun de første ${formatCount(MOST_PAGES)} sider er læst.` }
    await breathe()
    const end = text.indexOf(FORM_FEED, at)
    const next = end < 0 ? text.length : end
    pages.push(cleanText(text.toString('utf8', at, next)))
    at = next + 1
  }
  const isCut = text.length >= MOST_TEXT_BYTES
  return { pages, reason: isCut ? 'Filen er meget lang. Kun den første del er læst.' : null }
}
