import type { ComponentProps, KeyboardEvent } from 'react'
import { IconButton } from '../icon/icon-button.tsx'
import type { MenuStart } from './use-menu-opener.ts'

type Props = Pick<
  ComponentProps<typeof IconButton>,
  'label' | 'icon' | 'busy' | 'disabled' | 'id' | 'tabIndex'
> & {
  /** 'dialog' for a menu with a search field. */
  'aria-haspopup': 'menu' | 'dialog'
  'data-act'?: string
  onOpen: (button: HTMLElement, start: MenuStart) => void
}

/** A row's icon button. Opens a menu shared by all rows, with a click or an arrow key. */
export function MenuButton({ onOpen, ...more }: Props) {
  function openByKey(event: KeyboardEvent<HTMLElement>): void {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    if (!more.busy && !more.disabled) onOpen(event.currentTarget, event.key === 'ArrowUp' ? 'last' : 'first')
  }
  return (
    <IconButton
      {...more}
      onClick={({ currentTarget }) => onOpen(currentTarget, 'first')}
      onKeyDown={openByKey}
    />
  )
}
