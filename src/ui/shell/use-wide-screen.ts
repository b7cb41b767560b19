import { useSyncExternalStore } from 'react'

const WIDE = '(min-width: 1024px)'
const BESIDE = '(min-width: 1184px)'

/** Whether the sidebar fits beside the page. The server assumes that it does. */
export const useWideScreen = makeUseScreen(WIDE)

/** Whether a panel fits beside the page and the sidebar. */
export const useScreenForPanel = makeUseScreen(BESIDE)

export const isWideScreen = () => matchMedia(WIDE).matches

function makeUseScreen(query: string): () => boolean {
  const isNow = () => matchMedia(query).matches
  function listen(changed: () => void): () => void {
    const list = matchMedia(query)
    list.addEventListener('change', changed)
    return () => list.removeEventListener('change', changed)
  }
  return function useScreen() {
    return useSyncExternalStore(listen, isNow, () => true)
  }
}
