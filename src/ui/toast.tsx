import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { dismissToast, listToasts, noToasts, onToasts, sayWhatWasKept, type Toast } from './toasts.ts'
import { useCountdown } from './use-countdown.ts'

/** S9.4 */
const SHOWN_MS = 5000

/** Bottom right, at most three; a screen reader hears each as it comes. */
export function Toasts() {
  const toasts = useSyncExternalStore(onToasts, listToasts, noToasts)
  useEffect(sayWhatWasKept, [])
  return (
    <section
      aria-label="Beskeder"
      aria-live="polite"
      className="fixed right-4 bottom-4 z-50 grid w-[min(360px,calc(100vw-32px))] gap-2"
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
      <p className="flex-1">{toast.text}</p>
      {toast.action && (
        <button
          type="button"
          onClick={() => act(toast)}
          className="cursor-pointer font-medium text-accent hover:text-accent-strong"
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
