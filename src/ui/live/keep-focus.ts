/**
 * Watches the row that has the focus. If it disappears, the row that takes its place gets the focus, at the same kind of
 * button; without one, the heading of its section. Returns a function that ends the watch.
 */
export function keepFocus(): () => void {
  const { activeElement: focused } = document
  const main = document.querySelector('main')
  if (!(focused instanceof HTMLElement) || !main?.contains(focused)) return () => undefined
  const row = focused.closest('tr, li')
  const section = focused.closest('section')
  const neighbours = row ? [...after(row), ...before(row)] : []
  const { act } = focused.dataset
  const watch = new MutationObserver(() => {
    if (focused.isConnected) return
    watch.disconnect()
    if (document.activeElement !== document.body) return // somebody else has taken care of it
    const next = neighbours.find((each) => each.isConnected)
    const same = act ? next?.querySelector<HTMLElement>(`[data-act="${act}"]`) : null
    const target = same ?? next?.querySelector<HTMLElement>('a[href], button') ?? headingOf(section, main)
    if (target.matches('h1, h2, main')) target.tabIndex = -1
    target.focus({ preventScroll: true })
  })
  watch.observe(document.body, { childList: true, subtree: true })
  return () => watch.disconnect()
}

function headingOf(section: Element | null, main: HTMLElement): HTMLElement {
  return (section?.isConnected ? section : main).querySelector<HTMLElement>('h1, h2') ?? main
}

function* after(row: Element): Generator<Element> {
  for (let each = row.nextElementSibling; each; each = each.nextElementSibling) yield each
}

function* before(row: Element): Generator<Element> {
  for (let each = row.previousElementSibling; each; each = each.previousElementSibling) yield each
}
