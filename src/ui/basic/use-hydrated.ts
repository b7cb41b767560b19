import { useSyncExternalStore } from 'react'

/** Whether React runs in the browser: false in the server's HTML, and always without JavaScript. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    listenToNothing,
    () => true,
    () => false,
  )
}

const listenToNothing = () => () => undefined
