import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { findProgram } from '../process/find-program.ts'
import { ProgramFailed, runLimited } from '../process/limited-process.ts'
import { PROJECT } from '../process/project-directory.ts'
import { cleanText } from './clean-text.ts'
import { scanWords } from './scan-words.ts'

/** The programs that read pictures of letters, and draw the pages of PDFs for that. */
export type Scanner = { tesseract: string; pageDrawer: string | null }

const SCAN_LANGUAGE = 'dan'
/** A page's longer side in pixels, whatever it measures: an A4 page then has 222 dots an inch. */
export const SCAN_SIDE = 2600
const DOTS = 222

const PROGRAM = fileURLToPath(new URL('src/server/reading/scan-program.ts', PROJECT))
const OF_A_PAGE = { seconds: 30, clockSeconds: 150, megabytes: 1024, mostBytes: 16 * 1024 * 1024 }
const OF_A_PICTURE = { seconds: 30, clockSeconds: 150, megabytes: 1024, mostBytes: 16 * 1024 * 1024 }
const OF_LETTERS = { seconds: 120, clockSeconds: 600, megabytes: 1024, mostBytes: 4 * 1024 * 1024 }

/** Returns what reads scans on this computer, or null if it cannot: tesseract needs its Danish words as well. */
export async function findScanner(path?: string): Promise<Scanner | null> {
  const tesseract = await findProgram('tesseract', path)
  if (!tesseract) return null
  const limits = { seconds: 20, megabytes: 512, mostBytes: 100_000 }
  const languages = await runLimited([tesseract, '--list-langs'], Readable.from([]), limits).catch(() => '')
  if (!String(languages).split('\n').includes(SCAN_LANGUAGE)) return null
  return { tesseract, pageDrawer: await findProgram('pdftoppm', path) }
}

/** Returns the words on a picture, or on one page of a PDF, '' if there are none; null if it cannot be drawn or read. */
export async function readScan(
  bytes: Readable,
  page: number | null,
  { tesseract, pageDrawer }: Scanner,
  signal?: AbortSignal,
): Promise<string | null> {
  try {
    const picture =
      page === null
        ? await runLimited([process.execPath, '--max-old-space-size=64', PROGRAM], bytes, {
            ...OF_A_PICTURE,
            signal,
          })
        : await runLimited([pageDrawer ?? 'pdftoppm', ...drawing(page)], bytes, { ...OF_A_PAGE, signal })
    const answer = await runLimited(
      [tesseract, ...`stdin stdout -l ${SCAN_LANGUAGE} --dpi ${DOTS} tsv`.split(' ')],
      Readable.from([picture]),
      { ...OF_LETTERS, signal },
    )
    return cleanText(scanWords(answer.toString('utf8')))
  } catch (error) {
    if (error instanceof ProgramFailed) return null
    throw error
  }
}

const drawing = (page: number) =>
  `-f ${page} -l ${page} -singlefile -scale-to ${SCAN_SIDE} -gray -`.split(' ')
