import { useId, type ComponentProps, type ReactNode } from 'react'
import { Faults } from '../basic/faults.tsx'
import { useForm } from './form.tsx'
import { INPUT_LOOK } from '../basic/input-look.ts'

type Props = Omit<ComponentProps<'input'>, 'name'> & {
  name: string
  label: string
  help?: string
  /** An element right after the input, on the same line. */
  beside?: ReactNode
}

/** An input with its label, help and the server's messages, which typing removes. */
export function Field({ name, label, help, beside, ...more }: Props) {
  const id = useId()
  const { errors, clear, values } = useForm()
  const faults = errors.get(name)
  const [helpId, faultId] = [`${id}-help`, `${id}-fault`]
  const describedBy = [help && helpId, faults.length > 0 && faultId].filter(Boolean).join(' ')
  const input = (
    <input
      id={id}
      name={name}
      defaultValue={values[name]}
      aria-invalid={faults.length > 0 || undefined}
      aria-describedby={describedBy || undefined}
      onInput={() => clear(name)}
      className={INPUT_LOOK}
      {...more}
    />
  )
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {beside ? (
        <div className="flex gap-2">
          {input}
          {beside}
        </div>
      ) : (
        input
      )}
      {help && (
        <p id={helpId} className="text-meta text-muted">
          {help}
        </p>
      )}
      <Faults id={faultId} faults={faults} />
    </div>
  )
}
