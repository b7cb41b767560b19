import { useEffect, useEffectEvent } from 'react'

/** Makes the browser ask before the page is left with unsaved changes. */
export function useLeaveWarning(isUnsaved: () => boolean): void {
  const ask = useEffectEvent((event: BeforeUnloadEvent) => isUnsaved() && event.preventDefault())
  useEffect(() => {
    const listener = (event: BeforeUnloadEvent) => ask(event)
    addEventListener('beforeunload', listener)
    return () => removeEventListener('beforeunload', listener)
  }, [])
}
