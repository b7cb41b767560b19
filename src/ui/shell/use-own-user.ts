import { useSyncExternalStore } from 'react'
import { useFrame, type FrameUser } from '../basic/frame.ts'
import { makeStore } from '../basic/store.ts'

type Change = Partial<Pick<FrameUser, 'name' | 'image'>>

const NOTHING: Change = {}
const changed = makeStore(NOTHING)

/** Returns the signed-in person, with the changes they made to their profile on this page. */
export function useOwnUser(): FrameUser | null {
  const { user } = useFrame()
  const now = useSyncExternalStore(changed.listen, changed.now, () => NOTHING)
  return user && { ...user, ...now }
}

export const changeOwnUser = (change: Change) => changed.set({ ...changed.now(), ...change })
