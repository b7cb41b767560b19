import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, MouseEvent } from 'react'

type Own = {
  /** Its name, and its tooltip. */
  label: string
  icon: LucideIcon
  /** While what it began goes on: it keeps its focus, and takes no more clicks. */
  busy?: boolean | undefined
  /** It cannot be used now, but can still be reached and read. */
  disabled?: boolean | undefined
  danger?: boolean
}

type Props = Own &
  (
    | ({ href: string } & Omit<ComponentProps<'a'>, 'children' | 'href'>)
    | ({ href?: undefined } & Omit<ComponentProps<'button'>, 'children' | 'disabled'>)
  )

/** An action of a row, without words: a link where there is an address, otherwise a button. */
export function IconButton({ label, icon: Icon, busy, disabled, danger, ...more }: Props) {
  const isOff = busy || disabled
  const shared = {
    'aria-label': label,
    'data-tooltip': label,
    'aria-busy': busy || undefined,
    'aria-disabled': disabled || undefined,
    className: `${ICON_BUTTON} ${danger ? 'text-danger' : 'text-muted'} ${
      disabled
        ? 'cursor-default'
        : `${busy ? 'cursor-progress' : 'cursor-pointer'} ${danger ? 'hover:bg-danger-soft' : 'hover:bg-hover hover:text-ink'}`
    } ${more.className ?? ''}`,
  }
  const icon = (
    <Icon
      size={16}
      strokeWidth={1.75}
      aria-hidden="true"
      className={busy ? 'animate-pulse motion-reduce:animate-none' : disabled ? 'opacity-40' : ''}
    />
  )
  return more.href === undefined ? (
    <button type="button" {...more} {...shared} onClick={isOff ? prevent : more.onClick}>
      {icon}
    </button>
  ) : (
    <a {...more} href={more.href} {...shared} onClick={isOff ? prevent : more.onClick}>
      {icon}
    </a>
  )
}

/** The size and shape of every control that is an icon alone. */
export const ICON_BUTTON = 'grid size-9 shrink-0 place-items-center rounded-control pointer-coarse:size-11'

const prevent = (event: MouseEvent) => event.preventDefault()
