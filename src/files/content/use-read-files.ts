import { useCallback, useState, type MouseEvent } from 'react'

const NONE: ReadonlySet<number> = new Set()

/** Remembers the files that were opened or downloaded on this page: they are no longer new. */
export function useReadFiles() {
  const [read, setRead] = useState(NONE)
  const onRead = useCallback(
    (file: number) => setRead((now) => (now.has(file) ? now : new Set([...now, file]))),
    [],
  )
  return { read, onRead }
}

/** Makes handlers that call `act` when a link is clicked with the left or the middle button. */
export function whenFollowed(act: () => void) {
  return {
    onClick: act,
    onAuxClick: (event: MouseEvent) => {
      if (event.button === 1) act()
    },
  }
}
