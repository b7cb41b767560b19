import { useCallback, useEffect, useRef } from 'react'

/** Calls `onEnd` when it has run for so long in all; it can be paused and goes on where it stopped. */
export function useCountdown(milliseconds: number, onEnd: () => void): { pause: () => void; go: () => void } {
  const left = useRef(milliseconds)
  const running = useRef<{ timer: ReturnType<typeof setTimeout>; began: number } | null>(null)
  const end = useRef(onEnd)

  const go = useCallback(() => {
    running.current ??= { began: Date.now(), timer: setTimeout(() => end.current(), left.current) }
  }, [])
  const pause = useCallback(() => {
    if (!running.current) return
    clearTimeout(running.current.timer)
    left.current -= Date.now() - running.current.began
    running.current = null
  }, [])

  useEffect(() => {
    go()
    return pause
  }, [go, pause])
  return { pause, go }
}
