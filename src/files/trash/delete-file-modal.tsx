import { useState } from 'react'
import type { FileOwner } from '../../access/reader.ts'
import { Button } from '../../ui/basic/button.tsx'
import { Faults } from '../../ui/basic/faults.tsx'
import { CancelButton, Modal } from '../../ui/overlay/modal.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import { showToast } from '../../ui/overlay/toasts.ts'
import { fileUrls } from '../../urls.ts'
import { sendAct } from '../screen/post-act.ts'
import { tellAct } from '../screen/tell-act.ts'
import { TRASH_DAYS } from '../file/stored-file.ts'
import type { Picked } from '../screen/use-files-screen.ts'

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
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)

  async function remove(): Promise<void> {
    if (isBusy) return
    setBusy(true)
    setFault(null)
    const { status, undo, fault: refused } = await sendAct('DELETE', fileUrls.file(owner, file.id))
    setBusy(false)
    if (status === 404) {
      modals.close('delete')
      showToast(`${file.name} er allerede slettet.`, { kind: 'fault' })
      return onStale()
    }
    if (refused !== null) return setFault(refused)
    modals.close('delete')
    onDeleted(picked)
    return tellAct(`${file.name} er slettet.`, undo, {
      label: `Fortryd sletning af ${file.name}`,
      onOver: () => onRestored(picked),
    })
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void remove()
      }}
    >
      <p className="text-muted">
        Filen lægges i papirkurven, hvor den kan gendannes i {TRASH_DAYS} dage.
        {picked.folder.visible_to_investors && ' Investorerne vil ikke længere kunne se den.'}
      </p>
      <div role="alert" className="mt-3 empty:hidden">
        {fault !== null && <Faults id="delete-fault" faults={[`Filen blev ikke slettet. ${fault}`]} />}
      </div>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <CancelButton />
        {/* S4.2: Enter deletes, because it can be undone. */}
        <Button type="submit" kind="danger" data-autofocus loading={isBusy} loadingText="Sletter…">
          Slet fil
        </Button>
      </div>
    </form>
  )
}
