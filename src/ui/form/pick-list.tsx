import { useId, type Ref } from 'react'
import { Faults } from '../basic/faults.tsx'
import { INPUT_LOOK } from '../basic/input-look.ts'
import { useHydrated } from '../basic/use-hydrated.ts'
import { useCombobox, type Choice } from './use-combobox.ts'
import { MOST_SUGGESTIONS } from './use-suggestions.ts'

type Props<Row> = Choice<Row> & {
  label: string
  placeholder: string
  /** The name under which the text is sent without JavaScript. */
  name?: string | undefined
  foundLabel?: string
  failed?: string
  titleOf: (row: Row) => string
  hintOf?: (row: Row) => string
  faults?: string[]
  inputRef?: Ref<HTMLInputElement>
  /** Takes the first focus of its modal. */
  focusFirst?: boolean | undefined
}

/**
 * A field that suggests rows of a long list while the user types: ARIA's combobox with a listbox. The focus stays in the
 * field, so a screen reader reads both the text and the active suggestion.
 */
export function PickList<Row>(props: Props<Row>) {
  const { label, placeholder, name, text, onPick, foundLabel = 'Forslag', failed = FAILED } = props
  const { keyOf, titleOf, hintOf, whyNot, floats = false, faults = [], inputRef, focusFirst } = props
  const id = useId()
  const isReady = useHydrated()
  const { state, rows, active, at, isShown, isOpen, optionId, canPick, ...box } = useCombobox(id, props)

  return (
    <div onFocus={box.onFocus} onBlur={box.onBlur} className={`grid gap-1 ${floats ? 'relative' : ''}`}>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        ref={inputRef}
        data-autofocus={focusFirst || undefined}
        id={id}
        name={name}
        value={text}
        onChange={(event) => box.change(event.currentTarget.value)}
        onKeyDown={box.onKeyDown}
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
        <Said state={isShown ? state : 'still'} count={rows.length} failed={failed} floats={floats} />
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

type SaidProps = { state: keyof typeof SAID | 'fault'; count: number; failed: string; floats: boolean }

/** Says whether there are suggestions; aloud only, if one sees them. */
function Said({ state, count, failed, floats }: SaidProps) {
  const isSeen = state === 'found' && count > 0 && count < MOST_SUGGESTIONS
  const look = `block text-meta text-muted ${floats ? 'px-3 py-2' : ''}`
  return (
    <output className={isSeen || state === 'still' ? 'sr-only' : look}>
      {state === 'fault' ? failed : SAID[state](count)}
    </output>
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
