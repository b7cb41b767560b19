import { Button } from '../../ui/basic/button.tsx'
import { CancelButton, Modal } from '../../ui/overlay/modal.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import type { Move } from './use-move-file.ts'

type Props = { hasAuditor: boolean; onMove: (move: Move) => void }

/** Asks before a move shows a file to investors. */
export function ShareModal({ hasAuditor, onMove }: Props) {
  return (
    <Modal<Move> name="share" title="Del filen med investorerne?">
      {(move) => (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            modals.close('share')
            onMove(move)
          }}
        >
          <p className="text-muted">
            <strong className="font-medium text-ink">{move.file.name}</strong> ligger i {move.folder.name},
            som kun {hasAuditor ? 'kontoret og revisor' : 'kontoret'} kan se. Flyttes den til{' '}
            {move.target.name}, kan projektets investorer se den.
          </p>
          <div className="mt-6 flex flex-wrap justify-end gap-3">
            <CancelButton />
            <Button type="submit">Flyt og del</Button>
          </div>
        </form>
      )}
    </Modal>
  )
}
