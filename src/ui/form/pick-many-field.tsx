import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { Chips } from '../basic/chips.tsx'
import { Faults } from '../basic/faults.tsx'
import { useForm } from './form.tsx'
import { INPUT_LOOK } from '../basic/input-look.ts'
import { MOST_SUGGESTIONS, useSuggestions } from './use-suggestions.ts'

type Props<Row, Found extends Row> = {
  /** What they are together: 'Medlemmer'. */
  legend: string
  help: string
  none: string
  /** Of the field that finds more. */
  label: string
  placeholder: string
  foundLabel: string
  failed: string
  /** Where it is searched. */
  route: string
  /** Who or what is there already. */
  rows: readonly Row[]
  /** What the form calls those that are added, those that are taken away, and one that is written. */
  names: { add: string; remove: string; text: string }
  titleOf: (row: Row) => string
  hintOf: (row: Row) => string
  /** Why one cannot be added, apart from being there; null: it can. */
  whyNot: (row: Found) => string | null
  isThere: string
  /** Whether a text can mean nothing else. */
  isExactly: (row: Row, text: string) => boolean
}

/**
 * Some out of a long list. Only what changes is sent, so that two people at once undo nothing of each other's. Without
 * JavaScript one is added by writing it out, and taken away by the cross.
 */
export function PickManyField<Row extends { id: number; name: string }, Found extends Row = Row>(
  props: Props<Row, Found>,
) {
  const { legend, label, rows, names, titleOf, hintOf, whyNot, isExactly } = props
  const id = useId()
  const { errors, clear, values } = useForm()
  const faults = errors.get(names.text)
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [added, setAdded] = useState<Row[]>([])
  const [removed, setRemoved] = useState<number[]>([])
  const [text, setText] = useState(values[names.text] ?? '')
  const [said, setSaid] = useState('')
  const { found, state } = useSuggestions<Found>(props.route, text)
  const shown = [...rows.filter((row) => !removed.includes(row.id)), ...added]
  const reasonOf = (row: Found) =>
    whyNot(row) ?? (shown.some((each) => each.id === row.id) ? props.isThere : null)
  const canAdd = (row: Found) => reasonOf(row) === null

  const isOrdinary = state === 'found' && found.length > 0 && found.length < MOST_SUGGESTIONS

  function add(row: Found): void {
    setSaid(`${row.name} er tilføjet. Husk at gemme.`)
    if (rows.some((each) => each.id === row.id)) setRemoved(removed.filter((each) => each !== row.id))
    else setAdded([...added, row])
    change('')
    input.current?.focus()
  }

  function remove(value: string): void {
    const row = Number(value)
    setSaid(`${shown.find((each) => each.id === row)?.name} er fjernet. Husk at gemme.`)
    if (added.some((each) => each.id === row)) setAdded(added.filter((each) => each.id !== row))
    else setRemoved([...removed, row])
  }

  function change(next: string): void {
    setText(next)
    clear(names.text)
  }

  /** Up and down through the field and what was found. */
  function walk(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const stops = [input.current!, ...list.current!.querySelectorAll<HTMLElement>('li button')]
    stops.at((stops.indexOf(event.target as HTMLInputElement) + step) % stops.length)?.focus()
  }

  /** What a text can only mean: it is exactly that, or nothing else was found. */
  function sureOf(candidates: Found[]): Found | undefined {
    const exact = candidates.find((row) => isExactly(row, text.trim()))
    return exact ?? (candidates.length === 1 ? candidates[0] : undefined)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape' && text !== '') change('')
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || text.trim() === '') return
    event.preventDefault() // it adds, and does not send the form
    const sure = state === 'found' ? sureOf(found.filter(canAdd)) : undefined
    if (sure) add(sure)
  }

  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-medium">{legend}</legend>
      <p className="text-meta text-muted">{props.help}</p>
      {shown.length === 0 && <p className="text-muted">{props.none}</p>}
      <Chips
        label={legend}
        chips={shown.map((row) => ({ value: String(row.id), text: titleOf(row) }))}
        removeName={`${names.remove}[]`}
        onRemove={remove}
        fallback={input}
      />
      <output className="sr-only">{said}</output>
      {added.map((row, index) => (
        <input key={row.id} type="hidden" name={`${names.add}[${index}]`} value={row.id} />
      ))}
      {removed.map((row, index) => (
        <input key={row} type="hidden" name={`${names.remove}[${index}]`} value={row} />
      ))}
      <div ref={list} onKeyDown={walk} role="presentation" className="mt-2 grid gap-1">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <input
          ref={input}
          id={id}
          name={names.text}
          value={text}
          onChange={(event) => change(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          autoComplete="off"
          maxLength={254}
          placeholder={props.placeholder}
          aria-invalid={faults.length > 0 || undefined}
          aria-describedby={faults.length > 0 ? `${id}-fault` : undefined}
          aria-controls={`${id}-found`}
          className={INPUT_LOOK}
        />
        <Faults id={`${id}-fault`} faults={faults} />
        <div id={`${id}-found`}>
          <output className={isOrdinary ? 'sr-only' : 'text-meta text-muted'}>
            {state === 'fault' ? props.failed : SAID[state](found.length)}
          </output>
          {found.length > 0 && (
            <ul aria-label={props.foundLabel} className="grid rounded-control border border-line">
              {found
                .toSorted((a, b) => Number(canAdd(b)) - Number(canAdd(a)))
                .map((row) => (
                  <li key={row.id} className="border-b border-line last:border-0">
                    <button
                      type="button"
                      aria-disabled={!canAdd(row)}
                      onClick={() => canAdd(row) && add(row)}
                      className="flex min-h-9 w-full cursor-pointer flex-wrap items-baseline gap-x-2 px-3 py-2 text-left hover:bg-hover aria-disabled:cursor-default aria-disabled:text-muted pointer-coarse:min-h-11"
                    >
                      <span className="font-medium">{titleOf(row)}</span>
                      <span className="text-meta text-muted wrap-anywhere">{hintOf(row)}</span>
                      {!canAdd(row) && <span className="text-meta">{reasonOf(row)}</span>}
                    </button>
                  </li>
                ))}
            </ul>
          )}
        </div>
      </div>
    </fieldset>
  )
}

const SAID = {
  still: () => '',
  busy: () => 'Henter...',
  found: (count: number) =>
    count === 0
      ? 'Intet fundet...'
      : count === MOST_SUGGESTIONS
        ? `Viser de første ${count}. Skriv mere for at finde andre.`
        : `${count} fundet`,
}
