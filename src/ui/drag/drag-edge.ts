/** How near to an edge a drag starts to scroll; further away nothing moves under the pointer. */
const EDGE = 48

/** Whether a pointer is that near to the upper or lower edge of a scrolling element. */
export function isAtEdge(y: number, { top, bottom }: { top: number; bottom: number }): boolean {
  return y - top < EDGE || bottom - y < EDGE
}
