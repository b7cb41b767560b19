import { useSyncExternalStore } from 'react'
import type { WaitingNumbers } from '../../navigation.ts'
import { useFrame } from '../basic/frame.ts'
import { newerNumbers } from './newer-numbers.ts'

/** The number that the server counts to. */
const MOST = 99

type Props = { of: readonly (keyof WaitingNumbers)[]; isNarrow?: boolean }

/** How much waits for somebody on some pages; nothing if nothing does. */
export function WaitingNumber({ of, isNarrow = false }: Props) {
  const { waiting } = useFrame()
  const newer = useSyncExternalStore(newerNumbers.listen, newerNumbers.now, () => null)
  const now = waiting && { ...waiting, ...newer }
  const number = now ? of.reduce((sum, each) => sum + now[each], 0) : 0
  if (number === 0) return null
  return (
    <span
      className={`ml-auto rounded-full bg-accent px-1.5 text-meta font-medium text-on-accent tabular-nums ${isNarrow ? 'lg:absolute lg:top-0 lg:right-0 lg:ml-0' : ''}`}
    >
      {number > MOST ? `${MOST}+` : number}
      <span className="sr-only"> venter</span>
    </span>
  )
}
