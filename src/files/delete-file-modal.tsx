import { useState } from 'react'
import type { FileOwner } from '../access/reader.ts'
import { Button } from '../ui/button.tsx'
import { CancelButton, Modal } from '../ui/modal.tsx'
import { modals } from '../ui/modals.ts'
import { send } from '../ui/request.ts'
import { showToast } from '../ui/toasts.ts'
import { fileUrls } from '../urls.ts'
import { TRASH_DAYS } from './stored-file.ts'
import type { Picked } from './use-files-screen.ts'

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

  async function remove(): Promise<void> {
    if (isBusy) return
    setBusy(true)
    const answer = await ask('DELETE', fileUrls.file(owner, file.id))
    modals.close('delete')
    if (answer !== 'done') {
      showToast(answer === 'gone' ? `${file.name} er allerede slettet.` : FAILED, { kind: 'fault' })
      return onStale()
    }
    onDeleted(picked)
    return showToast(`${file.name} er slettet.`, {
      action: { text: 'Fortryd', label: `Fortryd sletning af ${file.name}`, run: () => void undo() },
    })
  }

  async function undo(): Promise<void> {
    const answer = await ask('POST', fileUrls.restore(owner, file.id))
    if (answer === 'done') showToast(`${file.name} er gendannet.`)
    else showToast(`${file.name} kunne ikke gendannes. Prøv i papirkurven.`, { kind: 'fault' })
    onRestored(picked)
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
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <CancelButton />
        <Button type="submit" kind="danger" loading={isBusy} loadingText="Sletter…">
          Slet fil
        </Button>
      </div>
    </form>
  )
}

const FAILED = 'Filen kunne ikke slettes. Prøv igen om lidt.'

async function ask(method: 'DELETE' | 'POST', url: string): Promise<'done' | 'gone' | 'failed'> {
  try {
    const { ok, status } = await send(method, url)
    return ok ? 'done' : status === 404 ? 'gone' : 'failed'
  } catch {
    return 'failed'
  }
}
