import { X, type LucideIcon } from 'lucide-react'
import { Button } from '../basic/button.tsx'
import { IconButton } from '../icon/icon-button.tsx'
import { LinkButton } from '../basic/link-button.tsx'
import { MenuButton } from '../menu/menu-button.tsx'
import type { MenuStart } from '../menu/use-menu-opener.ts'

/** An action on the selected rows. */
export type BarAct = {
  key: string
  text: string
  icon: LucideIcon
  danger?: boolean
  /** Whether a narrow bar leaves it to the menu. */
  isInMenu?: boolean
} & ({ href: string } | { href?: undefined; onPress: (button: HTMLElement, start: MenuStart) => void })

type Props = {
  /** 'Valgte filer' */
  label: string
  /** '3 filer valgt' */
  text: string
  acts: readonly BarAct[]
  /** Opens the menu with all actions. */
  onMenu?: (button: HTMLElement, start: MenuStart) => void
  onClose: () => void
}

/** Stays at the bottom of the window while something is selected, and offers the actions. */
export function SelectBar({ label, text, acts, onMenu, onClose }: Props) {
  return (
    <section aria-label={label} className="select-bar">
      <p className="mr-auto font-medium whitespace-nowrap tabular-nums">{text}</p>
      {acts.map((act) => (
        <BarButton key={act.key} act={act} />
      ))}
      {onMenu && (
        <MenuButton
          label="Flere handlinger"
          icon="more"
          aria-haspopup="menu"
          data-act="menu"
          onOpen={onMenu}
        />
      )}
      <IconButton label="Ryd det valgte" icon={X} onClick={onClose} />
    </section>
  )
}

function BarButton({ act }: { act: BarAct }) {
  const { text, icon: Icon, danger, isInMenu } = act
  const place = isInMenu ? '@max-xl:hidden' : ''
  if (act.href !== undefined)
    return (
      <span className={place}>
        <LinkButton kind="secondary" href={act.href} icon={Icon}>
          {text}
        </LinkButton>
      </span>
    )
  return (
    <Button
      type="button"
      kind={danger ? 'danger' : 'secondary'}
      onClick={({ currentTarget }) => act.onPress(currentTarget, 'first')}
      className={place}
    >
      <span className="flex items-center gap-2">
        <Icon size={16} strokeWidth={1.75} aria-hidden="true" className="@max-md:hidden" />
        {text}
      </span>
    </Button>
  )
}
