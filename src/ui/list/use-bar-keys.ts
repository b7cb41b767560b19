import { useEffect, useEffectEvent, useRef } from 'react'

/** Elements in which Escape does something else. */
const OWN_ESCAPE = 'dialog, [popover], textarea, input:not([type=checkbox])'

/**
 * Announces what is selected, `text` being null for nothing, and clears the selection on Escape, wherever the focus is.
 */
export function useBarKeys(
  text: string | null,
  none: string,
  say: (text: string) => void,
  clear: () => void,
): void {
  const announce = useEffectEvent((said: string) => say(said))
  const wasSelected = useRef(false)
  useEffect(() => {
    if (text !== null || wasSelected.current) announce(text ?? none)
    wasSelected.current = text !== null
  }, [text, none])

  const clearByKey = useEffectEvent((event: KeyboardEvent) => {
    const isElsewhere = event.target instanceof Element && event.target.closest(OWN_ESCAPE) !== null
    if (event.key === 'Escape' && !event.defaultPrevented && !isElsewhere) clear()
  })
  const hasSome = text !== null
  useEffect(() => {
    if (!hasSome) return undefined
    const listen = (event: KeyboardEvent) => clearByKey(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [hasSome])
}
