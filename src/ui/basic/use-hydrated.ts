import { useSyncExternalStore } from 'react'

/** Whether the browser has taken over: false in what the server sends, and so for ever without JavaScript. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    listenToNothing,
    () => true,
    () => false,
  )
}

const listenToNothing = () => () => undefined
