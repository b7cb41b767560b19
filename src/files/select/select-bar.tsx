import { Ellipsis, X } from 'lucide-react'
import { useRef } from 'react'
import { countFiles } from '../../projects/folder.ts'
import { Button } from '../../ui/basic/button.tsx'
import { IconButton } from '../../ui/icon/icon-button.tsx'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import type { DropdownItem } from '../../ui/menu/dropdown-parts.tsx'
import { Menu } from '../../ui/menu/menu.tsx'
import type { MenuHandle, MenuStart } from '../../ui/menu/use-menu-opener.ts'

/** An action on the selected files. A narrow bar shows the first ones, and the others in a menu. */
export type BarAct = Omit<DropdownItem, 'onSelect' | 'key'> & {
  key: string
  isFirst?: boolean
  onPress?: (button: HTMLElement, start: MenuStart) => void
}

type Props = { count: number; acts: readonly BarAct[]; onClose: () => void }

/** Stays at the bottom of the window while something is selected, and offers the actions. */
export function SelectBar({ count, acts, onClose }: Props) {
  const menu = useRef<MenuHandle>(null)
  const more = useRef<HTMLSpanElement>(null)
  const hidden = acts.filter(({ isFirst }) => !isFirst)
  return (
    <section aria-label="Valgte filer" className="select-bar">
      <p className="mr-auto font-medium whitespace-nowrap tabular-nums">{countFiles(count)} valgt</p>
      {acts.map((act) => (
        <BarButton key={act.key} act={act} />
      ))}
      {hidden.length > 0 && (
        <span ref={more} className="flex sm:hidden">
          <IconButton
            label="Flere handlinger"
            icon={Ellipsis}
            aria-haspopup="menu"
            onClick={({ currentTarget }) => menu.current!.openAt(currentTarget)}
          />
          <Menu
            ref={menu}
            label="Flere handlinger"
            toTheLeft
            items={hidden.map(({ onPress, ...item }) => ({
              ...item,
              ...(onPress && { onSelect: () => onPress(more.current!.querySelector('button')!, 'first') }),
            }))}
          />
        </span>
      )}
      <IconButton label="Ryd det valgte" icon={X} onClick={onClose} />
    </section>
  )
}

function BarButton({ act }: { act: BarAct }) {
  const { text, icon: Icon, href, danger, isFirst, onPress } = act
  const place = isFirst ? '' : 'max-sm:hidden'
  if (href !== undefined)
    return (
      <span className={place}>
        <LinkButton kind="secondary" href={href} {...(Icon && { icon: Icon })}>
          {text}
        </LinkButton>
      </span>
    )
  return (
    <Button
      type="button"
      kind={danger ? 'danger' : 'secondary'}
      onClick={({ currentTarget }) => onPress?.(currentTarget, 'first')}
      className={place}
    >
      <span className="flex items-center gap-2">
        {Icon && <Icon size={16} strokeWidth={1.75} aria-hidden="true" className="max-sm:hidden" />}
        {text}
      </span>
    </Button>
  )
}
