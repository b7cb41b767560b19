import type { FileOwner } from '../../access/reader.ts'
import { formatCount } from '../../base/danish/counts.ts'
import { countFiles } from '../../projects/folder.ts'
import { Modal } from '../../ui/overlay/modal.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import { fileUrls } from '../../urls.ts'
import { postAct } from '../screen/post-act.ts'
import { tellAct } from '../screen/tell-act.ts'
import type { Picked } from '../screen/use-files-screen.ts'
import { TRASH_DAYS } from '../file/stored-file.ts'
import { DeleteQuestion } from './delete-question.tsx'

type Files = readonly Picked[]

type Props = {
  owner: FileOwner
  onDeleted: (files: Files) => void
  onRestored: (files: Files) => void
  onStale: (files: Files) => void
}

/** How many files a question names. */
const NAMED = 5

/** Asks once before many files are deleted. */
export function DeleteFilesModal(props: Props) {
  return (
    <Modal<Files> name="delete-many" title={(files) => `Slet ${countFiles(files.length)}?`}>
      {(files) => <Question files={files} {...props} />}
    </Modal>
  )
}

function Question({ files, owner, onDeleted, onRestored, onStale }: Props & { files: Files }) {
  const said = countFiles(files.length)

  async function remove(): Promise<string | null> {
    const ids = files.map(({ file }) => file.id)
    const { status, undo, fault } = await postAct(fileUrls.many(owner, 'delete'), { files: ids })
    if (fault !== null && status !== 404) return fault
    modals.close('delete-many')
    if (fault !== null) {
      onStale(files)
      return null
    }
    onDeleted(files)
    tellAct(`${said} er slettet.`, undo, {
      label: `Fortryd sletning af ${said}`,
      onOver: () => onRestored(files),
    })
    return null
  }

  return (
    <DeleteQuestion
      count={files.length}
      id="delete-many-fault"
      submit={`Slet ${said}`}
      isUndoable
      onDelete={remove}
    >
      <FirstNames files={files.map(({ file }) => file)} />
      <p className="text-muted">
        De kan gendannes fra papirkurven i {TRASH_DAYS} dage.
        {files.some(({ folder }) => folder.visible_to_investors) && ' Investorerne kan ikke længere se dem.'}
      </p>
    </DeleteQuestion>
  )
}

/** Names the first files that a question is about, and how many more there are. */
export function FirstNames({ files }: { files: readonly { id: number; name: string }[] }) {
  const more = files.length - NAMED
  const shown = files.slice(0, more === 1 ? NAMED + 1 : NAMED)
  return (
    <ul className="mb-3 grid gap-1">
      {shown.map((file) => (
        <li key={file.id}>{file.name}</li>
      ))}
      {more > 1 && <li className="text-muted">og {formatCount(more)} andre</li>}
    </ul>
  )
}
