import { useId } from 'react'
import { Faults } from '../basic/faults.tsx'
import { INPUT_LOOK } from '../basic/input-look.ts'
import { useForm } from './form.tsx'

type Props = {
  name: string
  label: string
  help?: string | undefined
  defaultValue: string
  maxLength: number
  onText?: (text: string) => void
}

/** A field for several lines, with its label, help and the server's messages. */
export function TextArea({ name, label, help, defaultValue, maxLength, onText }: Props) {
  const id = useId()
  const { errors, clear, values } = useForm()
  const faults = errors.get(name)
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <textarea
        id={id}
        name={name}
        rows={3}
        maxLength={maxLength}
        defaultValue={values[name] ?? defaultValue}
        aria-invalid={faults.length > 0 || undefined}
        aria-describedby={
          [help && `${id}-help`, faults.length > 0 && `${id}-fault`].filter(Boolean).join(' ') || undefined
        }
        onInput={({ currentTarget }) => {
          clear(name)
          onText?.(currentTarget.value)
        }}
        className={`${INPUT_LOOK} field-sizing-content py-2`}
      />
      {help && (
        <p id={`${id}-help`} className="text-meta text-muted">
          {help}
        </p>
      )}
      <Faults id={`${id}-fault`} faults={faults} />
    </div>
  )
}
