import type { Dispatch, SetStateAction } from 'react'
import type { Picked } from '../screen/use-files-screen.ts'
import { selected } from '../select/selected.ts'
import { keepOnly } from '../select/selection.ts'
import { focusAfter, focusWhenThere } from '../screen/focus-after.ts'

/** Hides files that have just left the list until it is fetched again. */
export function useGoneFiles(
  setGone: Dispatch<SetStateAction<ReadonlySet<number>>>,
  reload: () => Promise<void>,
) {
  function leave(files: readonly Picked[], act: 'leave' | 'move'): void {
    const ids = new Set(files.map(({ file }) => file.id))
    focusAfter(ids, act)
    setGone((now) => new Set([...now, ...ids]))
    selected.set(keepOnly(selected.now(), (id) => !ids.has(id)))
    void reload()
  }

  function comeBack(files: readonly Picked[]): void {
    const ids = new Set(files.map(({ file }) => file.id))
    setGone((now) => new Set([...now].filter((id) => !ids.has(id))))
    focusWhenThere(ids)
    void reload()
  }

  return { leave, comeBack }
}
