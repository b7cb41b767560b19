import { useRef, useState, type FocusEvent } from 'react'
import { flushSync } from 'react-dom'
import { isShown } from '../../ui/basic/focus.ts'
import { isInReach } from './search-keys.ts'
import { useSearchKeys } from './use-search-keys.ts'

/**
 * The place of the box while it is used: in the header, or over the page where the header has no room or is out of
 * view.
 */
type Place = 'closed' | 'header' | 'over'

/** Opens and closes the box, and gives the focus back to where it was. */
export function useSearchBox() {
  const form = useRef<HTMLFormElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const icon = useRef<HTMLAnchorElement>(null)
  const before = useRef<Element | null>(null)
  const [place, setPlace] = useState<Place>('closed')
  useSearchKeys(() => isInReach(form.current!) && open(document.activeElement))

  function open(from: Element | null): boolean {
    if (place === 'closed') {
      before.current = from
      const isAway = form.current!.getBoundingClientRect().bottom < 0
      flushSync(() => setPlace(!isShown(form.current!) || isAway ? 'over' : 'header'))
      input.current!.focus({ preventScroll: true })
    }
    input.current!.select()
    return true
  }

  function close(): void {
    const hadFocus = form.current!.contains(document.activeElement)
    flushSync(() => setPlace('closed'))
    if (!hadFocus) return
    const back = [before.current, icon.current].find(
      (each) => each && each !== document.body && isShown(each),
    )
    if (back instanceof HTMLElement) back.focus({ preventScroll: true })
    else input.current!.blur()
  }

  /** The field has got the focus by a press or by Tab. */
  function enter(event: FocusEvent): void {
    if (place !== 'closed') return
    before.current = event.relatedTarget
    setPlace('header')
  }

  function leave(event: FocusEvent): void {
    if (!form.current!.contains(event.relatedTarget)) setPlace('closed')
  }

  return {
    form,
    input,
    icon,
    isOpen: place !== 'closed',
    isOver: place === 'over',
    open,
    close,
    enter,
    leave,
  }
}
