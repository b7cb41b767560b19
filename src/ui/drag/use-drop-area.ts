import { useEffect, useEffectEvent, useState, type RefObject } from 'react'
import { whenDragLoads } from './use-row-drag.ts'

type Area<Payload> = {
  accepts: (payload: Payload) => boolean
  onDrop: (payload: Payload) => void
}

/** Makes an element accept dragged rows that have a `payload` (`useRowDrag`), as a folder accepts files. */
export function useDropArea<Payload extends object>(
  area: RefObject<HTMLElement | null>,
  options: Area<Payload> | undefined,
): { isOver: boolean } {
  const [isOver, setIsOver] = useState(false)
  const now = useEffectEvent(() => options)

  const isOn = options !== undefined
  useEffect(() => {
    const element = area.current
    if (!isOn || !element) return undefined
    const payloadOf = (source: { data: Record<string, unknown> }) =>
      source.data.payload as Payload | undefined
    return whenDragLoads(({ dropTargetForElements }) => [
      dropTargetForElements({
        element,
        canDrop({ source }) {
          const payload = payloadOf(source)
          return payload !== undefined && now()!.accepts(payload)
        },
        onDragEnter: () => setIsOver(true),
        onDragLeave: () => setIsOver(false),
        onDrop({ source }) {
          setIsOver(false)
          now()!.onDrop(payloadOf(source)!)
        },
      }),
    ])
  }, [area, isOn])

  return { isOver }
}
