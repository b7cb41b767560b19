import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  type RefObject,
  type ToggleEvent,
} from 'react'
import { formatCount } from '../../base/danish/counts.ts'
import { DropdownFault, DropdownRow, DropdownSearch, type DropdownItem } from './dropdown-parts.tsx'
import { returnFocus, tabStops } from '../basic/focus.ts'
import { chooseFirst, folded, moveFromField, moveInList } from './menu-keys.ts'
import { isPlainClick } from '../basic/plain-click.ts'
import { placeByHand } from '../overlay/popovers.ts'
import { useFetchedRows, type Meta } from './use-fetched-rows.ts'
import { useMenuOpener, type MenuHandle } from './use-menu-opener.ts'

type Look = {
  label: string
  /** The label of a search field above a long list. */
  search?: string | undefined
  /** Stands below the list, whatever is searched for, and gets the searched text. Enter chooses it if nothing is found. */
  last?: Omit<DropdownItem, 'href' | 'onSelect'> & { onSelect: (query: string) => void }
}

type Items = { items: readonly DropdownItem[] }

/** S7.4: fetches the rows each time the menu opens. */
type Fetched<Row> = { route: string; toItem: (row: Row, meta: Meta | null) => DropdownItem }

export type MenuList<Row> = Look & (Items | Fetched<Row>)

type Own = {
  ref?: Ref<MenuHandle>
  /** Aligns its right edge with the button's, for a button at the end of a row. */
  toTheLeft?: boolean | undefined
  /** The button that opens it by `popovertarget`, if the menu has only one button. */
  trigger?: { id: string; ref: RefObject<HTMLElement | null> }
  onToggle?: (isOpen: boolean) => void
}

/** A menu that opens at any of several buttons. The page remembers which row it was opened for. */
export function Menu<Row>(props: Own & MenuList<Row>) {
  return 'route' in props ? <FetchedMenu {...props} /> : <MenuPopover {...props} />
}

function FetchedMenu<Row>({ route, toItem, ...more }: Own & Look & Fetched<Row>) {
  const { rows, meta, state, fetchRows, drop } = useFetchedRows<Row>(route)
  return (
    <MenuPopover
      {...more}
      items={rows?.map((row) => toItem(row, meta)) ?? null}
      total={meta?.total}
      state={state}
      onOpen={() => void fetchRows()}
      onClose={drop}
    />
  )
}

type PopoverProps = Own &
  Look & {
    /** Null until the first answer. */
    items: readonly DropdownItem[] | null
    total?: number | undefined
    state?: 'idle' | 'loading' | 'failed'
    onOpen?: () => void
    onClose?: () => void
  }

function MenuPopover(props: PopoverProps) {
  const { ref, label, search, last, toTheLeft, trigger, items, total, state = 'idle' } = props
  const { onOpen, onClose } = props
  const field = useRef<HTMLInputElement>(null)
  /** Enter was pressed before the rows had come. */
  const hasEntered = useRef(false)
  const [isOpen, setOpen] = useState(false)
  const [query, setQuery] = useState('')
  const { popover, button, startsAtEnd, forgetStart } = useMenuOpener(ref, isOpen, trigger?.ref)
  const shown = items?.filter(({ text }) => folded(text).includes(folded(query.trim()))) ?? []

  const below = last && { ...last, onSelect: () => last.onSelect(query) }

  const stops = () => tabStops(popover.current!).filter((each) => each !== field.current)

  function focusFirst(): void {
    // On a touch screen the field would bring up a keyboard that covers the list.
    const first = matchMedia('(pointer: coarse)').matches ? null : field.current
    const target = first ?? stops().at(startsAtEnd() ? -1 : 0) ?? popover.current
    target?.focus({ preventScroll: true })
  }

  const stopWaiting = useEffectEvent(() => {
    if (document.activeElement === popover.current) focusFirst()
    if (hasEntered.current && items && shown.length <= 1) chooseFirst(stops(), query) // of several, nobody has seen the first
    hasEntered.current = false
  })
  useEffect(() => {
    if (state !== 'loading') stopWaiting()
  }, [state])

  function toggled({ newState }: ToggleEvent): void {
    setOpen(newState === 'open')
    props.onToggle?.(newState === 'open')
    setQuery('') // here too: closing and opening quickly fires only one event
    if (newState === 'open') {
      placeByHand(popover.current!, button()!)
      focusFirst()
      onOpen?.()
      return
    }
    forgetStart()
    onClose?.()
    const { activeElement, body } = document
    if (activeElement === body || popover.current!.contains(activeElement)) returnFocus(button())
  }

  function close(): void {
    popover.current!.hidePopover()
    returnFocus(button())
  }

  function choose(event: MouseEvent, { href, onSelect, disabled }: DropdownItem): void {
    if (disabled) return
    const isLink = href !== undefined && (!onSelect || !isPlainClick(event))
    close()
    if (isLink) return
    event.preventDefault()
    onSelect?.()
  }

  function retry(): void {
    popover.current!.focus() // its own button disappears
    onOpen?.()
  }

  function moveByKey(event: KeyboardEvent): void {
    if (event.key === 'Tab') close() // and the browser continues from the button
    else if (event.target === field.current) {
      hasEntered.current = event.key === 'Enter' && items === null
      moveFromField(event, stops, shown.length > 0 || (last && items) ? query : '')
    } else moveInList(event, stops, field.current)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys of everything inside it
    <div
      ref={popover}
      id={trigger?.id}
      popover="auto"
      tabIndex={-1}
      {...(search && { role: 'dialog', 'aria-label': label })}
      onToggle={toggled}
      onKeyDown={moveByKey}
      className={`under-its-button min-w-48 overflow-y-auto rounded-card border border-line bg-surface p-1 text-ink shadow-lg outline-none ${
        search ? 'max-h-80 w-72' : 'max-h-[min(540px,calc(100dvh-16px))]'
      } ${toTheLeft ? 'to-the-left' : ''}`}
    >
      {search && <DropdownSearch ref={field} label={search} query={query} onChange={setQuery} />}
      {shown.length > 0 && (
        <div
          role="menu"
          aria-label={label}
          aria-busy={state === 'loading' || undefined}
          className={state === 'loading' ? 'opacity-70' : ''}
        >
          {shown.map((item) => (
            <DropdownRow key={item.key} item={item} onClick={(event) => choose(event, item)} />
          ))}
        </div>
      )}
      <output className="block px-3 text-muted not-empty:py-2">
        {noteOf({ items, shown: shown.length, total, state })}
      </output>
      {state === 'failed' && <DropdownFault onRetry={retry} />}
      {below && items && (
        <div role="menu" aria-label={below.text} className="mt-1 border-t border-line pt-1">
          <DropdownRow item={below} onClick={(event) => choose(event, below)} />
        </div>
      )}
    </div>
  )
}

type Note = Pick<PopoverProps, 'items' | 'total' | 'state'> & { shown: number }

/** S8.3, and a note if there are more rows than were sent. */
function noteOf({ items, shown, total = 0, state }: Note): string {
  if (items === null) return state === 'failed' ? '' : 'Henter...'
  if (shown === 0) return 'Intet fundet...'
  return total > items.length ? `Viser ${formatCount(items.length)} af ${formatCount(total)}` : ''
}
