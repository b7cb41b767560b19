import { useEffect } from 'react'
import { PROVE } from '../../ui/overlay/ask-for-proof.ts'
import { makeLate } from '../../ui/overlay/late.ts'
import { modals } from '../../ui/overlay/modals.ts'
import { useLate } from '../../ui/overlay/use-late.ts'

const proveModal = makeLate(() => import('./prove-modal.tsx').then((file) => file.ProveModal))

/** Fetches the modal that asks for a proof when it opens: few pages ever ask. */
export function LateProve() {
  const { Part, call } = useLate(proveModal, false)
  useEffect(
    () =>
      modals.listen(() => {
        if (proveModal.now() || !modals.isOpen(PROVE)) return
        call(() => undefined)
        void proveModal.load().then((part) => part ?? modals.close(PROVE))
      }),
    [call],
  )
  return Part && <Part />
}
