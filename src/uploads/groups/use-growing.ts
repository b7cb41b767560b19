import { useEffect, useState } from 'react'

/**
 * Returns how many of many rows are drawn: some at once, and some more whenever the browser is free, so that it answers
 * the person meanwhile.
 */
export function useGrowing(total: number, step: number): number {
  const [drawn, setDrawn] = useState(step)
  useEffect(() => {
    if (drawn >= total) return undefined
    // A separate task lets keys and presses be handled in between.
    const soon = setTimeout(() => setDrawn((before) => before + step))
    return () => clearTimeout(soon)
  }, [drawn, total, step])
  return Math.min(drawn, total)
}
