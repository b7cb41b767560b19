import { useEffect, useRef, type RefObject } from 'react'

/** Holds the newest value that was drawn, for what is called later. */
export function useLatest<Value>(value: Value): Readonly<RefObject<Value>> {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return latest
}
