import { setImmediate } from 'node:timers/promises'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { pageTree } from './page-tree.tsx'
import type { Envelope } from './pages.ts'
import { PiecesProvider } from './ui/basic/pieces.ts'

/**
 * Returns the HTML inside #app. React renders without a pause, so a long table is rendered in pieces, and other
 * requests run in between.
 */
export async function render(envelope: Envelope): Promise<string> {
  const waiting = new Map<string, readonly ReactNode[]>()
  const add = (pieces: readonly ReactNode[]) => {
    const place = `<!--pieces ${waiting.size}-->` // cannot collide: '<' in text is escaped in HTML
    waiting.set(place, pieces)
    return place
  }
  const html = renderToString(<PiecesProvider value={add}>{await pageTree(envelope)}</PiecesProvider>)
  if (waiting.size === 0) return html
  // Collects bytes: a string joined from many parts would be built only at the end, all at once.
  const made: Buffer[] = []
  let left = html
  for (const [place, pieces] of waiting) {
    const [before = '', after = ''] = left.split(place)
    made.push(Buffer.from(before))
    for (const piece of pieces) {
      await setImmediate()
      made.push(Buffer.from(renderToString(piece)))
    }
    left = after
  }
  return Buffer.concat([...made, Buffer.from(left)]).toString()
}
