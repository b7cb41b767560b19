import { isWaiting } from '../overlay/request.ts'

/**
 * Watches the row that has the focus. If it disappears, the row that takes its place gets the focus, at the same kind of
 * button; without one, the heading of its section. Returns a function that ends the watch.
 */
export function keepFocus(): () => void {
  const { activeElement: focused } = document
  if (!(focused instanceof HTMLElement) || !focused.closest('main')) return () => undefined
  const row = focused.closest('tr, li')
  const section = focused.closest('section')
  const neighbours = row ? [...after(row), ...before(row)] : []
  const { act } = focused.dataset
  const watch = new MutationObserver(() => {
    if (focused.isConnected) return
    watch.disconnect()
    setTimeout(takeLast, OTHERS_FIRST_MS)
  })
  /** The user's own act may have removed the row, and then handles the focus itself. */
  function takeLast(): void {
    setTimeout(isWaiting() ? takeLast : take, OTHERS_FIRST_MS)
  }
  function take(): void {
    if (document.activeElement !== document.body) return
    const next = neighbours.find((each) => each.isConnected)
    const same = act ? next?.querySelector<HTMLElement>(`[data-act="${act}"]`) : null
    const target = same ?? next?.querySelector<HTMLElement>('a[href], button') ?? headingOf(section)
    if (target?.matches('h1, h2')) target.tabIndex = -1
    target?.focus({ preventScroll: true })
  }
  watch.observe(document.body, { childList: true, subtree: true })
  return () => watch.disconnect()
}

const OTHERS_FIRST_MS = 75

function headingOf(section: Element | null): HTMLElement | null {
  const within = section?.isConnected ? section : document.querySelector('main')
  return within?.querySelector<HTMLElement>('h1, h2') ?? null
}

function* after(row: Element): Generator<Element> {
  for (let each = row.nextElementSibling; each; each = each.nextElementSibling) yield each
}

function* before(row: Element): Generator<Element> {
  for (let each = row.previousElementSibling; each; each = each.previousElementSibling) yield each
}
