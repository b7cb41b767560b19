/** So near an edge the rest of a long list comes by itself; further away nothing moves under the pointer. */
export const EDGE = 48

/** Whether a pointer is as near to the upper or lower edge of something that scrolls. */
export function isAtEdge(y: number, { top, bottom }: { top: number; bottom: number }): boolean {
  return y - top < EDGE || bottom - y < EDGE
}
