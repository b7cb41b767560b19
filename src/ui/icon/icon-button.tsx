import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, MouseEvent } from 'react'
import { SpriteIcon } from './icon-sprite.tsx'

type Own = {
  /** The button's name and tooltip. */
  label: string
  /** A lucide icon, or the name of an icon in the page's sprite. */
  icon: LucideIcon | string
  /** True while the action runs: the button keeps its focus and ignores clicks. */
  busy?: boolean | undefined
  /** Cannot be used now, but can be reached and read. */
  disabled?: boolean | undefined
  danger?: boolean
}

type Props = Own &
  (
    | ({ href: string } & Omit<ComponentProps<'a'>, 'children' | 'href'>)
    | ({ href?: undefined } & Omit<ComponentProps<'button'>, 'children' | 'disabled'>)
  )

/** An action without a text: a link if it has an address, otherwise a button. */
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

/** The look of every icon-only control: one class, because a long list has hundreds of them. */
export const ICON_BUTTON = 'icon-button'

const prevent = (event: MouseEvent) => event.preventDefault()
