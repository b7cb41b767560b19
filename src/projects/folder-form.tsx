import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { cleanLine } from '../base/text.ts'
import type { ButtonKind } from '../ui/button.tsx'
import { CheckField } from '../ui/check-field.tsx'
import { Chips } from '../ui/chips.tsx'
import { Faults } from '../ui/faults.tsx'
import { Field } from '../ui/field.tsx'
import { Form, useForm, type RefusedForm } from '../ui/form.tsx'
import { INPUT_LOOK } from '../ui/input-look.ts'
import type { Folder } from './folder.ts'

type Props = {
  action: string
  submit: string
  /** None yet: a new one. */
  folder: Folder | null
  beside?: ReactNode
  kind?: ButtonKind
  /** Opened by a press: writing can begin. */
  takesFocus?: boolean
  refused?: RefusedForm | undefined
  onDone: (answer: { folders: Folder[] }) => void
}

export function FolderForm({
  action,
  submit,
  folder,
  beside,
  kind = 'primary',
  takesFocus = false,
  refused,
  onDone,
}: Props) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (takesFocus) field.current?.focus()
  }, [takesFocus])
  return (
    <Form
      action={action}
      submit={submit}
      kind={kind}
      beside={beside}
      refused={refused}
      onDone={(answer) => onDone(answer as { folders: Folder[] })}
    >
      <Field
        name="name"
        label="Navn"
        autoComplete="off"
        ref={field}
        defaultValue={refused?.values.name ?? folder?.name ?? ''}
      />
      <SubNamesField names={subNamesOf(refused) ?? folder?.sub_names ?? []} />
      <CheckField
        name="visible_to_investors"
        label="Deles med investorer"
        help="Ellers ser kun kontoret og projektets revisorer mappen."
        defaultChecked={folder?.visible_to_investors ?? false}
      />
    </Form>
  )
}

function subNamesOf(refused: RefusedForm | undefined): string[] | null {
  if (!refused) return null
  const names = Object.entries(refused.values).filter(([name]) => name.startsWith('sub_names['))
  return [...new Set(names.map(([, value]) => value).filter(Boolean))]
}

/** Chips, and a field for the next one. What stands in the field when the form is sent is taken too. */
function SubNamesField({ names: atFirst }: { names: readonly string[] }) {
  const id = useId()
  const { errors, clear } = useForm()
  const [names, setNames] = useState(atFirst)
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const faults = errors.get('sub_names.*')

  function change(next: string): void {
    setText(next)
    clear('sub_names.*')
  }

  function add(event: KeyboardEvent): void {
    const name = cleanLine(text)
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || name === '') return
    event.preventDefault() // it adds, and does not send the form
    if (!names.includes(name)) setNames([...names, name])
    change('')
  }

  function remove(name: string): void {
    setNames(names.filter((each) => each !== name))
    clear('sub_names.*')
  }

  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium">
        Undernavne
      </label>
      <Chips
        label="Undernavne"
        chips={names.map((name) => ({ value: name, text: name }))}
        removeName="without"
        onRemove={remove}
        fallback={input}
      />
      {names.map((name, index) => (
        <input key={name} type="hidden" name={`sub_names[${index}]`} value={name} />
      ))}
      <input
        ref={input}
        id={id}
        name={`sub_names[${names.length}]`}
        data-faults="sub_names.*"
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={add}
        autoComplete="off"
        aria-invalid={faults.length > 0 || undefined}
        aria-describedby={`${id}-help${faults.length > 0 ? ` ${id}-fault` : ''}`}
        className={INPUT_LOOK}
      />
      <p id={`${id}-help`} className="text-meta text-muted">
        Filer med disse navne lægges også i mappen, for eksempel Årsrapport 2020. Tryk på Enter efter hvert
        navn.
      </p>
      <Faults id={`${id}-fault`} faults={faults} />
    </div>
  )
}
