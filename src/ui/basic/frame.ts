import { createContext, use } from 'react'
import type { WaitingNumbers } from '../../navigation.ts'
import type { Role } from '../../rights.ts'

export type Theme = 'light' | 'dark' | 'auto'

/** The person who is signed in. `image` is an address, or null. */
export type FrameUser = {
  id: number
  name: string
  email: string
  role: Role
  roleName: string
  image: string | null
  /** How they prove that it is still them: with a second factor, their password, or at one of these places. */
  provesWith: 'factor' | 'password' | { key: string; name: string; button: string }[]
}

/** The office, as everybody sees it. A text is empty if it is not set. */
export type FrameOffice = {
  name: string
  contactPerson: string
  phone: string
  email: string
  logo: { address: string; width: number; height: number } | null
}

/** The values that every page gets. */
export type Frame = {
  /** True in the demo: the page says that its data will be thrown away. */
  demo: boolean
  /** A warning about the installation, shown on every page. */
  warning: string | null
  /** Days until the person must have a second factor, if they have none. */
  factorDue: { days: number; isPast: boolean } | null
  /** The office's time zone, in which dates are shown wherever the browser is. */
  timeZone: string
  /** How far the changes have come that this page shows: `useLive`. */
  seen: string
  theme: Theme
  /** The address of what the manual says about this page. */
  help: string
  /** The page's path, which the menu marks. */
  path: string
  /** The whole address, for coming back after sign-in. */
  url: string
  /** The CSRF token that a form must carry. */
  token: string
  /** Whether the sidebar shows only icons on wide screens. */
  narrow: boolean
  office: FrameOffice
  /** The numbers in the menu; null outside the office. */
  waiting: WaitingNumbers | null
  /** An administrator sees Ringbind as `user`, whose id it is, until a time. */
  viewing: { id: number; until: string; minutesLeft: number } | null
  user: FrameUser | null
}

const Context = createContext<Frame | null>(null)

export const FrameProvider = Context.Provider

export function useFrame(): Frame {
  const frame = use(Context)
  if (!frame) throw new Error('There is no frame around this component.')
  return frame
}
