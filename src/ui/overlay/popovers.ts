const EDGE = 8 // the distance in pixels from the window's edge and from the element that a tooltip or menu belongs to

/** Shows a popover at an element. The style sheet places it; in browsers that cannot, this code does. */
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
