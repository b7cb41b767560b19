import { useId, useState, type KeyboardEvent, type Ref } from 'react'
import { Faults } from '../basic/faults.tsx'
import { INPUT_LOOK } from '../basic/input-look.ts'
import { useHydrated } from '../basic/use-hydrated.ts'
import { MOST_SUGGESTIONS, useSuggestions } from './use-suggestions.ts'

type Props<Row> = {
  label: string
  placeholder: string
  /** Without JavaScript the text is sent under this name. */
  name?: string | undefined
  text: string
  onText: (text: string) => void
  onPick: (row: Row) => void
  /** Where it is searched. */
  route: string
  foundLabel?: string
  failed?: string
  keyOf: (row: Row) => number
  titleOf: (row: Row) => string
  hintOf?: (row: Row) => string
  /** Why a row cannot be picked; null: it can. */
  whyNot: (row: Row) => string | null
  /** Whether a text can mean no other row. */
  isExactly?: (row: Row, text: string) => boolean
  /** The suggestions lie over what follows while the field has the focus. */
  floats?: boolean
  faults?: string[]
  inputRef?: Ref<HTMLInputElement>
}

/**
 * A field that suggests rows of a long list while it is typed in: ARIA's combobox with a listbox. The focus stays in
 * the field, so a screen reader reads both the text and the suggestion that the arrows have reached.
 */
export function PickList<Row>(props: Props<Row>) {
  const {
    label,
    placeholder,
    name,
    text,
    onText,
    onPick,
    route,
    foundLabel = 'Forslag',
    failed = FAILED,
  } = props
  const { keyOf, titleOf, hintOf, whyNot, isExactly, floats = false, faults = [], inputRef } = props
  const id = useId()
  const isReady = useHydrated()
  const [active, setActive] = useState<number | null>(null)
  const [hasFocus, setFocus] = useState(false)
  const { found, state } = useSuggestions<Row>(route, text)
  const canPick = (row: Row) => whyNot(row) === null
  const rows = found.toSorted((a, b) => Number(canPick(b)) - Number(canPick(a)))
  const at = rows.findIndex((row) => keyOf(row) === active)
  const isShown = state !== 'still' && (hasFocus || !floats)
  const isOpen = isShown && rows.length > 0
  const isOrdinary = state === 'found' && found.length > 0 && found.length < MOST_SUGGESTIONS
  const optionId = (row: Row) => `${id}-${keyOf(row)}`

  function change(next: string): void {
    setActive(null)
    onText(next)
  }

  /** Past either end lies the field itself, where no suggestion is active. */
  function walkTo(index: number): void {
    const row = rows[index]
    setActive(row === undefined ? null : keyOf(row))
    if (row !== undefined) document.getElementById(optionId(row))!.scrollIntoView({ block: 'nearest' })
  }

  /** The row that Enter picks: the active one, or the only one that the text can mean. */
  function rowMeant(): Row | undefined {
    if (at >= 0) return rows[at]
    if (state !== 'found') return undefined
    const open = rows.filter(canPick)
    return open.find((row) => isExactly?.(row, text.trim())) ?? (open.length === 1 ? open[0] : undefined)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { key } = event
    if (event.nativeEvent.isComposing || text.trim() === '') return
    const to = { ArrowDown: at + 1, ArrowUp: at < 0 ? rows.length - 1 : at - 1 }[key]
    const edge = at < 0 ? undefined : { Home: 0, End: rows.length - 1 }[key] // else they move the caret
    if (key === 'Enter') {
      const row = rowMeant()
      if (row !== undefined && canPick(row)) onPick(row)
    } else if (key === 'Escape') change('')
    else if (to !== undefined) walkTo(to)
    else if (edge !== undefined) walkTo(edge)
    else return
    event.preventDefault() // neither the form is sent nor the modal closed
  }

  return (
    <div
      onFocus={() => setFocus(true)}
      onBlur={() => {
        setFocus(false)
        setActive(null)
      }}
      className={`grid gap-1 ${floats ? 'relative' : ''}`}
    >
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        ref={inputRef}
        id={id}
        name={name}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        autoComplete="off"
        maxLength={254}
        placeholder={placeholder}
        aria-invalid={faults.length > 0 || undefined}
        aria-describedby={faults.length > 0 ? `${id}-fault` : undefined}
        {...(isReady && {
          role: 'combobox',
          'aria-autocomplete': 'list',
          'aria-expanded': isOpen,
          'aria-controls': isOpen ? `${id}-found` : undefined,
          'aria-activedescendant': isOpen && at >= 0 ? optionId(rows[at]!) : undefined,
        })}
        className={INPUT_LOOK}
      />
      <Faults id={`${id}-fault`} faults={faults} />
      <div className={floats && isShown ? FLOATING : ''}>
        <output
          className={
            isOrdinary || !isShown ? 'sr-only' : `block text-meta text-muted ${floats ? 'px-3 py-2' : ''}`
          }
        >
          {isShown && (state === 'fault' ? failed : SAID[state](found.length))}
        </output>
        {isOpen && (
          <div
            id={`${id}-found`}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a datalist cannot say why a row cannot be picked
            role="listbox"
            aria-label={foundLabel}
            className={`grid border-line ${floats ? '' : 'rounded-control border'}`}
          >
            {rows.map((row) => (
              <button
                key={keyOf(row)}
                id={optionId(row)}
                type="button"
                tabIndex={-1}
                // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an option stands in a select alone
                role="option"
                aria-selected={keyOf(row) === active}
                aria-disabled={!canPick(row)}
                // The field keeps the focus while a suggestion is pressed.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => canPick(row) && onPick(row)}
                className="flex min-h-9 w-full cursor-pointer flex-wrap items-baseline gap-x-2 border-b border-line px-3 py-2 text-left last:border-0 hover:bg-hover aria-disabled:cursor-default aria-disabled:text-muted aria-selected:bg-hover aria-selected:outline-2 aria-selected:-outline-offset-2 aria-selected:outline-accent pointer-coarse:min-h-11"
              >
                <span className={hintOf ? 'font-medium' : ''}>{titleOf(row)}</span>
                {hintOf && <span className="text-meta text-muted wrap-anywhere">{hintOf(row)}</span>}
                {!canPick(row) && <span className="text-meta">{whyNot(row)}</span>}
              </button>
            ))}
          </div>
        )}
      </div>
    </div>
  )
}

const FLOATING =
  'absolute inset-x-0 top-full z-20 mt-1 rounded-control border border-line bg-surface shadow-lg'

const FAILED = 'Listen kunne ikke hentes. Prøv igen.'

const SAID = {
  still: () => '',
  busy: () => 'Henter...',
  found: (count: number) =>
    count === 0
      ? 'Ingen forslag'
      : count === MOST_SUGGESTIONS
        ? `Viser de første ${count}. Skriv mere for at finde andre.`
        : `${count} forslag`,
}
