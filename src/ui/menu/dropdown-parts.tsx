import { ChevronDown, CircleAlert, Search, type LucideIcon } from 'lucide-react'
import type { ComponentProps, MouseEvent, RefObject } from 'react'
import { ICON_BUTTON } from '../icon/icon-button.tsx'

export type DropdownItem = {
  key: string | number
  text: string
  href?: string
  icon?: LucideIcon
  danger?: boolean
  /** Can be reached and read, but not chosen. */
  disabled?: boolean
  /** A short note at its right, such as 'Deles med investorer'. */
  hint?: string
  onSelect?: () => void
}

export type TriggerLook = {
  /** The button's text; its name and tooltip if it shows only an icon. */
  label: string
  icon?: LucideIcon | undefined
  iconOnly?: boolean | undefined
  kind?: 'secondary' | 'quiet' | undefined
}

const KINDS = {
  secondary: 'border border-line-strong bg-surface px-4 hover:bg-hover',
  quiet: 'px-3 text-muted hover:bg-hover hover:text-ink',
}

export function DropdownTrigger({
  label,
  icon: Icon,
  iconOnly,
  kind = 'secondary',
  ...more
}: TriggerLook & ComponentProps<'button'>) {
  const icon = Icon && <Icon size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
  if (iconOnly)
    return (
      <button type="button" {...more} aria-label={label} data-tooltip="" className={ICON_BUTTON}>
        {icon}
      </button>
    )
  return (
    <button
      type="button"
      {...more}
      className={`inline-flex min-h-9 cursor-pointer items-center gap-2 rounded-control font-medium pointer-coarse:min-h-11 ${KINDS[kind]}`}
    >
      {icon}
      {label}
      <ChevronDown size={16} strokeWidth={1.75} aria-hidden="true" className="-mr-1 shrink-0" />
    </button>
  )
}

type RowProps = { item: DropdownItem; onClick: (event: MouseEvent) => void }

export function DropdownRow({ item, onClick }: RowProps) {
  const { text, hint, href, icon: Icon, danger, disabled } = item
  const look = `flex min-h-9 w-full items-center gap-3 rounded-control px-3 py-1 text-left -outline-offset-2 focus-visible:bg-hover pointer-coarse:min-h-11 ${
    disabled ? 'cursor-default text-muted' : `cursor-pointer hover:bg-hover ${danger ? 'text-danger' : ''}`
  }`
  const inside = (
    <>
      {Icon && <Icon size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />}
      <span className="min-w-0 wrap-anywhere">{text}</span>
      {hint && <span className="ml-auto shrink-0 text-meta text-muted">{hint}</span>}
    </>
  )
  return href === undefined || disabled ? (
    <button
      type="button"
      role="menuitem"
      aria-disabled={disabled || undefined}
      onClick={onClick}
      className={look}
    >
      {inside}
    </button>
  ) : (
    <a href={href} role="menuitem" onClick={onClick} className={look}>
      {inside}
    </a>
  )
}

type SearchProps = {
  ref: RefObject<HTMLInputElement | null>
  label: string
  query: string
  onChange: (query: string) => void
}

export function DropdownSearch({ ref, label, query, onChange }: SearchProps) {
  return (
    <div className="sticky -top-1 z-10 -mx-1 -mt-1 mb-1 flex items-center gap-2 border-b-2 border-line bg-surface px-4 text-muted focus-within:border-accent">
      <Search size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      <input
        ref={ref}
        aria-label={label}
        placeholder={label}
        value={query}
        onChange={({ target }) => onChange(target.value)}
        autoComplete="off"
        className="min-h-10 w-full min-w-0 text-ink outline-none placeholder:text-muted pointer-coarse:min-h-11 pointer-coarse:text-section"
      />
    </div>
  )
}

export function DropdownFault({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className="grid px-3 py-2">
      <p className="flex items-start gap-1.5 text-danger">
        <CircleAlert size={16} strokeWidth={1.75} aria-hidden="true" className="mt-0.5 shrink-0" />
        Listen kunne ikke hentes.
      </p>
      <button
        type="button"
        onClick={onRetry}
        className="min-h-9 cursor-pointer justify-self-start rounded-control font-medium text-accent underline-offset-2 hover:underline pointer-coarse:min-h-11"
      >
        Prøv igen
      </button>
    </div>
  )
}
