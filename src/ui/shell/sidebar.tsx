import {
  Building2,
  CalendarCheck,
  FileText,
  FileUp,
  Folders,
  House,
  Inbox,
  TableProperties,
  UsersRound,
  X,
} from 'lucide-react'
import { useEffect, useRef, useSyncExternalStore, type MouseEvent } from 'react'
import { currentOf, navigationFor, type NavigationIcon } from '../../navigation.ts'
import { useFrame } from '../basic/frame.ts'
import { OfficeContact, OfficeSign } from './late-office-sign.tsx'
import { isHiddenAtFirst, isSidebarVisible, onSidebar, showSidebar } from './sidebar-flag.ts'
import { WaitingNumber } from './waiting-number.tsx'

export const SIDEBAR_ID = 'sidebar'

const ICONS: Record<NavigationIcon, typeof House> = {
  house: House,
  folders: Folders,
  year: CalendarCheck,
  papers: FileText,
  upload: FileUp,
  table: TableProperties,
  people: UsersRound,
  office: Building2,
  inbox: Inbox,
}

/** S2.10: a column on wide screens, wide or narrowed to icons; a drawer behind the toggle on narrow ones. */
export function Sidebar({ narrow }: { narrow: boolean }) {
  const { user, path } = useFrame()
  const visible = useSyncExternalStore(onSidebar, isSidebarVisible, isHiddenAtFirst)
  const drawer = useRef<HTMLElement>(null)

  useEffect(() => {
    if (!visible) return undefined
    const opener = document.activeElement
    drawer.current?.querySelector<HTMLElement>('a, button')?.focus()
    const close = (event: KeyboardEvent) => event.key === 'Escape' && showSidebar(false)
    addEventListener('keydown', close)
    return () => {
      removeEventListener('keydown', close)
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [visible])

  if (!user) return null
  const items = navigationFor(user)
  const current = currentOf(items, path)
  return (
    <>
      {visible && (
        <div
          onClick={() => showSidebar(false)}
          aria-hidden="true"
          className="fixed inset-0 z-30 bg-shade lg:hidden"
        />
      )}
      {/* Without JavaScript the toggle links here, and :target opens the drawer. */}
      <aside
        id={SIDEBAR_ID}
        ref={drawer}
        aria-label="Menu"
        className={`${visible ? 'flex' : 'hidden target:flex'} fixed inset-y-0 left-0 z-40 w-60 flex-col overflow-y-auto print:hidden border-r border-line bg-surface lg:sticky lg:top-0 lg:z-0 lg:flex lg:max-h-dvh lg:shrink-0 ${
          narrow ? 'lg:w-16' : ''
        }`}
      >
        <div className="flex min-h-14 items-center gap-2 px-4 py-2">
          <OfficeSign isInMenu isNarrow={narrow} />
          <a
            href="#indhold"
            aria-label="Luk menu"
            onClick={closeDrawer}
            className="ml-auto grid size-9 shrink-0 place-items-center rounded-control text-muted hover:bg-hover lg:hidden pointer-coarse:size-11"
          >
            <X size={20} strokeWidth={1.75} aria-hidden="true" />
          </a>
        </div>
        <nav aria-label="Hovedmenu" className="grid gap-1 px-2 py-2">
          {items.map((item) => (
            <a
              key={item.href}
              href={item.href}
              title={narrow ? item.text : undefined}
              aria-current={item === current ? 'page' : undefined}
              className={`relative flex min-h-9 items-center gap-3 rounded-control px-3 text-muted hover:bg-hover hover:text-ink aria-[current]:bg-accent-soft aria-[current]:font-medium aria-[current]:text-accent pointer-coarse:min-h-11 ${item.isApart ? 'mt-4' : ''}`}
            >
              <NavigationMark icon={item.icon} />
              <span className={narrow ? 'lg:sr-only' : ''}>{item.text}</span>
              <WaitingNumber of={item.waiting} isNarrow={narrow} />
            </a>
          ))}
        </nav>
        <div className={`mx-5 my-3 ${narrow ? 'lg:hidden' : ''}`}>
          <OfficeContact />
        </div>
      </aside>
    </>
  )
}

function NavigationMark({ icon }: { icon: NavigationIcon }) {
  const Icon = ICONS[icon]
  return <Icon size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
}

/** Without JavaScript the link itself closes the drawer. */
function closeDrawer(event: MouseEvent): void {
  event.preventDefault()
  showSidebar(false)
}
