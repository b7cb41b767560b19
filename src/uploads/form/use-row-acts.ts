import { useEffect, useRef, useState } from 'react'
import { countFiles } from '../../projects/folder.ts'
import { showToast } from '../../ui/overlay/toasts.ts'
import type { UploadQueue } from '../transport/upload-queue.ts'
import { focusAfterRemoval, focusNextOpen, focusSoon } from '../pile/focus-after-removal.ts'
import { modals } from '../../ui/overlay/modals.ts'
import type { Choice } from '../pile/duplicate.ts'
import { isAtOnePlace, type Group, type Misplaced, type UploadForm } from '../pile/pile.ts'
import type { RowActs } from '../groups/upload-row.tsx'
import type { Saving } from './use-saving.ts'

/** Removes files and sends them again, and moves the focus: `acts` for one row, the others for several at once. */
export function useRowActs(form: UploadForm, queue: UploadQueue, saving: Saving, groups: readonly Group[]) {
  const isSorted = !isAtOnePlace(form)

  function remove(ids: string[]): void {
    focusAfterRemoval(ids)
    const putBack = queue.remove(ids)
    if (ids.length > 1 && saving.step !== 'saving')
      showToast(`${countFiles(ids.length)} er fjernet.`, { action: { text: 'Fortryd', run: putBack } })
  }
  function retry(ids: string[]): void {
    queue.retry(ids)
    // The pressed button disappears.
    focusSoon(...(ids.length === 1 ? [`[data-upload="${ids[0]}"] [data-act=remove]`] : []), '[data-act=save]')
  }
  /** An answered file leaves those to look at. */
  function choose(ids: string[], choice: Choice): void {
    queue.choose(ids, choice)
    if (isSorted) focusSoon('[data-open] button', '[data-act=save]')
  }
  const acts = useStable<RowActs>({
    remove: (id) => remove([id]),
    retry: (id) => retry([id]),
    choose(id, choice) {
      // A file that was answered before stays where it is, with the pressed button.
      const wasOpen = document.querySelector(`[data-upload="${id}"] [data-open]`) !== null
      queue.choose([id], choice)
      if (isSorted && wasOpen) focusNextOpen(id)
    },
    misplace: (id) => {
      const group = groups.find(({ uploads }) => uploads.some((upload) => upload.id === id))
      const upload = group?.uploads.find((each) => each.id === id)
      if (group && upload)
        modals.open('repair', { upload, fault: null, target: group.target } satisfies Misplaced)
    },
  })

  return { remove, retry, choose, acts }
}

/** Returns the same object at every rendering; its functions call the latest ones. */
function useStable<Functions extends Record<string, (...args: never[]) => void>>(
  latest: Functions,
): Functions {
  const current = useRef(latest)
  useEffect(() => {
    current.current = latest
  })
  const [stable] = useState(
    () =>
      Object.fromEntries(
        Object.keys(latest).map((name) => [name, (...args: never[]) => current.current[name]!(...args)]),
      ) as Functions,
  )
  return stable
}
