import { createContext, use } from 'react'
import type { Role } from '../../rights.ts'

export type Theme = 'light' | 'dark' | 'auto'

/** Who is signed in. The image is an address; null: there is none. */
export type FrameUser = {
  id: number
  name: string
  email: string
  role: Role
  roleName: string
  image: string | null
}

/** What every page is told, whichever it is. */
export type Frame = {
  /** Throw-away data: the page says so. */
  demo: boolean
  /** What whoever looks should know of the installation, on every page. */
  warning: string | null
  /** Dates are shown in the office's time zone, wherever the browser is. */
  timeZone: string
  theme: Theme
  /** The page's own path, to mark in the navigation. */
  path: string
  /** The whole address, to come back to. */
  url: string
  /** What a form must carry to be taken. */
  token: string
  /** Whether the sidebar shows icons alone, on wide screens. */
  narrow: boolean
  user: FrameUser | null
}

const Context = createContext<Frame | null>(null)

export const FrameProvider = Context.Provider

export function useFrame(): Frame {
  const frame = use(Context)
  if (!frame) throw new Error('There is no frame around this component.')
  return frame
}
