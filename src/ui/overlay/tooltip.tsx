import { useEffect, useRef } from 'react'
import { useFrame } from '../basic/frame.ts'
import { makeLate, whenIdle } from './late.ts'

const late = makeLate(() => import('./show-tooltips.ts').then((file) => file.showTooltips))

/**
 * Explains an icon: after a moment under the pointer, at once for the keyboard. Escape hides it. Shows a row's full dates
 * while a control of the row has the focus and has no tooltip itself, so that dates need no tab stop. One tooltip serves
 * every element with `data-tooltip="…"` (empty: its name, or the full date of a `time`), because a long list has hundreds
 * of them.
 */
export function Tooltip() {
  const { timeZone } = useFrame()
  const tooltip = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    let stop = whenIdle(async () => {
      let isOver = false
      stop = () => (isOver = true)
      const showTooltips = await late.loadEarly()
      if (showTooltips && !isOver) stop = showTooltips(tooltip.current!, timeZone)
    })
    return () => stop()
  }, [timeZone])
  // The tooltip's text is already the control's name.
  return (
    <span
      ref={tooltip}
      popover="manual"
      aria-hidden="true"
      className="beside-its-control rounded-control bg-ink px-2 py-1 text-meta text-canvas"
    />
  )
}
