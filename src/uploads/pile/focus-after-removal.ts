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

/** Focuses an element after the page is next drawn. */
export function focusSoon(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus())
}
