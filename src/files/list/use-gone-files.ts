import type { Dispatch, SetStateAction } from 'react'
import { focusAfter, focusWhenThere } from '../change/focus-after.ts'
import type { Picked } from './use-files-screen.ts'

/** Hides files that have just left the list until it is fetched again. */
export function useGoneFiles(
  setGone: Dispatch<SetStateAction<ReadonlySet<number>>>,
  reload: () => Promise<void>,
) {
  function leave({ file }: Picked, act: 'leave' | 'move'): void {
    focusAfter(file.id, act)
    setGone((now) => new Set([...now, file.id]))
    void reload()
  }

  function comeBack({ file }: Picked): void {
    setGone((now) => new Set([...now].filter((id) => id !== file.id)))
    focusWhenThere(file.id)
    void reload()
  }

  return { leave, comeBack }
}
