import { setImmediate } from 'node:timers/promises'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { pageTree } from './page-tree.tsx'
import type { Envelope } from './pages.ts'
import { lateParts } from './ui/overlay/late-drawn.tsx'
import { PiecesProvider, type Draw, type Pieces } from './ui/basic/pieces.ts'

/**
 * Returns the HTML inside #app. React renders without a pause, so a long table is rendered in pieces, and other
 * requests run in between.
 */
export async function render(envelope: Envelope): Promise<string> {
  const waiting: { place: string; part: readonly ReactNode[] | ((draw: Draw) => string) }[] = []
  const add = (part: (typeof waiting)[number]['part']) => {
    const place = `<!--pieces ${waiting.length}-->` // cannot collide: '<' in text is escaped in HTML
    waiting.push({ place, part })
    return place
  }
  const pieces: Pieces = { add, addHtml: add }
  const tree = await pageTree(envelope)
  await lateParts()
  const html = renderToString(<PiecesProvider value={pieces}>{tree}</PiecesProvider>)
  let [made, left] = ['', html]
  for (const { place, part } of waiting) {
    const [before = '', after] = left.split(place)
    if (after === undefined) throw new Error('A part of the page was drawn, but is not in it.')
    made += before
    made += typeof part === 'function' ? part(renderToString) : await renderPieces(part)
    left = after
  }
  return made + left
}

async function renderPieces(pieces: readonly ReactNode[]): Promise<string> {
  // Collects bytes: a string joined from many parts would be built only at the end, all at once.
  const made: Buffer[] = []
  for (const piece of pieces) {
    await setImmediate()
    made.push(Buffer.from(renderToString(piece)))
  }
  return Buffer.concat(made).toString()
}
