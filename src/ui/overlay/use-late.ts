import { useCallback, useEffect, useRef, useState, type ComponentType } from 'react'
import { whenIdle, type Late } from './late.ts'

/**
 * A component that comes late and is used by its handle. `call` acts on the handle, at once or as soon as the component has
 * come. Of several acts that wait the last one counts, or all of them with `keepsAll`.
 */
export function useLate<Props, Handle>(
  late: Late<ComponentType<Props>>,
  isOn: boolean,
  { keepsAll = false } = {},
) {
  const [Part, setPart] = useState<ComponentType<Props> | null>(null)
  const handle = useRef<Handle | null>(null)
  const waiting = useRef<((on: Handle) => void)[]>([])

  useEffect(() => {
    if (!isOn) return undefined
    return whenIdle(() => void late.loadEarly().then((came) => setPart(() => came)))
  }, [late, isOn])

  const ref = useCallback((now: Handle | null) => {
    handle.current = now
    if (now) for (const act of waiting.current.splice(0)) act(now)
  }, [])

  const call = useCallback(
    (act: (on: Handle) => void) => {
      if (handle.current) return act(handle.current)
      waiting.current = keepsAll ? [...waiting.current, act] : [act]
      void late.load().then((came) => (came ? setPart(() => came) : void (waiting.current = [])))
      return undefined
    },
    [late, keepsAll],
  )

  return { Part, ref, call }
}
