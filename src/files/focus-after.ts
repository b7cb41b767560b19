const PATIENCE_MS = 10_000
const ACTS = '[data-act=delete], [data-act=menu], [data-act=restore]'

/** When a file's row goes, and the focus with it, the focus goes on to the row that takes its place. */
export function focusAfter(file: number): void {
  const row = document.querySelector(`[data-file="${file}"]`)
  if (!row) return
  const section = row.closest('section, main')
  const item = row.closest('li, tr')!
  const neighbours = [item.nextElementSibling, item.previousElementSibling]
  const watch = new MutationObserver(() => {
    if (row.isConnected) return
    watch.disconnect()
    const { activeElement, body } = document
    if (activeElement !== body && activeElement !== document.querySelector('main')) return // somebody has gone on
    const next = neighbours.find((each) => each?.isConnected)
    const acts = [...(next?.querySelectorAll<HTMLElement>(ACTS) ?? [])]
    const target =
      acts.find((each) => each.checkVisibility()) ?? section?.querySelector<HTMLElement>('h1, h2')
    if (target?.matches('h1, h2')) target.tabIndex = -1
    target?.focus()
  })
  watch.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => watch.disconnect(), PATIENCE_MS)
}

/** When a file's row comes back, what brought it back may have gone, and the focus with it. */
export function focusWhenThere(file: number): void {
  const watch = new MutationObserver(() => {
    const row = document.querySelector(`[data-file="${file}"]`)
    if (!row) return
    watch.disconnect()
    const { activeElement, body } = document
    if (activeElement === body || activeElement === document.querySelector('main'))
      row.querySelector<HTMLElement>('a')?.focus()
  })
  watch.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => watch.disconnect(), PATIENCE_MS)
}
