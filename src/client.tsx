import { hydrateRoot } from 'react-dom/client'
import { pageTree } from './page-tree.tsx'
import type { Envelope } from './pages.ts'
import { whenShowing } from './ui/basic/next-page.ts'

const root = hydrateRoot(document.getElementById('app')!, await pageTree(envelopeIn(document)!))

// Files that were dropped here cannot go along when the browser loads another page, so this one is drawn anew.
whenShowing(async (address) => {
  const response = await fetch(address, { headers: { accept: 'text/html' } })
  if (!response.ok || response.redirected) return false
  const next = new DOMParser().parseFromString(await response.text(), 'text/html')
  const envelope = envelopeIn(next)
  if (!envelope) return false
  const tree = await pageTree(envelope)
  history.pushState(null, '', address)
  document.title = next.title
  root.render(tree)
  scrollTo({ top: 0, behavior: 'instant' })
  addEventListener('popstate', () => location.pathname === address || location.reload())
  return true
})

function envelopeIn(page: Document): Envelope | null {
  return JSON.parse(page.getElementById('page')?.textContent ?? 'null') as Envelope | null
}
