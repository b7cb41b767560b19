import { CircleAlert } from 'lucide-react'
import { Button } from './button.tsx'

type Props = {
  message?: string
  onRetry?: () => void
  /** True during another try. */
  busy?: boolean
}

/** Says what could not be fetched or done, and offers another try. */
export function ErrorState({ message = 'Det kunne ikke hentes.', onRetry, busy = false }: Props) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-control bg-danger-soft px-4 py-3 text-danger"
    >
      <p className="flex items-start gap-2">
        <CircleAlert size={16} strokeWidth={1.75} aria-hidden="true" className="mt-0.5 shrink-0" />
        {message}
      </p>
      {onRetry && (
        <Button
          type="button"
          kind="secondary"
          loading={busy}
          loadingText="Henter..."
          onClick={onRetry}
          className="text-ink"
        >
          Prøv igen
        </Button>
      )}
    </div>
  )
}
