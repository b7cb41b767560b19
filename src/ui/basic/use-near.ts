import { useEffect, useState, type RefObject } from 'react'

/** So far from the window counts as near: about a screen, so that there is something before one has scrolled to it. */
const MARGIN = '800px 0px'

/** Whether an element is in or near what is seen of the page. */
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

// One for all: a long list has hundreds of parts.
function observe(): IntersectionObserver {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting)
    },
    { rootMargin: MARGIN },
  )
  return observer
}
