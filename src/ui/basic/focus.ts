const CAN_HAVE_FOCUS =
  'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable]:not([contenteditable="false"])'

/** Lists what Tab reaches inside an element, in order. */
export function tabStops(inside: Element): HTMLElement[] {
  return [...inside.querySelectorAll<HTMLElement>(CAN_HAVE_FOCUS)].filter(
    (each) => each.tabIndex >= 0 && !each.matches(':disabled') && isShown(each),
  )
}

/** Moves the focus back to where it was, or to the page's content if that element was removed. */
export function returnFocus(to: Element | null): void {
  const isThere = to instanceof HTMLElement && to !== document.body && to.isConnected && isShown(to)
  const target = isThere ? to : document.querySelector('main')
  if (target && !isThere && !target.hasAttribute('tabindex')) target.tabIndex = -1
  target?.focus({ preventScroll: true })
}

export const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true })
