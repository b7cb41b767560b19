import { Search, X } from 'lucide-react'
import { useCallback, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react'
import { useFrame } from '../../ui/basic/frame.ts'
import { INPUT_LOOK } from '../../ui/basic/input-look.ts'
import { isPlainClick } from '../../ui/basic/plain-click.ts'
import { useHydrated } from '../../ui/basic/use-hydrated.ts'
import { SearchIcon } from '../../ui/form/search-icon.tsx'
import { makeLate } from '../../ui/overlay/late.ts'
import { useLate } from '../../ui/overlay/use-late.ts'
import { urls } from '../../urls.ts'
import { MOST_LETTERS } from '../answer/most-letters.ts'
import { isInReach, SEARCH_FIELD } from './search-keys.ts'
import { useSearchBox } from './use-search-box.ts'
import { useSearchKeys } from './use-search-keys.ts'
import type { ListState, SuggestionListHandle, SuggestionListProps } from './suggestion-list.tsx'

const suggestionList = makeLate(() => import('./suggestion-list.tsx').then((file) => file.SuggestionList))

const LABEL = 'Søg i Ringbind'

/**
 * The search box at the top of every page. It is a plain form; suggestions are fetched when it gets the focus. The
 * search page has its own field, and there the keys lead to that.
 */
export function SearchField() {
  const { user, path } = useFrame()
  if (!user) return null
  return path === urls.search ? <KeysAlone /> : <Box />
}

function KeysAlone() {
  useSearchKeys(() => {
    const field = document.querySelector<HTMLInputElement>(`[${SEARCH_FIELD}]`)
    if (!field || !isInReach(field)) return false
    field.focus()
    field.select()
    return true
  })
  return null
}

function Box() {
  const { form, input, icon, isOpen, isOver, open, close, enter, leave } = useSearchBox()
  const [text, setText] = useState('')
  const [list, setList] = useState<ListState | null>(null)
  const { Part: List, ref, call } = useLate<SuggestionListProps, SuggestionListHandle>(suggestionList, false)
  const suggestions = useRef<SuggestionListHandle | null>(null)
  const listRef = useCallback(
    (now: SuggestionListHandle | null) => {
      suggestions.current = now
      ref(now)
    },
    [ref],
  )

  function onFocus(event: FocusEvent): void {
    call(() => undefined)
    setText(input.current!.value) // also text that was typed before hydration
    enter(event)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return suggestions.current?.onKey(event)
    event.preventDefault() // the browser would empty the field
    return close()
  }

  return (
    <search aria-label={LABEL} className="print:hidden">
      <a
        ref={icon}
        href={urls.search}
        aria-label="Søg"
        data-tooltip=""
        className="icon-button search-icon"
        onClick={(event) => {
          if (!isPlainClick(event)) return
          event.preventDefault()
          open(event.currentTarget)
        }}
      >
        <Search size={20} strokeWidth={1.75} aria-hidden="true" />
      </a>
      <form ref={form} action={urls.search} className={isOver ? OVER : IN_HEADER}>
        <div className="relative min-w-0 flex-1">
          <SearchIcon />
          <input
            ref={input}
            type="search"
            name="q"
            enterKeyHint="search"
            autoComplete="off"
            maxLength={MOST_LETTERS}
            aria-label={LABEL}
            placeholder="Søg"
            onFocus={onFocus}
            onBlur={leave}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            {...(list && {
              role: 'combobox',
              'aria-autocomplete': 'list',
              'aria-expanded': list.id !== null,
              'aria-controls': list.id ?? undefined,
              'aria-activedescendant': list.active ?? undefined,
            })}
            className={`${INPUT_LOOK} search-field pl-9 ${isOver ? '' : 'pr-16 pointer-coarse:pr-3'}`}
          />
          {!isOver && <KeyName />}
        </div>
        {isOver && (
          <button
            type="button"
            aria-label="Luk søgning"
            className="icon-button"
            onBlur={leave}
            onClick={close}
          >
            <X size={20} strokeWidth={1.75} aria-hidden="true" />
          </button>
        )}
        {List && (
          <List
            ref={listRef}
            text={text}
            isOpen={isOpen}
            className={isOver ? LIST_OVER : LIST_IN_HEADER}
            onList={setList}
            onClose={close}
          />
        )}
      </form>
    </search>
  )
}

/** The key that leads here, as this computer's keyboard calls it. */
function KeyName() {
  const isMac = useHydrated() && /^mac/i.test(navigator.platform)
  return (
    <kbd
      aria-hidden="true"
      className="noscript:hidden pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 rounded-control border border-line px-1.5 font-sans text-meta text-muted pointer-coarse:hidden"
    >
      {isMac ? '⌘ K' : 'Ctrl K'}
    </kbd>
  )
}

const IN_HEADER = 'search-in-header relative sm:w-56 lg:w-80'
const OVER =
  'fixed inset-x-0 top-0 z-50 mx-auto flex max-w-2xl items-center gap-1 border-b border-line bg-surface p-2 shadow-lg sm:top-2 sm:rounded-card sm:border'
const LIST_IN_HEADER =
  'absolute top-full right-0 z-40 mt-1 max-h-[min(75dvh,640px)] w-[min(600px,calc(100vw-32px))] overflow-y-auto rounded-card border border-line bg-surface shadow-lg'
const LIST_OVER =
  'absolute inset-x-0 top-full max-h-[calc(100dvh-64px)] overflow-y-auto border-b border-line bg-surface shadow-lg sm:mt-1 sm:max-h-[75dvh] sm:rounded-card sm:border'
