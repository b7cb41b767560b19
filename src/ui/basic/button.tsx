import { Check, LoaderCircle } from 'lucide-react'
import type { ComponentProps } from 'react'

export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger'

const LOOKS: Record<ButtonKind, string> = {
  primary: 'border border-transparent bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border border-line-strong bg-surface hover:bg-hover',
  quiet: 'text-muted hover:bg-hover hover:text-ink',
  danger: 'border border-danger bg-surface text-danger hover:bg-danger-soft',
}

type Props = ComponentProps<'button'> & {
  kind?: ButtonKind
  /** True while the form is being sent: the button keeps its focus and width, and ignores clicks. */
  loading?: boolean
  loadingText?: string
  /** True for a moment after a success. */
  flash?: string | null
}

export function Button({
  kind = 'primary',
  loading,
  loadingText = 'Gemmer…',
  flash,
  children,
  className = '',
  ...more
}: Props) {
  const shown = loading ? 'loading' : flash ? 'flash' : 'text'
  const hidden = (state: string) => (shown === state ? '' : 'invisible')
  return (
    <button
      {...more}
      aria-busy={loading || undefined}
      onClick={loading ? (event) => event.preventDefault() : more.onClick}
      className={`grid min-h-9 place-items-center rounded-control px-4 py-1 font-medium pointer-coarse:min-h-11 disabled:border-line disabled:bg-sunken disabled:text-muted ${
        shown === 'flash' ? 'bg-ok-soft text-ok' : LOOKS[kind]
      } ${loading ? 'cursor-progress' : 'cursor-pointer disabled:cursor-default'} ${className}`}
    >
      {/* All three texts share one cell, so the button is as wide as the longest. */}
      <span className={`col-start-1 row-start-1 ${hidden('text')}`}>{children}</span>
      {loading !== undefined && (
        <span
          aria-hidden={!loading}
          className={`col-start-1 row-start-1 flex items-center gap-2 ${hidden('loading')}`}
        >
          <LoaderCircle
            size={16}
            strokeWidth={1.75}
            aria-hidden="true"
            className={loading ? 'animate-spin motion-reduce:animate-none' : ''}
          />
          {loadingText}
        </span>
      )}
      {flash && (
        <span className={`col-start-1 row-start-1 flex items-center gap-2 ${hidden('flash')}`}>
          <Check size={16} strokeWidth={1.75} aria-hidden="true" />
          {flash}
        </span>
      )}
    </button>
  )
}
