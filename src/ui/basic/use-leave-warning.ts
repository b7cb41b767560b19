import { useEffect, useEffectEvent } from 'react'

/** Has the browser ask before the page is left, by a link or otherwise, while something on it is not saved. */
export function useLeaveWarning(isUnsaved: () => boolean): void {
  const ask = useEffectEvent((event: BeforeUnloadEvent) => isUnsaved() && event.preventDefault())
  useEffect(() => {
    const listener = (event: BeforeUnloadEvent) => ask(event)
    addEventListener('beforeunload', listener)
    return () => removeEventListener('beforeunload', listener)
  }, [])
}
