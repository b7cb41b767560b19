import { useSyncExternalStore } from 'react'
import { useFrame, type FrameUser } from '../basic/frame.ts'

type Change = Partial<Pick<FrameUser, 'name' | 'image'>>

const NOTHING: Change = {}
let changed = NOTHING
const listeners = new Set<() => void>()

/** Returns the signed-in person, with the changes they made to their profile on this page. */
export function useOwnUser(): FrameUser | null {
  const { user } = useFrame()
  const now = useSyncExternalStore(
    onChange,
    () => changed,
    () => NOTHING,
  )
  return user && { ...user, ...now }
}

export function changeOwnUser(change: Change): void {
  changed = { ...changed, ...change }
  for (const listener of listeners) listener()
}

function onChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
