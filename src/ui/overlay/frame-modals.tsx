import { SignedOutModal } from './signed-out-modal.tsx'
import { UpdatedModal } from './updated-modal.tsx'

/** The modals that may open over any page. */
export function FrameModals() {
  return (
    <>
      <SignedOutModal />
      <UpdatedModal />
    </>
  )
}
