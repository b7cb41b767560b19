import { useSyncExternalStore } from 'react'
import { useFrame, type FrameOffice } from '../basic/frame.ts'
import { makeStore } from '../basic/store.ts'

type Logo = FrameOffice['logo']

const changed = makeStore<{ logo: Logo } | null>(null)

/** Returns the office, with the logo that was chosen on this page. */
export function useOffice(): FrameOffice {
  const { office } = useFrame()
  const now = useSyncExternalStore(changed.listen, changed.now, () => null)
  return { ...office, ...now }
}

export const changeLogo = (logo: Logo) => changed.set({ logo })
