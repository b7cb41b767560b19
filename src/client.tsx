import { hydrateRoot } from 'react-dom/client'
import { pageTree } from './page-tree.tsx'
import type { Envelope } from './pages.ts'
import { keepShortDates } from './base/time/dates.ts'
import { UNATTENDED } from './base/own-headers.ts'
import { whenRefreshing, whenShowing } from './ui/basic/next-page.ts'
import { getPage, orNull } from './ui/overlay/request.ts'
import { reportFault, watchFaults } from './ui/overlay/report-fault.ts'
import { watchOfflineForms } from './ui/shell/offline-forms.ts'

watchFaults(import.meta.url)
watchOfflineForms()
let shown = envelopeIn(document)!
keepShortDates(
  [...document.querySelectorAll('time')].map(({ dateTime: at, textContent: text }) => ({ at, text })),
  shown.frame.timeZone,
)
const root = hydrateRoot(document.getElementById('app')!, await pageTree(shown))

let asked = 0
const addressHere = () => location.pathname + location.search
let drawn = addressHere()
let hasDrawnAnother = false
/** Marks steps of the history between which only we draw the page, also after it was loaded again. */
const DRAWN = 'drawn'
addEventListener('popstate', ({ state }) => {
  if ((hasDrawnAnother || state === DRAWN) && drawn !== addressHere()) location.reload()
})

// A browser cannot keep dropped files, nor the focus, when it loads another page, so the next one is drawn in this document.
whenShowing(async (address, isSameStep) => {
  const nth = ++asked
  const html = await orNull(getPage(address))
  if (nth < asked) return true // for yet another page
  if (!html) return false
  const next = new DOMParser().parseFromString(html, 'text/html')
  const envelope = envelopeIn(next)
  if (!envelope) return false
  const tree = await pageTree(envelope).catch(reportFault)
  if (!tree) return false
  if (nth < asked) return true
  const isSamePage = envelope.name === shown.name
  shown = envelope
  drawn = address
  hasDrawnAnother = true
  history.replaceState(DRAWN, '', isSameStep ? address : undefined)
  if (!isSameStep) history.pushState(DRAWN, '', address)
  document.title = next.title
  root.render(tree)
  if (!isSamePage) scrollTo({ top: 0, behavior: 'instant' })
  return true
})

whenRefreshing(async () => {
  const { href } = location
  const html = await orNull(getPage(href, { [UNATTENDED]: '1' }))
  const envelope = html && envelopeIn(new DOMParser().parseFromString(html, 'text/html'))
  if (!envelope || envelope.name !== shown.name) return null
  const tree = await pageTree(envelope).catch(reportFault)
  if (!tree || location.href !== href) return null // a filter was chosen meanwhile
  return {
    hasChanged: contentOf(envelope) !== contentOf(shown),
    draw: () => {
      shown = envelope
      root.render(tree)
    },
  }
})

/** Returns a text of all that a page shows, without the time when it was made. Two pages with the same text look the same. */
const contentOf = ({ props }: Envelope) =>
  JSON.stringify(props, (name, value: unknown) => (name === 'now' || name === 'until' ? null : value))

function envelopeIn(page: Document): Envelope | null {
  return JSON.parse(page.getElementById('page')?.textContent ?? 'null') as Envelope | null
}
