import { useEffect, useRef, useState } from 'react'

type Line = 'above' | 'below' | undefined

/**
 * Makes a row draggable by its handle among its neighbours: `onMove(2, 0)` when the third is dropped above the first.
 * The library comes only where there is something to drag. `line` is where it would land.
 */
export function useRowDrag<Row extends HTMLElement>(
  index: number,
  onMove: ((from: number, to: number) => void) | undefined,
) {
  const target = useRef<Row>(null)
  const handle = useRef<HTMLSpanElement>(null)
  const move = useRef(onMove)
  const [isDragged, setIsDragged] = useState(false)
  const [line, setLine] = useState<Line>()

  useEffect(() => {
    move.current = onMove
  }, [onMove])

  const isOn = onMove !== undefined
  useEffect(() => {
    const element = target.current
    if (!isOn || !element || !handle.current) return undefined
    const ended = new AbortController()
    let stop = () => undefined as void
    const start = async () => {
      const { draggable, dropTargetForElements } =
        await import('@atlaskit/pragmatic-drag-and-drop/element/adapter')
      if (ended.signal.aborted) return
      const group = element.parentElement
      const stops = [
        draggable({
          element,
          dragHandle: handle.current!,
          getInitialData: () => ({ index, group }),
          onDragStart: () => setIsDragged(true),
          onDrop: () => setIsDragged(false),
        }),
        dropTargetForElements({
          element,
          canDrop: ({ source }) => source.data.group === group,
          onDrag: ({ location, source }) =>
            setLine(
              source.data.index === index ? undefined : sideOf(element, location.current.input.clientY),
            ),
          onDragLeave: () => setLine(undefined),
          onDrop({ location, source }) {
            setLine(undefined)
            const from = source.data.index as number
            const to = placeOf(from, index, sideOf(element, location.current.input.clientY))
            if (to !== from) move.current?.(from, to)
          },
        }),
      ]
      stop = () => stops.forEach((each) => each())
    }
    void start()
    return () => {
      ended.abort()
      stop()
    }
  }, [index, isOn])

  return { target, handle, isDragged, line }
}

function sideOf(element: HTMLElement, y: number): 'above' | 'below' {
  const { top, height } = element.getBoundingClientRect()
  return y < top + height / 2 ? 'above' : 'below'
}

/** Where a row ends up that is dropped on one side of another, once it has left its own place. */
function placeOf(from: number, onto: number, side: 'above' | 'below'): number {
  const gap = side === 'above' ? onto : onto + 1
  return from < gap ? gap - 1 : gap
}
