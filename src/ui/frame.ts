import { createContext, use } from 'react'

export type Theme = 'light' | 'dark' | 'auto'

/** What every page is told, whichever it is. */
export type Frame = {
  /** Throw-away data: the page says so. */
  demo: boolean
  /** Dates are shown in the office's time zone, wherever the browser is. */
  timeZone: string
}

const Context = createContext<Frame | null>(null)

export const FrameProvider = Context.Provider

export function useFrame(): Frame {
  const frame = use(Context)
  if (!frame) throw new Error('There is no frame around this component.')
  return frame
}
