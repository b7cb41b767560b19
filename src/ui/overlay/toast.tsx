import { useEffect, useSyncExternalStore } from 'react'
import { makeLate } from './late.ts'
import { actOnToast, findUndo, listToasts, noToasts, onToasts, showMessageOfLastPage } from './toasts.ts'
import { useLate } from './use-late.ts'

const toastCard = makeLate(() => import('./toast-card.tsx').then((file) => file.ToastCard))

/** Shows at most three toasts at the bottom right, above the page's bar. Screen readers announce each. */
export function Toasts({ isRaised = false }: { isRaised?: boolean }) {
  const toasts = useSyncExternalStore(onToasts, listToasts, noToasts)
  const { Part: ToastCard } = useLate(toastCard, true)
  useEffect(showMessageOfLastPage, [])
  useEffect(() => {
    addEventListener('keydown', undoByKey)
    return () => removeEventListener('keydown', undoByKey)
  }, [])
  return (
    <section
      aria-label="Beskeder"
      aria-live="polite"
      className={`toasts fixed right-4 z-50 grid print:hidden w-[min(360px,calc(100vw-32px))] gap-2 ${isRaised ? 'bottom-36 sm:bottom-28' : 'bottom-4'}`}
    >
      {toasts.map((toast) =>
        ToastCard ? (
          <ToastCard key={toast.id} toast={toast} />
        ) : (
          <p key={toast.id} className="rounded-card border border-line bg-surface p-3 shadow-lg">
            {toast.text}
          </p>
        ),
      )}
    </section>
  )
}

/** Runs the newest toast's undo by keyboard: Tab would take longer to reach it than it stays. */
function undoByKey(event: KeyboardEvent): void {
  const { target, key, ctrlKey, metaKey, shiftKey, altKey } = event
  if (key.toLowerCase() !== 'z' || !(ctrlKey || metaKey) || shiftKey || altKey) return
  if (
    target instanceof Element &&
    target.closest('input:not([type=checkbox]), textarea, select, [contenteditable], dialog')
  )
    return
  const newest = findUndo()
  if (!newest) return
  event.preventDefault()
  actOnToast(newest)
}
