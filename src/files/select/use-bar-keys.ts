import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { countFiles } from '../../projects/folder.ts'
import { keepFocusInRow } from './row-keys.ts'

/** Elements in which Escape does something else. */
const OWN_ESCAPE = 'dialog, [popover], textarea, input:not([type=checkbox])'

/** Announces how many files are selected, and clears the selection on Escape, wherever the focus is. */
export function useBarKeys(count: number, say: (text: string) => void, clear: () => void): void {
  const announce = useEffectEvent((text: string) => say(text))
  const wasSelected = useRef(false)
  useLayoutEffect(() => {
    if (count > 0) keepFocusInRow()
  }, [count])
  useEffect(() => {
    if (count > 0 || wasSelected.current)
      announce(count > 0 ? `${countFiles(count)} valgt` : 'Ingen filer valgt')
    wasSelected.current = count > 0
  }, [count])

  const clearByKey = useEffectEvent((event: KeyboardEvent) => {
    const isElsewhere = event.target instanceof Element && event.target.closest(OWN_ESCAPE) !== null
    if (event.key === 'Escape' && !event.defaultPrevented && !isElsewhere) clear()
  })
  const hasSome = count > 0
  useEffect(() => {
    if (!hasSome) return undefined
    const listen = (event: KeyboardEvent) => clearByKey(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [hasSome])
}
