import type { FocusEvent } from 'react'
import type { FileOwner } from '../../access/reader.ts'
import { Field } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { CancelButton, Modal } from '../../ui/overlay/modal.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import { fileUrls } from '../../urls.ts'
import type { Picked } from '../screen/use-files-screen.ts'
import type { FolderOption } from '../file/stored-file.ts'
import type { ActAnswer } from '../screen/post-act.ts'

export type RenameAnswer = ActAnswer & {
  /** The folder where the new name belongs by the convention, if it is another one. */
  elsewhere?: FolderOption | null
}

type Props = { owner: FileOwner; onRenamed: (picked: Picked, answer: RenameAnswer) => void }

/** Asks for a file's new name. Its place, address and history stay. */
export function RenameModal({ owner, onRenamed }: Props) {
  return (
    <Modal<Picked> name="rename" title={({ file }) => `Omdøb ${file.name}`}>
      {(picked) => (
        <Form
          action={fileUrls.rename(owner, picked.file.id)}
          submit="Omdøb"
          loadingText="Omdøber…"
          was={{ name: picked.file.name }}
          beside={<CancelButton />}
          onDone={(answer) => {
            modals.close('rename')
            onRenamed(picked, answer as RenameAnswer)
          }}
        >
          <Field
            name="name"
            label="Nyt navn"
            defaultValue={picked.file.name}
            autoComplete="off"
            spellCheck={false}
            onFocus={selectStem}
          />
        </Form>
      )}
    </Modal>
  )
}

/** Selects the name without its extension, which stays most often. */
function selectStem({ target }: FocusEvent<HTMLInputElement>): void {
  if (target.value !== target.defaultValue) return // the user is back in it
  const end = target.value.lastIndexOf('.')
  target.setSelectionRange(0, end > 0 ? end : target.value.length)
}
