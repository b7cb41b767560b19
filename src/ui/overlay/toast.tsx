import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { dismissToast, listToasts, noToasts, onToasts, sayWhatWasKept, type Toast } from './toasts.ts'
import { useCountdown } from './use-countdown.ts'

/** S9.4 */
const SHOWN_MS = 5000

/** Shows at most three toasts at the bottom right, above the page's bar. Screen readers announce each. */
export function Toasts({ isRaised = false }: { isRaised?: boolean }) {
  const toasts = useSyncExternalStore(onToasts, listToasts, noToasts)
  useEffect(sayWhatWasKept, [])
  useEffect(() => {
    addEventListener('keydown', undoByKey)
    return () => removeEventListener('keydown', undoByKey)
  }, [])
  return (
    <section
      aria-label="Beskeder"
      aria-live="polite"
      className={`fixed right-4 z-50 grid print:hidden w-[min(360px,calc(100vw-32px))] gap-2 ${isRaised ? 'bottom-36 sm:bottom-28' : 'bottom-4'}`}
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  )
}

function ToastCard({ toast }: { toast: Toast }) {
  const { wait, goOn } = useCountdown(SHOWN_MS, () => dismissToast(toast.id))
  const Icon = toast.kind === 'fault' ? CircleAlert : CircleCheck
  return (
    <div
      onMouseEnter={() => wait('mouse')}
      onMouseLeave={() => goOn('mouse')}
      onFocus={() => wait('focus')}
      onBlur={() => goOn('focus')}
      className="flex items-start gap-3 rounded-card border border-line bg-surface p-3 shadow-lg"
    >
      <Icon
        size={20}
        strokeWidth={1.75}
        aria-hidden="true"
        className={`shrink-0 ${toast.kind === 'fault' ? 'text-danger' : 'text-ok'}`}
      />
      <p className="line-clamp-3 min-w-0 flex-1 wrap-anywhere">
        {toast.text}
        {toast.action && <span className="sr-only"> Tryk Ctrl+Z for at vælge {toast.action.text}.</span>}
      </p>
      {toast.action && (
        <button
          type="button"
          onClick={() => act(toast)}
          aria-label={toast.action.label}
          className="-my-2 min-h-9 cursor-pointer rounded-control px-2 font-medium text-accent hover:text-accent-strong pointer-coarse:min-h-11"
        >
          {toast.action.text}
        </button>
      )}
      <button
        type="button"
        aria-label="Luk besked"
        onClick={() => dismissToast(toast.id)}
        className="-m-1 grid size-7 shrink-0 cursor-pointer place-items-center rounded-control text-muted hover:text-ink pointer-coarse:size-11"
      >
        <X size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
    </div>
  )
}

function act({ id, action }: Toast): void {
  dismissToast(id)
  action?.run()
}

/** Runs the newest toast's undo by keyboard: Tab would take longer to reach it than it stays. */
function undoByKey(event: KeyboardEvent): void {
  const { target, key, ctrlKey, metaKey, shiftKey, altKey } = event
  if (key.toLowerCase() !== 'z' || !(ctrlKey || metaKey) || shiftKey || altKey) return
  if (target instanceof Element && target.closest('input, textarea, select, [contenteditable], dialog'))
    return
  const newest = listToasts().findLast(({ action }) => action)
  if (!newest) return
  event.preventDefault()
  act(newest)
}
