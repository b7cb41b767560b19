import {
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ToggleEvent,
} from 'react'
import {
  DropdownFault,
  DropdownRow,
  DropdownSearch,
  DropdownTrigger,
  type DropdownItem,
  type TriggerLook,
} from './dropdown-parts.tsx'
import { tabStops } from './focus.ts'
import { folded, isCharacter, itemForKey } from './menu-keys.ts'
import { isPlainClick } from './plain-click.ts'
import { placeByHand, showAt } from './popovers.ts'
import { useFetchedRows, type Meta } from './use-fetched-rows.ts'

type Look = TriggerLook & {
  /** The label of a field on top that narrows a long list down. */
  search?: string
}

type Static = Look & { items: readonly DropdownItem[] }

/** S7.4: its rows are fetched each time it opens. */
type Fetched<Row> = Look & { route: string; toItem: (row: Row, meta: Meta | null) => DropdownItem }

/** A button with a menu under it. Links among the items work without JavaScript too. */
export function Dropdown<Row>(props: Static | Fetched<Row>) {
  return 'route' in props ? <FetchedMenu {...props} /> : <Menu {...props} />
}

function FetchedMenu<Row>({ route, toItem, ...look }: Fetched<Row>) {
  const { rows, meta, state, fetchRows, drop } = useFetchedRows<Row>(route)
  return (
    <Menu
      {...look}
      items={rows?.map((row) => toItem(row, meta)) ?? null}
      total={meta?.total}
      state={state}
      onOpen={() => void fetchRows()}
      onClose={drop}
    />
  )
}

type MenuProps = Look & {
  /** Null while there is nothing yet. */
  items: readonly DropdownItem[] | null
  total?: number | undefined
  state?: 'idle' | 'loading' | 'failed'
  onOpen?: () => void
  onClose?: () => void
}

function Menu({ items, total, state = 'idle', onOpen, onClose, search, ...look }: MenuProps) {
  const id = useId()
  const trigger = useRef<HTMLButtonElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const startsAtEnd = useRef(false)
  // Unknown until it is first opened: without JavaScript the browser itself says whether it is.
  const [isOpen, setOpen] = useState<boolean>()
  const [query, setQuery] = useState('')
  const shown = items?.filter(({ text }) => folded(text).includes(folded(query.trim()))) ?? []

  const stops = () => tabStops(popover.current!).filter((each) => each !== field.current)

  function focusFirst(): void {
    // On a touch screen the field would bring up a keyboard over the list.
    const first = matchMedia('(pointer: coarse)').matches ? null : field.current
    const target = first ?? stops().at(startsAtEnd.current ? -1 : 0) ?? popover.current
    target?.focus({ preventScroll: true })
  }

  const stopWaiting = useEffectEvent(() => {
    if (document.activeElement === popover.current) focusFirst()
  })
  useEffect(() => {
    if (state !== 'loading') stopWaiting()
  }, [state])

  function toggled({ newState }: ToggleEvent): void {
    setOpen(newState === 'open')
    setQuery('') // here too: who closes and opens quickly makes but one event
    if (newState === 'open') {
      placeByHand(popover.current!, trigger.current!)
      focusFirst()
      onOpen?.()
      return
    }
    startsAtEnd.current = false
    onClose?.()
    const { activeElement, body } = document
    if (activeElement === body || popover.current!.contains(activeElement)) focusTrigger()
  }

  const focusTrigger = () => trigger.current!.focus({ preventScroll: true })

  function close(): void {
    popover.current!.hidePopover()
    focusTrigger()
  }

  function choose(event: MouseEvent, { href, onSelect }: DropdownItem): void {
    const isLink = href !== undefined && (!onSelect || !isPlainClick(event))
    close()
    if (isLink) return
    event.preventDefault()
    onSelect?.()
  }

  function retry(): void {
    popover.current!.focus() // its own button goes
    onOpen?.()
  }

  function openByKey(event: KeyboardEvent): void {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    startsAtEnd.current = event.key === 'ArrowUp'
    showAt(popover.current!, trigger.current!)
  }

  function moveByKey(event: KeyboardEvent): void {
    if (event.key === 'Tab') close() // and the browser goes on from the button
    else if (event.target === field.current) moveFromField(event)
    else moveInList(event)
  }

  function moveFromField(event: KeyboardEvent): void {
    if (!['ArrowDown', 'ArrowUp', 'Enter'].includes(event.key) || event.nativeEvent.isComposing) return
    event.preventDefault() // a form around it is not meant
    const target = stops().at(event.key === 'ArrowUp' ? -1 : 0)
    if (event.key !== 'Enter') target?.focus()
    else if (query.trim() !== '') target?.click()
  }

  function moveInList(event: KeyboardEvent): void {
    const { key, ctrlKey, altKey, metaKey } = event
    if (ctrlKey || altKey || metaKey) return
    if (field.current && isCharacter(key)) return field.current.focus() // the letter then lands there
    const all = stops()
    const at = all.indexOf(event.target as HTMLElement)
    const to = itemForKey(
      key,
      at,
      all.map((each) => each.textContent),
    )
    if (key === ' ' && at >= 0) all[at]!.click()
    else if (key === 'ArrowUp' && at === 0 && field.current) field.current.focus()
    else if (to !== null) all[to]!.focus()
    else return
    event.preventDefault()
  }

  return (
    <>
      <DropdownTrigger
        {...look}
        ref={trigger}
        popoverTarget={id}
        aria-haspopup={search ? 'dialog' : 'menu'}
        aria-expanded={isOpen}
        onKeyDown={openByKey}
      />
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys of everything inside it */}
      <div
        ref={popover}
        id={id}
        popover="auto"
        tabIndex={-1}
        {...(search && { role: 'dialog', 'aria-label': look.label })}
        onToggle={toggled}
        onKeyDown={moveByKey}
        className={`under-its-button max-h-80 min-w-48 overflow-y-auto rounded-card border border-line bg-surface p-1 text-ink shadow-lg outline-none ${
          search ? 'w-72' : ''
        } ${look.iconOnly ? 'to-the-left' : ''}`}
      >
        {search && <DropdownSearch ref={field} label={search} query={query} onChange={setQuery} />}
        {shown.length > 0 && (
          <div
            role="menu"
            aria-label={look.label}
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
      </div>
    </>
  )
}

type Note = Pick<MenuProps, 'items' | 'total' | 'state'> & { shown: number }

/** S8.3, and that there are more than were sent. */
function noteOf({ items, shown, total = 0, state }: Note): string {
  if (items === null) return state === 'failed' ? '' : 'Henter...'
  if (shown === 0) return 'Intet fundet...'
  return total > items.length ? `Viser ${items.length} af ${total}` : ''
}
