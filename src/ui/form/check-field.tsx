import { useId } from 'react'
import { Faults } from '../basic/faults.tsx'
import { useForm } from './form.tsx'

type Props = { name: string; label: string; help?: string; defaultChecked: boolean }

/** A check box with its label. */
export function CheckField({ name, label, help, defaultChecked }: Props) {
  const id = useId()
  const { errors, clear, values } = useForm()
  const faults = errors.get(name)
  // A form that is shown again has the ticked values; a missing value means no.
  const wasSent = Object.keys(values).length > 0
  return (
    <div className="flex items-start gap-2">
      <input
        id={id}
        type="checkbox"
        name={name}
        value="1"
        defaultChecked={wasSent ? name in values : defaultChecked}
        aria-invalid={faults.length > 0 || undefined}
        aria-describedby={
          `${faults.length > 0 ? `${id}-fault ` : ''}${help ? `${id}-help` : ''}`.trim() || undefined
        }
        onChange={() => clear(name)}
        className="mt-0.5"
      />
      <div className="grid gap-0.5">
        <label htmlFor={id} className="font-medium pointer-coarse:-my-3 pointer-coarse:py-3">
          {label}
        </label>
        {help && (
          <p id={`${id}-help`} className="text-meta text-muted">
            {help}
          </p>
        )}
        <Faults id={`${id}-fault`} faults={faults} />
      </div>
    </div>
  )
}
