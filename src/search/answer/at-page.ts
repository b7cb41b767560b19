import type { PageHit } from './results.ts'

/** The end of an address that opens a PDF at a page: '#page=4&search=budget'. Firefox and Acrobat mark the word as well. */
export function atPage(hit: PageHit | undefined): string {
  if (!hit) return ''
  const word = hit.pieces.find(({ isHit }) => isHit)?.text.trim() ?? ''
  return `#page=${hit.page}${word === '' ? '' : `&search=${encodeURIComponent(word.toWellFormed())}`}`
}

/** Whether a file has pages that a reader knows and a browser can open it at. Other texts are only cut into pieces. */
export const hasPages = ({ mime }: { mime: string }) => mime === 'application/pdf'
