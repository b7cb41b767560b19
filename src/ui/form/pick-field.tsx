import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../basic/button.tsx'
import { INPUT_LOOK } from '../basic/input-look.ts'
import { MOST_SUGGESTIONS, useSuggestions } from './use-suggestions.ts'

type Props<Row> = {
  /** Without JavaScript what was typed is sent under this name. */
  name?: string
  label: string
  placeholder: string
  /** Where it is searched. */
  route: string
  picked: Row | null
  onPick: (row: Row | null) => void
  keyOf: (row: Row) => number
  textOf: (row: Row) => string
  /** What is found lies over what follows, as long as one is there; Escape takes it away. */
  floats?: boolean
  /** Why one cannot be picked; null: it can. */
  whyNot?: (row: Row) => string | null
  /** Where the focus goes once one is picked: to what comes next. */
  next?: () => HTMLElement | null
}

/** One out of a long list, found by typing. */
export function PickField<Row>(props: Props<Row>) {
  const {
    name,
    label,
    placeholder,
    route,
    picked,
    onPick,
    keyOf,
    textOf,
    whyNot,
    next,
    floats = false,
  } = props
  const id = useId()
  const [text, setText] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const { found, state } = useSuggestions<Row>(route, picked ? '' : text)
  const canPick = (row: Row) => (whyNot?.(row) ?? null) === null

  // What had the focus is gone: it goes on to what took its place.
  const pick = (row: Row | null) => {
    flushSync(() => {
      setText('')
      onPick(row)
    })
    const after = row === null ? null : next?.()
    ;(after ?? box.current?.querySelector<HTMLElement>('input, button'))?.focus()
  }

  /** Up and down through the field and what was found. */
  function walk(event: KeyboardEvent): void {
    if (floats && event.key === 'Escape' && text !== '') {
      box.current?.querySelector('input')?.focus()
      return setText('')
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const stops = [...box.current!.querySelectorAll<HTMLElement>('input, li button')]
    stops.at((stops.indexOf(event.target as HTMLElement) + step) % stops.length)?.focus()
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault() // it picks, and does not send the form
    const open = found.filter(canPick)
    if (state === 'found' && open.length === 1) pick(open[0]!)
  }

  if (picked)
    return (
      <div ref={box} className="grid gap-1">
        <span className="font-medium">{label}</span>
        <div className="flex flex-wrap items-center gap-3">
          <span className="min-w-0 flex-1 wrap-anywhere">{textOf(picked)}</span>
          <Button type="button" kind="secondary" onClick={() => pick(null)}>
            Vælg igen
          </Button>
        </div>
      </div>
    )

  return (
    <div
      ref={box}
      onKeyDown={walk}
      role="presentation"
      className={`grid gap-1 ${floats ? FLOATING.box : ''}`}
    >
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        id={id}
        name={name}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        autoComplete="off"
        maxLength={254}
        placeholder={placeholder}
        aria-controls={`${id}-found`}
        className={INPUT_LOOK}
      />
      <div
        id={`${id}-found`}
        // Safari moves the focus away from what is pressed, and with it would go what is to be pressed.
        onMouseDown={floats ? (event) => event.preventDefault() : undefined}
        role="presentation"
        className={floats ? FLOATING[state === 'still' ? 'nothing' : 'found'] : ''}
      >
        <output className={`text-meta text-muted ${floats ? 'block px-3 py-2' : ''}`}>
          {SAID[state](found.length)}
          {found.length > 0 && <span className="sr-only"> Brug pil ned for at vælge.</span>}
        </output>
        {found.length > 0 && (
          <ul
            aria-label="Fundet"
            className={`grid border-line ${floats ? 'border-t' : 'rounded-control border'}`}
          >
            {found.map((row) => (
              <li key={keyOf(row)} className="border-b border-line last:border-0">
                <button
                  type="button"
                  aria-disabled={!canPick(row)}
                  onClick={() => canPick(row) && pick(row)}
                  className="flex min-h-9 w-full cursor-pointer flex-wrap items-baseline gap-x-2 px-3 py-2 text-left hover:bg-hover aria-disabled:cursor-default aria-disabled:text-muted pointer-coarse:min-h-11"
                >
                  <span>{textOf(row)}</span>
                  {!canPick(row) && <span className="text-meta">{whyNot!(row)}</span>}
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

const FLOATING = {
  box: 'group relative',
  nothing: 'sr-only',
  found:
    'absolute inset-x-0 top-full z-20 mt-1 rounded-control border border-line bg-surface shadow-lg group-[:not(:focus-within)]:hidden',
}

const SAID = {
  still: () => '',
  busy: () => 'Henter...',
  fault: () => 'Listen kunne ikke hentes. Prøv igen.',
  found: (count: number) =>
    count === 0
      ? 'Intet fundet...'
      : count === MOST_SUGGESTIONS
        ? `Viser de første ${count}. Skriv mere for at finde andre.`
        : `${count} fundet`,
}
