import { startTransition, useEffect, useState, type RefObject } from 'react'

/**
 * How far outside the window still counts as near: about one screen, so that rows are there before they are scrolled to.
 */
const MARGIN = '800px 0px'

/** Whether an element is inside or near the visible part of the page. */
export function useNear(element: RefObject<Element | null>, atFirst: boolean): boolean {
  const [isNear, setNear] = useState(atFirst)
  useEffect(() => watch(element.current!, setNear), [element])
  return isNear
}

/** Whether an element has been inside or near the visible part of the page. What depends on it can wait for a click. */
export function useHasBeenNear(element: RefObject<Element | null>): boolean {
  const [hasBeen, setHasBeen] = useState(false)
  useEffect(() => {
    if (hasBeen) return undefined
    return watch(element.current!, (isNear) => isNear && startTransition(() => setHasBeen(true)))
  }, [element, hasBeen])
  return hasBeen
}

function watch(target: Element, listener: (isNear: boolean) => void): () => void {
  listeners.set(target, listener)
  observe().observe(target)
  return () => {
    observe().unobserve(target)
    listeners.delete(target)
  }
}

const listeners = new Map<Element, (isNear: boolean) => void>()
let observer: IntersectionObserver | undefined

// One observer for all elements: a long list has hundreds of parts.
function observe(): IntersectionObserver {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting)
    },
    { rootMargin: MARGIN },
  )
  return observer
}
