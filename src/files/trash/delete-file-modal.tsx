import type { FileOwner } from '../../access/reader.ts'
import { Modal } from '../../ui/overlay/modal.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import { showToast } from '../../ui/overlay/toasts.ts'
import { fileUrls } from '../../urls.ts'
import { sendAct } from '../screen/post-act.ts'
import { tellAct } from '../screen/tell-act.ts'
import { TRASH_DAYS } from '../file/stored-file.ts'
import type { Picked } from '../screen/use-files-screen.ts'
import { DeleteQuestion } from './delete-question.tsx'

type Props = {
  owner: FileOwner
  onDeleted: (picked: Picked) => void
  onRestored: (picked: Picked) => void
  onStale: () => void
}

/** S4.15 */
export function DeleteFileModal(props: Props) {
  return (
    <Modal<Picked> name="delete" title={({ file }) => `Slet ${file.name}?`}>
      {(picked) => <Question picked={picked} {...props} />}
    </Modal>
  )
}

function Question({ picked, owner, onDeleted, onRestored, onStale }: Props & { picked: Picked }) {
  const { file } = picked

  async function remove(): Promise<string | null> {
    const { status, undo, fault } = await sendAct('DELETE', fileUrls.file(owner, file.id))
    if (fault !== null && status !== 404) return fault
    modals.close('delete')
    if (fault !== null) {
      showToast(`${file.name} er allerede slettet.`, { kind: 'fault' })
      onStale()
      return null
    }
    onDeleted(picked)
    tellAct(`${file.name} er slettet.`, undo, {
      label: `Fortryd sletning af ${file.name}`,
      onOver: () => onRestored(picked),
    })
    return null
  }

  return (
    <DeleteQuestion count={1} id="delete-fault" submit="Slet fil" isUndoable onDelete={remove}>
      <p className="text-muted">
        Den kan gendannes fra papirkurven i {TRASH_DAYS} dage.
        {picked.folder.visible_to_investors && ' Investorerne kan ikke længere se den.'}
      </p>
    </DeleteQuestion>
  )
}
