import { useId } from 'react'

/** Shows progress from 0 to 1, or only that something is running if there is no value. */
export function ProgressBar({ label, value }: { label: string; value?: number | undefined }) {
  const id = useId()
  const share = value === undefined ? undefined : Math.min(Math.max(value, 0), 1)
  return (
    <div className="grid gap-1">
      <div className="flex items-baseline justify-between gap-3">
        <span id={id} className="min-w-0 wrap-anywhere">
          {label}
        </span>
        {share !== undefined && (
          <span aria-hidden="true" className="text-meta text-muted tabular-nums">
            {Math.floor(share * 100)} %
          </span>
        )}
      </div>
      <progress
        aria-labelledby={id}
        className="progress-bar"
        {...(share !== undefined && { value: share })}
      />
    </div>
  )
}
