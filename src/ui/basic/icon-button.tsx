import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, MouseEvent } from 'react'
import { SpriteIcon } from './icon-sprite.tsx'

type Own = {
  /** Its name, and its tooltip. */
  label: string
  /** One of lucide's, or the name of one in the page's sprite. */
  icon: LucideIcon | string
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
    'data-tooltip': '',
    'aria-busy': busy || undefined,
    'aria-disabled': disabled || undefined,
    className: [ICON_BUTTON, danger && 'is-dangerous', more.className].filter(Boolean).join(' '),
  }
  const icon =
    typeof Icon === 'string' ? (
      <SpriteIcon name={Icon} />
    ) : (
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
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

/** The look of every control that is an icon alone: one class, since a long list has hundreds of them. */
export const ICON_BUTTON = 'icon-button'

const prevent = (event: MouseEvent) => event.preventDefault()
