import { useSyncExternalStore } from 'react'

const QUERY = '(min-width: 1024px)'

/** Whether the sidebar fits beside the page. The server assumes that it does. */
export function useWideScreen(): boolean {
  return useSyncExternalStore(listen, isWideScreen, () => true)
}

export const isWideScreen = () => matchMedia(QUERY).matches

function listen(changed: () => void): () => void {
  const list = matchMedia(QUERY)
  list.addEventListener('change', changed)
  return () => list.removeEventListener('change', changed)
}
