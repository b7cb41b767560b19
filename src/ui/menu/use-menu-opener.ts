import { useEffect, useEffectEvent, useImperativeHandle, useRef, type Ref, type RefObject } from 'react'
import { showAt } from '../overlay/popovers.ts'

/** The item that gets the focus first. */
export type MenuStart = 'first' | 'last'

export type MenuHandle = {
  /** Opens the menu at a button, also when it is open at another. A second press on the same button closes it. */
  openAt: (button: HTMLElement, start?: MenuStart) => void
}

/** Opens a menu at its buttons, and knows the button it is open at. A menu with only one button has a `trigger`. */
export function useMenuOpener(
  ref: Ref<MenuHandle> | undefined,
  isOpen: boolean,
  trigger: RefObject<HTMLElement | null> | undefined,
) {
  const popover = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLElement>(null)
  const pressed = useRef<HTMLElement>(null)
  const startsAtEnd = useRef(false)
  const button = () => trigger?.current ?? opener.current

  useImperativeHandle(
    ref,
    () => ({
      openAt(at, start = 'first') {
        const hasClosedIt = pressed.current === at
        pressed.current = null
        if (hasClosedIt) return
        startsAtEnd.current = start === 'last'
        if (opener.current !== at) popover.current!.hidePopover()
        opener.current = at
        showAt(popover.current!, at)
      },
    }),
    [],
  )

  // A press outside closes it, also one on its button; the click that follows must not open it again.
  const press = useEffectEvent(({ target, button: which }: PointerEvent) => {
    if (which !== 0 || trigger || !opener.current?.contains(target as Node)) return
    pressed.current = opener.current
    const forget = () => (pressed.current = null)
    addEventListener('click', forget, { once: true })
    addEventListener('pointercancel', forget, { once: true })
  })
  useEffect(() => {
    if (!isOpen) return undefined
    const listen = (event: PointerEvent) => press(event)
    addEventListener('pointerdown', listen, true)
    return () => removeEventListener('pointerdown', listen, true)
  }, [isOpen])

  // The button may disappear while the menu is open, for example when the row is removed.
  useEffect(() => {
    if (isOpen && !button()?.isConnected) popover.current!.hidePopover()
  })

  return {
    popover,
    button,
    startsAtEnd: () => startsAtEnd.current,
    forgetStart: () => void (startsAtEnd.current = false),
  }
}
