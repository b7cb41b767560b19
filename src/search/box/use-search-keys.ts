import { useEffect, useEffectEvent } from 'react'
import { isSearchKey, isTypedIn } from './search-keys.ts'

/** Calls `open` on the keys that ask for the search, and keeps them from the browser if it returns true. */
export function useSearchKeys(open: () => boolean): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isSearchKey(event, isTypedIn(event.target)) && open()) event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}
