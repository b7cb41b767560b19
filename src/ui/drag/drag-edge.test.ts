import { expect, it } from 'vitest'
import { isAtEdge } from './drag-edge.ts'

it.each([
  [0, true],
  [47, true],
  [48, false],
  [160, false],
  [400, false],
  [640, false],
  [752, false],
  [753, true],
  [800, true],
])('a pointer at %d of a window of 800 scrolls it: %j', (y, isScrolled) => {
  expect(isAtEdge(y, { top: 0, bottom: 800 })).toBe(isScrolled)
})
