const EVERY_MS = 20_000
const SAID = 'Listen er opdateret.'

let announcedAt = -EVERY_MS
let region: HTMLElement | undefined

/** Tells screen readers that the page has changed by itself, but not every time. */
export function announce(): void {
  if (performance.now() - announcedAt < EVERY_MS) return
  announcedAt = performance.now()
  const said = (region ??= addRegion())
  // A region is read aloud when its text changes after it is there.
  setTimeout(() => (said.textContent = SAID), 100)
  setTimeout(() => (said.textContent = ''), 5000)
}

function addRegion(): HTMLElement {
  const added = document.createElement('div')
  added.role = 'status'
  added.className = 'sr-only'
  document.body.append(added)
  return added
}
