import { renderToString } from 'react-dom/server'
import { pageTree } from './page-tree.tsx'
import type { Envelope } from './pages.ts'

/** The HTML inside #app. */
export async function render(envelope: Envelope): Promise<string> {
  return renderToString(await pageTree(envelope))
}
