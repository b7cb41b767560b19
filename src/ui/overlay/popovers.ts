const EDGE = 8 // pixels to the window's edge, and a tooltip's or menu's distance from what it belongs to

/** Shows a popover at an element. The style sheet places it; where the browser cannot do that, this does. */
export function showAt(popover: HTMLElement, source: HTMLElement): void {
  if (!popover.matches(':popover-open')) popover.showPopover({ source })
  placeByHand(popover, source)
}

export function placeByHand(popover: HTMLElement, source: HTMLElement): void {
  if (CSS.supports('position-area', 'bottom')) return
  const at = source.getBoundingClientRect()
  const { width, height } = popover.getBoundingClientRect()
  const fitsBelow = at.bottom + height + EDGE <= innerHeight
  const left = Math.max(EDGE, Math.min(at.right - width, innerWidth - width - EDGE))
  const top = fitsBelow ? at.bottom + EDGE / 2 : Math.max(EDGE, at.top - height - EDGE / 2)
  Object.assign(popover.style, { inset: `${top}px auto auto ${left}px`, margin: '0' })
}
