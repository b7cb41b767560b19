import { hydrateRoot } from 'react-dom/client'
import { pageTree } from './page-tree.tsx'
import type { Envelope } from './pages.ts'

const envelope = JSON.parse(document.getElementById('page')!.textContent) as Envelope
hydrateRoot(document.getElementById('app')!, await pageTree(envelope))
