import { useState, type ReactNode } from 'react'
import { DateField } from '../../ui/form/date-field.tsx'
import { useForm } from '../../ui/form/form.tsx'

/** A part of the form, with its heading. */
export function FormPart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="grid gap-4 border-t border-line pt-4 first-of-type:border-0 first-of-type:pt-0">
      <legend className="float-left w-full text-section font-semibold">{title}</legend>
      {children}
    </fieldset>
  )
}

type DateProps = {
  name: string
  label: string
  choose: string
  value: string | null
  help?: string
}

/** A day in the form, which keeps what was typed when the form is refused. */
export function ObligationDateField({ name, label, choose, value, help }: DateProps) {
  const { errors, clear, values } = useForm()
  const [day, setDay] = useState(value)
  return (
    <div className="grid max-w-72 gap-1">
      <DateField
        name={name}
        label={label}
        choose={choose}
        value={day}
        sent={values[name]}
        fault={errors.get(name)[0] ?? null}
        onChange={(next) => {
          setDay(next)
          clear(name)
        }}
      />
      {help && <p className="text-meta text-muted">{help}</p>}
    </div>
  )
}
