import { useRef, useState } from 'react'
import { Chips } from '../basic/chips.tsx'
import { useForm } from './form.tsx'
import { PickList } from './pick-list.tsx'

type Props<Row, Found extends Row> = {
  /** The group's name: 'Medlemmer'. */
  legend: string
  help: string
  none: string
  /** The label of the search field. */
  label: string
  placeholder: string
  foundLabel: string
  failed: string
  /** The address that is searched. */
  route: string
  /** The rows that are already there. */
  rows: readonly Row[]
  /** The form's names for added rows, removed rows and the typed text. */
  names: { add: string; remove: string; text: string }
  titleOf: (row: Row) => string
  hintOf: (row: Row) => string
  /** Returns why a row cannot be added, or null. Rows that are already there need no reason. */
  whyNot: (row: Found) => string | null
  isThere: string
  /** Whether a text can mean only this row. */
  isExactly: (row: Row, text: string) => boolean
}

/**
 * A field that picks several rows of a long list. Sends only changes, so that two people at once do not undo each other's.
 * Without JavaScript, a row is added by typing it and removed with its cross.
 */
export function PickManyField<Row extends { id: number; name: string }, Found extends Row = Row>(
  props: Props<Row, Found>,
) {
  const { legend, rows, names, titleOf, whyNot } = props
  const { errors, clear, values } = useForm()
  const input = useRef<HTMLInputElement>(null)
  const [added, setAdded] = useState<Row[]>([])
  const [removed, setRemoved] = useState<number[]>([])
  const [text, setText] = useState(values[names.text] ?? '')
  const [announcement, setAnnouncement] = useState('')
  const shown = [...rows.filter((row) => !removed.includes(row.id)), ...added]
  const reasonOf = (row: Found) =>
    whyNot(row) ?? (shown.some((each) => each.id === row.id) ? props.isThere : null)

  function add(row: Found): void {
    setAnnouncement(`${row.name} er tilføjet. Husk at gemme.`)
    if (rows.some((each) => each.id === row.id)) setRemoved(removed.filter((each) => each !== row.id))
    else setAdded([...added, row])
    change('')
    input.current?.focus()
  }

  function remove(value: string): void {
    const row = Number(value)
    setAnnouncement(`${shown.find((each) => each.id === row)?.name} er fjernet. Husk at gemme.`)
    if (added.some((each) => each.id === row)) setAdded(added.filter((each) => each.id !== row))
    else setRemoved([...removed, row])
  }

  function change(next: string): void {
    setText(next)
    clear(names.text)
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
      <output className="sr-only">{announcement}</output>
      {added.map((row, index) => (
        <input key={row.id} type="hidden" name={`${names.add}[${index}]`} value={row.id} />
      ))}
      {removed.map((row, index) => (
        <input key={row} type="hidden" name={`${names.remove}[${index}]`} value={row} />
      ))}
      <div className="mt-2">
        <PickList<Found>
          inputRef={input}
          name={names.text}
          label={props.label}
          placeholder={props.placeholder}
          foundLabel={props.foundLabel}
          failed={props.failed}
          route={props.route}
          text={text}
          onText={change}
          onPick={add}
          keyOf={({ id }) => id}
          titleOf={titleOf}
          hintOf={props.hintOf}
          whyNot={reasonOf}
          isExactly={props.isExactly}
          faults={errors.get(names.text)}
        />
      </div>
    </fieldset>
  )
}
