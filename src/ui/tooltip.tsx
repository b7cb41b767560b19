import { useEffect, useLayoutEffect, useRef, useState, type PointerEvent, type ReactNode } from 'react'
import { showAt } from './popovers.ts'

const SHOW_MS = 400
const HIDE_MS = 100 // long enough to move the pointer onto it

/** What an icon means, beside it: after a moment under the pointer, at once for the keyboard. Escape hides it. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const around = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [isShown, setShown] = useState(false)

  // Never within the event: the focus may have come from a menu that is just closing, when no popover can open.
  function become(shown: boolean, after = 0): void {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setShown(shown), after)
  }

  useEffect(() => () => clearTimeout(timer.current), [])
  useLayoutEffect(() => {
    if (!isShown) return undefined
    const hide = (event: KeyboardEvent) => event.key === 'Escape' && setShown(false)
    addEventListener('keydown', hide, true)
    return () => removeEventListener('keydown', hide, true)
  }, [isShown])

  function place(tooltip: HTMLElement | null): void {
    const source = around.current?.firstElementChild
    if (tooltip && source instanceof HTMLElement) showAt(tooltip, source)
  }

  return (
    <span
      ref={around}
      onPointerEnter={(event) => isMouse(event) && become(true, isShown ? 0 : SHOW_MS)}
      onPointerLeave={() => become(false, HIDE_MS)}
      onPointerDown={() => become(false)}
      onFocus={({ target }) => target.matches(':focus-visible') && become(true)}
      onBlur={() => become(false)}
      className="contents"
    >
      {children}
      {/* What it says is the control's name already. */}
      {isShown && (
        <span
          ref={place}
          popover="manual"
          aria-hidden="true"
          className="beside-its-control rounded-control bg-ink px-2 py-1 text-meta text-canvas"
        >
          {text}
        </span>
      )}
    </span>
  )
}

const isMouse = ({ pointerType }: PointerEvent) => pointerType === 'mouse'
