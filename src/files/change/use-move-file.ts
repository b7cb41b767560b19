import { countFiles } from '../../projects/folder.ts'
import { modals } from '../../ui/overlay/modals.ts'
import { showToast } from '../../ui/overlay/toasts.ts'
import { fileUrls, urls } from '../../urls.ts'
import type { Picked } from '../screen/use-files-screen.ts'
import { selected } from '../select/selected.ts'
import { keepOnly } from '../select/selection.ts'
import { focusAfter, focusWhenThere } from '../screen/focus-after.ts'
import { postAct } from '../screen/post-act.ts'
import { tellAct } from '../screen/tell-act.ts'

export type Move = { files: readonly Picked[]; target: Picked['folder'] }

/** Returns the files that a move shows to investors, and those that it hides from them. */
export function sharingOf({ files, target }: Move): { shown: readonly Picked[]; hidden: readonly Picked[] } {
  const changed = files.filter(({ folder }) => folder.visible_to_investors !== target.visible_to_investors)
  return target.visible_to_investors ? { shown: changed, hidden: [] } : { shown: [], hidden: changed }
}

/** Moves files between a project's folders. Asks first, once for all, if investors begin to see some of them. */
export function useMoveFile(
  project: number | null,
  reload: () => Promise<void>,
  setMoving: (files: ReadonlySet<number>) => void,
  onStale: (files: readonly Picked[]) => void,
) {
  async function move(wanted: Move): Promise<void> {
    const { files, target } = wanted
    const ids = files.map(({ file }) => file.id)
    const shares = sharingOf(wanted).shown.length > 0
    const [only, ...others] = files
    const isOne = others.length === 0
    const said = isOne ? only!.file.name : countFiles(files.length)
    setMoving(new Set(ids))
    const { status, undo, fault, asked } = isOne
      ? await postAct(urls.moveFile(project!), oneForm(ids[0]!, target.id, shares))
      : await postAct(fileUrls.many({ project: project! }, 'move'), {
          files: ids,
          folder_id: target.id,
          shares,
        })
    if (fault === null && asked === null) {
      focusAfter(new Set(ids), 'move')
      selected.set(keepOnly(selected.now(), (id) => !ids.includes(id)))
    } else if (fault === null) {
      // Nothing has moved yet.
    } else if (isOne) console.error('Error moving the file:', status || 'no answer') // S8.1: the user gets no message
    else if (status === 404) onStale(files)
    else showToast(`Filerne blev ikke flyttet. ${fault}`, { kind: 'fault' })
    if (fault === null || status === 409 || status === 404) await reload()
    if (fault === null)
      tellAct(asked ?? `${said} er flyttet til ${target.name}.`, undo, {
        label: `Fortryd flytning af ${said}`,
        onOver() {
          focusWhenThere(new Set(ids))
          return reload()
        },
      })
    setMoving(NONE)
  }

  function ask(files: readonly Picked[], target: Picked['folder']): void {
    const leaving = files.filter(({ folder }) => folder.id !== target.id)
    if (leaving.length === 0) return
    const wanted: Move = { files: leaving, target }
    const { shown, hidden } = sharingOf(wanted)
    // One file may be hidden without a question: only what is shown cannot be taken back.
    const isAsked = shown.length > 0 || (leaving.length > 1 && hidden.length > 0)
    if (isAsked) modals.open('share', wanted)
    else void move(wanted)
  }

  return { ask, move }
}

const NONE: ReadonlySet<number> = new Set()

function oneForm(file: number, folder: number, shares: boolean): FormData {
  const form = new FormData()
  form.set('file_id', String(file))
  form.set('folder_id', String(folder))
  form.set('shares', String(shares))
  return form
}
