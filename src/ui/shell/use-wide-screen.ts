import { useSyncExternalStore } from 'react'

const QUERY = '(min-width: 1024px)'

/** Whether there is room for the sidebar beside the page; the server guesses that there is. */
export function useWideScreen(): boolean {
  return useSyncExternalStore(listen, isWideScreen, () => true)
}

export const isWideScreen = () => matchMedia(QUERY).matches

function listen(changed: () => void): () => void {
  const list = matchMedia(QUERY)
  list.addEventListener('change', changed)
  return () => list.removeEventListener('change', changed)
}
