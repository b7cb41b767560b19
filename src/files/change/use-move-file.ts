import { orNull, send } from '../../ui/overlay/request.ts'
import { modals } from '../../ui/overlay/modals.ts'
import { showToast } from '../../ui/overlay/toasts.ts'
import { urls } from '../../urls.ts'
import { focusAfter } from './focus-after.ts'
import type { Picked } from '../list/use-files-screen.ts'

export type Move = Picked & { target: Picked['folder'] }

const isSharing = ({ folder, target }: Move) => target.visible_to_investors && !folder.visible_to_investors

/** Moves files between a project's folders. Asks first if the move shows the file to investors. */
export function useMoveFile(
  project: number | null,
  reload: () => Promise<void>,
  setMoving: (file: number | null) => void,
) {
  async function move(wanted: Move): Promise<void> {
    const { file, target } = wanted
    const form = new FormData()
    form.set('file_id', String(file.id))
    form.set('folder_id', String(target.id))
    form.set('shares', String(isSharing(wanted)))
    setMoving(file.id)
    const response = await orNull(send('POST', urls.moveFile(project!), form))
    if (response?.ok) focusAfter(file.id, 'move')
    else console.error('Error moving the file:', response?.status ?? 'no answer') // S8.1: the user gets no message
    if (response?.ok || response?.status === 409 || response?.status === 404) await reload()
    if (response?.ok) showToast(`${file.name} er flyttet til ${target.name}.`)
    setMoving(null)
  }

  function ask(picked: Picked, target: Picked['folder']): void {
    if (target.id === picked.folder.id) return
    if (isSharing({ ...picked, target })) modals.open('share', { ...picked, target } satisfies Move)
    else void move({ ...picked, target })
  }

  return { ask, move }
}
