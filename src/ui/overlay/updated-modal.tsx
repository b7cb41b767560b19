import { Button } from '../basic/button.tsx'
import { UPDATED } from './missing-part.ts'
import { CancelButton, Modal } from './modal.tsx'

/** Over the page, which keeps what was typed until its reader reloads it. */
export function UpdatedModal() {
  return (
    <Modal name={UPDATED} title="Ringbind er blevet opdateret">
      <p>Genindlæs siden. Har du noget, der ikke er gemt, så luk beskeden, og gem det først.</p>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <CancelButton>Luk</CancelButton>
        <Button type="button" onClick={() => location.reload()}>
          Genindlæs siden
        </Button>
      </div>
    </Modal>
  )
}
