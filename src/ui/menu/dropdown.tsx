import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { DropdownTrigger, type TriggerLook } from './dropdown-parts.tsx'
import { Menu, type MenuList } from './menu.tsx'
import type { MenuHandle } from './use-menu-opener.ts'

/** A button with a menu under it. Items that are links also work without JavaScript. */
export function Dropdown<Row>({ icon, iconOnly, kind, ...list }: TriggerLook & MenuList<Row>) {
  const id = useId()
  const trigger = useRef<HTMLButtonElement>(null)
  const menu = useRef<MenuHandle>(null)
  // Unknown until the menu is first opened: without JavaScript the browser itself tells its state.
  const [isOpen, setOpen] = useState<boolean>()

  function openByKey(event: KeyboardEvent): void {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    menu.current!.openAt(trigger.current!, event.key === 'ArrowUp' ? 'last' : 'first')
  }

  return (
    <>
      <DropdownTrigger
        {...{ label: list.label, icon, iconOnly, kind }}
        ref={trigger}
        popoverTarget={id}
        aria-haspopup={list.search ? 'dialog' : 'menu'}
        aria-expanded={isOpen}
        onKeyDown={openByKey}
      />
      <Menu<Row>
        {...list}
        ref={menu}
        trigger={{ id, ref: trigger }}
        toTheLeft={iconOnly}
        onToggle={setOpen}
      />
    </>
  )
}
