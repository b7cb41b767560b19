import { useCallback, useState, type MouseEvent } from 'react'

const NONE: ReadonlySet<number> = new Set()

/** What has been opened or downloaded on this page: it is no longer new, before the server says so. */
export function useReadFiles() {
  const [read, setRead] = useState(NONE)
  const onRead = useCallback(
    (file: number) => setRead((now) => (now.has(file) ? now : new Set([...now, file]))),
    [],
  )
  return { read, onRead }
}

/** For a link: when it is followed, by whatever button. */
export function whenFollowed(act: () => void) {
  return {
    onClick: act,
    onAuxClick: (event: MouseEvent) => {
      if (event.button === 1) act()
    },
  }
}
