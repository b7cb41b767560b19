import { useEffect, useRef, useState } from 'react'

/** How long a button shows a success. */
const FLASH_MS = 2000

/** Tells whether a button shows a success, for a moment. */
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
