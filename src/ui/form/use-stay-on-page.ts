import { useEffect } from 'react'

/** Keeps the browser on a page that accepts no files: otherwise it would leave and open the dropped file. */
export function useStayOnPage(): void {
  useEffect(() => {
    function refuse(event: DragEvent): void {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'none'
    }
    const types = ['dragover', 'drop'] as const
    for (const type of types) addEventListener(type, refuse)
    return () => {
      for (const type of types) removeEventListener(type, refuse)
    }
  }, [])
}
