import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { isAtEdge } from './drag-edge.ts'
import { makeLate, whenIdle } from '../overlay/late.ts'

type Line = 'above' | 'below' | undefined

type More = {
  /** Rows with the same value are neighbours; without one, rows of the same parent element are. */
  group?: string | number
  /** The row's data, for the areas that accept it (`useDropArea`). */
  payload?: object
}

/**
 * Makes a row draggable by its handle among its neighbours: calls `onMove(2, 0)` when the third is dropped above the first.
 * `line` says where the row would land. Loads the library only where something can be dragged.
 */
export function useRowDrag<Row extends HTMLElement>(
  index: number,
  onMove: ((from: number, to: number) => void) | undefined,
  { group, payload }: More = {},
) {
  const target = useRef<Row>(null)
  const handle = useRef<HTMLSpanElement>(null)
  const [isDragged, setIsDragged] = useState(false)
  const [line, setLine] = useState<Line>()
  // Scrolling under a resting pointer must not change where the row lands: it lands where the line was shown.
  const seen = useRef<Line>(undefined)
  const show = useEffectEvent((next: Line) => {
    seen.current = next
    setLine(next)
  })

  // Rows come, go and move during a drag.
  const now = useEffectEvent(() => ({
    index,
    onMove,
    group: group ?? target.current?.parentElement,
    payload,
  }))

  const isOn = onMove !== undefined || payload !== undefined
  useEffect(() => {
    const [element, dragHandle] = [target.current, handle.current]
    if (!isOn || !element || !dragHandle) return undefined
    return whenDragLoads(({ draggable, dropTargetForElements }) => [
      draggable({
        element,
        dragHandle,
        getInitialData: () => ({ ...now(), indexNow: () => now().index }),
        onDragStart: () => setIsDragged(true),
        onDrop: () => setIsDragged(false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => now().onMove !== undefined && source.data.group === now().group,
        onDrag: ({ location, source }) =>
          show(source.element === element ? undefined : sideOf(element, location.current.input.clientY)),
        onDragLeave: () => show(undefined),
        onDrop({ location, source }) {
          const side = seen.current ?? sideOf(element, location.current.input.clientY)
          show(undefined)
          const { indexNow } = source.data as { indexNow: () => number }
          const from = indexNow()
          const to = placeOf(from, now().index, side)
          if (to !== from) now().onMove?.(from, to)
        },
      }),
    ])
  }, [isOn])

  return { target, handle, isDragged, line }
}

function sideOf(element: HTMLElement, y: number): 'above' | 'below' {
  const { top, height } = element.getBoundingClientRect()
  return y < top + height / 2 ? 'above' : 'below'
}

/** Returns the index of a row that is dropped on one side of another, after it has left its old place. */
function placeOf(from: number, onto: number, side: 'above' | 'below'): number {
  const gap = side === 'above' ? onto : onto + 1
  return from < gap ? gap - 1 : gap
}

const library = makeLate(async () => {
  const [elements, { autoScrollForElements, autoScrollWindowForElements }] = await Promise.all([
    import('@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'),
    import('@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'),
  ])
  autoScrollWindowForElements({
    getAllowedAxis: () => 'vertical',
    canScroll: ({ input }) => isAtEdge(input.clientY, { top: 0, bottom: innerHeight }),
  })
  return { ...elements, autoScrollForElements }
})

type Library = NonNullable<ReturnType<typeof library.now>>

/** Registers an element with the library once that is loaded. Returns a function that unregisters it. */
export function whenDragLoads(register: (library: Library) => (() => void)[]): () => void {
  let isEnded = false
  let stops: (() => void)[] = []
  const callOff = whenIdle(async () => {
    const loaded = await library.loadEarly()
    if (loaded && !isEnded) stops = register(loaded)
  })
  return () => {
    isEnded = true
    callOff()
    stops.forEach((stop) => stop())
  }
}

/** Scrolls the element while a row is dragged to its edge. */
export function useScrollWhileDragging(isOn: boolean) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (!isOn || !element) return undefined
    return whenDragLoads(({ autoScrollForElements }) => [
      autoScrollForElements({
        element,
        getAllowedAxis: () => 'vertical',
        canScroll: ({ input }) => isAtEdge(input.clientY, element.getBoundingClientRect()),
      }),
    ])
  }, [isOn])
  return box
}
