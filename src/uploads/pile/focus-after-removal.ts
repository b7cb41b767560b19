/** Moves the focus from removed rows to the row that takes their place, or to the button that chooses files. */
export function focusAfterRemoval(ids: readonly string[]): void {
  const gone = new Set(ids)
  const rows = [...document.querySelectorAll<HTMLElement>('[data-upload]')]
  const isStaying = ({ dataset }: HTMLElement) => !gone.has(dataset.upload!)
  const first = rows.findIndex((row) => !isStaying(row))
  const next =
    rows.slice(Math.max(first, 0)).find(isStaying) ?? rows.slice(0, Math.max(first, 0)).findLast(isStaying)
  requestAnimationFrame(() => {
    const { activeElement, body } = document
    if (activeElement !== body && activeElement !== null) return // the user has moved on meanwhile
    const target = next?.isConnected ? next.querySelector<HTMLElement>('[data-act=remove]') : null
    ;(target ?? document.querySelector<HTMLElement>('[data-act=choose]'))?.focus()
  })
}

/** Focuses the first of these elements that is there after the page is next drawn. */
export function focusSoon(...selectors: string[]): void {
  requestAnimationFrame(() => {
    const found = selectors.map((selector) => document.querySelector<HTMLElement>(selector))
    found.find((element) => element !== null)?.focus()
  })
}

/**
 * Moves the focus on when a file has got an answer: to what is still open of it, to the next open file, or to the save button
 * after the last.
 */
export function focusNextOpen(id: string): void {
  const open = [...document.querySelectorAll<HTMLElement>('[data-upload]:has([data-open])')]
  const at = open.findIndex(({ dataset }) => dataset.upload === id) + 1
  const next = [
    id,
    ...[...open.slice(at), ...open.slice(0, at).toReversed()].map((row) => row.dataset.upload),
  ]
  focusSoon(
    ...next.map((each) => `[data-upload="${each}"] [data-open] button`),
    '[data-open] button',
    '[data-act=save]',
  )
}
