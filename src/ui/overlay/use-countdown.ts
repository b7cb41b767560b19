import { useCallback, useEffect, useRef } from 'react'

/** Calls `onEnd` after a total running time. Pauses while there is any reason to wait. */
export function useCountdown(milliseconds: number, onEnd: () => void) {
  const reasons = useRef(new Set<string>())
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
  return {
    wait: (reason: string) => {
      reasons.current.add(reason)
      pause()
    },
    goOn: (reason: string) => {
      reasons.current.delete(reason)
      if (reasons.current.size === 0) go()
    },
  }
}
