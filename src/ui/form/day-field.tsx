import { useState } from 'react'
import { DateField } from './date-field.tsx'
import { useForm } from './form.tsx'

type Props = {
  name: string
  label: string
  /** As '2026-11-15', or null. */
  day: string | null
}

/** A day in a plain form, with the server's messages. */
export function DayField({ name, label, day: atFirst }: Props) {
  const { errors, clear, values } = useForm()
  const [day, setDay] = useState(atFirst)
  const faults = errors.get(name)
  return (
    <DateField
      name={name}
      label={label}
      choose={`Vælg dag: ${label}`}
      value={day}
      sent={values[name]}
      fault={faults.length > 0 ? faults.join(' ') : null}
      onChange={(next) => {
        setDay(next)
        clear(name)
      }}
    />
  )
}
