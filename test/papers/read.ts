import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { findProgram } from '../../src/server/process/find-program.ts'
import { runLimited } from '../../src/server/process/limited-process.ts'
import { readPages } from '../../src/server/reading/read-pages.ts'
import { findScanner, readScan } from '../../src/server/reading/read-scan.ts'
import { pdfOfPictures } from '../files/scans.ts'
import type { TestPaper } from './papers.ts'

/** The text of papers does not change, and scans take seconds each. */
const CACHE = new URL('../../node_modules/.cache/papers/', import.meta.url)

/** Returns the pages of a paper as the product reads them; null if nothing here reads scans. */
async function readPaper(paper: TestPaper): Promise<string[] | null> {
  const pdf = paper.write()
  const key = `${createHash('sha256').update(pdf).digest('hex').slice(0, 32)}${paper.isScan ? '-scan-2' : ''}`
  const file = new URL(`${key}.json`, CACHE)
  const kept = readKept(file)
  if (kept) return kept
  const pages = paper.isScan ? await readScanned(pdf) : await readWritten(pdf)
  if (pages) {
    mkdirSync(CACHE, { recursive: true })
    writeFileSync(file, JSON.stringify(pages))
  }
  return pages
}

function readKept(file: URL): string[] | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as string[]
  } catch {
    return null
  }
}

async function readWritten(pdf: Buffer): Promise<string[]> {
  const { pages } = await readPages(Readable.from([pdf]), 'pdf', {
    pdfReader: await findProgram('pdftotext'),
  })
  return pages
}

/** Reads the first pages from their pictures, as the product does with a pile. */
async function readScanned(pdf: Buffer): Promise<string[] | null> {
  const scanner = await findScanner()
  if (!scanner?.pageDrawer) return null
  const { scan, pages } = await scanPdf(pdf, scanner.pageDrawer)
  const read: string[] = []
  for (let page = 1; page <= pages; page++)
    read.push((await readScan(Readable.from([scan]), page, scanner)) ?? '')
  return read
}

const MOST_SCANNED = 3

/** Returns the first pages as a scanner would send them: pictures of 150 dots an inch, a little askew and not quite clean. */
export async function scanPdf(pdf: Buffer, pageDrawer: string): Promise<{ scan: Buffer; pages: number }> {
  const count = pdf.toString('latin1').match(/\/Type\/Page\//g)!.length
  const pages = Math.min(count, MOST_SCANNED)
  const pictures = await Promise.all(
    Array.from({ length: pages }, (_, index) => drawPage(pdf, index + 1, pageDrawer)),
  )
  return { scan: pdfOfPictures(pictures), pages }
}

async function drawPage(pdf: Buffer, page: number, pageDrawer: string) {
  const limits = { seconds: 30, megabytes: 1024, mostBytes: 64 * 1024 * 1024 }
  const how = `-f ${page} -l ${page} -singlefile -r 150 -gray -png -`.split(' ')
  const drawn = await runLimited([pageDrawer, ...how], Readable.from([pdf]), limits)
  return sharp(drawn)
    .rotate(0.4, { background: 'white' })
    .blur(0.5)
    .jpeg({ quality: 60 })
    .toBuffer({ resolveWithObject: true })
}

/** Reads papers, two at a time. */
export async function readPapers(
  papers: TestPaper[],
): Promise<{ paper: TestPaper; pages: string[] | null }[]> {
  const read = papers.map((paper) => ({ paper, pages: null as string[] | null }))
  let next = 0
  const readSome = async () => {
    while (next < read.length) {
      const one = read[next++]!
      one.pages = await readPaper(one.paper)
    }
  }
  await Promise.all([readSome(), readSome()])
  return read
}
