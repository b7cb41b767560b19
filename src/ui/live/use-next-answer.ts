import { useEffect, useEffectEvent, useRef } from 'react'

/** Calls `take` when the page brings another answer than the one that was drawn first. */
export function useNextAnswer(answer: object, take: () => void): void {
  const last = useRef(answer)
  const takeUp = useEffectEvent(take)
  useEffect(() => {
    if (last.current === answer) return
    last.current = answer
    takeUp()
  }, [answer])
}
