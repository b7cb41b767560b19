import { countFiles } from '../../projects/folder.ts'
import { Button } from '../../ui/basic/button.tsx'
import { CancelButton, Modal } from '../../ui/overlay/modal.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import { sharingOf, type Move } from './use-move-file.ts'

type Props = { hasAuditor: boolean; onMove: (move: Move) => void }

/** Asks before a move shows files to investors, or hides many from them. */
export function ShareModal({ hasAuditor, onMove }: Props) {
  return (
    <Modal<Move> name="share" title={titleOf}>
      {(move) => (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            modals.close('share')
            onMove(move)
          }}
        >
          <ShareText move={move} readers={hasAuditor ? 'kontoret og revisor' : 'kontoret'} />
          <div className="mt-6 flex flex-wrap justify-end gap-3">
            <CancelButton />
            <Button type="submit">
              {sharingOf(move).shown.length > 0 ? 'Flyt og del' : 'Flyt og skjul'}
            </Button>
          </div>
        </form>
      )}
    </Modal>
  )
}

function titleOf(move: Move): string {
  const { shown, hidden } = sharingOf(move)
  if (shown.length === 0) return `Skjul ${countFiles(hidden.length)} for investorerne?`
  return shown.length === 1
    ? 'Del filen med investorerne?'
    : `Del ${countFiles(shown.length)} med investorerne?`
}

function ShareText({ move, readers }: { move: Move; readers: string }) {
  const { shown, hidden } = sharingOf(move)
  const [first] = shown
  const { name } = move.target
  if (!first)
    return (
      <p className="text-muted">
        {hidden.length === move.files.length
          ? `De ${countFiles(hidden.length)}`
          : `${hidden.length} af de ${countFiles(move.files.length)}`}{' '}
        kan ses af investorerne nu. Flyttes de til {name}, kan kun {readers} se dem.
      </p>
    )
  if (shown.length > 1)
    return (
      <p className="text-muted">
        {shown.length === move.files.length
          ? `De ${countFiles(shown.length)}`
          : `${shown.length} af de ${countFiles(move.files.length)}`}{' '}
        kan kun ses af {readers} nu. Flyttes de til {name}, kan projektets investorer se dem.
      </p>
    )
  return (
    <p className="text-muted">
      <strong className="font-medium text-ink">{first.file.name}</strong> ligger i {first.folder.name}, som
      kun {readers} kan se. Flyttes den til {name}, kan projektets investorer se den.
    </p>
  )
}
