import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { cleanLine } from '../../base/text.ts'
import { Chips } from '../basic/chips.tsx'
import { Faults } from '../basic/faults.tsx'
import { useForm } from './form.tsx'
import { INPUT_LOOK } from '../basic/input-look.ts'

type Props = {
  name: string
  label: string
  help: string
  texts: readonly string[]
  /** A comma or a semicolon also ends a text. */
  splits?: boolean
}

/** A field for several texts: chips, and an input for the next. A text in the input is sent too. */
export function TextsField({ name, label, help, texts: atFirst, splits = false }: Props) {
  const id = useId()
  const { errors, clear, values } = useForm()
  const [texts, setTexts] = useState(() => sentTexts(values, name) ?? atFirst)
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const faults = errors.get(`${name}.*`)

  function change(next: string): void {
    setText(next)
    clear(`${name}.*`)
  }

  function add(several: string[]): void {
    setTexts([...new Set([...texts, ...several.map(cleanLine).filter(Boolean)])])
  }

  function type(next: string): void {
    const parts = splits ? next.split(/[,;\n]/) : [next]
    if (parts.length > 1) add(parts.slice(0, -1))
    change(parts.at(-1)!.trimStart())
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || cleanLine(text) === '') return
    event.preventDefault() // adds a text instead of sending the form
    add([text])
    change('')
  }

  function remove(gone: string): void {
    setTexts(texts.filter((each) => each !== gone))
    clear(`${name}.*`)
  }

  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <Chips
        label={label}
        chips={texts.map((each) => ({ value: each, text: each }))}
        removeName="without"
        onRemove={remove}
        fallback={input}
      />
      {texts.map((each, index) => (
        <input key={each} type="hidden" name={`${name}[${index}]`} value={each} />
      ))}
      <input
        ref={input}
        id={id}
        name={`${name}[${texts.length}]`}
        data-faults={`${name}.*`}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        autoComplete="off"
        aria-invalid={faults.length > 0 || undefined}
        aria-describedby={`${id}-help${faults.length > 0 ? ` ${id}-fault` : ''}`}
        className={INPUT_LOOK}
      />
      <p id={`${id}-help`} className="text-meta text-muted">
        {help}
      </p>
      <Faults id={`${id}-fault`} faults={faults} />
    </div>
  )
}

/** Returns the texts that were sent; null if nothing was. */
function sentTexts(values: Record<string, string>, name: string): string[] | null {
  const all = Object.entries(values)
  const texts = all.filter(([each]) => each.startsWith(`${name}[`))
  return all.length === 0 ? null : [...new Set(texts.map(([, value]) => value).filter(Boolean))]
}
