import { useEffect } from 'react'
import { makeLate } from './late.ts'
import { UPDATED } from './missing-part.ts'
import { modals } from './modals.ts'
import { SIGNED_OUT } from './request.ts'
import { showToast } from './toasts.ts'
import { useLate } from './use-late.ts'

const frameModals = makeLate(() => import('./frame-modals.tsx').then((file) => file.FrameModals))

/** Fetches the modals that may open over any page, before or when one of them opens. */
export function LateModals() {
  const { Part, call } = useLate(frameModals, true)
  useEffect(
    () =>
      modals.listen(() => {
        if (frameModals.now() || !(modals.isOpen(SIGNED_OUT) || modals.isOpen(UPDATED))) return
        call(() => undefined)
        void frameModals.load().then((part) => part ?? sayUpdated())
      }),
    [call],
  )
  return Part && <Part />
}

/** The part was removed with the old version, and so was the modal that says this. */
function sayUpdated(): void {
  if (modals.isOpen(UPDATED)) showToast('Ringbind er blevet opdateret. Genindlæs siden.', { kind: 'fault' })
}
