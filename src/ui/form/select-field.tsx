import { useId } from 'react'
import { Faults } from '../basic/faults.tsx'
import { useForm } from './form.tsx'
import { INPUT_LOOK } from '../basic/input-look.ts'

type Props = {
  name: string
  label: string
  options: readonly { value: string; text: string }[]
  defaultValue: string
}

/** The browser's own select, with its label. */
export function SelectField({ name, label, options, defaultValue }: Props) {
  const id = useId()
  const { errors, clear, values } = useForm()
  const faults = errors.get(name)
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <select
        id={id}
        name={name}
        defaultValue={values[name] ?? defaultValue}
        aria-invalid={faults.length > 0 || undefined}
        aria-describedby={faults.length > 0 ? `${id}-fault` : undefined}
        onChange={() => clear(name)}
        className={`${INPUT_LOOK} pl-2`}
      >
        {options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <Faults id={`${id}-fault`} faults={faults} />
    </div>
  )
}
