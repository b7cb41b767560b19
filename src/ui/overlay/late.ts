import { ignoreMissingPart } from './missing-part.ts'

/** A part of the page that comes after the page itself. */
export type Late<Part> = {
  /** Null until it has come. */
  now: () => Part | null
  /** Fetches it for somebody who waits. Null if it cannot be fetched: the page says so, and the next call tries again. */
  load: () => Promise<Part | null>
  /** Fetches it before anybody waits. The page says nothing if that fails. */
  loadEarly: () => Promise<Part | null>
}

export function makeLate<Part>(fetchPart: () => Promise<Part>): Late<Part> {
  let part: Part | null = null
  let loading: Promise<Part | null> | null = null
  let isAwaited = false

  async function fetchOnce(): Promise<Part | null> {
    try {
      part = await fetchPart()
    } catch (error) {
      if (!isAwaited) ignoreMissingPart(error)
    }
    loading = null
    isAwaited = false
    return part
  }

  const loadEarly = () => (part ? Promise.resolve(part) : (loading ??= fetchOnce()))
  return {
    now: () => part,
    load() {
      isAwaited = true
      return loadEarly()
    },
    loadEarly,
  }
}

/** Acts when the browser has nothing else to do. Returns a function that calls it off. */
export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const asked = requestIdleCallback(act, { timeout: PATIENCE_MS })
    return () => cancelIdleCallback(asked)
  }
  const timer = setTimeout(act, 200) // Safari
  return () => clearTimeout(timer)
}

const PATIENCE_MS = 2000
