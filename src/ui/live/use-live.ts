import { useEffect, useEffectEvent, useState } from 'react'
import { useFrame } from '../basic/frame.ts'
import { makeLate, whenIdle } from '../overlay/late.ts'
import type { Fresh, Refresh } from './fresh.ts'

const listening = makeLate(() => import('./listen-to.ts').then((file) => file.listenTo))

/** Listens at an address for changes of what the page shows, and refreshes it when nothing is disturbed by that. */
export function useLive(address: string | null, refresh: Refresh): void {
  const { seen } = useFrame()
  const [since] = useState(seen)
  const latest = useEffectEvent((fresh: Fresh) => refresh(fresh))
  useEffect(() => {
    if (address === null) return undefined
    let stop: (() => void) | null = null
    let isOver = false
    const callOff = whenIdle(async () => {
      const listenTo = await listening.loadEarly()
      if (listenTo && !isOver) stop = listenTo(address, since, (fresh) => latest(fresh))
    })
    return () => {
      isOver = true
      callOff()
      stop?.()
    }
  }, [address, since])
}
