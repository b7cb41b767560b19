import { useEffect, useRef, useState } from 'react'

/** How long a button says that it went well. */
const FLASH_MS = 2000

/** Knows whether a button says, for a while, that it went well. */
export function useFlash() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [isFlashing, setFlashing] = useState(false)
  useEffect(() => () => clearTimeout(timer.current), [])

  return {
    isFlashing,
    startFlash: () => {
      setFlashing(true)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setFlashing(false), FLASH_MS)
    },
    endFlash: () => setFlashing(false),
  }
}
