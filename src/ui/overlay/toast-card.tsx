import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { actOnToast, dismissToast, type Toast } from './toasts.ts'
import { useCountdown } from './use-countdown.ts'

/** S9.4 */
const SHOWN_MS = 5000

export function ToastCard({ toast }: { toast: Toast }) {
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
        {toast.action && toast.action.key !== 'none' && (
          <span className="sr-only"> Tryk Ctrl+Z for at vælge {toast.action.text}.</span>
        )}
      </p>
      {toast.action && (
        <button
          type="button"
          onClick={() => actOnToast(toast)}
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
