import { useEffect, useState, type RefObject } from 'react'

/**
 * How far outside the window still counts as near: about one screen, so that rows are there before they are scrolled to.
 */
const MARGIN = '800px 0px'

/** Whether an element is inside or near the visible part of the page. */
export function useNear(element: RefObject<Element | null>, atFirst: boolean): boolean {
  const [isNear, setNear] = useState(atFirst)
  useEffect(() => {
    const target = element.current!
    listeners.set(target, setNear)
    observe().observe(target)
    return () => {
      observe().unobserve(target)
      listeners.delete(target)
    }
  }, [element])
  return isNear
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
