/** When rows go, and the focus with them, it goes on to the row that takes their place, or back to where files are chosen. */
export function focusAfterRemoval(ids: readonly string[]): void {
  const gone = new Set(ids)
  const rows = [...document.querySelectorAll<HTMLElement>('[data-upload]')]
  const isStaying = ({ dataset }: HTMLElement) => !gone.has(dataset.upload!)
  const first = rows.findIndex((row) => !isStaying(row))
  const next =
    rows.slice(Math.max(first, 0)).find(isStaying) ?? rows.slice(0, Math.max(first, 0)).findLast(isStaying)
  requestAnimationFrame(() => {
    const { activeElement, body } = document
    if (activeElement !== body && activeElement !== null) return // somebody has gone on
    const target = next?.isConnected ? next.querySelector<HTMLElement>('[data-act=remove]') : null
    ;(target ?? document.querySelector<HTMLElement>('[data-act=choose]'))?.focus()
  })
}

/** Gives the focus to what is there next time the page is drawn. */
export function focusSoon(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus())
}
