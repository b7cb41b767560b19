import { useSyncExternalStore } from 'react'
import { useFrame, type FrameOffice } from '../basic/frame.ts'

type Logo = FrameOffice['logo']

let changed: { logo: Logo } | null = null
const listeners = new Set<() => void>()

/** Returns the office, with the logo that was chosen on this page. */
export function useOffice(): FrameOffice {
  const { office } = useFrame()
  const now = useSyncExternalStore(
    onChange,
    () => changed,
    () => null,
  )
  return { ...office, ...now }
}

export function changeLogo(logo: Logo): void {
  changed = { logo }
  for (const listener of listeners) listener()
}

function onChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
