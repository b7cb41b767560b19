import { X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, type FormEvent, type KeyboardEvent } from 'react'
import { INPUT_LOOK } from '../basic/input-look.ts'
import { SearchIcon } from './search-icon.tsx'

type Props = {
  label: string
  placeholder?: string
  text: string
  onType: (text: string) => void
  /** Searches at once: after Enter, or when the field is emptied. */
  onSearch: (text: string) => void
}

/** Searches while the user types; Escape empties it. Without JavaScript it is a field of the surrounding form. */
export function SearchBox({ label, placeholder, text, onType, onSearch }: Props) {
  const input = useRef<HTMLInputElement>(null)

  // The text that was typed before hydration.
  const takeTyped = useEffectEvent(() => {
    const typed = input.current!.value
    if (typed !== text) onType(typed)
  })
  useEffect(() => takeTyped(), [])

  function clear(): void {
    onSearch('')
    input.current?.focus()
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') onSearch(text)
    if (event.key === 'Escape' && text !== '') {
      event.preventDefault()
      onSearch('')
    }
  }

  return (
    <search className="relative block w-full sm:w-80">
      <SearchIcon />
      <input
        ref={input}
        type="text"
        name="q"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        maxLength={200}
        aria-label={label}
        placeholder={placeholder ?? label}
        value={text}
        onInput={(event: FormEvent<HTMLInputElement>) => onType(event.currentTarget.value)}
        onChange={() => undefined}
        onKeyDown={onKeyDown}
        className={`${INPUT_LOOK} pr-10 pl-9 text-ellipsis placeholder-shown:pr-3`}
      />
      {text !== '' && (
        <button
          type="button"
          aria-label="Ryd søgning"
          onClick={clear}
          className="absolute top-0 right-0 grid size-9 cursor-pointer place-items-center rounded-control text-muted hover:text-ink noscript:hidden pointer-coarse:size-11"
        >
          <X size={16} strokeWidth={1.75} aria-hidden="true" />
        </button>
      )}
    </search>
  )
}
